//! Lists of names as files, and the files that ask about names.
//!
//! Readers take bytes and give entries. What is wrong is told all at once, each with its line and column; nothing is read by halves.
//!
//! A reader goes through a file record by record. Whoever wants a list whole has it ([`read`]); whoever must not hold it goes through the file twice:
//! [`survey()`] tells all that is wrong and what belongs together though it stands apart, [`entries()`] gives each entry away once.

mod bounded;
mod columns;
mod entries;
mod faults;
mod format;
mod ftm;
mod quotes;
mod sdn;
mod sdn_xml;
mod simple;
mod survey;
mod un;
mod xml;

use std::io::BufRead;
use std::ops::ControlFlow;

use crate::evidence::{Facts, Identifier};
use crate::name::Kind;

use bounded::without_mark_of;
use entries::Entries;
use faults::Faults;

pub use columns::{Problem, Problems};
pub use format::Format;
pub use ftm::read_ftm;
pub use sdn::{looks_like_sdn, read_sdn, read_sdn_aliases};
pub use sdn_xml::read_sdn_xml;
pub use simple::{Query, read_queries, read_simple};
pub use survey::{MOST_ENTRIES, Survey, entries, hash_of_id, survey};
pub use un::read_un;

/// Somebody or something on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    /// As the list calls it: `Person`, `Vessel`.
    pub schema: String,
    /// The main name first, then the others.
    pub names: Vec<String>,
    pub facts: Facts,
}

impl Entry {
    pub fn kind(&self) -> Kind {
        Kind::of_schema(&self.schema)
    }
}

/// What was read, and what of it could not be used: a date that is none, say.
#[derive(Clone, Debug, PartialEq)]
pub struct Read<T> {
    pub items: Vec<T>,
    pub notes: Vec<Problem>,
}

/// What a reader comes upon.
enum Piece {
    /// An entry, and the line in which it begins.
    Entry(Entry, u64),
    /// A number of an entry that stands elsewhere in the file.
    Identifier { holder: String, identifier: Identifier },
}

/// Goes through a file, until `take` wants no more.
fn pieces(format: Format, input: impl BufRead, faults: &mut Faults, mut take: impl FnMut(Piece) -> ControlFlow<()>) {
    let input = match without_mark_of(input) {
        Ok(input) => input,
        Err(error) => return faults.problems.push(Problem { line: 1, column: String::new(), what: format!("cannot be read: {error}") }),
    };
    match format {
        Format::Simple => simple::simple_pieces(input, faults, &mut take),
        Format::Ftm => ftm::ftm_pieces(input, faults, &mut take),
        Format::SdnCsv => sdn::sdn_pieces(input, faults, &mut take),
        Format::SdnXml => sdn_xml::sdn_xml_pieces(input, faults, &mut take),
        Format::UnXml => un::un_pieces(input, faults, &mut take),
    }
}

/// All entries of a file; those with one id are one.
fn collect(format: Format, input: impl BufRead) -> Result<Read<Entry>, Problems> {
    let (mut faults, mut entries, mut held) = (Faults::all(), Entries::default(), Vec::new());
    pieces(format, input, &mut faults, |piece| {
        match piece {
            Piece::Entry(entry, _) => entries.add(entry),
            Piece::Identifier { holder, identifier } => held.push((holder, identifier)),
        }
        ControlFlow::Continue(())
    });
    for (holder, identifier) in held {
        if let Some(entry) = entries.get_mut(&holder) {
            entry.facts.identifiers.push(identifier);
        }
    }
    match faults.refusal() {
        Some(problems) => Err(problems),
        None => Ok(Read { items: entries.end(), notes: faults.notes }),
    }
}

/// Reads a list in any of the formats that are known; the content says which it is, not the name of the file.
///
/// # Errors
/// Everything that is wrong in the file, or that it is no list.
pub fn read(text: &[u8]) -> Result<Read<Entry>, Problems> {
    collect(Format::of(text)?, text)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_file_is_read_as_what_its_content_says() {
        let sdn = "7,\"QUILL, Ada\",\"individual\",\"X\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n";
        for text in [
            "id,schema,name\n7,Person,Ada Quill\n",
            "\u{feff}\"id\",\"schema\",\"name\"\n7,Person,Ada Quill\n",
            sdn,
            "\n<?xml version=\"1.0\"?>\n<sdnList><sdnEntry><uid>7</uid><lastName>QUILL</lastName><sdnType>Individual</sdnType></sdnEntry></sdnList>",
            "\u{feff}<CONSOLIDATED_LIST><INDIVIDUAL><DATAID>7</DATAID><FIRST_NAME>ADA</FIRST_NAME></INDIVIDUAL></CONSOLIDATED_LIST>",
            "{\"id\":\"7\",\"schema\":\"Person\",\"properties\":{\"name\":[\"Ada Quill\"]}}",
        ] {
            let entries = read(text.as_bytes()).unwrap_or_else(|problems| panic!("{text}: {problems}")).items;
            assert_eq!((entries.len(), entries[0].id.as_str()), (1, "7"), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_no_list_is_told_what_is_accepted() {
        for (text, expected) in [
            ("", "is empty"),
            (" \n", "is empty"),
            ("<Sanctions/>", "`Sanctions`"),
            ("<!-- -->", "no element"),
            ("[1,2]", "is no list"),
            ("surname,given\n", "is no list"),
            ("\u{0}PK", "is no list"),
        ] {
            let told = read(text.as_bytes()).expect_err(text).to_string();
            assert!(told.contains(expected) && told.contains("entities.ftm.json") && told.contains("CONSOLIDATED_LIST"), "{told}");
        }
    }

    #[test]
    fn a_header_that_lacks_a_column_is_told_which() {
        let told = read(b"id,name\n1,A\n").expect_err("no schema").to_string();
        assert!(told.contains("column `schema`: is missing"), "{told}");
    }
}
