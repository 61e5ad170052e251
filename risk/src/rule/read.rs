//! Reads `rule.toml` and tells all its faults at once.

use std::collections::{BTreeMap, BTreeSet};

use detection::{Fault, Fields, Quantity, Status, Version};
use toml::Table;

use super::{ActorType, Band, Factor, MOST_WEIGHT, NetworkShares, RatedTexts, Ratings, RiskRule};
use crate::facts::{Input, Kind};

const STATUSES: [(&str, Status); 3] = [("live", Status::Live), ("shadow", Status::Shadow), ("off", Status::Off)];
/// The largest damping of `analytics::ExposureGraph`.
const MOST_DAMPING: &str = "0.9";

impl RiskRule {
    /// Reads the rule of a folder.
    pub(crate) fn read(folder: &str, table: &Table) -> Result<Self, Vec<Fault>> {
        let file = format!("{folder}/rule.toml");
        let mut fields = Fields::new(&file, table);
        let id = read_id(&mut fields, folder);
        let version = fields.parsed::<Version>("version");
        let status = fields.one_of("status", &STATUSES);
        let [owner, name, rationale] = ["owner", "name", "rationale"].map(|key| fields.text(key).to_owned());
        let scores = read_scores(&mut fields);
        let network = fields.table("network", read_network).flatten();
        let factors = fields.tables("factors", read_factor);
        if factors.is_empty() {
            fields.fault("factors", "is empty; a rule has one factor at least");
        }
        let factors: Option<BTreeMap<String, Factor>> = factors.into_iter().map(|(name, factor)| Some((name, factor?))).collect();
        let faults = fields.finish();
        match (version, status, network, factors) {
            (Some(version), Some(status), Some(network), Some(factors)) if faults.is_empty() => {
                Ok(Self { id, version, status, owner, name, rationale, scores, network, factors })
            }
            _ => Err(faults),
        }
    }
}

/// Whether a name has small letters, digits and hyphens alone.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn read_id(fields: &mut Fields<'_>, folder: &str) -> String {
    let id = fields.text("id").to_owned();
    if !id.is_empty() && !is_plain(&id) {
        fields.fault("id", format!("is {id:?}; it may have small letters, digits and hyphens"));
    }
    if !id.is_empty() && id != folder {
        fields.fault("id", format!("is {id:?}; it must be the folder's name, {folder:?}"));
    }
    id
}

fn read_scores(fields: &mut Fields<'_>) -> Vec<ActorType> {
    let said = fields.texts("scores");
    let mut scores = Vec::new();
    for text in &said {
        match ActorType::named(text) {
            Some(kind) if scores.contains(&kind) => fields.fault("scores", format!("has {text:?} twice")),
            Some(kind) => scores.push(kind),
            None => fields.fault("scores", format!("has {text:?}; there are INDIVIDUAL and LEGAL_ENTITY")),
        }
    }
    if said.is_empty() {
        fields.fault("scores", "is empty; a rule scores INDIVIDUAL, LEGAL_ENTITY or both");
    }
    scores
}

fn read_network(fields: &mut Fields<'_>) -> Option<NetworkShares> {
    let [damping, payments, ownership, identities] = ["damping", "payments", "ownership", "identities"].map(|key| (key, fields.number(key)));
    let full = fields.number("full");
    if full.is_some_and(|full| full <= Quantity::ZERO) {
        fields.fault("full", "must be more than 0");
    }
    let most = parsed(MOST_DAMPING);
    if let (key, Some(value)) = damping
        && (value < Quantity::ZERO || value > most)
    {
        fields.fault(key, format!("is {value}; it must be from 0 to {most}"));
    }
    for (key, value) in [payments, ownership, identities] {
        if let Some(value) = value {
            check_rating(fields, key, value);
        }
    }
    Some(NetworkShares { damping: damping.1?, payments: payments.1?, ownership: ownership.1?, identities: identities.1?, full: full? })
}

