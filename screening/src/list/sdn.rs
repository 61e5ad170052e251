//! OFAC's list of Specially Designated Nationals as CSV: the names, and the file of other names.
//!
//! The files have no header; `-0-` stands for nothing. Columns of the first: number, name, type, program, title, then six about ships, then
//! remarks. Columns of the second: number of the entry, number of the name, kind of the name, name, remarks.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use super::columns::{Problem, Problems, dates, each_record, without_mark};
use super::faults::Faults;
use super::quotes::Begun;
use super::{Entry, Format, Piece, Read, collect};
use crate::countries::code;
use crate::evidence::{Facts, Identifier, Sex};

const NUMBER: usize = 0;
const NAME: usize = 1;
const TYPE: usize = 2;
const REMARKS: usize = 11;
const OTHER_NAME: usize = 3;

/// Whether a file is `sdn.csv`: it has no header, so it begins with a number.
pub fn looks_like_sdn(text: &[u8]) -> bool {
    let line = without_mark(text).split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.first().is_some_and(u8::is_ascii_digit) && line.iter().filter(|byte| **byte == b',').count() >= REMARKS
}

/// The entries of `sdn.csv`, with the names, dates, countries and numbers that its remarks tell.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_sdn(input: impl io::Read) -> Result<Read<Entry>, Problems> {
    collect(Format::SdnCsv, io::BufReader::new(input))
}

/// Gives away the entries of `sdn.csv` as they come.
pub(super) fn sdn_pieces(input: impl io::Read, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) {
    each_row(input, faults, |line, fields, faults| {
        let field = |at: usize| fields.get(at).map_or("", String::as_str);
        if fields.len() <= REMARKS || field(NUMBER).parse::<u64>().is_err() || field(NAME).is_empty() {
            let what = "is no line of the list: number, name, type and nine more columns".into();
            faults.problems.push(Problem { line, column: String::new(), what });
            return ControlFlow::Continue(());
        }
        let (facts, others) = remarks(field(REMARKS), line, &mut faults.notes);
        let names = std::iter::once(field(NAME).to_owned()).chain(others).collect();
        take(Piece::Entry(Entry { id: field(NUMBER).to_owned(), schema: schema(field(TYPE)).into(), names, facts }, line))
    });
}

/// The schema of FollowTheMoney for a type of OFAC's: `individual`, in the XML `Individual`. An entity has no type in the CSV.
pub fn schema(kind: &str) -> &'static str {
    match kind.to_ascii_lowercase().as_str() {
        "individual" => "Person",
        "vessel" => "Vessel",
        "aircraft" => "Airplane",
        _ => "Organization",
    }
}

/// Puts the names of `alt.csv` to their entries. Names of entries that are not there are noted: the two files may be of different days.
///
/// # Errors
/// Everything that is wrong in the file; then no name is put to any entry.
pub fn read_sdn_aliases(input: impl io::Read, entries: &mut [Entry]) -> Result<Vec<Problem>, Problems> {
    let places: HashMap<&str, usize> = entries.iter().enumerate().map(|(at, entry)| (entry.id.as_str(), at)).collect();
    let (mut faults, mut found) = (Faults::all(), Vec::new());
    each_alias(input, &mut faults, |line, number, name, faults| {
        match places.get(number) {
            Some(place) => found.push((*place, name.to_owned())),
            None => faults.notes.push(unknown_number(line)),
        }
        ControlFlow::Continue(())
    });
    if let Some(problems) = faults.refusal() {
        return Err(problems);
    }
    for (place, name) in found {
        entries[place].names.push(name);
    }
    Ok(faults.notes)
}

/// Gives away each name of `alt.csv` with its line and the number of its entry.
pub(super) fn each_alias(input: impl io::Read, faults: &mut Faults, mut take: impl FnMut(u64, &str, &str, &mut Faults) -> ControlFlow<()>) {
    each_row(input, faults, |line, fields, faults| {
        let number = fields.first().map_or("", String::as_str);
        match fields.get(OTHER_NAME).filter(|name| !name.is_empty()) {
            Some(name) => take(line, number, name, faults),
            None => {
                faults.problems.push(Problem { line, column: OTHER_NAME.to_string(), what: "has no name".into() });
                ControlFlow::Continue(())
            }
        }
    });
}

/// A name whose entry is not on the list: the two files may be of different days.
pub(super) fn unknown_number(line: u64) -> Problem {
    Problem { line, column: "1".into(), what: "is the number of no entry of the list".into() }
}

