//! An entry as the graph has it: texts with several values have one in each line.

use cypher::{Key, Value};
use screening::evidence::Sex;
use screening::list::Entry;
use sha2::{Digest, Sha256};

/// What an entry says, and by what it is known whether that is the same as before.
pub struct Said {
    pub key: String,
    pub fingerprint: String,
    pub props: Vec<(Key, Value)>,
}

/// So many characters tell what was said from everything else.
const FINGERPRINT: usize = 32;

impl Said {
    pub fn of(list: &str, entry: &Entry) -> Self {
        let names = lines(entry.names.iter().map(|name| plain(name)));
        let birth_dates = lines(entry.facts.birth_dates.iter().map(ToString::to_string));
        let countries = lines(entry.facts.countries.iter().map(|country| plain(country)));
        let identifiers = entry.facts.identifiers.iter().filter(|identifier| !identifier.number.is_empty());
        let identifiers = lines(identifiers.map(|identifier| format!("{}:{}", identifier.kind, identifier.number)));
        let sex = entry.facts.sex.map(|sex| if sex == Sex::Female { "FEMALE" } else { "MALE" });
        let schema = plain(&entry.schema);
        let key = format!("{list}/{}", entry.id);
        let first = entry.names.first().map(|name| plain(name)).unwrap_or_default();
        // The main name is another where another one is first; in what order all else stands says nothing.
        let [names_in_order, dates_in_order, countries_in_order, identifiers_in_order] =
            [&names, &birth_dates, &countries, &identifiers].map(|text| in_order(text));
        let whole = [schema.as_str(), &first, &names_in_order, &dates_in_order, &countries_in_order, &identifiers_in_order, sex.unwrap_or_default()];
        let fingerprint = fingerprint(&whole.map(|text| text.replace('\u{1f}', " ")).join("\u{1f}"));
        let optional = |text: String| if text.is_empty() { Value::Null } else { text.into() };
        let props = vec![
            ("key".into(), key.as_str().into()),
            ("entryId".into(), entry.id.as_str().into()),
            ("name".into(), first.into()),
            ("schema".into(), schema.into()),
            ("names".into(), names.into()),
            ("birthDates".into(), optional(birth_dates)),
            ("countries".into(), optional(countries)),
            ("sex".into(), sex.into()),
            ("identifiers".into(), optional(identifiers)),
            ("fingerprint".into(), fingerprint.as_str().into()),
        ];
        Self { key, fingerprint, props }
    }
}

/// A value without breaks of lines, which stand between values.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines(values: impl Iterator<Item = String>) -> String {
    values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The values of such a text.
pub(crate) fn values_of(text: Option<String>) -> Vec<String> {
    text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

/// Kind (empty where that is not known) and number of the identifiers in such a text.
pub(crate) fn identifiers_of(text: Option<String>) -> Vec<(String, String)> {
    let identifier = |line: String| match line.split_once(':') {
        Some((kind, number)) => (kind.to_owned(), number.to_owned()),
        None => (String::new(), line),
    };
    values_of(text).into_iter().map(identifier).filter(|(_, number)| !number.is_empty()).collect()
}

/// The same values, whatever order they are in.
fn in_order(values: &str) -> String {
    let mut values: Vec<&str> = values.lines().collect();
    values.sort_unstable();
    values.join("\n")
}

fn fingerprint(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>().chars().take(FINGERPRINT).collect()
}
