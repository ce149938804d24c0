//! Single declarations: from blocks to what this program needs of them.

use super::constant;
use super::problem::{Location, Problem, ProblemKind};
use super::required_providers::check_name;
use super::syntax::{Attribute, Block, Value};
use crate::address::Tool;

/// A `provider` block.
#[derive(Debug, Clone)]
pub(super) struct ProviderBlock {
    pub(super) name: String,
    /// The alias, if it is a constant.
    pub(super) alias: Option<String>,
    pub(super) version: Option<Attribute>,
    pub(super) at: Location,
}

/// A `resource`, `data`, `ephemeral` or `action` block.
#[derive(Debug, Clone)]
pub(super) struct Resource {
    pub(super) ty: String,
    /// The local name in its `provider` argument.
    pub(super) provider: Option<String>,
    pub(super) at: Location,
}

/// An `import` block.
#[derive(Debug, Clone)]
pub(super) struct Import {
    pub(super) provider: Option<String>,
    pub(super) target: Option<Target>,
    pub(super) at: Location,
}

/// The managed resource that an import is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) place: TargetPlace,
    pub(super) ty: String,
    pub(super) name: String,
}

/// In which module the target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetPlace {
    ThisModule,
    ChildModule,
}

/// Turns blocks into declarations and keeps what is wrong with them.
pub(super) struct Declarer<'p> {
    pub(super) tool: Tool,
    pub(super) problems: &'p mut Vec<Problem>,
}

impl Declarer<'_> {
    pub(super) fn problem(&mut self, at: &Location, kind: ProblemKind) {
        self.problems.push(Problem {
            at: at.clone(),
            kind,
        });
    }

    pub(super) fn provider_block(&mut self, block: &Block) -> Option<ProviderBlock> {
        let name = block.labels[0].clone();
        if let Err(kind) = check_name(&name, self.tool) {
            self.problem(&block.at, kind);
            return None;
        }
        if self.tool == Tool::Terraform {
            for reserved in ["count", "for_each", "depends_on", "source"] {
                if let Some(attribute) = block.content.attribute(reserved) {
                    self.problem(
                        &attribute.at,
                        ProblemKind::ReservedArgument(reserved.to_owned()),
                    );
                }
            }
        }
        Some(ProviderBlock {
            name,
            alias: block
                .content
                .attribute("alias")
                .and_then(|alias| alias.value.as_text()),
            version: block.content.attribute("version").cloned(),
            at: block.at.clone(),
        })
    }

    pub(super) fn resource(&mut self, block: &Block) -> Resource {
        let provider = self.provider_argument(block);
        Resource {
            ty: block.labels[0].clone(),
            provider,
            at: block.at.clone(),
        }
    }

    pub(super) fn import(&mut self, block: &Block) -> Import {
        let provider = self.provider_argument(block);
        let target = block
            .content
            .attribute("to")
            .and_then(|to| target(&to.value));
        Import {
            provider,
            target,
            at: block.at.clone(),
        }
    }

    /// The local name in a `provider` argument: `aws`, `aws.west`, or either as a string. Only the first
    /// name counts, so that even `var.x` means a provider `var`.
    fn provider_argument(&mut self, block: &Block) -> Option<String> {
        let attribute = block.content.attribute("provider")?;
        let name = match &attribute.value {
            Value::Reference(names) => names.first().cloned(),
            Value::Text(text) => text.split('.').next().map(str::to_owned),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::List(_)
            | Value::Object(_)
            | Value::Dynamic => None,
        };
        let checked = match name {
            Some(name) => check_name(&name, self.tool).map(|()| name),
            None => Err(ProblemKind::ProviderReference),
        };
        match checked {
            Ok(name) => Some(name),
            Err(kind) => {
                self.problem(&attribute.at, kind);
                None
            }
        }
    }
}

/// The target of an import: `TYPE.NAME`, possibly inside modules; data resources are no targets.
fn target(value: &Value) -> Option<Target> {
    let parsed = if let Value::Text(text) = value {
        &constant::reference(text)
    } else {
        value
    };
    let Value::Reference(names) = parsed else {
        return None;
    };
    let mut place = TargetPlace::ThisModule;
    let mut rest = names.as_slice();
    while let [module, _, inner @ ..] = rest
        && module == "module"
    {
        place = TargetPlace::ChildModule;
        rest = inner;
    }
    match rest {
        [ty, name] => Some(Target {
            place,
            ty: ty.clone(),
            name: name.clone(),
        }),
        _ => None,
    }
}
