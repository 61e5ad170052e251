//! Lists of names as files, and the files that ask about names.
//!
//! Readers take bytes and give entries. What is wrong is told all at once, each with its line and column; nothing is read by halves.

mod columns;
mod entries;
mod ftm;
mod sdn;
mod sdn_xml;
mod simple;
mod un;
mod xml;

use crate::evidence::Facts;
use crate::name::Kind;

pub use columns::{Problem, Problems};
pub use ftm::read_ftm;
pub use sdn::{looks_like_sdn, read_sdn, read_sdn_aliases};
pub use sdn_xml::read_sdn_xml;
pub use simple::{Query, read_queries, read_simple};
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

/// What a list can be, as people know it.
const ACCEPTED: &str = "a list is OpenSanctions' simple CSV (a header with id, schema and name), OpenSanctions' JSON lines (entities.ftm.json), \
    OFAC's sdn.csv or sdn.xml (sdnList), or the consolidated list of the United Nations as XML (CONSOLIDATED_LIST)";

/// Reads a list in any of the formats that are known; the content says which it is, not the name of the file.
///
/// # Errors
/// Everything that is wrong in the file, or that it is no list.
pub fn read(text: &[u8]) -> Result<Read<Entry>, Problems> {
    let text = columns::without_mark(text);
    let unknown = |what: String| Err(Problems::new(vec![Problem { line: 1, column: String::new(), what: format!("{what}; {ACCEPTED}") }]));
    match text.trim_ascii_start().first() {
        None => unknown("the file is empty".into()),
        Some(b'<') => match xml::root(text).as_deref() {
            Some(sdn_xml::ROOT) => read_sdn_xml(text),
            Some(un::ROOT) => read_un(text),
            Some(root) => unknown(format!("`{root}` is the outermost element of no list that is known")),
            None => unknown("the file begins like XML and has no element that can be read".into()),
        },
        Some(b'{') => read_ftm(text),
        Some(_) if looks_like_sdn(text) => read_sdn(text),
        Some(_) if simple::looks_like_simple(text) => read_simple(text),
        Some(_) => unknown("the file is no list that is known".into()),
    }
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
