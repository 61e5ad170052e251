//! Reads a test's file and tells all its faults at once.

use chrono::{NaiveDate, NaiveTime};
use toml::Value;

use super::tables::{self, Blocks};
use super::{BoundarySide, Found, Scenario, ScenarioKind, links};
use crate::day::Day;
use crate::fault::Fault;
use crate::pack::fields::{self, Fields};
use crate::quantity::DAY_MILLIS;
use crate::rule::{Rule, Settings};

/// What `kind` says.
#[derive(Clone, Copy)]
enum Kind {
    Positive,
    LookAlike,
    Boundary,
}

const KINDS: [(&str, Kind); 3] = [("positive", Kind::Positive), ("look-alike", Kind::LookAlike), ("boundary", Kind::Boundary)];

impl Scenario {
    /// Reads a test. Without its rule, which has faults of its own, parameters are not looked at.
    pub(crate) fn read(file: &str, name: &str, text: &str, rule: Option<&Rule>) -> Result<Self, Vec<Fault>> {
        let table = fields::table(file, text).map_err(|fault| vec![fault])?;
        let mut fields = Fields::new(file, &table);
        let says = fields.text("says").to_owned();
        let kind = read_kind(&mut fields);
        let day = read_day(&mut fields);
        let parameters = fields.numbers("parameters");
        let expected = read_expected(&mut fields);
        let payments = fields.text("payments");
        let blocks = Blocks { payments, accounts: fields.optional_text("accounts"), actors: fields.optional_text("actors") };
        let dataset = tables::dataset(&mut fields, blocks);
        let text = fields.optional_text("links");
        let links = text.map(|text| links::read(&mut fields, text)).unwrap_or_default();
        if let Some(kind) = &kind {
            check_expected(&mut fields, kind, &expected);
            if let Some(rule) = rule {
                check_parameters(&mut fields, rule, kind, &parameters);
            }
        }
        let faults = fields.finish();
        match (kind, day, dataset) {
            (Some(kind), Some(day), Some(dataset)) if faults.is_empty() => {
                Ok(Self { name: name.to_owned(), file: file.to_owned(), says, kind, day, parameters, dataset, links, expected })
            }
            _ => Err(faults),
        }
    }
}

fn read_kind(fields: &mut Fields<'_>) -> Option<ScenarioKind> {
    let kind = fields.one_of("kind", &KINDS)?;
    match kind {
        Kind::Positive => Some(ScenarioKind::Positive),
        Kind::LookAlike => Some(ScenarioKind::LookAlike),
        Kind::Boundary => {
            let parameter = fields.text("parameter").to_owned();
            let side = fields.one_of("side", &[("fires", BoundarySide::Fires), ("silent", BoundarySide::Silent)])?;
            Some(ScenarioKind::Boundary { parameter, side })
        }
    }
}

/// A day of UTC, as a TOML date or a text.
fn read_day(fields: &mut Fields<'_>) -> Option<Day> {
    let text = match fields.optional("day") {
        Some(Value::Datetime(date)) => date.to_string(),
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    };
    let start = text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc().timestamp_millis());
    let time = |millis: Option<i64>| millis.and_then(analytics::Timestamp::from_millis);
    let day = time(start).zip(time(start.map(|start| start + DAY_MILLIS))).and_then(|(start, end)| Day::new(start, end));
    if day.is_none() {
        fields.fault("day", "must be a date such as 2026-03-10");
    }
    day
}

fn read_expected(fields: &mut Fields<'_>) -> Vec<Found> {
    let found = fields.list("finds", |fields| {
        let mut payments = fields.texts("payments");
        payments.sort();
        Found { actor: fields.text("actor").to_owned(), payments }
    });
    let nothing = fields.flag("finds_nothing");
    if nothing != found.is_empty() {
        fields.fault("finds", "must name what is found, or finds_nothing must be true; one of them");
    }
    found
}

fn check_expected(fields: &mut Fields<'_>, kind: &ScenarioKind, expected: &[Found]) {
    match (kind.fires(), expected.is_empty()) {
        (true, true) => fields.fault("finds_nothing", "is true; a positive test, and a boundary's side that fires, find something"),
        (false, false) => fields.fault("finds", "names something; a look-alike, and a boundary's silent side, find nothing"),
        _ => {}
    }
}

fn check_parameters(
    fields: &mut Fields<'_>,
    rule: &Rule,
    kind: &ScenarioKind,
    parameters: &std::collections::BTreeMap<String, crate::quantity::Quantity>,
) {
    if let Err(invalid) = Settings::with(rule, parameters) {
        for invalid in invalid {
            fields.fault("parameters", invalid.to_string());
        }
    }
    let ScenarioKind::Boundary { parameter, .. } = kind else { return };
    if !rule.parameters.contains_key(parameter) {
        let known: Vec<&str> = rule.parameters.keys().map(String::as_str).collect();
        fields.fault("parameter", format!("is {parameter:?}; the rule has {}", known.join(", ")));
    }
    if parameters.contains_key(parameter) {
        fields.fault(&format!("parameters.{parameter}"), "is set; a boundary shows the default of its parameter");
    }
}
