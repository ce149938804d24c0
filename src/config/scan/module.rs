//! The declarations of all files of one module, override files applied.

use std::collections::BTreeMap;

use super::declaration::{Declarer, Import, ProviderBlock, Resource};
use super::loose_constraints::{self, Form};
use super::module_call::{Call, constraint};
use super::problem::{Location, ProblemKind, shown};
use super::required_providers::{self, Requirement};
use super::requirements::RequiredVersion;
use super::static_scope::Variable;
use super::syntax::{Attribute, Block, Content, Value};
use crate::address::Tool;

const RESOURCES: [&str; 4] = ["resource", "data", "ephemeral", "action"];

/// Block type, resource type and name.
pub(super) type ResourceKey = (&'static str, String, String);

/// A whole module, before its requirements are computed.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Where the `required_providers` block of the primary files is.
    required_providers_at: Option<Location>,
    pub(super) required_providers: BTreeMap<String, Requirement>,
    /// By name and alias.
    pub(super) providers: BTreeMap<(String, Option<String>), ProviderBlock>,
    pub(super) resources: BTreeMap<ResourceKey, Resource>,
    pub(super) imports: Vec<Import>,
    pub(super) calls: BTreeMap<String, Call>,
    pub(super) required_versions: Vec<RequiredVersion>,
    pub(super) variables: BTreeMap<String, Variable>,
    pub(super) locals: BTreeMap<String, Attribute>,
    /// Whether a `backend` or `cloud` block says where the state is.
    pub(super) has_backend: bool,
}

impl Module {
    /// Adds a primary file.
    pub(super) fn add(&mut self, content: &Content, declarer: &mut Declarer<'_>) {
        self.has_backend |= has_backend(content);
        for block in content.blocks("terraform") {
            check_experiments(block, declarer);
            self.required_versions
                .extend(required_version(block, declarer));
            for required in block.content.blocks("required_providers") {
                self.add_required_providers(required, declarer);
            }
        }
        for block in content.blocks("provider") {
            let Some(provider) = declarer.provider_block(block) else {
                continue;
            };
            let key = (provider.name.clone(), provider.alias.clone());
            let name = format!("provider.{}", provider.name);
            let at = provider.at.clone();
            let earlier = self.providers.insert(key, provider);
            declared_once(&name, &at, earlier.map(|earlier| earlier.at), declarer);
        }
        for block in resource_blocks(content) {
            self.add_resource(block, declarer);
        }
        for block in content
            .blocks("check")
            .flat_map(|check| check.content.blocks("data"))
        {
            self.add_resource(block, declarer);
        }
        self.imports
            .extend(content.blocks("import").map(|block| declarer.import(block)));
        self.add_names(content);
        for call in content.blocks("module").map(Call::new) {
            let (name, at) = (call.name.clone(), call.at.clone());
            let earlier = self.calls.insert(name.clone(), call);
            let shown = format!("module.{name}");
            declared_once(&shown, &at, earlier.map(|earlier| earlier.at), declarer);
        }
    }

    /// Adds what static evaluation looks names up in; override files replace what was there.
    fn add_names(&mut self, content: &Content) {
        for block in content.blocks("variable") {
            let variable = self.variables.entry(block.labels[0].clone()).or_default();
            variable.declare(&block.content);
        }
        for local in content
            .blocks("locals")
            .flat_map(|it| &it.content.attributes)
        {
            self.locals.insert(local.name.clone(), local.clone());
        }
    }

    /// Only one block per module: a second one, in whatever primary file, is an error.
    fn add_required_providers(&mut self, block: &Block, declarer: &mut Declarer<'_>) {
        if let Some(first) = &self.required_providers_at {
            declarer.problem(
                &block.at,
                ProblemKind::SecondRequiredProviders {
                    first: first.clone(),
                },
            );
            return;
        }
        self.required_providers_at = Some(block.at.clone());
        self.required_providers = required_providers::read(block, declarer.tool, declarer.problems);
    }