fn read_factor(name: &str, fields: &mut Fields<'_>) -> Option<Factor> {
    if !is_plain(name) {
        fields.fault("", "may have small letters, digits and hyphens in its name");
    }
    let inputs = Input::ALL.map(|input| (input.name(), input));
    let input = fields.one_of("input", &inputs);
    let (weight, step) = (fields.number("weight"), fields.number("step"));
    let absent = fields.optional_number("absent").unwrap_or_default();
    let says = fields.text("says").to_owned();
    let ratings = read_ratings(fields, input);
    check_rating(fields, "absent", absent);
    if let (Some(weight), Some(step)) = (weight, step) {
        check_weight(fields, weight, step);
    }
    Some(Factor { input: input?, weight: weight?, step: step?, absent, ratings: ratings?, says })
}

fn check_weight(fields: &mut Fields<'_>, weight: Quantity, step: Quantity) {
    if !RiskRule::is_weight(weight) {
        fields.fault("weight", format!("is {weight}; it must be more than 0 and at most {MOST_WEIGHT}"));
    }
    if step <= Quantity::ZERO || step > weight {
        fields.fault("step", format!("is {step}; it must be more than 0 and at most the weight, {weight}"));
    }
}

fn check_rating(fields: &mut Fields<'_>, key: &str, rating: Quantity) {
    if rating < Quantity::ZERO || rating > Quantity::ONE {
        fields.fault(key, format!("is {rating}; it must be from 0 to 1"));
    }
}

/// The ratings of an input, of which there is one kind: values of texts, or bands or `full` of a number.
fn read_ratings(fields: &mut Fields<'_>, input: Option<Input>) -> Option<Ratings> {
    let values = fields.list("values", |fields| {
        let rating = fields.number("rating");
        if let Some(rating) = rating {
            check_rating(fields, "rating", rating);
        }
        (rating, fields.texts("any"))
    });
    let other = fields.optional_number("other");
    let bands = fields.list("bands", |fields| {
        let (from, rating) = (fields.number("from"), fields.number("rating"));
        if let Some(rating) = rating {
            check_rating(fields, "rating", rating);
        }
        (from, rating)
    });
    let full = fields.optional_number("full");
    match input?.kind() {
        Kind::Texts => {
            if !bands.is_empty() || full.is_some() {
                fields.fault("values", "must say the ratings: the input is a text, and has neither bands nor full");
            }
            let other = other.unwrap_or_default();
            check_rating(fields, "other", other);
            read_values(fields, values).map(|values| Ratings::Values { values, other })
        }
        Kind::Number => {
            if !values.is_empty() || other.is_some() {
                fields.fault("values", "must be absent: the input is a number, and has bands or full");
            }
            read_numbers(fields, bands, full)
        }
    }
}

fn read_values(fields: &mut Fields<'_>, read: Vec<(Option<Quantity>, Vec<String>)>) -> Option<Vec<RatedTexts>> {
    let mut met = BTreeSet::new();
    for (at, (_, any)) in read.iter().enumerate() {
        if any.is_empty() || any.iter().any(String::is_empty) {
            fields.fault(&format!("values[{at}].any"), "must have one text at least, and no empty one");
        }
        for text in any {
            if !met.insert(text) {
                fields.fault(&format!("values[{at}].any"), format!("has {text:?}, which has a rating already"));
            }
        }
    }
    if read.is_empty() {
        fields.fault("values", "is empty; the ratings of texts are said there");
    }
    read.into_iter().map(|(rating, any)| Some(RatedTexts { rating: rating?, any })).collect()
}

fn read_numbers(fields: &mut Fields<'_>, bands: Vec<(Option<Quantity>, Option<Quantity>)>, full: Option<Quantity>) -> Option<Ratings> {
    match full {
        Some(full) => {
            if !bands.is_empty() {
                fields.fault("full", "stands beside bands; a factor has one of them");
            }
            if full <= Quantity::ZERO {
                fields.fault("full", format!("is {full}; it must be more than 0"));
            }
            Some(Ratings::Full(full))
        }
        None if bands.is_empty() => {
            fields.fault("bands", "is absent, and so is full; the ratings of numbers are said in one of them");
            None
        }
        None => {
            let bands: Vec<Band> = bands.into_iter().map(|(from, rating)| Some(Band { from: from?, rating: rating? })).collect::<Option<_>>()?;
            if bands.windows(2).any(|pair| pair[0].from >= pair[1].from) {
                fields.fault("bands", "must ascend by from");
            }
            Some(Ratings::Bands(bands))
        }
    }
}

/// A number of this file.
fn parsed(text: &str) -> Quantity {
    text.parse().unwrap_or_default()
}
