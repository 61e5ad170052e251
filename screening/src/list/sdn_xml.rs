//! OFAC's list of Specially Designated Nationals as XML, in the format of `sdn.xml` (not that of `sdn_advanced.xml`).

use std::io::BufRead;
use std::ops::ControlFlow;

use super::columns::{Problem, Problems};
use super::entries::Draft;
use super::faults::Faults;
use super::sdn::schema;
use super::xml::{Element, read_records};
use super::{Entry, Format, Piece, Read, collect};

/// The outermost element.
pub const ROOT: &str = "sdnList";

/// The entries of `sdn.xml`, with their other names, strong and weak.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read_sdn_xml(text: &[u8]) -> Result<Read<Entry>, Problems> {
    collect(Format::SdnXml, text)
}

/// Gives away the entries as they come.
pub(super) fn sdn_xml_pieces(input: impl BufRead, faults: &mut Faults, take: &mut impl FnMut(Piece) -> ControlFlow<()>) {
    read_records(input, ROOT, &["sdnEntry"], faults, |record, faults| {
        record.require(&["uid", "lastName", "sdnType"], &mut faults.problems);
        take(Piece::Entry(entry(record, &mut faults.notes), record.line))
    });
}

fn entry(record: &Element, notes: &mut Vec<Problem>) -> Entry {
    let schema = schema(record.text_of("sdnType"));
    let person = schema == "Person";
    let mut draft = Draft::new(record.text_of("uid"), schema, notes);
    draft.name(&name(record, person));
    for aka in record.all(&["akaList", "aka"]) {
        draft.name(&name(aka, person));
    }
    for date in record.all(&["dateOfBirthList", "dateOfBirthItem", "dateOfBirth"]) {
        draft.birth_date(date.text(), date.line, &date.name);
    }
    for country in countries(record, person) {
        draft.country(country.text(), country.line, &country.name);
    }
    for id in record.all(&["idList", "id"]) {
        match id.text_of("idType") {
            "Gender" => draft.sex(id.text_of("idNumber")),
            kind if is_number(kind) => draft.identifier(kind, id.text_of("idNumber")),
            _ => {}
        }
    }
    for call_sign in record.all(&["vesselInfo", "callSign"]) {
        draft.identifier("Vessel Call Sign", call_sign.text());
    }
    draft.finish()
}

/// `KOLBAYEV, Kamchybek`, as `sdn.csv` writes people.
fn name(element: &Element, person: bool) -> String {
    let (last, first) = (element.text_of("lastName"), element.text_of("firstName"));
    match (last, first) {
        (name, "") | ("", name) => name.to_owned(),
        (last, first) if person => format!("{last}, {first}"),
        (last, first) => format!("{first} {last}"),
    }
}

/// What a person lives in is not the country that he or she is of; an organisation has no other country than that of its addresses.
fn countries(record: &Element, person: bool) -> Vec<&Element> {
    let nationalities = record.all(&["nationalityList", "nationality", "country"]);
    let citizenships = record.all(&["citizenshipList", "citizenship", "country"]);
    let flags = record.all(&["vesselInfo", "vesselFlag"]);
    let addresses = if person { Vec::new() } else { record.all(&["addressList", "address", "country"]) };
    [nationalities, citizenships, flags, addresses].concat()
}

