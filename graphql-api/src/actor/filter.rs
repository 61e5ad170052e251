//! Which actors and associates.

use async_graphql::{Error, InputObject, Result};
use graph_schema::actor::{ActorStatus, ActorType, ExclusionType};
use graph_schema::date::Timestamp;
use graph_schema::id::SegmentationGroupId;
use graphql_service::filtering::not_too_many;
use resolvers::explore::{self, AssociateFilter, ListFilter, Page};

/// Which actors. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ActorFilter")]
pub struct ActorFilterInput {
    /// Words that are all in the name, or are a part of one of its words, whatever their case.
    text: Option<String>,
    /// Record has arrived, or not.
    known: Option<bool>,
    /// One of these types.
    types: Option<Vec<ActorType>>,
    /// Of one of these statuses.
    statuses: Option<Vec<ActorStatus>>,
    /// In one of these risk bands: `low_risk`, `medium_risk`, `high_risk`.
    risk_bands: Option<Vec<String>>,
    /// Living or seated in one of these countries, ISO 3166-1 alpha-2.
    domiciles: Option<Vec<String>>,
    /// Of one of these nationalities, ISO 3166-1 alpha-2, or a former country of ISO 3166-3.
    nationalities: Option<Vec<String>>,
    /// With an assessment of one of these types, such as `PEP`, that is the latest of its type and says something: no `no`, `false` or `none`.
    assessment_types: Option<Vec<String>>,
    /// Monitored in one of these ways now; who never had an exclusion is `MONITORED`.
    exclusion_types: Option<Vec<ExclusionType>>,
    /// In one of these segmentation groups.
    segmentation_group_ids: Option<Vec<SegmentationGroupId>>,
    /// Customers by their record, which says so in `subType` or has a `customerSince`; or all others.
    is_customer: Option<bool>,
    /// Present record arrived at this time or later.
    recorded_from: Option<Timestamp>,
    /// Present record arrived before this time.
    recorded_to: Option<Timestamp>,
}

/// No text that actors are found by is longer, in bytes.
const LONGEST_TEXT: usize = 256;
/// The most words of a name that are looked for.
const MOST_WORDS: usize = 10;
const BANDS: [&str; 3] = ["low_risk", "medium_risk", "high_risk"];

impl ActorFilterInput {
    /// The filter. What can't hold for any actor is a mistake, and said to be one; all mistakes are told at once.
    pub fn into_filter(self) -> Result<explore::ActorFilter> {
        let mut faults = self.faults();
        let words = self.text.as_deref().map(words).transpose().unwrap_or_else(|fault| {
            faults.push(fault);
            None
        });
        if !faults.is_empty() {
            return Err(Error::new(faults.join("; ")));
        }
        let words = words.filter(|words| !words.is_empty());
        // Who never had an exclusion is in no index of them.
        let is_excluded = self.exclusion_types.as_ref().is_some_and(|types| !types.contains(&ExclusionType::Monitored));
        let (excluded, exclusion_types) = if is_excluded { (self.exclusion_types, None) } else { (None, self.exclusion_types) };
        Ok(explore::ActorFilter {
            known: self.known,
            words,
            types: self.types,
            statuses: self.statuses,
            risk_bands: self.risk_bands,
            domiciles: self.domiciles,
            nationalities: self.nationalities,
            assessment_types: self.assessment_types,
            excluded,
            exclusion_types,
            segments: self.segmentation_group_ids,
            is_customer: self.is_customer,
            recorded_from: self.recorded_from,
            recorded_to: self.recorded_to,
        })
    }

    fn faults(&self) -> Vec<String> {
        let texts = [
            ("riskBands", &self.risk_bands),
            ("domiciles", &self.domiciles),
            ("nationalities", &self.nationalities),
            ("assessmentTypes", &self.assessment_types),
        ];
        let lengths = [
            ("types", self.types.as_ref().map(Vec::len)),
            ("statuses", self.statuses.as_ref().map(Vec::len)),
            ("exclusionTypes", self.exclusion_types.as_ref().map(Vec::len)),
            ("segmentationGroupIds", self.segmentation_group_ids.as_ref().map(Vec::len)),
        ];
        let lengths = lengths.into_iter().chain(texts.map(|(name, texts)| (name, texts.as_ref().map(Vec::len))));
        let mut faults: Vec<String> = lengths.filter_map(|(name, length)| not_too_many(name, length).err()).map(|error| error.message).collect();
        let too_long = texts.into_iter().filter(|(_, texts)| texts.iter().flatten().any(|text| text.len() > LONGEST_TEXT));
        faults.extend(too_long.map(|(name, _)| fault(name, &format!("must be of at most {LONGEST_TEXT} bytes each"))));
        if self.risk_bands.iter().flatten().any(|band| !BANDS.contains(&band.as_str())) {
            faults.push(fault("riskBands", "must be of low_risk, medium_risk, high_risk"));
        }
        // A nationality may be a former country, whose code has four letters.
        for (name, codes, longest) in [("domiciles", &self.domiciles, 2), ("nationalities", &self.nationalities, 4)] {
            let is_code = |code: &String| [2, longest].contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_uppercase());
            if !codes.iter().flatten().all(is_code) {
                faults.push(fault(name, "must be codes of ISO 3166, such as DE"));
            }
        }
        if self.recorded_from.zip(self.recorded_to).is_some_and(|(from, to)| from >= to) {
            faults.push(fault("recordedTo", "must be later than recordedFrom"));
        }
        faults
    }
}

fn fault(name: &str, problem: &str) -> String {
    format!("filter.{name}: {problem}")
}

/// The words of a text, in small letters.
fn words(text: &str) -> std::result::Result<Vec<String>, String> {
    if text.len() > LONGEST_TEXT {
        return Err(fault("text", &format!("must be of at most {LONGEST_TEXT} bytes")));
    }
    let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    if words.len() > MOST_WORDS { Err(fault("text", &format!("must be of at most {MOST_WORDS} words"))) } else { Ok(words) }
}

/// The filter of a page in an order. Those alone have a place in other orders than that of ids whose record has come.
pub fn of_order(filter: ListFilter, order: &Page) -> Result<ListFilter> {
    if order.sort.name == "ID" {
        return Ok(filter);
    }
    let filter = if let ListFilter::Actors(filter) = filter { filter } else { explore::ActorFilter::default() };
    match filter.known {
        Some(false) => Err(Error::new("orderBy: actors whose record has not come are in the order of ids alone")),
        _ => Ok(ListFilter::Actors(explore::ActorFilter { known: Some(true), ..filter })),
    }
}

/// Which associates. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "AssociateFilter")]
pub struct AssociateFilterInput {
    /// In one of these parts, such as `INVESTOR`.
    types: Option<Vec<String>>,
}

impl AssociateFilterInput {
    /// The filter, of links as they were known at a moment where that is said.
    pub fn into_filter(self, known_at: Option<Timestamp>) -> Result<ListFilter> {
        let Self { types } = self;
        not_too_many("types", types.as_ref().map(Vec::len))?;
        Ok(ListFilter::Associates(AssociateFilter { types, known_at }))
    }
}
