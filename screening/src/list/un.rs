//! The consolidated list of the Security Council of the United Nations as XML.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::columns::{Problem, Problems, parts};
use super::entries::Draft;
use super::faults::Faults;
use super::xml::{Element, read_records};
use super::{Entry, Format, Piece, Read, collect};

/// The outermost element.
pub const ROOT: &str = "CONSOLIDATED_LIST";

const INDIVIDUAL: &str = "INDIVIDUAL";

/// The individuals and the entities of the list, with their other names, of good and of low quality.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_un(text: &[u8]) -> Result<Read<Entry>, Problems> {
    collect(Format::UnXml, text)
}

/// Gives away the individuals and the entities as they come.
pub(super) fn un_pieces(input: impl BufRead, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) {
    read_records(input, ROOT, &[INDIVIDUAL, "ENTITY"], faults, |record, faults| {
        record.require(&["DATAID", "FIRST_NAME"], &mut faults.problems);
        let entry = if record.name == INDIVIDUAL { individual(record, &mut faults.notes) } else { entity(record, &mut faults.notes) };
        take(Piece::Entry(entry, record.line))
    });
}

fn individual(record: &Element, notes: &mut Vec<Problem>) -> Entry {
    let mut draft = Draft::new(record.text_of("DATAID"), "Person", notes);
    names(record, "INDIVIDUAL_ALIAS", &mut draft);
    draft.sex(record.text_of("GENDER"));
    for date in record.all(&["INDIVIDUAL_DATE_OF_BIRTH"]) {
        draft.birth_date(birth_date(date), date.line, &date.name);
    }
    for country in record.all(&["NATIONALITY", "VALUE"]) {
        draft.country(country.text(), country.line, "NATIONALITY");
    }
    for document in record.all(&["INDIVIDUAL_DOCUMENT"]) {
        draft.identifier(document_kind(document.text_of("TYPE_OF_DOCUMENT")), document.text_of("NUMBER"));
    }
    draft.finish()
}

fn entity(record: &Element, notes: &mut Vec<Problem>) -> Entry {
    let mut draft = Draft::new(record.text_of("DATAID"), "Organization", notes);
    names(record, "ENTITY_ALIAS", &mut draft);
    for country in record.all(&["ENTITY_ADDRESS", "COUNTRY"]) {
        draft.country(country.text(), country.line, &country.name);
    }
    draft.finish()
}

/// A name in up to four parts, the same in its own script, and the aliases, of which one element can have several.
fn names(record: &Element, alias: &str, draft: &mut Draft) {
    let name = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"].map(|part| record.text_of(part));
    draft.name(&name.join(" "));
    draft.name(record.text_of("NAME_ORIGINAL_SCRIPT"));
    for names in record.all(&[alias, "ALIAS_NAME"]) {
        parts(names.text()).for_each(|name| draft.name(name));
    }
}

/// A day, a year, or of a span the year in which it begins. A day can have a time or an offset of a time zone behind it, which says nothing.
fn birth_date(date: &Element) -> &str {
    const DAY: usize = "1960-01-31".len();
    let day = date.text_of("DATE");
    let texts = [day.get(..DAY).unwrap_or(day), date.text_of("YEAR"), date.text_of("FROM_YEAR"), date.text_of("TO_YEAR")];
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// The kinds of documents, which the list has in three languages, as OFAC names them.
fn document_kind(kind: &str) -> &str {
    match kind.to_lowercase().as_str() {
        "numéro de passeport" | "número de pasaporte" => "Passport",
        "national identification number" | "national identification no." => "National ID No.",
        _ => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Identifier, Sex};
    use crate::name::Kind;

    const UN: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="2026-01-31T23:00:00">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>9900001</DATAID><VERSIONNUM>1</VERSIONNUM>
      <FIRST_NAME>ORSOLO</FIRST_NAME><SECOND_NAME>BEN</SECOND_NAME><THIRD_NAME>VANTREK</THIRD_NAME>
      <UN_LIST_TYPE>DRC</UN_LIST_TYPE><REFERENCE_NUMBER>CDi.999</REFERENCE_NUMBER><LISTED_ON>2014-03-12</LISTED_ON>
      <GENDER>Male</GENDER>
      <NAME_ORIGINAL_SCRIPT>اورسولو</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE><VALUE>Atlantis</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Orsolo Wantrek; O. Vantrek</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Lamplighter</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1960-01-31-05:00</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1961</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1963</FROM_YEAR><TO_YEAR>1965</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Numéro de passeport</TYPE_OF_DOCUMENT><NUMBER>ZX-100200</NUMBER></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT/>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY>
      <DATAID>9900002</DATAID><FIRST_NAME>QUILL TRADING</FIRST_NAME>
      <ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>Quill General Traders</ALIAS_NAME></ENTITY_ALIAS>
      <ENTITY_ADDRESS><CITY>Valletta</CITY><COUNTRY>Malta</COUNTRY></ENTITY_ADDRESS>
    </ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>
"#;

    #[test]
    fn individuals_are_read_with_all_that_is_known_about_them() {
        let read = read_un(UN.as_bytes()).expect("a list");
        let person = &read.items[0];
        assert_eq!((person.id.as_str(), person.kind()), ("9900001", Kind::Person));
        assert_eq!(person.names, ["ORSOLO BEN VANTREK", "اورسولو", "Orsolo Wantrek", "O. Vantrek", "Lamplighter"]);
        let dates: Vec<_> = person.facts.birth_dates.iter().map(ToString::to_string).collect();
        assert_eq!(dates, ["1960-01-31", "1961", "1963"]);
        assert_eq!(person.facts.countries, ["ir"]);
        assert_eq!(person.facts.sex, Some(Sex::Male));
        assert_eq!(person.facts.identifiers, [Identifier::new("Passport", "ZX100200")]);
        assert_eq!(read.notes.len(), 1);
        assert_eq!((read.notes[0].line, read.notes[0].column.as_str()), (10, "NATIONALITY"));
    }

    #[test]
    fn entities_are_organisations_of_the_countries_of_their_addresses() {
        let read = read_un(UN.as_bytes()).expect("a list");
        let entity = &read.items[1];
        assert_eq!(entity.kind(), Kind::Organization);
        assert_eq!(entity.names, ["QUILL TRADING", "Quill General Traders"]);
        assert_eq!(entity.facts.countries, ["mt"]);
    }

    #[test]
    fn records_without_number_or_name_are_told_all_at_once() {
        let text = "<CONSOLIDATED_LIST>\n<INDIVIDUALS>\n<INDIVIDUAL><DATAID>1</DATAID></INDIVIDUAL></INDIVIDUALS>\n<ENTITIES><ENTITY>\n<DATAID/><FIRST_NAME>A</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>";
        let problems = read_un(text.as_bytes()).expect_err("two are wrong");
        let told: Vec<_> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["line 3, column `FIRST_NAME`: is missing", "line 5, column `DATAID`: is empty"]);
    }
}
