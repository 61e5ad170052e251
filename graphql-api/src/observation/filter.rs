//! Which observations, feedback and signals.

use async_graphql::{Error, InputObject, Result};
use graph_schema::date::{Date, Timestamp};
use graph_schema::id::ActorId;
use graph_schema::observation::ObservationType;
use graphql_service::filtering::{end_of_span, not_too_many, one_of};
use resolvers::explore::{FeedbackFilter, InCurrency, ListFilter, ObservationFilter, SignalFilter};

use super::super::account::of_payments;

/// Which observations. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ObservationFilter")]
pub struct ObservationFilterInput {
    /// Whether somebody has given feedback on it, acted on it, dismissed it or raised a case from it.
    handled: Option<bool>,
    /// One of these.
    #[graphql(name = "type", deprecation = "Use `types`.")]
    kinds: Option<Vec<ObservationType>>,
    /// One of these.
    types: Option<Vec<ObservationType>>,
    /// One of these.
    #[graphql(deprecation = "Use `behaviorIds`.")]
    behavior_id: Option<Vec<String>>,
    /// Of one of these behaviours. A rule of the service is the behaviour of its findings.
    behavior_ids: Option<Vec<String>>,
    /// Naming one of these rules.
    rule_ids: Option<Vec<String>>,
    /// Of one of these priorities.
    priorities: Option<Vec<String>>,
    /// With one of these labels.
    labels: Option<Vec<String>>,
    /// Of one of these groups of programmes.
    program_groups: Option<Vec<String>>,
    /// From one of these data sources.
    data_sources: Option<Vec<String>>,
    /// Of one of these typologies.
    typologies: Option<Vec<String>>,
    /// Made at this time or later.
    from: Option<Timestamp>,
    /// Made before this time.
    to: Option<Timestamp>,
    /// About this actor.
    #[graphql(deprecation = "Use `actorIds`.")]
    actor_id: Option<ActorId>,
    /// About one of these actors.
    actor_ids: Option<Vec<ActorId>>,
    /// This score or more, 0 to 1.
    min_score: Option<f64>,
    /// This score or less, 0 to 1.
    max_score: Option<f64>,
    /// The currency of `minTotal` and `maxTotal`.
    currency: Option<String>,
    /// Its payments in `currency` add up to this or more, by the larger of what outbound and inbound records say.
    min_total: Option<f64>,
    /// Its payments in `currency` add up to this or less.
    max_total: Option<f64>,
    /// A `standardizedTotal` of this or more.
    min_standardized_total: Option<f64>,
    /// A `standardizedTotal` of this or less.
    max_standardized_total: Option<f64>,
    /// Below the line, or not.
    below_the_line: Option<bool>,
    /// Everything that it names has arrived, or not.
    finalized: Option<bool>,
}

/// No text that observations are found by is longer, in bytes.
const LONGEST_TEXT: usize = 256;

impl ObservationFilterInput {
    /// The filter. What can't hold for any observation is a mistake, and said to be one.
    pub fn into_filter(self) -> Result<ListFilter> {
        self.check_lists()?;
        self.check_ranges()?;
        let Self {
            handled,
            kinds,
            types,
            behavior_id,
            behavior_ids,
            rule_ids: rules,
            priorities,
            labels,
            program_groups,
            data_sources,
            typologies,
            from,
            to,
            actor_id: actor,
            actor_ids: actors,
            min_score,
            max_score,
            currency,
            min_total,
            max_total,
            min_standardized_total,
            max_standardized_total,
            below_the_line,
            finalized,
        } = self;
        let currency = currency.map(of_payments).transpose()?;
        let in_currency = |amount: Option<f64>| Some(InCurrency { currency: currency.clone()?, amount: amount? });
        Ok(ListFilter::Observations(ObservationFilter {
            types: one_of(("types", types), ("type", kinds))?,
            behaviors: one_of(("behaviorIds", behavior_ids), ("behaviorId", behavior_id))?,
            from,
            to,
            actor,
            actors,
            rules,
            handled,
            priorities,
            labels,
            program_groups,
            data_sources,
            typologies,
            min_score,
            max_score,
            below_the_line,
            finalized,
            min_standardized_total,
            max_standardized_total,
            min_total_in: in_currency(min_total),
            max_total_in: in_currency(max_total),
        }))
    }

