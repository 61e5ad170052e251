//! Reports: feedback on observations, and signals that were suppressed.

use std::collections::HashSet;

use cypher::Error as DatabaseError;
use cypher::graph::{FoundRow, Link, Mismatch, Node, Step, Visit, link, lists, nodes};
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::ObservationActorFields;
use graph_schema::id::ActorId;
use graph_schema::reporting::{ObservationFeedbackItem, SuppressedSignalItem, SuppressedSignalPage};

use crate::explore::{
    FeedbackFilter, FeedbackSummary, FormerFeedbackFilter, ListFilter, ObservationSummary, SignalFilter, Span, SuppressedSignalSummary,
};
use crate::policy::{Action, Subject};
use crate::{Caller, OffsetPage, Resolvers, Result, boxed};

/// The query of Get Observation Feedback: both ends belong to the span.
#[derive(Debug, Clone, Copy)]
pub struct FeedbackQuery {
    pub from: Timestamp,
    pub to: Timestamp,
}

/// The query of Get Suppressed Signals: both days belong to the span.
#[derive(Debug, Clone, Copy)]
pub struct SignalQuery {
    pub from: Date,
    pub to: Date,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Get Observation Feedback: all that was given in a span of time, as it stood at its end, the latest first. Of each observation of a case that
    /// is the last that was given in the span; what was said later in its place does not matter.
    #[boxed]
    pub async fn observation_feedback(&self, caller: &Caller, query: FeedbackQuery) -> Result<Vec<ObservationFeedbackItem>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("ObservationFeedback"))?;
        let actors = step(&nodes::OBSERVATION, "actors", Visit::of(&nodes::ACTOR));
        let observed = Visit { summary: true, steps: actors.into_iter().collect(), ..Visit::of(&nodes::OBSERVATION) };
        let observation = step(&nodes::OBSERVATION_FEEDBACK, "observation", observed);
        let then = Visit { summary: true, steps: observation.into_iter().collect(), ..Visit::of(&nodes::OBSERVATION_FEEDBACK) };
        // What is replaced between the two reads is met twice, and never missed.
        let mut all = Vec::new();
        let (given_from, given_to) = (Some(query.from), Some(query.to));
        let given = ListFilter::Feedback(FeedbackFilter { given_from, given_to });
        let former = ListFilter::FormerFeedback(FormerFeedbackFilter { given_from, given_to, stood_at: given_to });
        for (list, filter) in [(&lists::OBSERVATION_FEEDBACK_GIVEN, given), (&lists::FORMER_OBSERVATION_FEEDBACK, former)] {
            let rows = self.inner.whole_list(&permit, list, &filter, then.clone()).await?;
            all.extend(items(&list.link, &rows, feedback_item)?);
        }
        let of = |item: &ObservationFeedbackItem| (item.case_id.clone(), item.observation_id.clone());
        let mut met = HashSet::new();
        all.retain(|item| met.insert(of(item)));
        all.sort_by(|one, other| other.created_time.cmp(&one.created_time).then_with(|| of(one).cmp(&of(other))));
        Ok(all)
    }

    /// Get Suppressed Signals: a part of those of a span of days, the latest first, and how many there are in all.
    #[boxed]
    pub async fn suppressed_signals(&self, caller: &Caller, query: SignalQuery) -> Result<SuppressedSignalPage> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("SuppressedSignal"))?;
        let list = &lists::SUPPRESSED_SIGNALS;
        let filter = ListFilter::Signals(SignalFilter { reviewed_from: Some(query.from), reviewed_to: Some(query.to) });
        let then = Visit { summary: true, ..Visit::of(&nodes::SUPPRESSED_SIGNAL) };
        let count = self.inner.count(&permit, list, &filter);
        let span = Span { list, filter: filter.clone(), sort: Vec::new(), page: query.page, then };
        let (rows, count) = tokio::join!(self.inner.span(&permit, span), count);
        let OffsetPage { limit, offset } = query.page;
        Ok(SuppressedSignalPage { signals_suppressed: items(&list.link, &rows?, signal_item)?, limit, offset, number_of_signals: count? })
    }
}

/// The step from a node along one of its links, with all of them.
fn step(from: &Node, field: &str, then: Visit) -> Option<Step> {
    link(from, field).map(|link| link.whole(then))
}

fn items<T>(link: &Link, rows: &[FoundRow], item: fn(&FoundRow) -> std::result::Result<T, Mismatch>) -> Result<Vec<T>> {
    let items: std::result::Result<_, Mismatch> = rows.iter().map(item).collect();
    items.map_err(|mismatch| DatabaseError::rejected(link.name, mismatch).into())
}

fn feedback_item(row: &FoundRow) -> std::result::Result<ObservationFeedbackItem, Mismatch> {
    let given: FeedbackSummary = row.node.summary()?;
    let found = row.node.links.first().and_then(|link| link.rows.first());
    let observation: Option<ObservationSummary> = found.map(|found| found.node.summary()).transpose()?;
    let actors = found.and_then(|found| found.node.links.first()).map(|link| link.rows.as_slice()).unwrap_or_default();
    let said = |said: fn(&ObservationSummary) -> &Option<String>| observation.as_ref().and_then(|observation| said(observation).clone());
    Ok(ObservationFeedbackItem {
        observation_id: given.observation_id,
        observation_type: observation.as_ref().and_then(|observation| observation.kind),
        observation_date: observation.as_ref().and_then(|observation| observation.observed_at),
        feedback: given.feedback,
        typology: said(|observation| &observation.taxonomy_description),
        behavior_id: said(|observation| &observation.behavior_id),
        behavior_name: said(|observation| &observation.behavior_name),
        line_of_business: said(|observation| &observation.line_of_business),
        model_score: observation.as_ref().and_then(|observation| observation.score),
        model_threshold: observation.as_ref().and_then(|observation| observation.model_threshold),
        case_id: given.case_id,
        created_time: given.created_at,
        actor_id: main_actor(actors)?,
        data_source: said(|observation| &observation.data_source),
        transaction_ids: observation.as_ref().and_then(|observation| observation.transaction_ids.clone()),
    })
}

/// Whom it is mainly about: the first of those who are said to be, or the only one there is.
fn main_actor(actors: &[FoundRow]) -> std::result::Result<Option<ActorId>, Mismatch> {
    let id = |row: &FoundRow| ActorId::new(&*row.node.id);
    for row in actors {
        if row.edge::<ObservationActorFields>()?.primary {
            return Ok(Some(id(row)));
        }
    }
    Ok(match actors {
        [only] => Some(id(only)),
        _ => None,
    })
}

fn signal_item(row: &FoundRow) -> std::result::Result<SuppressedSignalItem, Mismatch> {
    let signal: SuppressedSignalSummary = row.node.summary()?;
    Ok(SuppressedSignalItem {
        suppressed_signal_id: signal.signal_id,
        actor_id: signal.actor_id,
        review_date: signal.review_date,
        detection_method_name: signal.detection_method_name,
        decision_reason: signal.decision_reason,
        data_source: signal.data_source,
    })
}
