//! The error of this module, its exit codes and its advice.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::PathBuf;

use crate::disk::DiskError;
use crate::failure::{ExitCode, Failure};
use crate::http::{TransportError, TransportKind};
use crate::secret::ShownUrl;

/// Why a request gave no usable answer, or no client could be built.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// No complete answer came, in any try.
    #[error("no complete answer from `{url}`{}", after(*tries))]
    Transport {
        /// Who was asked; after redirects, the last hop.
        url: ShownUrl,
        /// How many tries were made.
        tries: u32,
        /// Why the last one failed.
        source: TransportError,
    },
    /// A package was asked for and something else than it came.
    #[error("`{url}` answers with status {status}{}", after(*tries))]
    UnexpectedStatus {
        /// Who answered.
        url: ShownUrl,
        /// The status of the last try.
        status: u16,
        /// How many tries were made.
        tries: u32,
    },
    /// The body is larger than what was allowed.
    #[error("`{url}` sends more than the allowed {cap} bytes")]
    TooLarge {
        /// Who sends it.
        url: ShownUrl,
        /// The allowed size in bytes.
        cap: u64,
    },
    /// A package has another size than was announced for it.
    #[error("`{url}` has {} bytes instead of {expected}", at_least(*got, *expected))]
    SizeMismatch {
        /// Who sends it.
        url: ShownUrl,
        /// The announced size in bytes.
        expected: u64,
        /// The size that was seen; if larger than expected, reading stopped there.
        got: u64,
    },
    /// The body is compressed though that was not asked for.
    #[error("`{url}` answers with the content encoding `{encoding}`, which was not asked for")]
    ContentEncoding {
        /// Who answered.
        url: ShownUrl,
        /// The encoding, as sent.
        encoding: String,
    },
    /// More redirects than allowed.
    #[error("more than {limit} redirects: {}", chain(hops))]
    TooManyRedirects {
        /// How many are allowed.
        limit: usize,
        /// Every URL on the way, the one not followed last.
        hops: Vec<ShownUrl>,
    },
    /// A redirect leads from https to http, or to a scheme other than these two.
    #[error("`{from}` redirects to `{to}`, which is not safe to follow")]
    InsecureRedirect {
        /// Who redirects.
        from: ShownUrl,
        /// Where to.
        to: ShownUrl,
    },
    /// A redirect whose `Location` is no URL.
    #[error("`{from}` redirects to something that is no URL")]
    BadRedirect {
        /// Who redirects.
        from: ShownUrl,
    },
    /// The URL is neither http nor https.
    #[error("`{url}` is neither an http nor an https URL")]
    UnsupportedScheme {
        /// The URL.
        url: ShownUrl,
    },
    /// A header value that cannot be sent: it holds a line break, say.
    #[error("the value for the header `{name}` cannot be sent")]
    BadHeader {
        /// The header's name; the value may be secret.
        name: String,
    },
    /// A file of certificates holds none.
    #[error("`{}` holds no certificate in PEM format", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// A certificate in a file cannot be used.
    #[error("`{}` holds a certificate that cannot be used", path.display())]
    BadCertificate {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A file that should hold a private key holds none.
    #[error("`{}` holds no private key in PEM format that can be read without a password", path.display())]
    NoPrivateKey {
        /// The file.
        path: PathBuf,
    },
    /// The client's certificate and key do not fit, or cannot be used.
    #[error("the client certificate `{}` cannot be used with the key `{}`", certificate.display(), key.display())]
    BadIdentity {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The certificates that this system trusts cannot be loaded.
    #[error("cannot load the CA certificates of this system")]
    SystemCertificates {
        /// The first failure.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The HTTP library refuses the settings.
    #[error("cannot set up the HTTP client")]
    Setup {
        /// Its reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Writing the body or reading a certificate file failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl HttpError {
    /// Why no complete answer came, if that is what happened.
    pub fn transport_kind(&self) -> Option<TransportKind> {
        if let Self::Transport { source, .. } = self {
            Some(source.kind())
        } else {
            None
        }
    }
}

fn after(tries: u32) -> String {
    if tries > 1 {
        format!(" after {tries} tries")
    } else {
        String::new()
    }
}

fn at_least(got: u64, expected: u64) -> String {
    if got > expected {
        format!("at least {got}")
    } else {
        got.to_string()
    }
}

fn chain(hops: &[ShownUrl]) -> String {
    let mut shown: Vec<String> = hops.iter().map(|hop| format!("`{hop}`")).collect();
    // A loop tells nothing new.
    let mut seen = BTreeSet::new();
    shown.retain(|hop| seen.insert(hop.clone()));
    shown.join(", ")
}

impl Failure for HttpError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::UnexpectedStatus {
                status: 401 | 403 | 407,
                ..
            } => ExitCode::Authentication,
            Self::Transport { .. }
            | Self::UnexpectedStatus { .. }
            | Self::TooLarge { .. }
            | Self::ContentEncoding { .. }
            | Self::TooManyRedirects { .. }
            | Self::InsecureRedirect { .. }
            | Self::BadRedirect { .. }
            | Self::UnsupportedScheme { .. } => ExitCode::Remote,
            Self::SizeMismatch { .. } => ExitCode::Verification,
            Self::BadHeader { .. }
            | Self::NoCertificate { .. }
            | Self::BadCertificate { .. }
            | Self::NoPrivateKey { .. }
            | Self::BadIdentity { .. }
            | Self::SystemCertificates { .. }
            | Self::Setup { .. } => ExitCode::Local,
            Self::Disk(error) => error.exit_code(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Transport { source, .. } => transport_hint(source.kind())
                .map(str::to_owned)
                .into_iter()
                .collect(),
            Self::SystemCertificates { .. } => {
                vec!["check the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name".to_owned()]
            }
            Self::NoCertificate { .. } | Self::BadCertificate { .. } => {
                vec!["`--ca-file` and `--client-cert` take certificates in PEM format".to_owned()]
            }
            Self::NoPrivateKey { .. } | Self::BadIdentity { .. } => vec![
                "`--client-key` takes the key that belongs to the first certificate of `--client-cert`".to_owned(),
            ],
            Self::Disk(error) => error.hints(),
            Self::UnexpectedStatus { status, .. } => vec![status_hint(*status).to_owned()],
            Self::SizeMismatch { .. } => vec![
                "somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source".to_owned(),
            ],
            Self::ContentEncoding { .. } => vec![
                "this is a fault of the server or of a proxy on the way; tell those who run it".to_owned(),
            ],
            Self::TooLarge { .. }
            | Self::TooManyRedirects { .. }
            | Self::InsecureRedirect { .. }
            | Self::BadRedirect { .. }
            | Self::UnsupportedScheme { .. } => {
                vec!["this is a fault of the server; tell those who run it".to_owned()]
            }
            Self::BadHeader { .. } | Self::Setup { .. } => Vec::new(),
        }
    }
}

fn transport_hint(kind: TransportKind) -> Option<&'static str> {
    match kind {
        TransportKind::Dns => Some("check the spelling of the host name and the DNS settings"),
        TransportKind::Refused | TransportKind::Unreachable | TransportKind::ConnectTimeout => {
            Some("check the host and port, and `HTTPS_PROXY` if the way out is through a proxy")
        }
        TransportKind::Proxy => Some("check `HTTPS_PROXY`, and name exceptions in `NO_PROXY`"),
        TransportKind::UnknownIssuer => Some(
            "if a private authority signs the server's certificates, name its certificate with `--ca-file PEM`",
        ),
        TransportKind::TimedOut => {
            Some("allow more time with `TF_REGISTRY_CLIENT_TIMEOUT=SECONDS`")
        }
        TransportKind::Stalled => Some(
            "try again later, or wait longer for a slow server with `PROVENDER_STALL_TIMEOUT=SECONDS`",
        ),
        TransportKind::Cut => {
            Some("try again later; if it stays so, look at proxies and firewalls on the way")
        }
        TransportKind::ClientCertificate => {
            Some("show one with `--client-cert PEM` and `--client-key PEM`")
        }
        TransportKind::UnusualCertificate => Some(
            "a server needs a certificate that is no authority; of one that signs itself, `openssl req -x509` makes such a one with `-addext basicConstraints=CA:FALSE`",
        ),
        TransportKind::Certificate => {
            Some("check the clock of this machine, and the host name that the certificate is for")
        }
        TransportKind::Tls | TransportKind::Other => None,
    }
}

/// What to do about a status that should have been 200.
fn status_hint(status: u16) -> &'static str {
    match status {
        401 | 403 => {
            "the server wants a user name and password: put them into `.netrc` as `machine HOST login NAME password WORD`, with `HOST:PORT` where the port is not the usual one"
        }
        407 => "the proxy wants a user name and password: put them into its URL in `HTTPS_PROXY`",
        404 | 410 => {
            "the source names a file that its server does not have; tell those who run them"
        }
        429 => "the server limits requests: try again later, or with fewer `--jobs`",
        500..=599 => "the server is in trouble, try again later",
        100..=399 => {
            "the server answers with a status that makes no sense here; tell those who run it"
        }
        _ => "the server does not give a file that the source names; tell those who run them",
    }
}
