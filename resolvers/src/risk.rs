//! Operations on what is known about an actor's risk: exclusions, assessments, extended information, scores.
//!
//! - [`score`]: how a score is kept, and how the actor stands by it. [`deciding`]: what people decide about an actor of which the record has come.
//! - [`backtest`]: what a rule would have said, day by day; [`tuning`]: rules switched, and their weights set; [`added`]: rules of one's own.
//! - [`rules`]: the rules by which the service calculates scores. They are the crate `risk`, which reads and writes nothing. [`rule_set`]: which of them count,
//!   as they were tuned.
//! - [`facts`]: what is known of an actor, as rules look at it; [`load`]: reading it of all actors.
//! - [`calculated`]: a calculated score as a record; [`band_change`]: the observation that the band has changed.
//! - [`population`]: the scores of all actors together; [`run`]: the job that keeps them; [`on_demand`]: the score of one.

mod added;
pub(crate) mod backtest;
mod band_change;
pub(crate) mod calculated;
mod deciding;
pub(crate) mod facts;
pub(crate) mod load;
pub(crate) mod on_demand;
pub(crate) mod population;
pub(crate) mod rule_set;
pub(crate) mod rules;
mod run;
pub(crate) mod score;
pub(crate) mod tuning;

use std::sync::Arc;

use cypher::graph::lists::{self, ScoredActor};
use cypher::graph::nodes::{self, RiskScoreSummary};
use cypher::graph::{FoundRow, Mismatch, Visit};
use cypher::{Error as DatabaseError, Value, map, statements};
use graph_schema::actor::{ActorExclusion, ExclusionType};
use graph_schema::date::{Date, Timestamp};
use graph_schema::given::{Given, GivenList};
use graph_schema::id::ActorId;
use graph_schema::json_object::{JsonObject, with_fields_appended};
use graph_schema::number::Number;
use graph_schema::risk::{ExtendedInformation, RiskAssessment, RiskScore};

use crate::derived_id::{digest_id, version_id};
use crate::explore::{ListFilter, ScoreFilter, Span};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amending, Put, Rank, SameSubject, Write};
use crate::values::{json_text, word};
use crate::{Answered, Caller, IdempotencyKey, Inner, ObjectKind, OffsetPage, Once, Resolvers, Result, boxed};
pub use backtest::RiskBacktest;
pub use deciding::{FoundAssessment, LiftOverride, OverrideScore, SetExclusion};
pub use on_demand::{RiskCalculation, RiskFactor, ShownScore};
pub(crate) use population::LastCalculation;
pub use population::{BesideLive, OtherBand};
pub use rule_set::{KnownRiskRule, RuleAddition};
pub use rules::RiskRules;
pub(crate) use run::ScoreActors;
pub use run::{BandChanges, ShadowScores};
use score::{RecordScore, sent_row};

/// From which final score on a risk counts as medium and as high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskBands {
    pub medium_from: f64,
    pub high_from: f64,
}

impl Default for RiskBands {
    fn default() -> Self {
        Self { medium_from: 50.0, high_from: 80.0 }
    }
}

impl RiskBands {
    /// `low_risk`, `medium_risk` or `high_risk`.
    pub fn band(&self, score: f64) -> &'static str {
        if score >= self.high_from {
            "high_risk"
        } else if score >= self.medium_from {
            "medium_risk"
        } else {
            "low_risk"
        }
    }
}

