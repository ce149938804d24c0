//! Whole trees of files, hidden ones included: their digest, and copies that take it on the way.
//!
//! Two trees have one digest if they have the same names, kinds, modes, contents and targets of links; times do not
//! count.

use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::disk::{DiskError, system};
use crate::hash::Sha256Digest;

/// Most files of modules are smaller.
const BUFFER: usize = 64 << 10;

/// What is in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeContent {
    /// By what it is told from another one.
    pub digest: Sha256Digest,
    /// The sizes of all files together.
    pub bytes: u64,
}

/// Reads the tree below `dir`.
///
/// # Errors
///
/// If something in it cannot be read, or is neither file nor directory nor link.
pub fn tree_content(dir: &Path) -> Result<TreeContent, DiskError> {
    Walk::new().finish(dir, None)
}

/// Copies everything below `from` into the empty directory `to`, and tells what was read. Links stay links, and modes
/// stay modes.
///
/// # Errors
///
/// As [`tree_content`], and if something cannot be written.
pub fn copy_whole_tree(from: &Path, to: &Path) -> Result<TreeContent, DiskError> {
    Walk::new().finish(from, Some(to))
}

struct Walk {
    hasher: Sha256,
    bytes: u64,
    buffer: Vec<u8>,
}

impl Walk {
    fn new() -> Self {
        Self {
            hasher: Sha256::new(),
            bytes: 0,
            buffer: vec![0; BUFFER],
        }
    }

    fn finish(mut self, from: &Path, to: Option<&Path>) -> Result<TreeContent, DiskError> {
        self.directory(from, to)?;
        Ok(TreeContent {
            digest: Sha256Digest(self.hasher.finalize().into()),
            bytes: self.bytes,
        })
    }

    fn directory(&mut self, from: &Path, to: Option<&Path>) -> Result<(), DiskError> {
        let unreadable = || DiskError::on("read the directory", from);
        let entries = fs::read_dir(from).map_err(unreadable())?;
        let mut entries: Vec<DirEntry> = entries.collect::<Result<_, _>>().map_err(unreadable())?;
        entries.sort_by_key(DirEntry::file_name);
        for entry in &entries {
            let target = to.map(|to| to.join(entry.file_name()));
            self.entry(entry, target.as_deref())?;
        }
        // No name is empty: this ends the directory.
        self.hasher.update(0_u64.to_be_bytes());
        Ok(())
    }

    fn entry(&mut self, entry: &DirEntry, to: Option<&Path>) -> Result<(), DiskError> {
        let from = entry.path();
        let metadata = entry.metadata().map_err(DiskError::on("look at", &from))?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        self.hasher.update((name.len() as u64).to_be_bytes());
        self.hasher.update(name);
        if metadata.is_symlink() {
            return self.link(&from, to);
        }
        let (_, mode) = system::inode_and_mode(&metadata);
        self.hasher.update((mode & 0o777).to_be_bytes());
        if metadata.is_dir() {
            self.hasher.update(b"d");
            if let Some(to) = to {
                fs::create_dir(to).map_err(DiskError::on("create the directory", to))?;
            }
            self.directory(&from, to)?;
            let Some(to) = to else { return Ok(()) };
            let set = fs::set_permissions(to, metadata.permissions());
            set.map_err(DiskError::on("set the mode of", to))
        } else if metadata.is_file() {
            self.hasher.update(b"f");
            self.file(&from, &metadata, to)
        } else {
            let error = io::Error::other("it is neither file nor directory nor link");
            Err(DiskError::on("read", &from)(error))
        }
    }

    fn link(&mut self, from: &Path, to: Option<&Path>) -> Result<(), DiskError> {
        let leads_to = fs::read_link(from).map_err(DiskError::on("read the link", from))?;
        let text = leads_to.as_os_str().as_encoded_bytes();
        self.hasher.update(b"l");
        self.hasher.update((text.len() as u64).to_be_bytes());
        self.hasher.update(text);
        let Some(to) = to else { return Ok(()) };
        system::link_to(&leads_to, from, to).map_err(DiskError::on("make a link at", to))
    }

