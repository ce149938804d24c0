//! Reading a lock file, with all of its problems (facts/providers 5.1 to 5.7).
//!
//! The text comes from a repository that strangers may write to. Known attacks, and the answers:
//!
//! - Nesting that exhausts the stack: the parser refuses more than a few dozen levels.
//! - An address or version that leaves its directory, as both become paths: they are parsed by their
//!   own types, and only the canonical spelling counts.
//! - Two blocks for one provider, of which readers may take one or the other: refused.
//! - References and functions, to read something else: only constants are evaluated.
//! - A file made of problems, to exhaust time: places are computed in one pass over the text.

use std::collections::btree_map::Entry;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Attribute, Block, Structure};

use super::constant::{Constant, evaluate};
use super::{
    LockFileError, LockProblem, LockProblemKind, LockWarning, Locks, ParsedLocks, ProviderLock,
};
use crate::address::{ProviderAddr, Tool};
use crate::document::deep_stack::on_deep_stack;
use crate::document::text_place::{conflict_line, with_places};
use crate::hash::PackageHash;
use crate::version::{Version, VersionConstraints};

impl Locks {
    /// Reads the text of a lock file by the rules of `tool`.
    ///
    /// A byte order mark, either kind of line end and comments are accepted. Bytes that are not UTF-8
    /// can only stand in comments; a caller may replace them before.
    ///
    /// # Errors
    ///
    /// Fails with all problems of the file, or with the first one of its syntax.
    pub fn parse(text: &str, tool: Tool) -> Result<ParsedLocks, LockFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        on_deep_stack(|| Self::parse_here(text, tool)).unwrap_or_else(|error| {
            let kind = LockProblemKind::Syntax(format!("no thread to read it on: {error}"));
            Err(LockFileError {
                problems: vec![LockProblem {
                    line: 1,
                    column: 1,
                    kind,
                }],
            })
        })
    }

    fn parse_here(text: &str, tool: Tool) -> Result<ParsedLocks, LockFileError> {
        let body = hcl_edit::parser::parse_body(text).map_err(|error| bad_syntax(text, &error))?;
        let mut reader = Reader::new(tool);
        for structure in &body {
            reader.read_structure(structure);
        }
        reader.finish(text)
    }
}

/// Tells merge conflicts from other wrong syntax.
fn bad_syntax(text: &str, error: &hcl_edit::parser::Error) -> LockFileError {
    let problem = match conflict_line(text) {
        Some(line) => LockProblem {
            line,
            column: 1,
            kind: LockProblemKind::MergeConflict,
        },
        None => LockProblem {
            line: error.location().line(),
            column: error.location().column(),
            kind: LockProblemKind::Syntax(error.message().to_owned()),
        },
    };
    LockFileError {
        problems: vec![problem],
    }
}

/// The state of reading; problems are kept with their offsets.
struct Reader {
    tool: Tool,
    locks: Locks,
    warnings: Vec<LockWarning>,
    problems: Vec<(usize, LockProblemKind)>,
}

/// What was found of one block.
#[derive(Default)]
struct Found {
    version: Option<Version>,
    has_version: bool,
    constraints: VersionConstraints,
    hashes: Vec<PackageHash>,
}

