//! Reading a module lock, with all of its problems.
//!
//! The text comes from a repository that strangers may write to. Known attacks, and the answers:
//!
//! - *Nesting that exhausts the stack*: the parser refuses more than a few dozen levels, and reads on a deep stack.
//! - *A key that leads out of its directory*, as keys are names of directories: separators of paths, `.` and `..` are
//!   refused.
//! - *A directory outside of the package*, to have other files run than those that were hashed: refused.
//! - *Two blocks for one call*, of which readers may take one or the other: refused.
//! - *A hash that no package can have, or of another sort*, so that nothing would be compared: refused.
//! - *A half lock*, without hash or source: refused, as is one with both commit and archive.
//! - *References and functions*, to read something else: only constants are evaluated.
//! - *Control characters*, to forge lines of messages: refused, and escaped where a problem tells them.
//! - *A file made of problems*, to exhaust time: places are computed in one pass; its size is the caller's to cap.

use std::collections::btree_map::Entry;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Attribute, Block, Structure};

use super::{
    LockedModule, ModuleLock, ModuleLockError, ModuleLockProblem, ModuleLockProblemKind as Kind,
};
use crate::address::leaves_package;
use crate::document::PackageIdentity;
use crate::document::deep_stack::on_deep_stack;
use crate::document::lock_file::{Constant, evaluate};
use crate::document::text_place::{conflict_line, with_places};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::version::ModuleVersion;

impl ModuleLock {
    /// Reads the text of the file.
    ///
    /// A byte order mark, either kind of line end and comments are accepted.
    ///
    /// # Errors
    ///
    /// Fails with all problems of the file, or with the first one of its syntax.
    pub fn parse(text: &str) -> Result<Self, ModuleLockError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let read = on_deep_stack(|| parse_here(text));
        read.unwrap_or_else(|error| {
            let kind = Kind::Syntax(format!("no thread to read it on: {error}"));
            Err(only(1, 1, kind))
        })
    }
}

fn parse_here(text: &str) -> Result<ModuleLock, ModuleLockError> {
    let body = hcl_edit::parser::parse_body(text).map_err(|error| bad_syntax(text, &error))?;
    let mut reader = Reader::default();
    for structure in &body {
        match structure {
            Structure::Block(block) if block.ident.as_str() == "module" => {
                reader.read_module(block);
            }
            Structure::Block(block) => reader.refuse_block(block),
            Structure::Attribute(attribute) => reader.refuse_argument(attribute),
        }
    }
    reader.finish(text)
}

fn only(line: usize, column: usize, kind: Kind) -> ModuleLockError {
    let problem = ModuleLockProblem { line, column, kind };
    ModuleLockError {
        problems: vec![problem],
    }
}

/// Tells merge conflicts from other wrong syntax.
fn bad_syntax(text: &str, error: &hcl_edit::parser::Error) -> ModuleLockError {
    if let Some(line) = conflict_line(text) {
        return only(line, 1, Kind::MergeConflict);
    }
    let (place, words) = (error.location(), error.message().to_owned());
    only(place.line(), place.column(), Kind::Syntax(words))
}

/// The state of reading; problems are kept with their offsets.
#[derive(Default)]
struct Reader {
    lock: ModuleLock,
    problems: Vec<(usize, Kind)>,
}

/// What was found of one block.
#[derive(Default)]
struct Found {
    source: Option<String>,
    version: Option<ModuleVersion>,
    commit: Option<PackageIdentity>,
    archive: Option<PackageIdentity>,
    hash: Option<PackageHash>,
    directory: Option<String>,
}

impl Reader {
    fn refuse(&mut self, place: &impl Span, kind: Kind) {
        let offset = place.span().map_or(0, |span| span.start);
        self.problems.push((offset, kind));
    }

    fn refuse_block(&mut self, block: &Block) {
        let name = block.ident.as_str().to_owned();
        self.refuse(&block.ident, Kind::UnknownBlock(name));
    }

    fn refuse_argument(&mut self, attribute: &Attribute) {
        let name = attribute.key.as_str().to_owned();
        self.refuse(&attribute.key, Kind::UnknownArgument(name));
    }

    fn read_module(&mut self, block: &Block) {
        let [label] = &block.labels[..] else {
            let count = block.labels.len();
            return self.refuse(&block.ident, Kind::Labels(count));
        };
        let key = label.as_str().to_owned();
        if !is_key(&key) {
            return self.refuse(label, Kind::Key(key));
        }
        let problems = self.problems.len();
        let found = self.read_arguments(block);
        // What is missing is told once what is there is right.
        let found = if self.problems.len() == problems {
            self.complete(block, found)
        } else {
            None
        };
        match self.lock.calls.entry(key) {
            Entry::Occupied(entry) => {
                let key = entry.key().clone();
                self.refuse(label, Kind::Duplicate(key));
            }
            Entry::Vacant(place) => {
                // Without it the file is refused; a stand-in lets a second block be noticed.
                place.insert(found.unwrap_or_else(stand_in));
            }
        }
    }

