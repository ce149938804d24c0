//! Copies of a module's directory as the tools make them for a second use (facts/modules 3.3).

use std::fs;
use std::path::{Path, PathBuf};

use crate::disk::place::place_file;
use crate::disk::system::DirPair;
use crate::disk::{DiskError, Placement, system};

/// Copies all files and directories below `from` whose names do not begin with a dot into the empty directory `to`;
/// links stay links, modes stay modes.
///
/// # Errors
///
/// Fails if something cannot be read or written, or is neither file nor directory nor link.
pub fn copy_visible_tree(from: &Path, to: &Path) -> Result<(), DiskError> {
    visit(from, to, &mut |source, target| {
        fs::copy(source, target).map_err(DiskError::on("copy to", target))?;
        Ok(())
    })
}

/// As [`copy_visible_tree`], with files that share their blocks where the file system can, else their inode, else
/// are copies; tells the costliest way that was needed.
///
/// # Errors
///
/// As [`copy_visible_tree`].
pub fn share_visible_tree(from: &Path, to: &Path) -> Result<Placement, DiskError> {
    let mut placement = Placement::Reflink;
    let mut open: Option<(PathBuf, DirPair)> = None;
    visit(from, to, &mut |source, target| {
        if placement == Placement::HardLink
            && let (Some(from), Some(to), Some(name)) =
                (source.parent(), target.parent(), source.file_name())
        {
            if open.as_ref().is_none_or(|(dir, _)| dir != from) {
                open = DirPair::open(from, to)
                    .ok()
                    .map(|pair| (from.to_owned(), pair));
            }
            if open
                .as_ref()
                .is_some_and(|(_, pair)| pair.link(name).is_ok())
            {
                return Ok(());
            }
        }
        place_file(source, target, &mut placement)
    })?;
    Ok(placement)
}

fn visit(
    from: &Path,
    to: &Path,
    file: &mut dyn FnMut(&Path, &Path) -> Result<(), DiskError>,
) -> Result<(), DiskError> {
    let unreadable = || DiskError::on("read the directory", from);
    for entry in fs::read_dir(from).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(unreadable())?;
        if kind.is_symlink() {
            copy_link(&source, &target)?;
        } else if kind.is_dir() {
            fs::create_dir(&target).map_err(DiskError::on("create the directory", &target))?;
            visit(&source, &target, file)?;
            copy_mode(&source, &target)?;
        } else if kind.is_file() {
            file(&source, &target)?;
        } else {
            let error = std::io::Error::other("it is neither file nor directory nor link");
            return Err(DiskError::on("copy", &source)(error));
        }
    }
    Ok(())
}

fn copy_link(source: &Path, target: &Path) -> Result<(), DiskError> {
    let leads_to = fs::read_link(source).map_err(DiskError::on("read the link", source))?;
    system::link_to(&leads_to, source, target).map_err(DiskError::on("make a link at", target))
}

fn copy_mode(source: &Path, target: &Path) -> Result<(), DiskError> {
    let metadata = source.metadata().map_err(DiskError::on("read", source))?;
    let set = fs::set_permissions(target, metadata.permissions());
    set.map_err(DiskError::on("set the mode of", target))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn names_with_a_dot_are_left_out_and_links_stay_links() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        fs::create_dir_all(from.join(".git")).unwrap();
        fs::create_dir_all(from.join("d")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join(".gitignore"), "").unwrap();
        fs::write(from.join("d/x.sh"), "x").unwrap();
        fs::set_permissions(from.join("d/x.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(from.join("d"), fs::Permissions::from_mode(0o700)).unwrap();
        symlink("d/x.sh", from.join("l")).unwrap();
        symlink("/nowhere", from.join("broken")).unwrap();
        copy_visible_tree(&from, &to).unwrap();
        let shared = root.path().join("shared");
        fs::create_dir(&shared).unwrap();
        share_visible_tree(&from, &shared).unwrap();
        for to in [to, shared] {
            let mut names: Vec<String> = crate::disk::file_names(&to).unwrap();
            names.sort();
            assert_eq!(names, ["broken", "d", "l"]);
            assert_eq!(fs::read_link(to.join("l")).unwrap(), Path::new("d/x.sh"));
            let mode = |path: &str| to.join(path).metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode("d"), mode("d/x.sh")), (0o700, 0o755));
        }
    }
}