    fn add_resource(&mut self, block: &Block, declarer: &mut Declarer<'_>) {
        let key = resource_key(block);
        let earlier = self.resources.insert(key.clone(), declarer.resource(block));
        let name = format!("{}.{}.{}", key.0, key.1, key.2);
        declared_once(
            &name,
            &block.at,
            earlier.map(|earlier| earlier.at),
            declarer,
        );
    }

    /// Applies an override file.
    pub(super) fn override_with(&mut self, content: &Content, declarer: &mut Declarer<'_>) {
        self.has_backend |= has_backend(content);
        let versions: Vec<_> = content
            .blocks("terraform")
            .filter_map(|block| required_version(block, declarer))
            .collect();
        if !versions.is_empty() {
            self.required_versions = versions;
        }
        for block in content.blocks("terraform") {
            for required in block.content.blocks("required_providers") {
                let entries = required_providers::read(required, declarer.tool, declarer.problems);
                self.required_providers.extend(entries);
            }
        }
        for block in content.blocks("provider") {
            if let Some(provider) = declarer.provider_block(block) {
                self.override_provider(provider);
            }
        }
        for block in resource_blocks(content) {
            self.override_resource(block, declarer);
        }
        self.add_names(content);
        for call in content.blocks("module").map(Call::new) {
            if let Some(base) = self.calls.get_mut(&call.name) {
                base.override_with(call);
            } else {
                let name = shown(&format!("module.{}", call.name));
                declarer.problem(&call.at, ProblemKind::OverridesNothing(name));
            }
        }
    }

    /// A provider block that overrides none is simply one more.
    fn override_provider(&mut self, later: ProviderBlock) {
        let key = (later.name.clone(), later.alias.clone());
        match self.providers.get_mut(&key) {
            Some(base) => base.version = later.version.or(base.version.take()),
            None => {
                self.providers.insert(key, later);
            }
        }
    }

    fn override_resource(&mut self, block: &Block, declarer: &mut Declarer<'_>) {
        let later = declarer.resource(block);
        let key = resource_key(block);
        if let Some(base) = self.resources.get_mut(&key) {
            base.provider = later.provider.or(base.provider.take());
        } else {
            let name = shown(&format!("{}.{}.{}", key.0, key.1, key.2));
            declarer.problem(&block.at, ProblemKind::OverridesNothing(name));
        }
    }
}

fn has_backend(content: &Content) -> bool {
    content.blocks("terraform").any(|block| {
        let blocks = &block.content;
        blocks
            .blocks("backend")
            .chain(blocks.blocks("cloud"))
            .next()
            .is_some()
    })
}

fn resource_blocks(content: &Content) -> impl Iterator<Item = &Block> {
    content
        .blocks
        .iter()
        .filter(|block| RESOURCES.contains(&block.kind))
}

fn resource_key(block: &Block) -> ResourceKey {
    (block.kind, block.labels[0].clone(), block.labels[1].clone())
}

fn declared_once(
    name: &str,
    at: &Location,
    earlier: Option<Location>,
    declarer: &mut Declarer<'_>,
) {
    if let Some(first) = earlier {
        declarer.problem(
            at,
            ProblemKind::DeclaredTwice {
                name: shown(name),
                first,
            },
        );
    }
}

/// Releases of terraform refuse every experiment.
fn check_experiments(block: &Block, declarer: &mut Declarer<'_>) {
    let Some(experiments) = block.content.attribute("experiments") else {
        return;
    };
    let is_empty = matches!(&experiments.value, Value::List(items) if items.is_empty());
    if declarer.tool == Tool::Terraform && !is_empty {
        declarer.problem(&experiments.at, ProblemKind::Experiments);
    }
}

fn required_version(block: &Block, declarer: &mut Declarer<'_>) -> Option<RequiredVersion> {
    let attribute = block.content.attribute("required_version")?;
    let checked = match constraint(attribute) {
        Ok(Some(text)) if loose_constraints::form(&text) == Some(Form::NamesPrerelease) => {
            Err(ProblemKind::PrereleaseOfTool)
        }
        checked => checked,
    };
    match checked {
        Ok(constraint) => {
            let at = attribute.at.clone();
            constraint.map(|constraint| RequiredVersion { constraint, at })
        }
        Err(kind) => {
            declarer.problem(&attribute.at, kind);
            None
        }
    }
}