/// Whether an `id` is a number that an authority gave. The list of ids has remarks too: `Secondary sanctions risk:`, `Website`.
fn is_number(kind: &str) -> bool {
    const REMARKS: [&str; 23] = [
        "country",
        "date",
        "determination",
        "email",
        "flag",
        "information",
        "location",
        "locode",
        "micex",
        "model",
        "nationality",
        "operator",
        "owner",
        "phone",
        "prohibited",
        "risk",
        "tags",
        "ticker",
        "title",
        "tonnage",
        "type",
        "website",
        "year",
    ];
    !kind.split(|letter: char| !letter.is_alphanumeric()).any(|word| REMARKS.contains(&word.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Identifier, Sex};
    use crate::name::Kind;

    const SDN: &str = r#"<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>01/31/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  <sdnEntry>
    <uid>990001</uid><firstName>Orsolo</firstName><lastName>VANTREK</lastName><sdnType>Individual</sdnType>
    <programList><program>TCO</program></programList>
    <idList>
      <id><uid>1</uid><idType>Gender</idType><idNumber>Male</idNumber></id>
      <id><uid>2</uid><idType>Passport</idType><idNumber>ZX 100200</idNumber><idCountry>Kyrgyzstan</idCountry></id>
      <id><uid>3</uid><idType>Secondary sanctions risk:</idType><idNumber>section 1(b) of Executive Order 1</idNumber></id>
    </idList>
    <akaList>
      <aka><uid>4</uid><type>a.k.a.</type><category>strong</category><lastName>WANTREK</lastName><firstName>Orsolo</firstName></aka>
      <aka><uid>5</uid><type>a.k.a.</type><category>weak</category><lastName>THE LAMPLIGHTER</lastName></aka>
    </akaList>
    <addressList><address><uid>6</uid><city>Dubai</city><country>United Arab Emirates</country></address></addressList>
    <nationalityList><nationality><uid>7</uid><country>Kyrgyzstan</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <citizenshipList><citizenship><uid>8</uid><country>Atlantis</country><mainEntry>false</mainEntry></citizenship></citizenshipList>
    <dateOfBirthList>
      <dateOfBirthItem><uid>9</uid><dateOfBirth>03 Aug 1974</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>10</uid><dateOfBirth>Sep 1973</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>11</uid><dateOfBirth>circa 1971 to 1972</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
    </dateOfBirthList>
  </sdnEntry>
  <sdnEntry>
    <uid>990002</uid><lastName>QUILL &amp; DAUGHTERS</lastName><sdnType>Entity</sdnType>
    <addressList><address><uid>12</uid><country>Malta</country></address></addressList>
  </sdnEntry>
  <sdnEntry>
    <uid>990003</uid><lastName>GREY PELICAN</lastName><sdnType>Vessel</sdnType>
    <idList><id><uid>13</uid><idType>Vessel Registration Identification</idType><idNumber>IMO 9074729</idNumber></id></idList>
    <vesselInfo><callSign>QX77</callSign><vesselType>Tug</vesselType><vesselFlag>Panama</vesselFlag></vesselInfo>
  </sdnEntry>
</sdnList>
"#;

    #[test]
    fn people_are_read_with_all_that_is_known_about_them() {
        let read = read_sdn_xml(SDN.as_bytes()).expect("a list");
        let person = &read.items[0];
        assert_eq!((person.id.as_str(), person.kind()), ("990001", Kind::Person));
        assert_eq!(person.names, ["VANTREK, Orsolo", "WANTREK, Orsolo", "THE LAMPLIGHTER"]);
        let dates: Vec<_> = person.facts.birth_dates.iter().map(ToString::to_string).collect();
        assert_eq!(dates, ["1974-08-03", "1973-09", "1971"]);
        assert_eq!(person.facts.countries, ["kg"]);
        assert_eq!(person.facts.sex, Some(Sex::Male));
        assert_eq!(person.facts.identifiers, [Identifier::new("Passport", "ZX100200")]);
        assert_eq!(read.notes.len(), 1);
        assert_eq!((read.notes[0].line, read.notes[0].column.as_str()), (18, "country"));
    }

    #[test]
    fn organisations_are_of_their_addresses_and_ships_of_their_flags() {
        let read = read_sdn_xml(SDN.as_bytes()).expect("a list");
        let [_, organisation, ship] = read.items.as_slice() else { panic!("three entries") };
        assert_eq!((organisation.names.as_slice(), organisation.kind()), (["QUILL & DAUGHTERS".to_owned()].as_slice(), Kind::Organization));
        assert_eq!(organisation.facts.countries, ["mt"]);
        assert_eq!(ship.kind(), Kind::Thing);
        assert_eq!(ship.facts.countries, ["pa"]);
        assert_eq!(ship.facts.identifiers, [Identifier::new("IMO", "9074729"), Identifier::new("Vessel Call Sign", "QX77")]);
    }

    #[test]
    fn entries_without_number_name_or_type_are_told_all_at_once() {
        let text = "<sdnList>\n<sdnEntry><lastName>A</lastName><sdnType>Entity</sdnType></sdnEntry>\n<sdnEntry>\n<uid>2</uid><lastName/></sdnEntry></sdnList>";
        let problems = read_sdn_xml(text.as_bytes()).expect_err("three are wrong");
        let told: Vec<_> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["line 2, column `uid`: is missing", "line 3, column `sdnType`: is missing", "line 4, column `lastName`: is empty"]);
    }
}
