//! A list says the same in every format, as far as the format can say it.

use proptest::prelude::*;
use screening::evidence::{Identifier, PartialDate, Sex};
use screening::list::{Entry, read, read_sdn_aliases};
use serde_json::json;

/// A birth date, and how it is told.
#[derive(Clone, Debug)]
enum Birth {
    Day(u16, u8, u8),
    Year(u16),
    About(u16),
    Span(u16, u16),
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Birth {
    fn read(&self) -> PartialDate {
        match *self {
            Birth::Day(year, month, day) => PartialDate { year, month: Some(month), day: Some(day) },
            Birth::Year(year) | Birth::About(year) | Birth::Span(year, _) => PartialDate { year, month: None, day: None },
        }
    }

    fn iso(&self) -> String {
        self.read().to_string()
    }

    fn ofac(&self) -> String {
        match *self {
            Birth::Day(year, month, day) => format!("{day:02} {} {year}", MONTHS[usize::from(month) - 1]),
            Birth::Year(year) => year.to_string(),
            Birth::About(year) => format!("circa {year}"),
            Birth::Span(from, to) => format!("{from} to {to}"),
        }
    }

    fn un(&self) -> String {
        let date = match self {
            Birth::Day(..) => format!("<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>{}</DATE>", self.iso()),
            Birth::Year(year) => format!("<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>{year}</YEAR>"),
            Birth::About(year) => format!("<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>{year}</YEAR>"),
            Birth::Span(from, to) => format!("<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>{from}</FROM_YEAR><TO_YEAR>{to}</TO_YEAR>"),
        };
        format!("<INDIVIDUAL_DATE_OF_BIRTH>{date}</INDIVIDUAL_DATE_OF_BIRTH>\n")
    }
}

/// Somebody who is invented, or an organisation, which has no given name and none of the facts but a country.
#[derive(Clone, Debug)]
struct Party {
    given: Option<String>,
    name: String,
    aliases: Vec<String>,
    births: Vec<Birth>,
    /// Its code and its name.
    country: Option<(&'static str, &'static str)>,
    sex: Option<Sex>,
    passports: Vec<String>,
}

impl Party {
    fn schema(&self) -> &'static str {
        if self.given.is_some() { "Person" } else { "Organization" }
    }

    fn full(&self) -> String {
        self.given.as_ref().map_or_else(|| self.name.clone(), |given| format!("{given} {}", self.name))
    }

    fn ofac_name(&self) -> String {
        self.given.as_ref().map_or_else(|| self.name.clone(), |given| format!("{}, {given}", self.name))
    }

