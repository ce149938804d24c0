//! `required_providers`: from entries to source addresses and constraints (facts/modules 5.3).

use std::collections::BTreeMap;

use super::loose_constraints;
use super::problem::{Location, Problem, ProblemKind, shown};
use super::syntax::{Attribute, Block, Value};
use crate::address::{ProviderAddr, ProviderSource, Tool};
use crate::version::VersionConstraints;

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Requirement {
    pub(super) source: ProviderSource,
    pub(super) constraints: VersionConstraints,
    pub(super) at: Location,
}

/// Reads a block's entries, by local name. An entry with a problem is left out.
pub(super) fn read(
    block: &Block,
    tool: Tool,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, Requirement> {
    let mut requirements = BTreeMap::new();
    for entry in &block.content.attributes {
        match requirement(entry, tool) {
            Ok((name, requirement)) => {
                requirements.insert(name, requirement);
            }
            Err(kind) => problems.push(Problem {
                at: entry.at.clone(),
                kind,
            }),
        }
    }
    requirements
}

fn requirement(entry: &Attribute, tool: Tool) -> Result<(String, Requirement), ProblemKind> {
    let at = entry.at.clone();
    match &entry.value {
        Value::Object(members) => {
            check_name(&entry.name, tool)?;
            let (source, constraints) = object_form(&entry.name, members, tool)?;
            Ok((
                entry.name.clone(),
                Requirement {
                    source,
                    constraints,
                    at,
                },
            ))
        }
        scalar @ (Value::Text(_) | Value::Number(_) | Value::Bool(_)) => {
            // Only this form maps the name to lower case.
            let name = entry.name.to_lowercase();
            let constraints = provider_constraints(scalar)?;
            let source = implied(&name, tool)?;
            Ok((
                name,
                Requirement {
                    source,
                    constraints,
                    at,
                },
            ))
        }
        Value::Null | Value::List(_) | Value::Reference(_) | Value::Dynamic => {
            Err(ProblemKind::RequirementShape(shown(&entry.name)))
        }
    }
}

/// Of a key that is there twice the later one counts.
fn object_form(
    name: &str,
    members: &[(String, Value)],
    tool: Tool,
) -> Result<(ProviderSource, VersionConstraints), ProblemKind> {
    let mut source = None;
    let mut constraints = VersionConstraints::default();
    for (key, value) in members {
        match key.as_str() {
            "source" => source = Some(provider_source(name, value, tool)?),
            // Numbers are accepted in the short form only.
            "version" => match value {
                Value::Text(_) => constraints = provider_constraints(value)?,
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::List(_)
                | Value::Object(_)
                | Value::Reference(_)
                | Value::Dynamic => return Err(ProblemKind::ConstraintNotText),
            },
            "configuration_aliases" => check_aliases(name, value)?,
            _ => return Err(ProblemKind::UnknownRequirementKey { key: shown(key) }),
        }
    }
    let source = match source {
        Some(source) => source,
        None => implied(name, tool)?,
    };
    Ok((source, constraints))
}

fn provider_source(name: &str, value: &Value, tool: Tool) -> Result<ProviderSource, ProblemKind> {
    let Value::Text(text) = value else {
        return Err(ProblemKind::SourceNotText(shown(name)));
    };
    match ProviderSource::parse(text, tool) {
        Ok(ProviderSource::Legacy(address)) => Err(ProblemKind::LegacyProvider {
            name: shown(name),
            address,
        }),
        Ok(source) => Ok(source),
        Err(source) => Err(ProblemKind::ProviderSource {
            name: shown(name),
            source,
        }),
    }
}

/// Each alias is written `NAME.ALIAS`, in JSON as a string.
fn check_aliases(name: &str, value: &Value) -> Result<(), ProblemKind> {
    let wrong = || ProblemKind::ConfigurationAlias(shown(name));
    let Value::List(aliases) = value else {
        return Err(wrong());
    };
    let repeats_name = |alias: &Value| match alias {
        Value::Reference(names) => names.len() == 2 && names[0] == name,
        Value::Text(text) => text
            .split_once('.')
            .is_some_and(|(first, rest)| first == name && !rest.is_empty() && !rest.contains('.')),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::List(_)
        | Value::Object(_)
        | Value::Dynamic => false,
    };
    if aliases.iter().all(repeats_name) {
        Ok(())
    } else {
        Err(wrong())
    }
}

/// The provider that a local name means where `required_providers` does not say.
pub(super) fn implied(name: &str, tool: Tool) -> Result<ProviderSource, ProblemKind> {
    ProviderAddr::implied(name, tool).map_err(|_| ProblemKind::ProviderName(shown(name)))
}

/// Refuses local names that are not in their normal form: upper case, underscores and other signs.
pub(super) fn check_name(name: &str, tool: Tool) -> Result<(), ProblemKind> {
    let normal = match implied(name, tool)? {
        ProviderSource::Installable(addr) => addr.ty() == name,
        ProviderSource::BuiltIn(address) => address.ends_with(&format!("/{name}")),
        ProviderSource::Legacy(_) => false,
    };
    if normal {
        Ok(())
    } else {
        Err(ProblemKind::ProviderName(shown(name)))
    }
}

/// A constraint as providers have it. The tools read it twice, by the grammar for modules and by a
/// stricter one; it must pass both.
pub(super) fn provider_constraints(value: &Value) -> Result<VersionConstraints, ProblemKind> {
    let text = value.as_text().ok_or(ProblemKind::ConstraintNotText)?;
    if loose_constraints::form(&text).is_none() {
        return Err(ProblemKind::Constraint(shown(&text)));
    }
    text.parse()
        .map_err(|source| ProblemKind::ProviderConstraint {
            text: shown(&text),
            source,
        })
}