/// The query of Get Actor Risk Score.
#[derive(Debug, Clone)]
pub struct RiskScoreQuery {
    pub filter: ScoreFilter,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Add Actor Exclusion: answers with the actor's id.
    #[boxed]
    pub async fn add_exclusion(&self, caller: &Caller, id: &ActorId, given: Given<ActorExclusion>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::SendDecision, Subject::One("Actor", id.as_str()))?;
        let entry = self.inner.entry(&permit, "Actor", id.as_str(), "actor.exclusion.recorded").with_new_value(Arc::clone(&given.record));
        let stored_at = given.value.stored_at.unwrap_or_else(|| self.inner.clock.now());
        let row = self.inner.exclusion_row(id, entry.id(), (&given.value.exclusion_type, Some(stored_at)), None);
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, json_text(id.as_str()), &ADD_EXCLUSION, Write::new(row, entry)).await
    }

    /// Add Actor RiskAssessment: answers with the array as it was given.
    #[boxed]
    pub async fn add_risk_assessments(
        &self,
        caller: &Caller,
        id: &ActorId,
        given: GivenList<RiskAssessment>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::SendDecision, Subject::One("Actor", id.as_str()))?;
        for (at, item) in given.items.iter().enumerate() {
            self.inner.not_after_tomorrow(&format!("[{at}].asOfDate"), item.value.as_of_date)?;
        }
        let write = self.inner.assessments_write(&permit, id, given.items.iter().map(|item| &item.value), Arc::clone(&given.record));
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, Arc::clone(&given.record), &ADD_ASSESSMENTS, write).await
    }

    /// Add Actor Extended Info: answers with the record and `actorId`, as JSON text.
    #[boxed]
    pub async fn add_extended_information(
        &self,
        caller: &Caller,
        id: &ActorId,
        given: Given<ExtendedInformation>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Actor", id.as_str()))?;
        let entry = self.inner.entry(&permit, "Actor", id.as_str(), "actor.extended_information.recorded").with_new_value(Arc::clone(&given.record));
        let as_of = self.inner.as_of(&permit, "asOfDate", given.value.as_of_date)?;
        let mut added = vec![("actorId", json_text(id.as_str()))];
        // A date that was given as null stays so: a name must not be there twice.
        if JsonObject::parse(&given.record).is_some_and(|record| record.get("asOfDate").is_none()) {
            added.push(("asOfDate", json_text(&as_of)));
        }
        let added: Vec<(&str, &str)> = added.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let stored = with_fields_appended(&given.record, &added);
        let information = information_map(&given.value, &as_of, (self.inner.clock.now().millis(), caller.id.as_str()), &stored);
        let row = map([("id", id.as_str().into()), ("informationId", version_id(id.as_str(), &as_of).into()), ("information", information)]);
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, stored, &ADD_INFORMATION, Write::new(row, entry)).await
    }

    /// Get Actor Extended Info: what is valid now.
    #[boxed]
    pub async fn extended_information(&self, caller: &Caller, id: &ActorId) -> Result<String> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Actor", id.as_str()))?;
        let record = self.inner.record(&permit, statements::risk::EXTENDED, ObjectKind::ExtendedInformation, id.as_str()).await?;
        Ok(record.to_string())
    }

    /// Add Actor Risk Score: answers with the stored item, as JSON text.
    #[boxed]
    pub async fn add_risk_score(&self, caller: &Caller, id: &ActorId, given: Given<RiskScore>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let value = &given.value;
        // To override, and to say that a score overrides no more, is a decision; any other score is a record like others.
        let action = if value.overridden.is_some() { Action::SendDecision } else { Action::Ingest };
        let permit = self.inner.enter(caller, action, Subject::One("Actor", id.as_str()))?;
        self.inner.not_after_tomorrow("as_of_date", value.as_of_date)?;
        let entry = self.inner.entry(&permit, "Actor", id.as_str(), SCORE_RECORDED);
        let (now, bands) = (self.inner.clock.now(), self.inner.settings.risk_bands);
        let band = bands.band(value.final_score.to_f64());
        let stored = stored_score(&given.record, id.as_str(), &value.risk_rule_id, band, &caller.name, now);
        let row = sent_row(id, entry.id(), &given, bands, &caller.name, now);
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, stored, &ADD_SCORE, Write::new(row, entry)).await
    }

    /// Get Actor Risk Score: stored items as JSON texts, newest first.
    #[boxed]
    pub async fn risk_scores(&self, caller: &Caller, query: RiskScoreQuery) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("RiskScore"))?;
        let list = &lists::RISK_SCORES;
        let then = Visit { summary: true, record: true, ..Visit::of(&nodes::RISK_SCORE) };
        let span = Span { list, filter: ListFilter::Scores(query.filter), sort: Vec::new(), page: query.page, then };
        let rows = self.inner.span(&permit, span).await?;
        let scores: std::result::Result<_, Mismatch> = rows.iter().map(score_of).collect();
        scores.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }
}

impl Inner {
    /// The row of an exclusion, which has the id of its audit entry. Without a time at which it was stored it is behind all that are there.
    fn exclusion_row(&self, actor: &ActorId, id: &str, (kind, stored_at): (&ExclusionType, Option<Timestamp>), comment: Option<&str>) -> Value {
        let kind = word(kind);
        let fields = map([
            ("name", kind.clone()),
            ("exclusionType", kind),
            ("storedAt", stored_at.map(Timestamp::millis).into()),
            ("recordedAt", self.clock.now().millis().into()),
            ("comment", comment.into()),
        ]);
        map([("id", actor.as_str().into()), ("exclusionId", id.into()), ("exclusion", fields)])
    }

    /// The write of assessments; `record` is all of them as JSON.
    fn assessments_write<'a>(
        &self,
        permit: &Permit<'_>,
        id: &ActorId,
        assessments: impl Iterator<Item = &'a RiskAssessment>,
        record: Arc<str>,
    ) -> Write<Value> {
        let entry = self.entry(permit, "Actor", id.as_str(), "actor.risk_assessments.recorded").with_new_value(record);
        let (now, by) = (self.clock.now().millis(), permit.caller().id.as_str());
        let rows = assessments.map(|assessment| assessment_row(id, assessment, (now, by))).collect();
        Write::new(map([("id", id.as_str().into()), ("assessments", Value::List(rows))]), entry)
    }
}

