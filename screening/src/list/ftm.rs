//! Lists in the JSON lines of FollowTheMoney: OpenSanctions' `entities.ftm.json`, one object a line.
//!
//! Objects are parties, and also what links and describes them. Parties are entries; identifications and passports tell numbers of their
//! holders; all others are passed over.

use std::collections::HashMap;
use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::bounded::{LARGEST_RECORD, too_large};
use super::columns::{Problem, Problems};
use super::entries::Draft;
use super::faults::Faults;
use super::{Entry, Format, Piece, Read, collect};
use crate::countries::known;
use crate::evidence::Identifier;

/// The schemata of what can be somebody or something with a name.
const PARTIES: [&str; 10] = ["Person", "LegalEntity", "Organization", "Company", "PublicBody", "Vessel", "Airplane", "Vehicle", "Asset", "Security"];

/// The properties that are names, the main one first.
const NAMES: [&str; 5] = ["name", "alias", "previousName", "abbreviation", "weakAlias"];

/// The parts of a person's name, in the order in which they are spoken.
const PARTS: [&str; 5] = ["firstName", "secondName", "middleName", "fatherName", "lastName"];

const COUNTRIES: [&str; 6] = ["nationality", "citizenship", "country", "jurisdiction", "mainCountry", "flag"];

/// Properties that are numbers, and their kinds, as OFAC names them where it has them. Some properties hold numbers of several kinds.
const IDENTIFIERS: [(&str, &str); 36] = [
    ("passportNumber", "Passport"),
    ("idNumber", ""),
    ("registrationNumber", ""),
    ("licenseNumber", ""),
    ("taxNumber", "Tax ID No."),
    ("socialSecurityNumber", "SSN"),
    ("vatCode", "V.A.T. Number"),
    ("innCode", "INN"),
    ("ogrnCode", "OGRN"),
    ("okpoCode", "OKPO"),
    ("leiCode", "LEI"),
    ("dunsCode", "D-U-N-S Number"),
    ("uscCode", "Unified Social Credit Code (USCC)"),
    ("uniqueEntityId", "UEI"),
    ("npiCode", "NPI"),
    ("swiftBic", "SWIFT/BIC"),
    ("bikCode", "BIK (RU)"),
    ("bvdId", "Bureau van Dijk ID"),
    ("cageCode", "CAGE"),
    ("permId", "PermID"),
    ("giiNumber", "Global Intermediary Identification Number"),
    ("voenCode", "VOEN"),
    ("irsCode", "IRS Number"),
    ("cikCode", "CIK"),
    ("jibCode", "JIB"),
    ("mbsCode", "MBS"),
    ("pfrNumber", "PFR Number"),
    ("ricCode", "RIC"),
    ("isinCode", "ISIN"),
    ("isin", "ISIN"),
    ("figiCode", "FIGI"),
    ("imoNumber", "IMO"),
    ("mmsi", "MMSI"),
    ("crsNumber", "CRS Number"),
    ("callSign", "Vessel Call Sign"),
    ("serialNumber", "Serial No."),
];

/// The parties of the list. Lines with the same id are one entry; a party without any name is noted and left out.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_ftm(text: &[u8]) -> Result<Read<Entry>, Problems> {
    collect(Format::Ftm, text)
}

/// Gives away the parties, and the numbers of documents, as they come. A holder can come after its documents, and can be in another file.
pub(super) fn ftm_pieces(mut input: impl BufRead, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) {
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let cannot_be_read = |what| Problem { line, column: String::new(), what };
        match input.by_ref().take(LARGEST_RECORD as u64).read_until(b'\n', &mut text) {
            Ok(0) => return,
            Ok(LARGEST_RECORD) if text.last() != Some(&b'\n') => return faults.problems.push(cannot_be_read(too_large())),
            Ok(_) => {}
            Err(error) => return faults.problems.push(cannot_be_read(format!("cannot be read: {error}"))),
        }
        let flow = object(&text, line, faults, take);
        faults.bound();
        if flow.is_break() {
            return;
        }
    }
}

