//! The bundled sample: a payment network of 2,924 people and companies, 9,665 accounts and loans and 96,809 payments.
//!
//! The data is the sample of LDBC FinBench, kept as it was published (`finbench/snapshot.tar.gz`, licence and origin beside it) and
//! converted each time it is wanted: [`network`] unpacks and checks the tables ([`archive`], [`rows`]), [`Network::lists`] turns
//! each of their 132,058 rows into one line of the import format ([`lines`]), [`write`](fn@write) puts those lines into the files that
//! `amlgraph import` reads. The same input gives the same bytes.
//!
//! Who is who: persons and companies are actors, accounts and loans are accounts, transfers, withdrawals, deposits and repayments
//! are transactions seen from the sender's side, media are devices. 75 parties own accounts but have no row of their own; they are named
//! by the ownership lines only, so that a load leaves them as placeholders.
//!
//! [`typologies`] is another source of data: a generator of payments among which cases of money laundering are planted.

// Modules, the lowest first: archive party typologies value rows lines.

mod archive;
mod lines;
mod party;
mod rows;
pub mod typologies;
mod value;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

use rows::Tables;

/// The sample network, read and checked: nothing that follows can fail.
pub struct Network {
    tables: Tables,
    directory: party::Directory,
}

/// One list of the import format.
pub struct List<'a> {
    /// The list's name, which is also the file's: `actors`, `accounts`, `account_actors`, `associates`, `transactions`, `devices`, `sign_ins`.
    pub name: &'static str,
    /// How many lines follow.
    pub length: usize,
    /// One JSON object each, without the line's end.
    pub lines: Box<dyn Iterator<Item = String> + Send + 'a>,
}

/// Unpacks the bundled data and checks all of it: some 10 MB of text, a tenth of a second.
///
/// Fails only when the bundled data is not what this program was written for.
pub fn network() -> Result<Network> {
    let tables = Tables::read(&archive::unpack()?)?;
    let directory = party::Directory::of(&tables)?;
    Ok(Network { tables, directory })
}

impl Network {
    /// The lists in the order in which they are best sent: what is named comes before what names it.
    pub fn lists(&self) -> [List<'_>; 7] {
        let Self { tables, directory } = self;
        [
            List::new("actors", lines::actors(tables)),
            List::new("accounts", lines::accounts(tables)),
            List::new("account_actors", lines::account_actors(tables)),
            List::new("associates", lines::associates(tables, directory)),
            List::new("transactions", lines::transactions(tables, directory)),
            List::new("devices", lines::devices(tables)),
            List::new("sign_ins", lines::sign_ins(tables)),
        ]
    }
}

impl<'a> List<'a> {
    fn new(name: &'static str, lines: lines::Lines<'a>) -> Self {
        Self { name, length: lines.length, lines: lines.texts }
    }
}

/// Writes `<list>.ndjson` for each list into a folder, which is made if need be, and says how many lines that were.
///
/// Fails when the folder can't be written.
pub fn write(folder: &Path) -> Result<usize> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let network = network()?;
    let mut written = 0;
    for list in network.lists() {
        let path = folder.join(list.name).with_extension("ndjson");
        written += write_list(&path, list).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(written)
}

fn write_list(path: &Path, list: List<'_>) -> Result<usize> {
    let mut file = BufWriter::new(File::create(path)?);
    for line in list.lines {
        writeln!(file, "{line}")?;
    }
    file.flush()?;
    Ok(list.length)
}