    fn check_lists(&self) -> Result<()> {
        let texts = [
            ("behaviorId", &self.behavior_id),
            ("behaviorIds", &self.behavior_ids),
            ("ruleIds", &self.rule_ids),
            ("priorities", &self.priorities),
            ("labels", &self.labels),
            ("programGroups", &self.program_groups),
            ("dataSources", &self.data_sources),
            ("typologies", &self.typologies),
        ];
        not_too_many("actorIds", self.actor_ids.as_ref().map(Vec::len))?;
        for (name, length) in texts.map(|(name, texts)| (name, texts.as_ref().map(Vec::len))) {
            not_too_many(name, length)?;
        }
        match texts.into_iter().find(|(_, texts)| texts.iter().flatten().any(|text| text.len() > LONGEST_TEXT)) {
            Some((name, _)) => wrong(name, &format!("must be of at most {LONGEST_TEXT} bytes each")),
            None => Ok(()),
        }
    }

    fn check_ranges(&self) -> Result<()> {
        if self.from.zip(self.to).is_some_and(|(from, to)| from >= to) {
            return wrong("to", "must be later than from");
        }
        let is_score = |score: f64| (0.0..=1.0).contains(&score);
        for (name, score) in [("minScore", self.min_score), ("maxScore", self.max_score)] {
            if score.is_some_and(|score| !is_score(score)) {
                return wrong(name, "must be 0 to 1");
            }
        }
        let ranges = [
            ("maxScore", "must not be less than minScore", self.min_score, self.max_score),
            ("maxTotal", "must not be less than minTotal", self.min_total, self.max_total),
            ("maxStandardizedTotal", "must not be less than minStandardizedTotal", self.min_standardized_total, self.max_standardized_total),
        ];
        for (name, problem, min, max) in ranges {
            if min.zip(max).is_some_and(|(min, max)| max < min) {
                return wrong(name, problem);
            }
        }
        match (&self.currency, self.min_total.or(self.max_total)) {
            (None, Some(_)) => {
                wrong("currency", "must be given with minTotal and maxTotal; totals of several currencies are compared by minStandardizedTotal")
            }
            (Some(_), None) => wrong("currency", "says nothing without minTotal or maxTotal"),
            _ => Ok(()),
        }
    }
}

fn wrong<T>(name: &str, problem: &str) -> Result<T> {
    Err(Error::new(format!("filter.{name}: {problem}")))
}

/// Which feedback. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ObservationFeedbackFilter")]
pub struct FeedbackFilterInput {
    /// Given at this time or later.
    from: Option<Timestamp>,
    /// Given before this time.
    to: Option<Timestamp>,
}

impl FeedbackFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { from: given_from, to: given_to } = self;
        let given_to = end_of_span(("from", given_from), ("to", given_to))?;
        Ok(ListFilter::Feedback(FeedbackFilter { given_from, given_to }))
    }
}

/// Which suppressed signals. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "SuppressedSignalFilter")]
pub struct SignalFilterInput {
    /// Reviewed on this day or later.
    from: Option<Date>,
    /// Reviewed on this day or earlier.
    to: Option<Date>,
}

impl SignalFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { from: reviewed_from, to: reviewed_to } = self;
        // Days are whole, and both are included.
        if reviewed_from.zip(reviewed_to).is_some_and(|(from, to)| to < from) {
            return wrong("to", "must not be before from");
        }
        Ok(ListFilter::Signals(SignalFilter { reviewed_from, reviewed_to }))
    }
}
