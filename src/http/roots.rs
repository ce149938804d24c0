//! Whom TLS trusts: the system's certificates and those of `--ca-file`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::{CertificateResult, ErrorKind};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use crate::disk::{DiskError, read_capped};
use crate::http::HttpError;

/// Large enough for any bundle of authorities.
const CA_FILE_CAP: u64 = 16 << 20;

/// Builds the TLS settings: the system's certificates (or those that `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` name instead) and those in `ca_files`.
///
/// # Errors
///
/// Fails if the system's certificates cannot be read, or a file in `ca_files` is unreadable, empty
/// or holds an unusable certificate.
pub(super) fn tls_config(ca_files: &[PathBuf]) -> Result<ClientConfig, HttpError> {
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
    config(roots)
}

fn config(roots: RootCertStore) -> Result<ClientConfig, HttpError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| HttpError::Setup {
            source: error.into(),
        })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
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
    let bytes = read_capped(path, CA_FILE_CAP)?;
    let bad = |source: Box<dyn Error + Send + Sync>| HttpError::BadCertificate {
        path: path.to_owned(),
        source,
    };
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| bad(error.into()))?;
        roots.add(certificate).map_err(|error| bad(error.into()))?;
        count += 1;
    }
    if count == 0 {
        return Err(HttpError::NoCertificate {
            path: path.to_owned(),
        });
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
}
