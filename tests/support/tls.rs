//! The certificate authority of the tests: one per process, made at run time, so that no key lies in the repository
//! and nothing expires there. All servers of a process are trusted through the same CA file.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tempfile::NamedTempFile;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

/// Names that every server certificate bears.
const NAMES: [&str; 7] = [
    "localhost",
    "127.0.0.1",
    "registry.example.test",
    "*.example.test",
    "registry.terraform.io",
    "registry.opentofu.org",
    "xn--bcher-kva.example",
];

/// A certificate authority that issues server certificates.
pub struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Makes a new authority, which nobody trusts yet.
    pub fn generate() -> Self {
        Self::named("unknown test authority")
    }

    /// Authorities need names of their own: by the name a client finds whom to believe.
    fn named(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name = common_name(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().expect("a P-256 key can be made");
        let certificate = params
            .self_signed(&key)
            .expect("the parameters are complete");
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    /// The authority that all servers of this process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Authority> = OnceLock::new();
        SHARED.get_or_init(|| Self::named("provender test authority"))
    }

    /// The authority's certificate as PEM text.
    pub fn pem(&self) -> String {
        self.certificate.pem()
    }

    /// A TLS server configuration with a fresh certificate for the usual names and `more`.
    pub fn server_config(&self, more: &[String]) -> Arc<ServerConfig> {
        let (certificate, key) = self.issue(more);
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring offers the default versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("key and certificate belong together");
        Arc::new(config)
    }

    /// A fresh certificate for the usual names and `more`, and its key, as PEM texts for another server.
    pub fn server_pem(&self, more: &[String]) -> (String, String) {
        let (certificate, key) = self.issue(more);
        (certificate.pem(), key.serialize_pem())
    }

    fn issue(&self, more: &[String]) -> (Certificate, KeyPair) {
        let names: Vec<String> = NAMES
            .iter()
            .map(ToString::to_string)
            .chain(more.iter().cloned())
            .collect();
        let mut params = CertificateParams::new(names).expect("the names are ASCII");
        params.distinguished_name = common_name("provender test server");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate().expect("a P-256 key can be made");
        let certificate = params
            .signed_by(&key, &self.issuer)
            .expect("the parameters are complete");
        (certificate, key)
    }
}

fn common_name(name: &str) -> DistinguishedName {
    let mut distinguished_name = DistinguishedName::new();
    distinguished_name.push(DnType::CommonName, name);
    distinguished_name
}

/// The shared authority's certificate as a file, for `SSL_CERT_FILE`; deleted on drop.
pub struct CaFile(NamedTempFile);

impl CaFile {
    /// Writes the certificate of the shared authority to a new temporary file.
    pub fn write() -> Self {
        let mut file = NamedTempFile::with_suffix(".pem").expect("a temporary file can be made");
        file.write_all(Authority::shared().pem().as_bytes())
            .expect("the temporary file can be written");
        Self(file)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