    fn sex(&self) -> Option<&'static str> {
        self.sex.map(|sex| if sex == Sex::Male { "Male" } else { "Female" })
    }

    fn simple(&self, id: usize) -> String {
        let births: Vec<_> = self.births.iter().map(Birth::iso).collect();
        let (country, sex) = (self.country.map_or("", |(code, _)| code), self.sex().unwrap_or_default().to_lowercase());
        let (aliases, births, passports) = (self.aliases.join(";"), births.join(";"), self.passports.join(";"));
        format!("{id},{},{},{aliases},{births},{country},{passports},{sex}\n", self.schema(), self.full())
    }

    fn ftm(&self, id: usize) -> String {
        let properties = json!({
            "name": [self.full()],
            "alias": self.aliases,
            "birthDate": self.births.iter().map(Birth::iso).collect::<Vec<_>>(),
            "country": self.country.iter().map(|(code, _)| code).collect::<Vec<_>>(),
            "gender": self.sex().iter().map(|sex| sex.to_lowercase()).collect::<Vec<_>>(),
            "passportNumber": self.passports,
        });
        format!("{}\n", json!({ "id": id.to_string(), "schema": self.schema(), "properties": properties }))
    }

    fn sdn(&self, id: usize) -> String {
        let births = self.births.iter().map(|birth| format!("DOB {}", birth.ofac()));
        let country = self.country.iter().map(|(_, name)| format!("nationality {name}"));
        let sex = self.sex().into_iter().map(|sex| format!("Gender {sex}"));
        let passports = self.passports.iter().map(|number| format!("Passport {number} (Malta)"));
        let remarks: Vec<_> = births.chain(country).chain(sex).chain(passports).collect();
        let kind = if self.given.is_some() { "individual" } else { "-0- " };
        format!("{id},\"{}\",\"{kind}\",\"X\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"{}.\"\n", self.ofac_name(), remarks.join("; "))
    }

    fn sdn_aliases(&self, id: usize) -> String {
        self.aliases.iter().map(|alias| format!("{id},1,\"aka\",\"{alias}\",-0- \n")).collect()
    }

    fn sdn_xml(&self, id: usize) -> String {
        let given = self.given.iter().map(|given| element("firstName", given)).collect::<String>();
        let kind = if self.given.is_some() { "Individual" } else { "Entity" };
        let aliases: String = self.aliases.iter().map(|alias| format!("<aka><type>a.k.a.</type>{}</aka>\n", element("lastName", alias))).collect();
        let births: String =
            self.births.iter().map(|birth| format!("<dateOfBirthItem>{}</dateOfBirthItem>", element("dateOfBirth", &birth.ofac()))).collect();
        let countries: String = self.country.iter().map(|(_, name)| element("country", name)).collect();
        let countries = if self.given.is_some() {
            format!("<nationalityList><nationality>{countries}</nationality></nationalityList>")
        } else {
            format!("<addressList><address>{countries}</address></addressList>")
        };
        let id_of = |kind: &str, number: &str| format!("<id>{}{}</id>", element("idType", kind), element("idNumber", number));
        let sex = self.sex().into_iter().map(|sex| id_of("Gender", sex));
        let ids: String = sex.chain(self.passports.iter().map(|number| id_of("Passport", number))).collect();
        format!(
            "<sdnEntry><uid>{id}</uid>{given}{}<sdnType>{kind}</sdnType><idList>{ids}</idList>\n<akaList>{aliases}</akaList>{countries}<dateOfBirthList>{births}</dateOfBirthList></sdnEntry>\n",
            element("lastName", &self.name)
        )
    }

    fn un(&self, id: usize) -> String {
        let kind = if self.given.is_some() { "INDIVIDUAL" } else { "ENTITY" };
        let names = match &self.given {
            Some(given) => element("FIRST_NAME", given) + &element("SECOND_NAME", &self.name),
            None => element("FIRST_NAME", &self.name),
        };
        let aliases: String = self
            .aliases
            .iter()
            .map(|alias| format!("<{kind}_ALIAS><QUALITY>Good</QUALITY>{}</{kind}_ALIAS>", element("ALIAS_NAME", alias)))
            .collect();
        let births: String = self.births.iter().map(Birth::un).collect();
        let countries = self.country.iter().map(|(_, name)| match self.given {
            Some(_) => format!("<NATIONALITY>{}</NATIONALITY>", element("VALUE", name)),
            None => format!("<ENTITY_ADDRESS>{}</ENTITY_ADDRESS>", element("COUNTRY", name)),
        });
        let sex: String = self.sex().into_iter().map(|sex| element("GENDER", sex)).collect();
        let document = |number: &String| {
            format!("<INDIVIDUAL_DOCUMENT>{}{}</INDIVIDUAL_DOCUMENT>", element("TYPE_OF_DOCUMENT", "Passport"), element("NUMBER", number))
        };
        let documents: String = self.passports.iter().map(document).collect();
        format!("<{kind}><DATAID>{id}</DATAID>{names}\n{sex}{}{aliases}{births}{documents}</{kind}>\n", countries.collect::<String>())
    }
}

fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", text.replace('&', "&amp;").replace('\'', "&#39;"))
}

