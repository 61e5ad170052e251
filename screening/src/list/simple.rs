//! Lists in OpenSanctions' simple CSV, and files of queries.

use std::io;
use std::ops::ControlFlow;

use super::columns::{Columns, Problem, Problems, dates, parts};
use super::faults::Faults;
use super::{Entry, Format, Piece, Read, collect};
use crate::countries::code;
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

/// `birth_date`, `countries`, `identifiers` and `gender`, in this order.
fn facts(fields: &[String], line: u64, notes: &mut Vec<Problem>) -> Facts {
    let [birth_date, countries, identifiers, gender] = fields else { return Facts::default() };
    Facts {
        birth_dates: dates(birth_date, line, "birth_date", notes),
        countries: parts(countries).map(code).collect(),
        sex: Sex::parse(gender),
        identifiers: parts(identifiers).filter_map(|number| Identifier::known("", number)).collect(),
    }
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
