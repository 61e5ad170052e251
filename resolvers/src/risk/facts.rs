//! What is known of an actor, as risk rules look at it.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{DatedAssessment, MonitoredActor, RiskFactsRow, TransferEnd};
use detection::Quantity;
use graph_schema::date::Date;
use graph_schema::json_object::JsonObject;
use risk::{ActorType, Facts, Input, TieKind};

use super::population::fingerprint;
use crate::detection::scope::{Monitoring, is_of_line, monitoring};

/// Values of assessments that say that there is nothing, in small letters.
const NOTHING_SAID: [&str; 3] = ["no", "false", "none"];
/// An identity that more actors have identifies nobody.
const MOST_HOLDERS: usize = 10;

/// What was read of an actor.
#[derive(Debug, Clone)]
pub struct KnownActor {
    pub id: String,
    pub kind: Option<ActorType>,
    /// How it is monitored; nothing where it is not, and then it has no score.
    pub monitoring: Option<Monitoring>,
    /// Whether it is of the line of business that is scored.
    pub is_of_line: bool,
    /// All but the exposure and the volume against the segment, for which others are needed.
    pub facts: Facts,
    /// Units of the standard currency that it sent and received.
    pub volume: u128,
    /// The names of its segments.
    pub segments: Vec<String>,
    /// To whom it is linked, by id; each kind once for each other.
    pub ties: Vec<(String, TieKind, Option<f64>)>,
    /// Stands for the texts and the ties: as long as they are the same it is the same.
    pub read: u64,
}

/// What is read is of a line of business and a day.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Everybody, where nothing is said.
    pub line: Option<String>,
    pub day: Date,
}

impl KnownActor {
    pub fn of(row: RiskFactsRow, scope: &Scope) -> Self {
        let kind = row.kind.as_deref().and_then(ActorType::named);
        let volume = row.sent.iter().chain(&row.received).map(|&units| u128::from(units.unsigned_abs())).sum();
        let (facts, ties) = (facts(&row, scope.day), ties(&row));
        let read = fingerprint(&facts, &ties);
        let actor = monitored(row);
        let is_of_line = scope.line.as_deref().is_none_or(|line| is_of_line(&actor, line));
        let monitoring = monitoring(&actor);
        Self { id: actor.id, kind, monitoring, is_of_line, facts, volume, segments: actor.groups, ties, read }
    }
}

/// The same actor as detection knows it.
fn monitored(row: RiskFactsRow) -> MonitoredActor {
    MonitoredActor {
        id: row.id,
        recorded: row.recorded,
        kind: row.kind,
        status: row.status,
        customer_since: row.customer_since,
        domicile: row.domicile,
        custom_data: row.custom_data,
        exclusion: row.exclusion,
        groups: row.groups,
        snoozes: Vec::new(),
    }
}

fn facts(row: &RiskFactsRow, day: Date) -> Facts {
    let mut facts = Facts::default();
    facts.add_texts(Input::Nationality, row.nationality.as_deref());
    facts.add_texts(Input::Domicile, row.domicile.as_deref());
    facts.add_texts(Input::TaxResidency, row.tax_residency.as_deref());
    facts.add_texts(Input::CounterpartyCountries, row.paid.iter().chain(&row.paid_by).flat_map(countries));
    facts.add_texts(Input::OwnerCountries, row.owners.iter().filter_map(|owner| owner.domicile.as_deref()));
    facts.add_texts(Input::ActorType, row.kind.as_deref());
    facts.add_texts(Input::SubTypes, row.sub_types.iter().flatten().map(String::as_str));
    facts.add_texts(Input::LegalForm, row.legal_form.as_deref());
    facts.add_texts(Input::Industry, industries(row.record.as_deref()));
    facts.add_texts(Input::Assessments, assessments(&row.assessments));
    let products = row.accounts.iter().flat_map(|account| [account.account_type.as_deref(), account.product_type.as_deref()]);
    facts.add_texts(Input::Products, products.flatten());
    if let Some(days) = relation_days(row.customer_since.as_deref(), day) {
        facts.set_number(Input::RelationDays, days);
    }
    let owners: BTreeSet<&str> = row.owners.iter().map(|owner| owner.id.as_str()).collect();
    let owned: BTreeSet<&str> = row.owned.iter().map(|owned| owned.id.as_str()).collect();
    for (input, count) in
        [(Input::Accounts, row.accounts.len()), (Input::Findings, row.findings.len()), (Input::Owners, owners.len()), (Input::Owned, owned.len())]
    {
        facts.set_number(input, Quantity::count(count));
    }
    facts
}