/// What an object of the list gives.
fn object(text: &[u8], line: u64, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) -> ControlFlow<()> {
    let Some(mut object) = Object::read(text, line, &mut faults.problems) else { return ControlFlow::Continue(()) };
    match object.schema.as_str() {
        "Identification" | "Passport" => {
            object.identifications().into_iter().try_for_each(|(holder, identifier)| take(Piece::Identifier { holder, identifier }))
        }
        schema if object.is_target && PARTIES.contains(&schema) => {
            let entry = object.party(&mut faults.notes);
            if entry.names.is_empty() {
                faults.notes.push(Problem { line, column: "name".into(), what: format!("`{}` has no name and is not used", entry.id) });
                return ControlFlow::Continue(());
            }
            take(Piece::Entry(entry, line))
        }
        _ => ControlFlow::Continue(()),
    }
}

/// The fields of a line as they are written; what of them is not used is never taken apart.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    schema: Option<&'a RawValue>,
    #[serde(borrow)]
    properties: Option<&'a RawValue>,
    /// False of those who are only related to somebody listed; absent in lists that have nobody else.
    target: Option<bool>,
}

/// An object of the list.
struct Object<'a, 'p> {
    line: u64,
    id: String,
    schema: String,
    is_target: bool,
    properties: HashMap<String, &'a RawValue>,
    problems: &'p mut Vec<Problem>,
}

impl<'a, 'p> Object<'a, 'p> {
    /// None for an empty line, and for one that is wrong.
    fn read(text: &'a [u8], line: u64, problems: &'p mut Vec<Problem>) -> Option<Object<'a, 'p>> {
        let text = text.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let mut tell = |column: &str, what: String| problems.push(Problem { line, column: column.into(), what });
        let fields = match serde_json::from_slice::<Fields>(text) {
            Ok(fields) if text.starts_with(b"{") => fields,
            Ok(_) => {
                tell("", "is no JSON object".into());
                return None;
            }
            Err(error) => {
                tell("", format!("is no JSON object: {error}"));
                return None;
            }
        };
        // All three are read before any is missed, so that everything is told.
        let id = text_of(fields.id).map_err(|what| tell("id", what));
        let schema = text_of(fields.schema).map_err(|what| tell("schema", what));
        let properties = value(fields.properties, "object").map_err(|what| tell("properties", what));
        let is_target = fields.target.unwrap_or(true);
        Some(Object { line, id: id.ok()?, schema: schema.ok()?, is_target, properties: properties.ok()?, problems })
    }

    /// The values of a property; a property is a list of texts.
    fn values(&mut self, property: &str) -> Vec<String> {
        let Some(raw) = self.properties.get(property) else { return Vec::new() };
        value(Some(raw), "list of texts").unwrap_or_else(|what| {
            self.problems.push(Problem { line: self.line, column: property.into(), what });
            Vec::new()
        })
    }

    fn first(&mut self, property: &str) -> String {
        self.values(property).into_iter().next().unwrap_or_default()
    }

    fn party(&mut self, notes: &mut Vec<Problem>) -> Entry {
        let mut draft = Draft::new(&self.id, &self.schema, notes);
        NAMES.iter().flat_map(|property| self.values(property)).for_each(|name| draft.name(&name));
        if !draft.has_name() {
            draft.name(&PARTS.map(|property| self.first(property)).join(" "));
        }
        for date in self.values("birthDate") {
            draft.birth_date(&date, self.line, "birthDate");
        }
        for property in COUNTRIES {
            for country in self.values(property) {
                draft.country(whole_country(&country), self.line, property);
            }
        }
        self.values("gender").iter().for_each(|sex| draft.sex(sex));
        for (property, kind) in IDENTIFIERS {
            self.values(property).iter().for_each(|number| draft.identifier(kind, number));
        }
        draft.finish()
    }

    /// The numbers of a document, each with its holder.
    fn identifications(&mut self) -> Vec<(String, Identifier)> {
        let kind = if self.schema == "Passport" { "Passport".to_owned() } else { self.first("type") };
        let numbers = [self.values("number"), self.values("passportNumber")].concat();
        let identifiers: Vec<_> = numbers.iter().filter_map(|number| Identifier::known(&kind, number)).collect();
        let holders = self.values("holder");
        holders.iter().flat_map(|holder| identifiers.iter().map(move |identifier| (holder.clone(), identifier.clone()))).collect()
    }
}