impl Reader {
    fn new(tool: Tool) -> Self {
        Self {
            tool,
            locks: Locks::default(),
            warnings: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn refuse(&mut self, place: &impl Span, kind: LockProblemKind) {
        let offset = place.span().map_or(0, |span| span.start);
        self.problems.push((offset, kind));
    }

    fn read_structure(&mut self, structure: &Structure) {
        match structure {
            Structure::Attribute(attribute) => self.refuse_argument(attribute),
            Structure::Block(block) => match block.ident.as_str() {
                "provider" => self.read_provider(block),
                "module" => self.warn_once(LockWarning::ModuleBlocks),
                _ => self.refuse_block(block),
            },
        }
    }

    fn refuse_argument(&mut self, attribute: &Attribute) {
        let name = attribute.key.as_str().to_owned();
        self.refuse(&attribute.key, LockProblemKind::UnknownArgument(name));
    }

    fn refuse_block(&mut self, block: &Block) {
        let name = block.ident.as_str().to_owned();
        self.refuse(&block.ident, LockProblemKind::UnknownBlock(name));
    }

    fn warn_once(&mut self, warning: LockWarning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Reads one `provider` block; what is wrong inside it does not matter if its address is.
    fn read_provider(&mut self, block: &Block) {
        let [label] = &block.labels[..] else {
            let count = block.labels.len();
            return self.refuse(&block.ident, LockProblemKind::Labels(count));
        };
        let addr = match ProviderAddr::parse_canonical_for(label.as_str(), self.tool) {
            Ok(addr) => addr,
            Err(error) => return self.refuse(label, LockProblemKind::Address(error)),
        };
        if self.locks.providers.contains_key(&addr) {
            return self.refuse(label, LockProblemKind::Duplicate(Box::new(addr)));
        }
        let found = self.read_arguments(block);
        if !found.has_version {
            self.refuse(&block.ident, LockProblemKind::MissingVersion);
        }
        // A stand-in for a version that is missing or wrong lets a second block be noticed; the file is
        // refused anyway.
        let version = found.version.unwrap_or_else(|| Version::new(0, 0, 0));
        if let Entry::Vacant(place) = self.locks.providers.entry(addr) {
            place.insert(ProviderLock {
                version,
                constraints: found.constraints,
                hashes: found.hashes,
            });
        }
    }

    fn read_arguments(&mut self, block: &Block) -> Found {
        let mut found = Found::default();
        for structure in &block.body {
            match structure {
                Structure::Block(inner) => self.refuse_block(inner),
                Structure::Attribute(attribute) => match attribute.key.as_str() {
                    "version" => {
                        found.has_version = true;
                        found.version = self.read_version(&attribute.value);
                    }
                    "constraints" => found.constraints = self.read_constraints(&attribute.value),
                    "hashes" => found.hashes = self.read_hashes(&attribute.value),
                    _ => self.refuse_argument(attribute),
                },
            }
        }
        found
    }

    fn read_version(&mut self, value: &Expression) -> Option<Version> {
        if value.is_null() {
            self.refuse(value, LockProblemKind::MissingVersion);
            return None;
        }
        let text = self.read_text("version", value)?;
        match text.parse::<Version>() {
            Ok(version) => {
                self.require_canonical("version", value, &text, version.to_string());
                Some(version)
            }
            Err(error) => {
                self.refuse(value, LockProblemKind::Version(error));
                None
            }
        }
    }

    fn read_constraints(&mut self, value: &Expression) -> VersionConstraints {
        let Some(text) = self.read_text("constraints", value) else {
            return VersionConstraints::default();
        };
        match text.parse::<VersionConstraints>() {
            Ok(constraints) => {
                self.require_canonical("constraints", value, &text, constraints.to_string());
                constraints
            }
            Err(error) => {
                self.refuse(value, LockProblemKind::Constraints(error));
                VersionConstraints::default()
            }
        }
    }

    fn require_canonical(
        &mut self,
        argument: &'static str,
        value: &Expression,
        text: &str,
        canonical: String,
    ) {
        if text != canonical {
            let text = text.to_owned();
            let kind = LockProblemKind::NotCanonical {
                argument,
                text,
                canonical,
            };
            self.refuse(value, kind);
        }
    }

    fn read_hashes(&mut self, value: &Expression) -> Vec<PackageHash> {
        let Expression::Array(elements) = value else {
            let found = match evaluate(value) {
                Constant::Null => "null",
                Constant::Text(_) => "a single value",
                Constant::Other(found) => found,
            };
            self.refuse(value, LockProblemKind::HashesNotList(found));
            return Vec::new();
        };
        if elements.is_empty() {
            self.refuse(value, LockProblemKind::NoHashes);
        }
        elements
            .iter()
            .filter_map(|element| self.read_hash(element))
            .collect()
    }

    fn read_hash(&mut self, element: &Expression) -> Option<PackageHash> {
        match self.read_text("hashes", element)?.parse() {
            Ok(hash) => Some(hash),
            Err(error) => {
                self.refuse(element, LockProblemKind::Hash(error));
                None
            }
        }
    }

    fn read_text(&mut self, argument: &'static str, value: &Expression) -> Option<String> {
        let found = match evaluate(value) {
            Constant::Text(text) => return Some(text),
            Constant::Null => "null",
            Constant::Other(found) => found,
        };
        self.refuse(value, LockProblemKind::NotText { argument, found });
        None
    }

    fn finish(mut self, text: &str) -> Result<ParsedLocks, LockFileError> {
        if self.problems.is_empty() {
            return Ok(ParsedLocks {
                locks: self.locks,
                warnings: self.warnings,
            });
        }
        self.problems.sort_by_key(|(offset, _)| *offset);
        Err(LockFileError {
            problems: place(text, self.problems),
        })
    }
}

/// Turns offsets, which ascend, into lines and columns.
fn place(text: &str, problems: Vec<(usize, LockProblemKind)>) -> Vec<LockProblem> {
    let placed = with_places(text, problems).into_iter();
    placed
        .map(|(line, column, kind)| LockProblem { line, column, kind })
        .collect()
}

#[cfg(test)]
mod tests;