/// Where those live who have an account, and where it is.
fn countries(end: &TransferEnd) -> impl Iterator<Item = &str> {
    let of_holders = end.holders.iter().filter_map(|holder| holder.domicile.as_deref());
    of_holders.chain(end.countries.iter().map(String::as_str))
}

/// Codes of industries that a legal entity's record names.
fn industries(record: Option<&str>) -> Vec<String> {
    let entity = record.and_then(JsonObject::parse).and_then(|record| record.get("legalEntity"));
    let Some(serde_json::Value::Array(industries)) = entity.as_ref().and_then(|entity| entity.get("industry")) else { return Vec::new() };
    industries.iter().filter_map(|industry| industry.get("code")?.as_str()).map(str::to_owned).collect()
}

/// Of each type the assessments with the latest date, as `TYPE=value`; those that say nothing are left out.
pub fn assessments(known: &[DatedAssessment]) -> Vec<String> {
    let mut latest: BTreeMap<&str, &str> = BTreeMap::new();
    for DatedAssessment { kind, date, .. } in known {
        let last = latest.entry(kind).or_insert(date);
        *last = date.as_str().max(*last);
    }
    let counts = |assessment: &&DatedAssessment| {
        let value = assessment.value.trim().to_lowercase();
        latest.get(assessment.kind.as_str()) == Some(&assessment.date.as_str()) && !NOTHING_SAID.contains(&value.as_str())
    };
    known.iter().filter(counts).map(|assessment| format!("{}={}", assessment.kind, assessment.value)).collect()
}

/// Days from when it became a customer to a day; nothing where that is not known. Who becomes one later has been none for a day.
fn relation_days(since: Option<&str>, day: Date) -> Option<Quantity> {
    let since = Date::parse(since?)?;
    let days = (day.naive() - since.naive()).num_days().max(0);
    Some(Quantity::count(usize::try_from(days).ok()?))
}

/// To whom the actor is linked.
fn ties(row: &RiskFactsRow) -> Vec<(String, TieKind, Option<f64>)> {
    let mut ties: BTreeMap<(&str, TieKind), Option<f64>> = BTreeMap::new();
    for (other, share) in paid_shares(row) {
        ties.insert((other, TieKind::Pays), Some(share));
    }
    let owners = row.owners.iter().map(|owner| (owner.id.as_str(), owner.ratio));
    let owned = row.owned.iter().map(|owned| (owned.id.as_str(), owned.ratio));
    for (other, ratio) in owners.chain(owned) {
        // Of several the largest; what is not known is larger than all.
        let known = ties.entry((other, TieKind::Owns)).or_insert(Some(0.0));
        *known = known.zip(ratio).map(|(one, other)| one.max(other.clamp(0.0, 1.0)));
    }
    let identified = row.shared.iter().filter(|holders| holders.len() <= MOST_HOLDERS).flatten().map(String::as_str);
    for other in identified {
        ties.insert((other, TieKind::SharesIdentity), Some(1.0));
    }
    ties.into_iter().filter(|((other, _), _)| *other != row.id).map(|((other, kind), share)| (other.to_owned(), kind, share)).collect()
}

/// Whom the actor pays, with the part that it is of all that it sent. What goes to an account of several is shared out among them.
fn paid_shares(row: &RiskFactsRow) -> BTreeMap<&str, f64> {
    let sent: u128 = row.sent.iter().map(|&units| u128::from(units.unsigned_abs())).sum();
    let mut paid: BTreeMap<&str, f64> = BTreeMap::new();
    for end in row.paid.iter().filter(|end| !end.holders.is_empty()) {
        let units = end.units.unwrap_or_default().unsigned_abs() as f64 / end.holders.len() as f64;
        for holder in &end.holders {
            *paid.entry(&holder.id).or_default() += units;
        }
    }
    paid.values_mut().for_each(|units| *units = if sent == 0 { 0.0 } else { (*units / sent as f64).clamp(0.0, 1.0) });
    paid
}
