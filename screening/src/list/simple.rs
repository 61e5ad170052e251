//! Lists in OpenSanctions' simple CSV, and files of queries.

use std::io;
use std::ops::ControlFlow;

use super::columns::{Columns, Problem, Problems, dates, parts};
use super::faults::Faults;
use super::ftm::whole_country;
use super::{Entry, Format, Piece, Read, collect};
use crate::countries::known;
use crate::evidence::{Facts, Identifier, Sex};
use crate::name::Kind;

const LIST: Columns = Columns { must: &["id", "schema", "name"], may: &["aliases", "birth_date", "countries", "identifiers", "gender"] };
const QUERIES: Columns = Columns { must: &["id", "name"], may: &["schema", "birth_date", "countries", "identifiers", "gender"] };

/// A name that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub id: String,
    pub name: String,
    pub kind: Kind,
    pub facts: Facts,
}

/// Whether a file has a header with any column that a list must have: then what the header lacks can be told.
pub fn looks_like_simple(text: &[u8]) -> bool {
    let header = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let bare = |column: &[u8]| String::from_utf8_lossy(column).trim_matches(['"', ' ', '\r']).to_ascii_lowercase();
    header.split(|byte| *byte == b',').any(|column| LIST.must.contains(&bare(column).as_str()))
}

/// A list of `id,schema,name` and, if there, `aliases`, `birth_date`, `countries`, `identifiers`, `gender`; several values are separated by
/// `;`. Lines with the same id are one entry.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_simple(input: impl io::Read) -> Result<Read<Entry>, Problems> {
    collect(Format::Simple, io::BufReader::new(input))
}

/// Gives away the entries of such a list as they come.
pub(super) fn simple_pieces(input: impl io::Read, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) {
    LIST.each(input, faults, |line, faults| {
        let [id, schema, name, aliases, rest @ ..] = line.fields.as_slice() else { return ControlFlow::Continue(()) };
        needed(&[("id", id), ("name", name)], line.number, &mut faults.problems);
        told_of_what_is_unknown(schema, name, line.number, &mut faults.notes);
        let facts = facts(rest, line.number, &mut faults.notes);
        let names = std::iter::once(name.as_str()).chain(parts(aliases)).map(str::to_owned);
        take(Piece::Entry(Entry { id: id.clone(), schema: schema.clone(), names: names.collect(), facts }, line.number))
    });
}

/// Queries of `id,name` and, if there, `schema`, `birth_date`, `countries`, `identifiers`, `gender`, in the order of the file.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_queries(input: impl io::Read) -> Result<Read<Query>, Problems> {
    let (mut faults, mut items) = (Faults::all(), Vec::new());
    QUERIES.each(input, &mut faults, |line, faults| {
        let [id, name, schema, rest @ ..] = line.fields.as_slice() else { return ControlFlow::Continue(()) };
        needed(&[("id", id)], line.number, &mut faults.problems);
        let facts = facts(rest, line.number, &mut faults.notes);
        items.push(Query { id: id.clone(), name: name.clone(), kind: Kind::of_schema(schema), facts });
        ControlFlow::Continue(())
    });
    match faults.refusal() {
        Some(problems) => Err(problems),
        None => Ok(Read { items, notes: faults.notes }),
    }
}

fn needed(fields: &[(&str, &String)], line: u64, problems: &mut Vec<Problem>) {
    for (column, _) in fields.iter().filter(|(_, field)| field.is_empty()) {
        problems.push(Problem { line, column: (*column).into(), what: "is empty".into() });
    }
}

/// Schemata that say what somebody or something is, in small letters: those of parties in FollowTheMoney, and what they are called elsewhere.
const SCHEMATA: [&str; 16] = [
    "person",
    "individual",
    "legalentity",
    "entity",
    "organization",
    "organisation",
    "company",
    "publicbody",
    "vessel",
    "airplane",
    "aircraft",
    "vehicle",
    "asset",
    "security",
    "cryptowallet",
    "thing",
];

/// Notes a schema that is none, and a name by which nobody is found.
fn told_of_what_is_unknown(schema: &str, name: &str, line: u64, notes: &mut Vec<Problem>) {
    let mut note = |column: &str, what| notes.push(Problem { line, column: column.into(), what });
    if !schema.is_empty() && !SCHEMATA.contains(&schema.to_ascii_lowercase().as_str()) {
        note("schema", format!("`{schema}` is no schema that is known; it counts as any"));
    }
    if !name.is_empty() && !name.contains(char::is_alphanumeric) {
        note("name", format!("`{name}` has no letter or digit; nobody is found by it"));
    }
}

