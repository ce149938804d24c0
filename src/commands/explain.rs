//! `provender explain`.

use clap::Args;

use crate::address::{Hostname, Platform};
use crate::auth::Credentials;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::{NetworkUse, PackageSources, PackagesFrom};
use crate::commands::report::report_error;
use crate::config::ProviderRequest;
use crate::config::cli_config::MethodKind;
use crate::failure::{ExitCode, Failure};
use crate::ops::{ExplainRequest, explain, explain_host};
use crate::registry::mirror_host;
use crate::source::{ChainLink, ServingRule};
use crate::ui::{ExplanationReport, HostReport, JsonReport, explanation_lines};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The provider: `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]`
    #[arg(value_name = "ADDRESS")]
    pub address: String,

    /// Platform such as `linux_amd64` [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Option<String>,
}

/// A host that is asked.
struct Asked {
    host: Hostname,
    /// Whether service discovery finds what is asked; a mirror is named by its URL.
    is_discovered: bool,
}

impl ExplainArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let request = ProviderRequest::parse(&self.address, context.tool)?;
        let platform = match &self.platform {
            Some(text) => text.parse()?,
            None => Platform::current(),
        };
        let sources = context.package_sources(PackagesFrom::Methods)?;
        let chain = sources.chain();
        let request = ExplainRequest {
            overridden: sources.dev_overrides().remove(&request.addr),
            request,
            platform,
        };
        let explanation = explain(&chain, &request).await;
        let mut hosts = Vec::new();
        for (link, method) in chain.links().iter().zip(&explanation.methods) {
            let asked = asked(link, request.request.addr.hostname());
            if let Some(asked) = asked.filter(|_| method.is_asked) {
                hosts.push(host_report(&sources, asked).await);
            }
        }
        let report = ExplanationReport {
            explanation: &explanation,
            hosts,
        };
        if context.printer.is_json() {
            let text = JsonReport::of_explanation("explain", &report).render();
            context.printer.answer(&text);
        } else {
            context.printer.answer(&explanation_lines(&report));
            report_error(context, explanation.error.as_ref());
        }
        Ok(explanation.error.as_ref().map(Failure::exit_code))
    }
}

/// Whom a method asks over the network.
fn asked(link: &ChainLink, provider_host: &Hostname) -> Option<Asked> {
    let registry = || {
        Some(Asked {
            host: provider_host.clone(),
            is_discovered: true,
        })
    };
    match &link.rule {
        ServingRule::Every => None,
        ServingRule::NotIn(_) => registry(),
        ServingRule::Patterns(method) => match &method.kind {
            MethodKind::Direct => registry(),
            MethodKind::NetworkMirror { url, .. } => Some(Asked {
                host: mirror_host(url)?,
                is_discovered: false,
            }),
            MethodKind::FilesystemMirror { .. } | MethodKind::OciMirror { .. } => None,
        },
    }
}

async fn host_report(sources: &PackageSources, asked: Asked) -> HostReport {
    let discovered = if asked.is_discovered && sources.network_use == NetworkUse::Online {
        Some(explain_host(&sources.discovery(), &asked.host).await)
    } else {
        None
    };
    let block = sources.config.hosts.get(&asked.host);
    HostReport {
        credentials: credentials_words(&sources.credentials, &asked.host).await,
        block: block
            .filter(|_| asked.is_discovered)
            .map(|host| host.place.to_string()),
        host: asked.host,
        discovered,
    }
}

/// Which credentials source would be used for a host; never the token.
async fn credentials_words(credentials: &Credentials, host: &Hostname) -> String {
    match (
        credentials.for_host(host).await,
        credentials.without_token(host),
    ) {
        (Some(found), _) => found.source.to_string(),
        (None, Some(source)) => format!("none: {source} holds no usable token"),
        (None, None) => "none".to_owned(),
    }
}
