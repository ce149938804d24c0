//! A directory that is taken out of a larger tree: its links must lead where they led before.
//!
//! The tree is a stranger's. Attacks known, and the answer to each:
//! - *A link to a place outside of the tree*, there or not: refused.
//! - *A link to a directory that holds the link*: refused, as its copy would have no end.
//! - *Links to directories of links to directories, so that copies multiply*: the count of copies is capped.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::disk::DiskError;

/// How many files and directories may come into being.
const MOST_COPIES: usize = 100_000;

/// Why a directory cannot be taken out.
#[derive(Debug, thiserror::Error)]
pub enum DetachError {
    /// A link leads out of the tree, or to what it is in itself.
    #[error("the link `{}` leads out of the package, or in a circle", link.display())]
    Link {
        /// Its path in the directory.
        link: PathBuf,
    },
    /// Copies of copies have no end.
    #[error("links to directories would become more than {MOST_COPIES} copies")]
    TooMany,
    /// Something cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Makes `part`, a directory in the tree `whole` or all of it, independent of the rest and of where it lies: links to
/// what is elsewhere in the tree become copies of that. Links that stay in `part` or lead to nothing in the tree are left.
///
/// # Errors
///
/// If a link leads out of the tree, copies would have no end, or something cannot be read or written.
pub fn detach(whole: &Path, part: &Path) -> Result<(), DetachError> {
    let real = |dir: &Path| {
        dir.canonicalize()
            .map_err(DiskError::on("read the directory", dir))
    };
    let (whole, part) = (real(whole)?, real(part)?);
    let mut detaching = Detaching {
        whole: &whole,
        part: &part,
        copies: 0,
        open: Vec::new(),
    };
    detaching.settle(&part)
}

struct Detaching<'p> {
    whole: &'p Path,
    part: &'p Path,
    copies: usize,
    /// The directories that are being copied.
    open: Vec<PathBuf>,
}

impl Detaching<'_> {
    /// Goes through a directory of the part.
    fn settle(&mut self, dir: &Path) -> Result<(), DetachError> {
        for path in entries(dir)? {
            if path.is_symlink() {
                self.settle_link(dir, &path)?;
            } else if path.is_dir() {
                self.settle(&path)?;
            }
        }
        Ok(())
    }

    fn settle_link(&mut self, dir: &Path, link: &Path) -> Result<(), DetachError> {
        let text = fs::read_link(link).map_err(DiskError::on("read the link", link))?;
        let stays_in = |root| dir.strip_prefix(root).is_ok_and(|dir| stays(dir, &text));
        if stays_in(self.part) {
            return Ok(());
        }
        let Ok(target) = link.canonicalize() else {
            return if stays_in(self.whole) {
                Ok(())
            } else {
                Err(self.refused(link))
            };
        };
        // Nothing is left to copy where the link is in what it leads to.
        if !target.starts_with(self.whole) || dir.starts_with(&target) {
            return Err(self.refused(link));
        }
        fs::remove_file(link).map_err(DiskError::on("remove the link", link))?;
        self.copy(target, link, link)
    }

    /// Copies what a link leads to, and what links in it lead to.
    fn copy(&mut self, from: PathBuf, to: &Path, link: &Path) -> Result<(), DetachError> {
        self.copies += 1;
        if self.copies > MOST_COPIES {
            return Err(DetachError::TooMany);
        }
        if from.is_file() {
            fs::copy(&from, to).map_err(DiskError::on("copy to", to))?;
            return Ok(());
        }
        if !from.is_dir() || self.open.contains(&from) {
            return Err(self.refused(link));
        }
        fs::create_dir(to).map_err(DiskError::on("create the directory", to))?;
        let inner = entries(&from)?;
        self.open.push(from);
        for entry in inner {
            // What leads nowhere has no copy.
            let Ok(target) = entry.canonicalize() else {
                continue;
            };
            if !target.starts_with(self.whole) {
                return Err(self.refused(link));
            }
            let name = entry.file_name().unwrap_or_default();
            self.copy(target, &to.join(name), link)?;
        }
        self.open.pop();
        Ok(())
    }

    fn refused(&self, link: &Path) -> DetachError {
        let link = link.strip_prefix(self.part).unwrap_or(link).to_owned();
        DetachError::Link { link }
    }
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, DiskError> {
    let unreadable = || DiskError::on("read the directory", dir);
    fs::read_dir(dir)
        .map_err(unreadable())?
        .map(|entry| Ok(entry.map_err(unreadable())?.path()))
        .collect()
}

/// Whether a link with this text, in the directory `dir` of a root, stays below the root on its whole way.
fn stays(dir: &Path, text: &Path) -> bool {
    let mut depth = dir.components().count();
    for component in text.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A tree with `part/deep`, `other/more` and the file `shared`, and links in `part/deep`.
    fn detached(links: &[(&str, &str)]) -> (tempfile::TempDir, Result<(), DetachError>) {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("part/deep");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(root.path().join("other/more")).unwrap();
        for file in ["shared", "other/more/x", "part/own"] {
            fs::write(root.path().join(file), file).unwrap();
        }
        symlink("../../shared", root.path().join("other/more/again")).unwrap();
        for (name, text) in links {
            symlink(text, deep.join(name)).unwrap();
        }
        let result = detach(root.path(), &root.path().join("part"));
        (root, result)
    }

    fn refused(links: &[(&str, &str)]) -> String {
        detached(links).1.unwrap_err().to_string()
    }

    #[test]
    fn what_is_elsewhere_in_the_tree_is_copied_and_the_rest_stays() {
        let (root, result) = detached(&[
            ("file", "../../shared"),
            ("dir", "../../other"),
            ("own", "../own"),
            ("roundabout", "../../part/own"),
            ("nothing", "none"),
            ("nothing_above", "../../none"),
        ]);
        result.unwrap();
        let deep = root.path().join("part/deep");
        let read = |name: &str| fs::read_to_string(deep.join(name)).unwrap();
        for (name, text) in [
            ("file", "shared"),
            ("dir/more/x", "other/more/x"),
            ("dir/more/again", "shared"),
            ("roundabout", "part/own"),
        ] {
            assert!(!deep.join(name).is_symlink(), "{name}");
            assert_eq!(read(name), text);
        }
        for (name, text) in [("own", "../own"), ("nothing", "none")] {
            assert_eq!(fs::read_link(deep.join(name)).unwrap(), Path::new(text));
        }
    }

    #[test]
    fn links_to_the_outside_are_refused() {
        let expected =
            |name: &str| format!("the link `deep/{name}` leads out of the package, or in a circle");
        for text in [
            "/etc/passwd",
            "/none/there",
            "../../../../../../../../etc",
            "../../../none",
        ] {
            assert_eq!(refused(&[("l", text)]), expected("l"), "{text}");
        }
    }

    #[test]
    fn links_to_what_holds_them_are_refused() {
        for text in ["../..", "../../part", "../../other/../part/deep"] {
            assert!(refused(&[("l", text)]).contains("in a circle"), "{text}");
        }
    }

    #[test]
    fn copies_that_would_hold_themselves_are_refused() {
        let (root, _) = detached(&[]);
        symlink("..", root.path().join("other/more/up")).unwrap();
        symlink("../other", root.path().join("part/l")).unwrap();
        let result = detach(root.path(), &root.path().join("part"));
        assert!(matches!(result, Err(DetachError::Link { .. })));
    }
}