/// That a score was kept, whoever says it: the action of its audit entry.
const SCORE_RECORDED: &str = "actor.risk_score.recorded";

/// Which one counts goes by what the one before has left.
static ADD_EXCLUSION: Put = Put { same_subject: SameSubject::InTurn, ..Put::of(statements::risk::EXCLUDE, Rank::Relation) };
static ADD_ASSESSMENTS: Put = Put::of(statements::risk::ASSESS, Rank::Relation);
static ADD_INFORMATION: Put = Put::of(statements::risk::EXTEND, Rank::Relation);
/// Each goes by what the one before has left.
static ADD_SCORE: Put = Put { statement: statements::risk::ADD_SCORE, rank: Rank::Relation, same_subject: SameSubject::InTurn };
pub(crate) static RECORD_SCORE: Amending<RecordScore> = Amending::NEW;

fn score_of(row: &FoundRow) -> std::result::Result<String, Mismatch> {
    let ScoredActor { id } = row.edge()?;
    let RiskScoreSummary { rule, rule_name, band, ingested_at, ingested_by, .. } = row.node.summary()?;
    let record = row.node.record.as_deref().ok_or(Mismatch { column: "record", problem: "missing" })?;
    Ok(stored_score(record, id.as_str(), rule_name.as_deref().unwrap_or(&rule), &band, &ingested_by, ingested_at))
}

/// The stored form: the record as given, and what the service knows besides. A rule that is not the service's own has no other name than its id.
fn stored_score(record: &str, actor: &str, rule: &str, band: &str, by: &str, at: Timestamp) -> String {
    let added = [
        ("actor_id", json_text(actor)),
        ("rule_name", json_text(rule)),
        ("risk_band", json_text(band)),
        ("ingested_by", json_text(by)),
        ("ingested_at", json_text(&at.to_string())),
    ];
    let added: Vec<(&str, &str)> = added.iter().map(|(name, text)| (*name, text.as_str())).collect();
    with_fields_appended(record, &added)
}

/// The node's scalars. What is absent is null, so that an update removes it.
fn information_map(given: &ExtendedInformation, as_of: &str, (now, by): (i64, &str), record: &str) -> Value {
    let number = |number: &Option<Number>| Value::from(number.as_ref().map(Number::to_f64));
    let date = |date: Option<Date>| Value::from(date.map(|date| date.to_string()));
    map([
        ("name", format!("Extended information as of {as_of}").into()),
        ("asOfDate", as_of.into()),
        ("recordedAt", now.into()),
        ("recordedBy", by.into()),
        ("record", record.into()),
        ("depositsAvailableBalanceLcy", number(&given.deposits_available_balance_lcy)),
        ("depositsFixedTermBalanceLcy", number(&given.deposits_fixed_term_balance_lcy)),
        ("depositsTotalBalanceLcy", number(&given.deposits_total_balance_lcy)),
        ("derivativesBalanceLcy", number(&given.derivatives_balance_lcy)),
        ("loansBalanceLcy", number(&given.loans_balance_lcy)),
        ("loansCreditLimitLcy", number(&given.loans_credit_limit_lcy)),
        ("loansOverdraftLcy", number(&given.loans_overdraft_lcy)),
        ("loansPrincipalLcy", number(&given.loans_principal_lcy)),
        ("securitiesBalanceLcy", number(&given.securities_balance_lcy)),
        ("numberOfBankAccounts", number(&given.number_of_bank_accounts)),
        ("numberOfCreditCards", number(&given.number_of_credit_cards)),
        ("numberOfDepositAccounts", number(&given.number_of_deposit_accounts)),
        ("numberOfDerivativesPortfolios", number(&given.number_of_derivatives_portfolios)),
        ("numberOfLoans", number(&given.number_of_loans)),
        ("numberOfSecuritiesPortfolios", number(&given.number_of_securities_portfolios)),
        ("firstProductDate", date(given.first_product_date)),
        ("lastProductDate", date(given.last_product_date)),
    ])
}

/// What an assessment is kept under, so that the same again is an update.
fn assessment_id(actor: &ActorId, assessment: &RiskAssessment) -> String {
    // Two of one type and date are two, such as hits on two lists.
    digest_id("assessment", &[actor.as_str(), &assessment.as_of_date.to_string(), &assessment.kind, &assessment.value])
}

fn assessment_row(actor: &ActorId, assessment: &RiskAssessment, (now, by): (i64, &str)) -> Value {
    let as_of = assessment.as_of_date.to_string();
    let props = map([
        ("name", format!("{} {}", assessment.kind, assessment.value).into()),
        ("type", assessment.kind.as_str().into()),
        ("value", assessment.value.as_str().into()),
        ("comment", assessment.comment.as_deref().into()),
        ("asOfDate", as_of.as_str().into()),
    ]);
    let id = assessment_id(actor, assessment);
    map([("id", id.into()), ("recordedAt", now.into()), ("recordedBy", by.into()), ("props", props)])
}
