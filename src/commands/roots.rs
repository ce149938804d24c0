//! The root modules that a command works on, and the network side of each tool that they are written for.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::address::Tool;
use crate::commands::context::{Context, Network};
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::config::{FoundRootModule, RootModule};
use crate::ops::{SourcedRoot, root_modules_below};

/// Root modules, and whom their packages come from.
pub(super) struct Roots {
    found: Vec<FoundRootModule>,
    networks: BTreeMap<Tool, Network>,
    is_tree: bool,
}

impl Roots {
    /// The root module in `--chdir`; with `--recursive` all there and below.
    ///
    /// # Errors
    ///
    /// If there is none below, or settings cannot be used.
    pub(super) async fn find(
        context: &Context<'_>,
        is_tree: bool,
        from: PackagesFrom<'_>,
    ) -> Result<Self, CommandError> {
        let found = if is_tree {
            below(context).await?
        } else {
            vec![FoundRootModule {
                name: String::new(),
                dir: context.dir.clone(),
                tool: context.tool,
            }]
        };
        let tools = found.iter().map(|root| root.tool);
        Ok(Self {
            networks: networks(context, tools, from)?,
            found,
            is_tree,
        })
    }

    /// One of the networks; how packages are fetched is the same for all.
    pub(super) fn any_network(&self) -> &Network {
        self.networks
            .values()
            .next()
            .expect("there is a root module")
    }

    /// The root modules, each with its network.
    pub(super) fn with_networks(&self) -> impl Iterator<Item = (&FoundRootModule, &Network)> {
        let roots = self.found.iter();
        roots.filter_map(|root| Some((root, self.networks.get(&root.tool)?)))
    }

    /// The root modules, each with its source.
    pub(super) fn sourced(&self, context: &Context<'_>) -> Vec<SourcedRoot<'_>> {
        let roots = self.with_networks();
        let sourced = roots.map(|(root, network)| SourcedRoot {
            name: self.is_tree.then(|| root.name.clone()),
            module: RootModule::new(root.dir.clone(), context.environment, root.tool),
            source: &*network.source,
            modules: &network.modules,
        });
        sourced.collect()
    }
}

/// The network side of each of these tools.
pub(super) fn networks(
    context: &Context<'_>,
    tools: impl Iterator<Item = Tool>,
    from: PackagesFrom<'_>,
) -> Result<BTreeMap<Tool, Network>, CommandError> {
    let mut networks = BTreeMap::new();
    for tool in tools {
        if let Entry::Vacant(place) = networks.entry(tool) {
            place.insert(context.network_of(tool, from)?);
        }
    }
    Ok(networks)
}

/// The root modules in `--chdir` and below.
pub(super) async fn below(context: &Context<'_>) -> Result<Vec<FoundRootModule>, CommandError> {
    let found = root_modules_below(&context.dir, context.named_tool, context.environment).await?;
    for warning in &found.warnings {
        context.printer.warning(warning);
    }
    Ok(found.roots)
}