/// A value of a field, or what is wrong with it.
fn value<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>, expected: &str) -> Result<T, String> {
    let raw = raw.ok_or("is missing")?;
    serde_json::from_str(raw.get()).map_err(|_| format!("is no {expected}"))
}

fn text_of(raw: Option<&RawValue>) -> Result<String, String> {
    let text: String = value(raw, "text")?;
    if text.trim().is_empty() { Err("is empty".into()) } else { Ok(text) }
}

/// FollowTheMoney has codes for some parts of countries: `gb-sct` is Scotland. They are their countries.
pub(super) fn whole_country(code: &str) -> &str {
    match code.split_once('-') {
        Some((country, _)) if country.len() == 2 && known(code).is_none() => country,
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Sex;
    use crate::name::Kind;

    const LIST: &str = r#"{"id":"P1","caption":"Vantrek","schema":"Passport","referents":[],"datasets":["x"],"properties":{"holder":["Q1"],"number":["ZX 100200"],"country":["kg"]}}
{"id":"Q1","caption":"Orsolo Vantrek","schema":"Person","target":true,"properties":{"weakAlias":["Lamplighter"],"name":["Orsolo Vantrek"],"alias":["O. Vantrek"],"firstName":["Orsolo"],"birthDate":["1974-08","soon"],"nationality":["kg","suhh"],"country":["gb-sct"],"gender":["male"],"innCode":["7700"],"addressEntity":[{"id":"A"}]}}
{"id":"S1","schema":"Sanction","properties":{"entity":["Q1"],"authority":[7]}}

{"id":"Q2","schema":"Person","properties":{"firstName":["Ada"],"lastName":["Quill"]}}
{"id":"Q3","schema":"Vessel","properties":{"name":["Grey Pelican"],"imoNumber":["IMO9074729"],"flag":["pa"],"incorporationDate":["1990"]}}
{"id":"Q5","schema":"Person","target":false,"properties":{"name":["Petra Vantrek"]}}
{"id":"Q4","schema":"Security","properties":{"isin":["XX0000000000"]}}
{"id":"Q1","schema":"Person","properties":{"name":["Orsolo Wantrek"],"passportNumber":["ZX100200"]}}
"#;

    #[test]
    fn parties_are_read_and_their_documents_put_to_them() {
        let read = read_ftm(LIST.as_bytes()).expect("a list");
        let ids: Vec<_> = read.items.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["Q1", "Q2", "Q3"]);
        let person = &read.items[0];
        assert_eq!(person.names, ["Orsolo Vantrek", "O. Vantrek", "Lamplighter", "Orsolo Wantrek"]);
        assert_eq!(person.facts.birth_dates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1974-08"]);
        assert_eq!(person.facts.countries, ["kg", "su", "gb"]);
        assert_eq!(person.facts.sex, Some(Sex::Male));
        assert_eq!(person.facts.identifiers, [Identifier::new("INN", "7700"), Identifier::new("Passport", "ZX100200")]);
        assert_eq!(read.items[1].names, ["Ada Quill"]);
        assert_eq!(read.items[2].kind(), Kind::Thing);
        assert!(read.items[2].facts.birth_dates.is_empty());
        let notes: Vec<_> = read.notes.iter().map(|note| (note.line, note.column.as_str())).collect();
        assert_eq!(notes, [(2, "birthDate"), (8, "name")]);
    }

    #[test]
    fn all_that_is_wrong_is_told_with_line_and_property() {
        let text =
            "{\"id\":\"1\",\"schema\":\"Person\",\"properties\":{\"name\":\"A\",\"gender\":[1]}}\n{\"schema\":7,\"properties\":[]}\n[]\n{\"id\":\n";
        let problems = read_ftm(text.as_bytes()).expect_err("seven are wrong");
        let told: Vec<_> = problems.0.iter().map(|problem| (problem.line, problem.column.as_str())).collect();
        assert_eq!(told, [(1, "name"), (1, "gender"), (2, "id"), (2, "schema"), (2, "properties"), (3, ""), (4, "")]);
        assert_eq!(read_ftm(b"{\"id\":\"\xff\"}").expect_err("no UTF-8").0.len(), 1);
    }
}