    fn read_arguments(&mut self, block: &Block) -> Found {
        let mut found = Found::default();
        for structure in &block.body {
            match structure {
                Structure::Block(inner) => self.refuse_block(inner),
                Structure::Attribute(attribute) => self.read_argument(attribute, &mut found),
            }
        }
        found
    }

    fn read_argument(&mut self, attribute: &Attribute, found: &mut Found) {
        let value = &attribute.value;
        match attribute.key.as_str() {
            "source" => found.source = self.read("source", value, read_source),
            "version" => found.version = self.read("version", value, read_version),
            "commit" => found.commit = self.read("commit", value, read_commit),
            "archive" => found.archive = self.read("archive", value, read_archive),
            "hash" => found.hash = self.read("hash", value, read_hash),
            "directory" => found.directory = self.read("directory", value, read_directory),
            _ => self.refuse_argument(attribute),
        }
    }

    fn read<T>(
        &mut self,
        argument: &'static str,
        value: &Expression,
        read: impl FnOnce(&str) -> Result<T, Kind>,
    ) -> Option<T> {
        let found = match evaluate(value) {
            Constant::Text(text) if text.contains(char::is_control) => "control characters",
            Constant::Text(text) => match read(&text) {
                Ok(read) => return Some(read),
                Err(kind) => {
                    self.refuse(value, kind);
                    return None;
                }
            },
            Constant::Null => "null",
            Constant::Other(found) => found,
        };
        self.refuse(value, Kind::NotText { argument, found });
        None
    }

    fn complete(&mut self, block: &Block, found: Found) -> Option<LockedModule> {
        if found.source.is_none() {
            self.refuse(&block.ident, Kind::Missing("source"));
        }
        if found.hash.is_none() {
            self.refuse(&block.ident, Kind::Missing("hash"));
        }
        let identity = match (found.commit, found.archive) {
            (Some(identity), None) | (None, Some(identity)) => identity,
            (None, None) => PackageIdentity::Directory,
            (Some(_), Some(_)) => {
                self.refuse(&block.ident, Kind::CommitAndArchive);
                return None;
            }
        };
        Some(LockedModule {
            source: found.source?,
            version: found.version,
            identity,
            hash: found.hash?,
            directory: found.directory,
        })
    }

    fn finish(mut self, text: &str) -> Result<ModuleLock, ModuleLockError> {
        if self.problems.is_empty() {
            return Ok(self.lock);
        }
        self.problems.sort_by_key(|(offset, _)| *offset);
        let placed = with_places(text, self.problems).into_iter();
        let placed = placed.map(|(line, column, kind)| ModuleLockProblem { line, column, kind });
        Err(ModuleLockError {
            problems: placed.collect(),
        })
    }
}

/// What stands for a block that is wrong, in a file that is refused for it.
fn stand_in() -> LockedModule {
    LockedModule {
        source: String::new(),
        version: None,
        identity: PackageIdentity::Directory,
        hash: PackageHash::h1(Sha256Digest([0; 32])),
        directory: None,
    }
}

/// Whether a text can be a key: it becomes the name of a directory.
fn is_key(text: &str) -> bool {
    let is_bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !text.contains(is_bad) && !text.split('.').any(str::is_empty)
}

fn read_source(text: &str) -> Result<String, Kind> {
    if text.is_empty() {
        return Err(Kind::EmptySource);
    }
    Ok(text.to_owned())
}

fn read_version(text: &str) -> Result<ModuleVersion, Kind> {
    let version: ModuleVersion = text.parse().map_err(Kind::Version)?;
    if version.to_string() == text {
        Ok(version)
    } else {
        Err(Kind::NotNormal(text.to_owned()))
    }
}

fn read_commit(text: &str) -> Result<PackageIdentity, Kind> {
    let commit = text.parse().map_err(Kind::Commit)?;
    Ok(PackageIdentity::Commit(commit))
}

fn read_archive(text: &str) -> Result<PackageIdentity, Kind> {
    let digest = text.strip_prefix("sha256:").unwrap_or_default();
    match digest.parse::<Sha256Digest>() {
        Ok(parsed) if parsed.to_string() == digest => Ok(PackageIdentity::Archive(parsed)),
        Ok(_) | Err(_) => Err(Kind::Archive(text.to_owned())),
    }
}

fn read_directory(text: &str) -> Result<String, Kind> {
    if text.is_empty() || text.starts_with('/') || leaves_package(text) {
        return Err(Kind::Directory(text.to_owned()));
    }
    Ok(text.to_owned())
}

fn read_hash(text: &str) -> Result<PackageHash, Kind> {
    match text.parse::<PackageHash>() {
        Ok(hash) if hash.scheme() == HashScheme::H1 && hash.is_possible() => Ok(hash),
        Ok(_) | Err(_) => Err(Kind::Hash(text.to_owned())),
    }
}

#[cfg(test)]
mod tests;
