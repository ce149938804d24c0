//! `provender versions`.

use clap::Args;

use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::config::{ModuleRequest, ProviderRequest};
use crate::document::OfferedVersion;
use crate::failure::ExitCode;
use crate::ops::{ListedVersions, list_module_versions, list_versions};
use crate::ui::{JsonReport, ProgressReporter, Table, VersionRow};

/// Arguments of `versions`.
#[derive(Debug, Args)]
pub struct VersionsArgs {
    /// The provider: `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]`, or the module: `[HOST/]NAMESPACE/NAME/SYSTEM[@CONSTRAINT]`
    #[arg(value_name = "ADDRESS")]
    pub address: String,
}

impl VersionsArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        if ModuleRequest::is_meant(&self.address) {
            return self.list_modules(context).await;
        }
        let request = ProviderRequest::parse(&self.address, context.tool)?;
        let network = context.network(PackagesFrom::Methods)?;
        let reporter = ProgressReporter::new(context.printer.clone());
        let listed = list_versions(&*network.source, &request, &reporter).await?;
        let text = if context.printer.is_json() {
            JsonReport::of_versions(
                "versions",
                listed.versions.iter().map(|v| row(&listed, v)).collect(),
            )
            .render()
        } else {
            table(&listed)
        };
        context.printer.answer(&text);
        Ok(None)
    }
}

impl VersionsArgs {
    async fn list_modules(&self, context: &Context<'_>) -> Result<Option<ExitCode>, CommandError> {
        let request = ModuleRequest::parse(&self.address, context.tool)?;
        let network = context.network(PackagesFrom::Registries)?;
        let listed = list_module_versions(&network.modules, &request, context.tool).await?;
        let rows = listed.versions.iter().map(|version| VersionRow {
            address: listed.addr.to_string(),
            version: version.to_string(),
            protocols: Vec::new(),
            platforms: Vec::new(),
        });
        let text = if context.printer.is_json() {
            JsonReport::of_versions("versions", rows.collect()).render()
        } else {
            let mut table = Table::new(&["version"]);
            rows.for_each(|row| table.row(vec![row.version]));
            table.render()
        };
        context.printer.answer(&text);
        Ok(None)
    }
}

fn row(listed: &ListedVersions, offer: &OfferedVersion) -> VersionRow {
    VersionRow {
        address: listed.addr.to_string(),
        version: offer.version.to_string(),
        protocols: offer.protocols.clone(),
        platforms: offer.platforms.iter().map(ToString::to_string).collect(),
    }
}

fn table(listed: &ListedVersions) -> String {
    let mut table = Table::new(&["version", "protocols", "platforms"]);
    for offer in &listed.versions {
        let row = row(listed, offer);
        table.row(vec![
            row.version,
            row.protocols.join(", "),
            row.platforms.join(", "),
        ]);
    }
    table.render()
}
