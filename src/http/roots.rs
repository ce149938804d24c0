//! Whom TLS trusts: the system's certificates and those of `--ca-file`; and who we are to servers that ask.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::{CertificateResult, ErrorKind};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::disk::{DiskError, read_capped};
use crate::http::{ClientIdentity, HttpError};

/// Large enough for any bundle of authorities.
const CA_FILE_CAP: u64 = 16 << 20;

/// Builds the TLS settings: the system's certificates (or those that `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` name instead) and those in `ca_files`.
///
/// # Errors
///
/// Fails if the system's certificates cannot be read, or a file in `ca_files` is unreadable, empty
/// or holds an unusable certificate, or `identity` cannot be used.
pub(super) fn tls_config(
    ca_files: &[PathBuf],
    identity: Option<&ClientIdentity>,
) -> Result<ClientConfig, HttpError> {
    let mut roots = RootCertStore::empty();
    let system = system_certificates(rustls_native_certs::load_native_certs())?;
    // Systems carry certificates with defects that other libraries overlook: use the good ones.
    let (_, unusable) = roots.add_parsable_certificates(system);
    if unusable > 0 {
        log::debug!("{unusable} of the system's CA certificates cannot be used");
    }
    for path in ca_files {
        add_file(&mut roots, path)?;
    }
    if roots.is_empty() {
        log::warn!("this system has no CA certificates, so no https server can be trusted");
    }
    config(roots, identity)
}

fn config(
    roots: RootCertStore,
    identity: Option<&ClientIdentity>,
) -> Result<ClientConfig, HttpError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| HttpError::Setup {
            source: error.into(),
        })?
        .with_root_certificates(roots);
    let Some(identity) = identity else {
        return Ok(config.with_no_client_auth());
    };
    let (chain, key) = (
        certificates(&identity.certificate)?,
        private_key(&identity.key)?,
    );
    config
        .with_client_auth_cert(chain, key)
        .map_err(|error| HttpError::BadIdentity {
            certificate: identity.certificate.clone(),
            key: identity.key.clone(),
            source: error.into(),
        })
}

/// All certificates of a PEM file.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, HttpError> {
    let bytes = read_capped(path, CA_FILE_CAP)?;
    let certificates = CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>();
    let certificates = certificates.map_err(|error| HttpError::BadCertificate {
        path: path.to_owned(),
        source: error.into(),
    })?;
    if certificates.is_empty() {
        return Err(HttpError::NoCertificate {
            path: path.to_owned(),
        });
    }
    Ok(certificates)
}

/// The first private key of a PEM file. What is wrong with it is not told, as it may be secret.
fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, HttpError> {
    let bytes = read_capped(path, CA_FILE_CAP)?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|_| HttpError::NoPrivateKey {
        path: path.to_owned(),
    })
}

/// Some unreadable files among good ones are only worth a warning; nothing but them is an error.
fn system_certificates(
    loaded: CertificateResult,
) -> Result<Vec<CertificateDer<'static>>, HttpError> {
    let mut errors = loaded.errors.into_iter();
    if loaded.certs.is_empty()
        && let Some(first) = errors.next()
    {
        return Err(HttpError::SystemCertificates {
            source: cause(first.kind),
        });
    }
    for error in errors {
        log::warn!("some CA certificates of this system are left out: {error}");
    }
    Ok(loaded.certs)
}

/// The cause without the words that it repeats from its own cause.
fn cause(kind: ErrorKind) -> Box<dyn Error + Send + Sync> {
    match kind {
        ErrorKind::Io { inner, path } => Box::new(DiskError::on("read", &path)(inner)),
        ErrorKind::Os(error) => error,
        ErrorKind::Pem(error) => Box::new(error),
        other => format!("{other:?}").into(),
    }
}

fn add_file(roots: &mut RootCertStore, path: &Path) -> Result<(), HttpError> {
    for certificate in certificates(path)? {
        roots
            .add(certificate)
            .map_err(|error| HttpError::BadCertificate {
                path: path.to_owned(),
                source: error.into(),
            })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{ExitCode, Failure};

    #[test]
    fn unreadable_system_certificates_name_the_file() {
        let path = Path::new("no/such/bundle.pem");
        let loaded = rustls_native_certs::load_certs_from_paths(Some(path), None);
        let error = system_certificates(loaded).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot load the CA certificates of this system"
        );
        assert_eq!(
            error.source().unwrap().to_string(),
            "cannot read `no/such/bundle.pem`"
        );
        assert_eq!(error.exit_code(), ExitCode::Local);
        assert!(error.hints()[0].contains("SSL_CERT_FILE"));
    }

    #[test]
    fn refuses_ca_file_without_usable_certificates() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("ca.pem");
        let mut roots = RootCertStore::empty();
        assert!(matches!(
            add_file(&mut roots, &path),
            Err(HttpError::Disk(_))
        ));
        std::fs::write(&path, "no PEM at all").unwrap();
        assert!(matches!(
            add_file(&mut roots, &path),
            Err(HttpError::NoCertificate { .. })
        ));
        let garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        std::fs::write(&path, garbage).unwrap();
        assert!(matches!(
            add_file(&mut roots, &path),
            Err(HttpError::BadCertificate { .. })
        ));
        assert!(roots.is_empty());
    }

    #[test]
    fn takes_every_certificate_of_a_ca_file() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("ca.pem");
        let pem = |name: &str| {
            let names = vec![name.to_owned()];
            rcgen::generate_simple_self_signed(names)
                .unwrap()
                .cert
                .pem()
        };
        std::fs::write(
            &path,
            format!("comment\n{}\n{}", pem("a.test"), pem("b.test")),
        )
        .unwrap();
        let mut roots = RootCertStore::empty();
        add_file(&mut roots, &path).unwrap();
        assert_eq!(roots.len(), 2);
    }

    #[test]
    fn identity_needs_a_certificate_and_the_key_to_it() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let names = || vec!["a.test".to_owned()];
        let own = rcgen::generate_simple_self_signed(names()).unwrap();
        let other = rcgen::generate_simple_self_signed(names()).unwrap();
        let certificate = write("certificate.pem", &own.cert.pem());
        let key = write("key.pem", &own.signing_key.serialize_pem());
        let other_key = write("other.pem", &other.signing_key.serialize_pem());
        let built = |certificate: &Path, key: &Path| {
            let identity = ClientIdentity {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
            };
            config(RootCertStore::empty(), Some(&identity)).map(drop)
        };
        assert!(built(&certificate, &key).is_ok());
        let error = built(&certificate, &other_key).unwrap_err();
        assert!(matches!(error, HttpError::BadIdentity { .. }), "{error}");
        let error = built(&certificate, &certificate).unwrap_err();
        assert!(matches!(error, HttpError::NoPrivateKey { .. }), "{error}");
        let error = built(&key, &key).unwrap_err();
        assert!(matches!(error, HttpError::NoCertificate { .. }), "{error}");
        let error = built(&root.path().join("none"), &key).unwrap_err();
        assert_eq!(error.exit_code(), ExitCode::Local);
    }
}
