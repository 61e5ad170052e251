//! Persons and companies as actors; investors and guarantors as their associates.

use chrono::NaiveDate;
use serde::Serialize;

use super::{DATA_SOURCE, Lines};
use crate::party::{Directory, Party};
use crate::rows::{Guarantee, Investment, Tables};
use crate::value::{Exact, Moment};

#[derive(Serialize)]
struct Actor<'a> {
    id: Party,
    r#type: &'static str,
    as_of_date: NaiveDate,
    name: &'a str,
    data_source: &'static str,
    metadata: ActorMetadata,
}

#[derive(Serialize)]
struct ActorMetadata {
    blocked: bool,
}

/// `actors`: persons, then companies.
pub(crate) fn actors(tables: &Tables) -> Lines<'_> {
    let actor = |id, name, blocked, since: Moment| Actor {
        id,
        r#type: match id {
            Party::Person(_) => "INDIVIDUAL",
            Party::Company(_) => "LEGAL_ENTITY",
        },
        as_of_date: since.date(),
        name,
        data_source: DATA_SOURCE,
        metadata: ActorMetadata { blocked },
    };
    let persons =
        tables.persons.iter().map(move |row| actor(Party::Person(row.person_id), row.person_name.as_str(), row.is_blocked, row.create_time));
    let companies =
        tables.companies.iter().map(move |row| actor(Party::Company(row.company_id), row.company_name.as_str(), row.is_blocked, row.create_time));
    Lines::of(tables.persons.len() + tables.companies.len(), persons.chain(companies))
}

/// The body of Add Actor Associates, hence its two spellings of names.
#[derive(Serialize)]
struct Associates<'a> {
    actor_id: Party,
    as_of_date: NaiveDate,
    #[serde(rename = "actorAssociates")]
    actor_associates: [Associate<'a>; 1],
}

#[derive(Serialize)]
struct Associate<'a> {
    id: Party,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Exact>,
}

/// `associates`: investors of companies, then guarantors. A line each, as each has a date of its own.
pub(crate) fn associates<'a>(tables: &'a Tables, directory: &'a Directory) -> Lines<'a> {
    let invested = move |row: &Investment, investor| {
        associated(Party::Company(row.company_id), row.create_time, investor, "INVESTOR", Some(row.ratio.clone()), directory)
    };
    let guaranteed = move |row: &Guarantee, party: fn(u64) -> Party| {
        associated(party(row.to_id), row.create_time, party(row.from_id), "GUARANTOR", None, directory)
    };
    let Tables { person_investments, company_investments, person_guarantees, company_guarantees, .. } = tables;
    let lines = person_investments
        .iter()
        .map(move |row| invested(row, Party::Person(row.investor_id)))
        .chain(company_investments.iter().map(move |row| invested(row, Party::Company(row.investor_id))))
        .chain(person_guarantees.iter().map(move |row| guaranteed(row, Party::Person)))
        .chain(company_guarantees.iter().map(move |row| guaranteed(row, Party::Company)));
    let length = person_investments.len() + company_investments.len() + person_guarantees.len() + company_guarantees.len();
    Lines::of(length, lines)
}

fn associated<'a>(
    actor: Party,
    since: Moment,
    associate: Party,
    kind: &'static str,
    ratio: Option<Exact>,
    directory: &'a Directory,
) -> Associates<'a> {
    let name = directory.name(associate);
    Associates { actor_id: actor, as_of_date: since.date(), actor_associates: [Associate { id: associate, name, r#type: kind, ratio }] }
}