    fn file(
        &mut self,
        from: &Path,
        metadata: &Metadata,
        to: Option<&Path>,
    ) -> Result<(), DiskError> {
        let mut source = File::open(from).map_err(DiskError::on("open", from))?;
        let create = |to| {
            let file = OpenOptions::new().write(true).create_new(true).open(to);
            file.map_err(DiskError::on("create", to))
        };
        let mut target = to.map(create).transpose()?;
        let mut hasher = Sha256::new();
        loop {
            let count = source.read(&mut self.buffer);
            let count = count.map_err(DiskError::on("read", from))?;
            if count == 0 {
                break;
            }
            let piece = &self.buffer[..count];
            hasher.update(piece);
            self.bytes += count as u64;
            if let Some(target) = &mut target {
                let written = target.write_all(piece);
                written.map_err(DiskError::on("write a copy of", from))?;
            }
        }
        self.hasher.update(hasher.finalize());
        let Some(target) = target else { return Ok(()) };
        let set = target.set_permissions(metadata.permissions());
        set.map_err(DiskError::on("set the mode of the copy of", from))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn tree(root: &Path) {
        fs::create_dir_all(root.join(".git/empty")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref").unwrap();
        fs::write(root.join("x.sh"), "x").unwrap();
        fs::set_permissions(root.join("x.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("/nowhere", root.join("link")).unwrap();
    }

    #[test]
    fn a_copy_has_everything_and_the_same_digest() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        tree(&from);
        fs::create_dir(&to).unwrap();
        let content = copy_whole_tree(&from, &to).unwrap();
        assert_eq!(content.bytes, 4);
        assert_eq!(tree_content(&from).unwrap(), content);
        assert_eq!(tree_content(&to).unwrap(), content);
        assert_eq!(fs::read(to.join(".git/HEAD")).unwrap(), b"ref");
        assert_eq!(
            fs::read_link(to.join("link")).unwrap(),
            Path::new("/nowhere")
        );
    }

    #[test]
    fn every_kind_of_change_changes_the_digest() {
        type Change = fn(&Path);
        let changes: [(&str, Change); 7] = [
            ("content", |root| {
                fs::write(root.join("x.sh"), "y").unwrap();
            }),
            ("name", |root| {
                fs::rename(root.join("x.sh"), root.join("y.sh")).unwrap();
            }),
            ("mode", |root| {
                let mode = fs::Permissions::from_mode(0o644);
                fs::set_permissions(root.join("x.sh"), mode).unwrap();
            }),
            ("one more", |root| {
                fs::write(root.join(".git/index"), "").unwrap();
            }),
            ("one less", |root| {
                fs::remove_dir(root.join(".git/empty")).unwrap();
            }),
            ("kind", |root| {
                fs::remove_file(root.join("x.sh")).unwrap();
                symlink("x", root.join("x.sh")).unwrap();
            }),
            ("target", |root| {
                fs::remove_file(root.join("link")).unwrap();
                symlink("/elsewhere", root.join("link")).unwrap();
            }),
        ];
        for (what, change) in changes {
            let root = tempfile::tempdir().unwrap();
            tree(root.path());
            let before = tree_content(root.path()).unwrap();
            change(root.path());
            assert_ne!(
                tree_content(root.path()).unwrap().digest,
                before.digest,
                "{what}"
            );
        }
    }

    #[test]
    fn a_name_moved_out_of_its_directory_changes_the_digest() {
        let digest = |paths: [&str; 2]| {
            let root = tempfile::tempdir().unwrap();
            for path in paths {
                let path = root.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            tree_content(root.path()).unwrap().digest
        };
        assert_ne!(digest(["a/b", "a/c"]), digest(["a/b", "c"]));
    }
}
