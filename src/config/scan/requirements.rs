//! From declarations to the providers that a module requires (facts/modules 5.2).

use std::collections::{BTreeMap, BTreeSet};

use super::declaration::{Import, TargetPlace};
use super::module::Module;
use super::problem::{Location, Problem, ProblemKind};
use super::required_providers::{implied, provider_constraints};
use super::syntax::{Attribute, Value};
use crate::address::{ProviderAddr, ProviderSource, Tool};
use crate::version::VersionConstraints;

/// A `required_version`: which versions of the tool the module accepts. Several all apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequiredVersion {
    /// The constraint as written, valid in form.
    pub constraint: String,
    /// Where it stands.
    pub at: Location,
}

/// Collects the requirements of one module.
pub(super) struct Collector<'c> {
    pub(super) tool: Tool,
    pub(super) module: &'c Module,
    pub(super) problems: &'c mut Vec<Problem>,
    pub(super) requirements: BTreeMap<ProviderAddr, VersionConstraints>,
    pub(super) built_in: BTreeSet<String>,
}

impl Collector<'_> {
    /// Collects everything but what test files add.
    pub(super) fn collect(&mut self) {
        let module = self.module;
        for requirement in module.required_providers.values() {
            self.add(
                &requirement.source,
                &requirement.constraints,
                &requirement.at,
            );
        }
        for resource in module.resources.values() {
            let name = resource
                .provider
                .clone()
                .unwrap_or_else(|| implied_name(&resource.ty));
            self.add_local(&name, &VersionConstraints::default(), &resource.at);
        }
        for import in &module.imports {
            self.add_import(import);
        }
        for provider in module.providers.values() {
            let constraints = match &provider.version {
                Some(version) => self.constraints(version),
                None => VersionConstraints::default(),
            };
            self.add_local(&provider.name, &constraints, &provider.at);
        }
    }

    /// The provider that a local name means in this module.
    pub(super) fn add_local(
        &mut self,
        name: &str,
        constraints: &VersionConstraints,
        at: &Location,
    ) {
        let source = match self.module.required_providers.get(name) {
            Some(requirement) => Ok(requirement.source.clone()),
            None => implied(name, self.tool),
        };
        match source {
            Ok(source) => self.add(&source, constraints, at),
            Err(kind) => self.problems.push(Problem {
                at: at.clone(),
                kind,
            }),
        }
    }

    /// Constraints of all places are simply put together.
    fn add(&mut self, source: &ProviderSource, constraints: &VersionConstraints, at: &Location) {
        match source {
            ProviderSource::Installable(addr) => {
                let entry = self.requirements.entry(addr.clone()).or_default();
                *entry = entry.and(constraints);
            }
            ProviderSource::BuiltIn(address) => {
                if !constraints.is_empty() {
                    let kind = ProblemKind::BuiltInWithVersion(address.clone());
                    self.problems.push(Problem {
                        at: at.clone(),
                        kind,
                    });
                }
                self.built_in.insert(address.clone());
            }
            // Refused where `source` is read; a local name never implies one.
            ProviderSource::Legacy(_) => {}
        }
    }

    /// An import whose resource is declared adds nothing of its own. Targets inside child modules count
    /// for OpenTofu only.
    fn add_import(&mut self, import: &Import) {
        let Some(target) = &import.target else { return };
        let key = ("resource", target.ty.clone(), target.name.clone());
        let counts = match target.place {
            TargetPlace::ThisModule => !self.module.resources.contains_key(&key),
            TargetPlace::ChildModule => self.tool == Tool::Tofu,
        };
        if counts {
            let name = import
                .provider
                .clone()
                .unwrap_or_else(|| implied_name(&target.ty));
            self.add_local(&name, &VersionConstraints::default(), &import.at);
        }
    }

    /// The old `version` argument of a provider block; null means none.
    fn constraints(&mut self, version: &Attribute) -> VersionConstraints {
        if version.value == Value::Null {
            return VersionConstraints::default();
        }
        provider_constraints(&version.value).unwrap_or_else(|kind| {
            self.problems.push(Problem {
                at: version.at.clone(),
                kind,
            });
            VersionConstraints::default()
        })
    }
}

/// The local name that a resource type implies: its text before the first `_`, in lower case.
fn implied_name(ty: &str) -> String {
    ty.split('_').next().unwrap_or(ty).to_lowercase()
}