fn births() -> impl Strategy<Value = Birth> {
    prop_oneof![
        (1930u16..2000, 1u8..=12, 1u8..=28).prop_map(|(year, month, day)| Birth::Day(year, month, day)),
        (1930u16..2000).prop_map(Birth::Year),
        (1930u16..2000).prop_map(Birth::About),
        (1930u16..1990, 1u16..9).prop_map(|(year, years)| Birth::Span(year, year + years)),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z][a-z]{2,9}( [A-Z]'?[a-z]{2,9}){0,2}", "[Б-Я][а-я]{2,9}", "[A-Z][a-z]{3,6} & [A-Z][a-z]{3,6}"]
}

fn parties() -> impl Strategy<Value = Party> {
    let country = prop::sample::select(vec![("mt", "Malta"), ("kp", "Korea, North"), ("ci", "Côte d'Ivoire"), ("ru", "Russia")]);
    let sex = prop::sample::select(vec![Sex::Female, Sex::Male]);
    let facts = (prop::collection::vec(births(), 0..3), prop::option::of(sex), prop::collection::vec("[A-Z]{2}[0-9]{5,8}", 0..3));
    (prop::option::of(words()), words(), prop::collection::vec(words(), 0..4), prop::option::of(country), facts).prop_map(
        |(given, name, aliases, country, (births, sex, passports))| match given {
            Some(_) => Party { given, name, aliases, births, country, sex, passports },
            None => Party { given, name, aliases, births: Vec::new(), country, sex: None, passports: Vec::new() },
        },
    )
}

/// What formats say alike: `Surname, Given` is `Given Surname`, what is said twice is said once, and the kinds of numbers are left out.
fn alike(entry: &Entry) -> Entry {
    let plain = |name: &String| match name.split_once(", ") {
        Some((surname, given)) => format!("{given} {surname}"),
        None => name.clone(),
    };
    let mut entry = entry.clone();
    entry.names = entry.names.iter().map(plain).collect();
    entry.names[1..].sort();
    entry.facts.identifiers.iter_mut().for_each(|identifier| identifier.kind.clear());
    let (mut names, facts) = (Vec::new(), &mut entry.facts);
    for name in entry.names {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    facts.birth_dates.sort();
    facts.birth_dates.dedup();
    facts.identifiers.sort_by(|one, other| one.number.cmp(&other.number));
    facts.identifiers.dedup();
    Entry { names, ..entry }
}

fn expected(id: usize, party: &Party) -> Entry {
    let mut entry = Entry { id: id.to_string(), schema: party.schema().into(), names: vec![party.full()], facts: Default::default() };
    entry.names.extend(party.aliases.clone());
    entry.facts.birth_dates = party.births.iter().map(Birth::read).collect();
    entry.facts.countries = party.country.iter().map(|(code, _)| (*code).to_owned()).collect();
    entry.facts.sex = party.sex;
    entry.facts.identifiers = party.passports.iter().map(|number| Identifier::new("", number)).collect();
    alike(&entry)
}

fn file(parties: &[Party], before: &str, write: impl Fn(&Party, usize) -> String, behind: &str) -> String {
    let lines: String = parties.iter().zip(1..).map(|(party, id)| write(party, id)).collect();
    format!("{before}{lines}{behind}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_list_is_read_as_the_same_entries_from_every_format(parties in prop::collection::vec(parties(), 1..8)) {
        let expected: Vec<_> = parties.iter().zip(1..).map(|(party, id)| expected(id, party)).collect();
        let files = [
            file(&parties, "id,schema,name,aliases,birth_date,countries,identifiers,gender\n", Party::simple, ""),
            file(&parties, "", Party::ftm, ""),
            file(&parties, "", Party::sdn, "\u{1a}\n"),
            file(&parties, "<?xml version=\"1.0\" standalone=\"yes\"?>\n<sdnList xmlns=\"urn:x\">", Party::sdn_xml, "</sdnList>"),
            file(&parties, "<CONSOLIDATED_LIST>", Party::un, "</CONSOLIDATED_LIST>"),
        ];
        let aliases = file(&parties, "", Party::sdn_aliases, "");
        for text in files {
            let mut list = read(text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
            prop_assert!(list.notes.is_empty(), "{:?}\n{text}", list.notes);
            if text.contains("-0-") {
                read_sdn_aliases(aliases.as_bytes(), &mut list.items).expect("aliases");
            }
            let found: Vec<_> = list.items.iter().map(alike).collect();
            prop_assert_eq!(&found, &expected, "{}", text);
        }
    }

    #[test]
    fn no_file_stops_the_reader(text in any::<Vec<u8>>(), start in prop::sample::select(vec!["", "<sdnList>", "<CONSOLIDATED_LIST><ENTITY>", "{\"id\":", "id,schema,name\n"])) {
        let _ = read(&[start.as_bytes(), &text].concat());
    }
}
