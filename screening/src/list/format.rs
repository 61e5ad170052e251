//! The formats of lists, and which of them a file has.

use std::io::{self, BufRead, Read};

use super::columns::{Problem, Problems, without_mark};
use super::{sdn, sdn_xml, simple, un, xml};

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// OpenSanctions' simple CSV, which own lists are written in, too.
    Simple,
    /// FollowTheMoney's JSON lines.
    Ftm,
    /// OFAC's `sdn.csv`.
    SdnCsv,
    /// OFAC's `sdn.xml`.
    SdnXml,
    /// The consolidated list of the United Nations.
    UnXml,
}

/// What a list can be, as people know it.
const ACCEPTED: &str = "a list is OpenSanctions' simple CSV (a header with id, schema and name), OpenSanctions' JSON lines (entities.ftm.json), \
    OFAC's sdn.csv or sdn.xml (sdnList), or the consolidated list of the United Nations as XML (CONSOLIDATED_LIST)";

/// So much of a file is enough to know its format.
const HEAD: u64 = 64 << 10;

impl Format {
    pub const ALL: [Format; 5] = [Format::Simple, Format::Ftm, Format::SdnCsv, Format::SdnXml, Format::UnXml];

    /// Its name, for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Simple => "SIMPLE_CSV",
            Format::Ftm => "FTM_JSON",
            Format::SdnCsv => "OFAC_SDN_CSV",
            Format::SdnXml => "OFAC_SDN_XML",
            Format::UnXml => "UN_XML",
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// The format of a file that begins so.
    ///
    /// # Errors
    /// It is no list; what is accepted is told.
    pub fn of(head: &[u8]) -> Result<Format, Problems> {
        let head = without_mark(head);
        let unknown = |what: String| Err(Problems::new(vec![Problem { line: 1, column: String::new(), what: format!("{what}; {ACCEPTED}") }]));
        match head.trim_ascii_start().first() {
            None => unknown("the file is empty".into()),
            Some(b'<') => match xml::root(head).as_deref() {
                Some(sdn_xml::ROOT) => Ok(Format::SdnXml),
                Some(un::ROOT) => Ok(Format::UnXml),
                Some(root) => unknown(format!("`{root}` is the outermost element of no list that is known")),
                None => unknown("the file begins like XML and has no element that can be read".into()),
            },
            Some(b'{') => Ok(Format::Ftm),
            Some(_) if sdn::looks_like_sdn(head) => Ok(Format::SdnCsv),
            Some(_) if simple::looks_like_simple(head) => Ok(Format::Simple),
            Some(_) => unknown("the file is no list that is known".into()),
        }
    }

    /// The format of a file, and the file again from its beginning on.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_file<R: BufRead>(mut input: R) -> io::Result<(Result<Format, Problems>, impl BufRead)> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD).read_to_end(&mut head)?;
        let format = Format::of(&head);
        Ok((format, io::Cursor::new(head).chain(input)))
    }
}
