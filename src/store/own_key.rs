//! The key that seals the secrets of webhooks in an embedded store, where the settings give none: a file beside the graph.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use resolvers::VaultKey;

const FILE: &str = "webhooks.key";
/// What is written before it gets its name, so that no half of a key is ever taken for one.
const UNFINISHED: &str = ".webhooks.key.new";

/// The store's key, made now where there is none. The store is open, so that nobody else makes one meanwhile.
pub fn of_store(folder: &Path) -> anyhow::Result<VaultKey> {
    let path = folder.join(FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => VaultKey::parse(&text).map_err(|problem| anyhow!("the key of webhooks, {}: {problem}", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = VaultKey::random().context("a key for webhooks")?;
            keep(folder, &key).with_context(|| format!("keeping the key of webhooks, {}", path.display()))?;
            Ok(key)
        }
        Err(error) => Err(error).with_context(|| format!("the key of webhooks, {}", path.display())),
    }
}

/// Writes it for this user alone; it is there after a power cut as what it has sealed is.
fn keep(folder: &Path, key: &VaultKey) -> std::io::Result<()> {
    let unfinished = folder.join(UNFINISHED);
    // What a process has left that died here.
    if let Err(error) = std::fs::remove_file(&unfinished)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    writeln!(file, "{}", key.reveal())?;
    file.sync_all()?;
    std::fs::rename(&unfinished, folder.join(FILE))?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_keeps_its_key() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(UNFINISHED), "half of a k").unwrap();
        let key = of_store(folder.path()).unwrap();
        assert!(of_store(folder.path()).unwrap() == key);
        assert!(!folder.path().join(UNFINISHED).exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn what_is_no_key_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "no key at all").unwrap();
        let told = format!("{:#}", of_store(folder.path()).unwrap_err());
        assert!(told.contains(FILE) && !told.contains("no key at all"), "{told}");
    }
}