/// Gives away the rows with their lines; the files are in Latin-1, newer ones in UTF-8.
fn each_row(input: impl io::Read, faults: &mut Faults, mut take: impl FnMut(u64, &[String], &mut Faults) -> ControlFlow<()>) {
    each_record(input, faults, |record, Begun { line, spans }, faults| {
        // The files end with the end-of-file character of DOS.
        if record.len() == 1 && record.get(0).is_some_and(|field| field.iter().all(|byte| *byte == 0x1a || byte.is_ascii_whitespace())) {
            return ControlFlow::Continue(());
        }
        let text = |field: &[u8]| {
            let text = std::str::from_utf8(field).map_or_else(|_| field.iter().map(|byte| char::from(*byte)).collect(), str::to_owned);
            let text = text.trim();
            if text == "-0-" { String::new() } else { text.to_owned() }
        };
        let fields: Vec<String> = record.iter().map(text).collect();
        // Remarks may have several lines; what is before them has one.
        if let Some(opened) = spans.filter(|_| fields.iter().take(OTHER_NAME + 1).any(|field| field.contains(['\r', '\n']))) {
            let what = format!("has a line break in a number or a name; its quote is opened in line {opened}");
            faults.problems.push(Problem { line, column: String::new(), what });
        }
        take(line, &fields, faults)
    });
}

/// What the remarks tell: facts, and other names that are only there.
fn remarks(text: &str, line: u64, notes: &mut Vec<Problem>) -> (Facts, Vec<String>) {
    let mut facts = Facts::default();
    let mut names = Vec::new();
    for part in text.split(';') {
        let part = part.trim().trim_end_matches('.');
        let part = part.strip_prefix("alt. ").unwrap_or(part);
        if let Some(date) = part.strip_prefix("DOB ") {
            facts.birth_dates.extend(dates(date, line, "12", notes));
        } else if let Some(country) = part.strip_prefix("nationality ").or_else(|| part.strip_prefix("citizen ")) {
            facts.countries.push(code(country));
        } else if let Some(sex) = part.strip_prefix("Gender ") {
            facts.sex = Sex::parse(sex);
        } else if let Some(name) = part.strip_prefix("a.k.a. '").or_else(|| part.strip_prefix("f.k.a. '")) {
            names.push(name.trim_end_matches('\'').to_owned());
        } else if let Some((kind, number)) = identifier(part) {
            facts.identifiers.extend(Identifier::known(kind, number));
        }
    }
    facts.countries.sort_unstable();
    facts.countries.dedup();
    (facts, names)
}

/// `Passport AC2499982 (Kyrgyzstan) issued 12 Jan 2012`: the kind and the number.
fn identifier(part: &str) -> Option<(&str, &str)> {
    const KINDS: [&str; 12] = [
        "Passport",
        "Cedula No.",
        "NIT #",
        "C.U.R.P.",
        "R.F.C.",
        "National ID No.",
        "Tax ID No.",
        "Registration ID",
        "RUC #",
        "RIF #",
        "SSN",
        "Identification Number",
    ];
    let kind = KINDS.iter().find(|kind| part.starts_with(**kind))?;
    let number = part[kind.len()..].split_whitespace().next()?;
    Some((kind, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDN: &str = "12625,\"KOLBAYEV, Kamchybek\",\"individual\",\"TCO\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 03 Aug 1974; alt. DOB 1973; nationality Kyrgyzstan; Gender Male; Passport AC2499982 (Kyrgyzstan); a.k.a. 'KAMCHI BISHKEKSKIY'.\"\n536,\"CIMEX\",-0- ,\"CUBA\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n\u{1a}\n";

    #[test]
    fn entries_are_read_with_what_their_remarks_tell() {
        let mut entries = read_sdn(SDN.as_bytes()).expect("a list").items;
        read_sdn_aliases("536,1,\"aka\",\"CIMEX, S.A.\",-0- \n".as_bytes(), &mut entries).expect("aliases");
        assert_eq!(entries[0].names, ["KOLBAYEV, Kamchybek", "KAMCHI BISHKEKSKIY"]);
        assert_eq!(entries[0].facts.birth_dates.len(), 2);
        assert_eq!(entries[0].facts.countries, ["kg"]);
        assert_eq!(entries[0].facts.sex, Some(Sex::Male));
        assert_eq!(entries[0].facts.identifiers, [Identifier::new("Passport", "AC2499982")]);
        assert_eq!(entries[1].names, ["CIMEX", "CIMEX, S.A."]);
    }

    #[test]
    fn lines_that_are_none_are_told_all_at_once() {
        assert_eq!(read_sdn("1,A\nx,B\n".as_bytes()).expect_err("two are wrong").0.len(), 2);
        let mut entries = read_sdn(SDN.as_bytes()).expect("a list").items;
        let before = entries.clone();
        assert_eq!(read_sdn_aliases("536,1,aka,NEW,\n536,1,aka\n536,2\n".as_bytes(), &mut entries).expect_err("two are wrong").0.len(), 2);
        assert_eq!(entries, before);
        assert_eq!(read_sdn_aliases("536,1,aka,NEW,\n9,1,aka,X,\n".as_bytes(), &mut entries).expect("names").len(), 1);
    }
}