/// `birth_date`, `countries`, `identifiers` and `gender`, in this order. What is unknown is noted, and not used.
fn facts(fields: &[String], line: u64, notes: &mut Vec<Problem>) -> Facts {
    let [birth_date, countries, identifiers, gender] = fields else { return Facts::default() };
    let birth_dates = dates(birth_date, line, "birth_date", notes);
    let mut used = |column: &str, value: &str, is_known: bool, what: &str| {
        if !is_known {
            notes.push(Problem { line, column: column.into(), what: format!("`{value}` is no {what} and is not used") });
        }
    };
    let mut facts = Facts { birth_dates, ..Facts::default() };
    for country in parts(countries) {
        let code = known(whole_country(country));
        used("countries", country, code.is_some(), "country that is known");
        facts.countries.extend(code.map(str::to_owned));
    }
    for number in parts(identifiers) {
        let identifier = Identifier::known("", number);
        used("identifiers", number, identifier.is_some(), "number of anybody");
        facts.identifiers.extend(identifier);
    }
    facts.sex = Sex::parse(gender);
    used("gender", gender, facts.sex.is_some() || gender.is_empty(), "gender that is known");
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_with_its_aliases_dates_and_countries() {
        let text = "id,schema,name,aliases,birth_date,countries,dataset\nQ1,Person,Vladimir Putin,Vova Putin;Владимир Путин,1952-10-07,ru,x\nQ2,Vessel,Zeus,,,Malta,x\n";
        let read = read_simple(text.as_bytes()).expect("a list");
        assert_eq!(read.items.len(), 2);
        assert_eq!(read.items[0].names, ["Vladimir Putin", "Vova Putin", "Владимир Путин"]);
        assert_eq!(read.items[0].facts.birth_dates.len(), 1);
        assert_eq!(read.items[1].facts.countries, ["mt"]);
        assert_eq!(read.items[1].kind(), Kind::Thing);
    }

    #[test]
    fn all_that_is_wrong_is_told_with_line_and_column() {
        let problems = read_simple("id,schema,name\n,Person,A B\nQ2,Person,\nQ3,Person\n".as_bytes()).expect_err("three are wrong");
        let told: Vec<_> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["line 2, column `id`: is empty", "line 3, column `name`: is empty", "line 4: 2 fields where the header has 3"]);
        let problems = read_queries("name\nA\n".as_bytes()).expect_err("no id");
        assert_eq!(problems.to_string(), "line 1, column `id`: is missing; the header has name");
    }

    #[test]
    fn what_is_unknown_is_told_and_not_used() {
        let text = "id,schema,name,birth_date,countries,gender\n1,Persn,--,1980-02-30;12/03/1952,notaland;xx;gb-sct,robot\n2,,Ada Quill,1952,mt,f\n";
        let read = read_simple(text.as_bytes()).expect("a list");
        let columns: Vec<_> = read.notes.iter().map(|note| (note.line, note.column.as_str())).collect();
        let expected = ["schema", "name", "birth_date", "birth_date", "countries", "countries", "gender"].map(|column| (2, column));
        assert_eq!(columns, expected);
        let facts = &read.items[0].facts;
        assert_eq!(facts.countries, ["gb"]);
        assert_eq!(facts.birth_dates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1952"]);
        assert_eq!(facts.sex, None);
    }

    #[test]
    fn numbers_that_are_none_are_not_used() {
        for (text, kept) in [("--", 0), ("N/A;0;..", 0), ("unknown;ZX 100200", 1)] {
            let list = format!("id,schema,name,identifiers\n1,Person,Ada Quill,{text}\n");
            assert_eq!(read_simple(list.as_bytes()).expect("a list").items[0].facts.identifiers.len(), kept, "{text}");
            let queries = format!("id,name,identifiers\n1,Ada Quill,{text}\n");
            assert_eq!(read_queries(queries.as_bytes()).expect("queries").items[0].facts.identifiers.len(), kept, "{text}");
        }
    }

    #[test]
    fn a_date_that_is_none_is_noted_and_not_used() {
        let read = read_queries("id,name,birth_date\n1,A B,tomorrow\n".as_bytes()).expect("queries");
        assert!(read.items[0].facts.birth_dates.is_empty());
        assert_eq!(read.notes.len(), 1);
        assert_eq!((read.notes[0].line, read.notes[0].column.as_str()), (2, "birth_date"));
    }
}
