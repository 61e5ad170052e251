//! The bundled archive, unpacked.

use std::collections::BTreeMap;
use std::io::Read;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;

/// Eighteen tables, compressed from 10 MB to 3.5 MB.
const SNAPSHOT: &[u8] = include_bytes!("../finbench/snapshot.tar.gz");

/// The text of each table by its name, such as `Person`.
pub(crate) fn unpack() -> Result<BTreeMap<String, String>> {
    let mut tables = BTreeMap::new();
    let mut archive = tar::Archive::new(GzDecoder::new(SNAPSHOT));
    for entry in archive.entries().context("opening the bundled archive")? {
        let mut entry = entry.context("reading the bundled archive")?;
        let path = entry.path()?.into_owned();
        let name = path.file_stem().and_then(|stem| stem.to_str()).context("a table without a name")?;
        let mut text = String::new();
        entry.read_to_string(&mut text).with_context(|| format!("unpacking {}", path.display()))?;
        tables.insert(name.to_owned(), text);
    }
    Ok(tables)
}
