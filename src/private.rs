//! What the program keeps is its own user's alone: the store, the files of cases, the checkpoints of imports.

use std::fs;
use std::io;
use std::path::Path;

/// Whatever this process makes from now on is for its user alone: files 0600, folders 0700.
pub fn keep_to_ourselves() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Whose something is that lies in a folder of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Ours,
    /// Ours, and looked after elsewhere.
    OursElsewhere,
    Others,
}

/// A folder of ours, made where it is not there. In one that others can look into, as earlier versions made them, what is ours by its name is shut, and the
/// folder with it where nothing of others lies in it: else that may be meant, and the log says so.
pub fn folder(folder: &Path, whose: impl Fn(&str) -> Whose) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    if unix::is_open(folder)? && unix::shut_ours(folder, whose).is_err() {
        tracing::warn!(folder = %folder.display(), "other users of this machine can look into this folder; shut it: chmod -R go= FOLDER");
    }
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::Whose;

    const OF_OTHERS: u32 = 0o077;

    pub fn is_open(folder: &Path) -> io::Result<bool> {
        Ok(fs::metadata(folder)?.permissions().mode() & OF_OTHERS != 0)
    }

    /// Shuts what is ours in a folder, and then the folder. Fails where it has something of others.
    pub fn shut_ours(folder: &Path, whose: impl Fn(&str) -> Whose) -> io::Result<()> {
        let mut is_ours_alone = true;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_name().to_str().map_or(Whose::Others, &whose) {
                Whose::Ours => shut(&entry)?,
                Whose::OursElsewhere => {}
                Whose::Others => is_ours_alone = false,
            }
        }
        // It comes last: until then it says that this is not done.
        if is_ours_alone { fs::set_permissions(folder, Permissions::from_mode(0o700)) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    /// Shuts a file, or a folder with all that is in it; links are not followed.
    fn shut(entry: &fs::DirEntry) -> io::Result<()> {
        let kind = entry.file_type()?;
        if kind.is_file() {
            return fs::set_permissions(entry.path(), Permissions::from_mode(0o600));
        }
        if kind.is_dir() {
            for inner in fs::read_dir(entry.path())? {
                shut(&inner?)?;
            }
            fs::set_permissions(entry.path(), Permissions::from_mode(0o700))?;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_ours_is_shut_with_all_that_is_in_it() {
        let parent = tempfile::tempdir().unwrap();
        let ours = parent.path().join("ours");
        fs::create_dir_all(ours.join("a/b")).unwrap();
        fs::write(ours.join("a/b/file"), "x").unwrap();
        for path in [ours.clone(), ours.join("a"), ours.join("a/b")] {
            fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
        }
        fs::set_permissions(ours.join("a/b/file"), Permissions::from_mode(0o644)).unwrap();
        folder(&ours, |_| Whose::Ours).unwrap();
        assert_eq!([ours.clone(), ours.join("a"), ours.join("a/b")].map(|path| mode(&path)), [0o700; 3]);
        assert_eq!(mode(&ours.join("a/b/file")), 0o600);
    }

    #[test]
    fn what_others_keep_there_stays_as_it_is() {
        let parent = tempfile::tempdir().unwrap();
        let shared = parent.path().join("shared");
        fs::create_dir_all(shared.join("somebody's")).unwrap();
        for name in ["ours", "somebody's/own"] {
            fs::write(shared.join(name), "x").unwrap();
            fs::set_permissions(shared.join(name), Permissions::from_mode(0o644)).unwrap();
        }
        for path in [shared.clone(), shared.join("somebody's")] {
            fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
        }
        folder(&shared, |name| if name == "ours" { Whose::Ours } else { Whose::Others }).unwrap();
        assert_eq!(mode(&shared.join("ours")), 0o600);
        assert_eq!([shared.clone(), shared.join("somebody's")].map(|path| mode(&path)), [0o755; 2]);
        assert_eq!(mode(&shared.join("somebody's/own")), 0o644);
    }

    #[test]
    fn an_empty_folder_is_ours() {
        let parent = tempfile::tempdir().unwrap();
        fs::set_permissions(parent.path(), Permissions::from_mode(0o755)).unwrap();
        folder(parent.path(), |_| Whose::Others).unwrap();
        assert_eq!(mode(parent.path()), 0o700);
    }
}
