//! What is kept of an actor's risk: scores, assessments, exclusions, extended information.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, InputObject, Result, SimpleObject};
use graph_schema::actor::ExclusionType;
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::RecordingFields;
use graph_schema::json_object::JsonObject;
use graph_schema::number::Number;
use graph_schema::risk::RiskScore;
use graphql_service::filtering::not_too_many;
use graphql_service::principal::{Principal, principal};
use resolvers::explore::{
    ActorExclusionSummary, ExtendedInformationSummary, ListFilter, RiskAssessmentFilter, RiskAssessmentSummary, RiskScoreSummary,
};

use super::connection::{GraphNode, NodeConnection, RiskAssessments, few};
use super::object::{graph_node, object_with_links};
use super::version::record;
use super::walk::Shown;
use crate::boxed;

/// Whoever sent what the present field's node is, as the audit log has it; null where the log has no entry of it.
#[boxed]
pub async fn recorded_by(context: &Context<'_>, of: &(impl GraphNode + Sync)) -> Result<Option<Principal>> {
    let said = few::<RecordingFields>(context, of).await?;
    principal(context, said.first().and_then(|recording| recording.by.as_deref())).await
}

/// A risk score of an actor, sent or calculated.
#[derive(Clone)]
pub struct RiskScoreNode(Shown<RiskScoreSummary>);

graph_node!(RiskScoreNode shows RiskScoreSummary);

/// A named part of a risk score.
#[derive(SimpleObject)]
pub struct RiskSubScore {
    /// What the part is called, such as the factor of a rule.
    name: String,
    /// The points that it contributes.
    value: Number,
}

object_with_links! {
    /// A risk score of an actor, sent or calculated.
    RiskScoreNode as "RiskScore" {
        /// The service's own id of the score.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("RiskScore:{}", self.0.at.id()))
        }

        /// The rule and the score.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// Named parts of the score; empty where the sender has named none.
        #[graphql(complexity = 30)]
        async fn sub_scores(&self, context: &Context<'_>) -> Result<Vec<RiskSubScore>> {
            let given = record::<RiskScore>(context, &self.0.at, None).await?;
            let Some(parts) = given.and_then(|given| given.sub_scores) else { return Ok(Vec::new()) };
            let parts: std::collections::BTreeMap<String, Number> = serde_json::from_str(parts.as_str()).unwrap_or_default();
            Ok(parts.into_iter().map(|(name, value)| RiskSubScore { name, value }).collect())
        }

        /// What was sent with the score, or how it was calculated; null when nothing was.
        async fn metadata(&self, context: &Context<'_>) -> Result<Option<JsonObject>> {
            Ok(record::<RiskScore>(context, &self.0.at, None).await?.and_then(|given| given.metadata))
        }

        /// The user, key or client that sent it, or asked for it; null where the service calculated it by itself.
        async fn recorded_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
            recorded_by(context, self).await
        }
    }
    shown {
        /// The date from which on it is valid.
        as_of_date: Date = |it| it.as_of_date;
        /// The score that its sender, or the calculation, has arrived at.
        final_score: Option<Number> = |it| Number::parse(&it.final_score.to_string());
        /// The score of the engine, or what the factors add up to; null where none was sent.
        calculated_score: Option<Number> = |it| it.calculated_score.and_then(|score| Number::parse(&score.to_string()));
        /// `low_risk`, `medium_risk` or `high_risk`, by the thresholds that were configured when it came.
        risk_band: String = |it| it.band.clone();
        /// The id of the rule that it was made by, as it was sent.
        risk_rule_id: ID = |it| ID(it.rule.clone());
        /// What the rule is called; null where it is none of the service's own.
        rule_name: Option<String> = |it| it.rule_name.clone();
        /// The version of the rule; null when none was sent.
        risk_rule_version: Option<String> = |it| it.rule_version.clone();
        /// Whether `finalScore` was set by hand, by this score or the one that overrides it.
        overridden: bool = |it| it.overrides == Some(true);
        /// Whether it overrides other scores, or says that none does any more; null for all others.
        overrides: Option<bool> = |it| it.overrides;
        /// Why it overrides others, or does so no more, in the words of who decided it.
        override_reason: Option<String> = |it| it.override_reason.clone();
        /// The id of the score that overrides this one.
        overridden_by: Option<ID> = |it| it.overridden_by.clone().map(ID);
        /// The system that the score comes from.
        data_source: Option<String> = |it| it.data_source.clone();
        /// The time at which it was stored.
        recorded_at: Timestamp = |it| it.ingested_at;
    }
}

/// A fact about an actor's risk, such as that it is politically exposed.
#[derive(Clone)]
pub struct RiskAssessmentNode(Shown<RiskAssessmentSummary>);

graph_node!(RiskAssessmentNode shows RiskAssessmentSummary);

/// A page of assessments.
pub type RiskAssessmentConnection = NodeConnection<RiskAssessmentNode, EmptyFields, RiskAssessments>;

object_with_links! {
    /// A fact about an actor's risk, such as that it is politically exposed.
    RiskAssessmentNode as "RiskAssessment" {
        /// The service's own id of the assessment. The same type, value and date of an actor is the same assessment.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("RiskAssessment:{}", self.0.at.id()))
        }

        /// The type and the value.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// Any text; `ADVERSE_MEDIA`, `INTERNAL`, `INTP`, `PEP`, `PP`, `SANCTIONS` and `SAR` are usual.
        kind as "type": String = |it| it.kind.clone();
        /// What was found, in the sender's words; `no`, `false` and `none` in any case mean that nothing was.
        value: String = |it| it.value.clone();
        /// More about it, in the sender's words; null when nothing was said.
        comment: Option<String> = |it| it.comment.clone(), counted;
        /// The date from which it is known.
        as_of_date: Date = |it| it.as_of_date;
        /// The time at which it was said first; null for those that were stored before that was kept.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that said it first; null for those that were stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
}

/// Whether an actor is monitored from some moment on.
#[derive(Clone)]
pub struct ExclusionNode(Shown<ActorExclusionSummary>);

graph_node!(ExclusionNode shows ActorExclusionSummary);

object_with_links! {
    /// Whether an actor is monitored from some moment on.
    ExclusionNode as "ActorExclusion" {
        /// The service's own id of the exclusion.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ActorExclusion:{}", self.0.at.id()))
        }

        /// How the actor is monitored, as people read it.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The user, key or client that decided it; null where the audit log does not have it.
        async fn recorded_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
            recorded_by(context, self).await
        }
    }
    shown {
        /// How the actor is monitored from then on.
        kind as "type": ExclusionType = |it| it.kind;
        /// The time from which it holds. Of several the one with the latest time counts.
        stored_at: Timestamp = |it| it.stored_at;
        /// The time at which it came; null for those that were stored before that was kept.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
        /// Why; null for those that came over REST, and where nothing was said.
        comment: Option<String> = |it| it.comment.clone(), counted;
    }
}

/// Balances and counts over all products of an actor, as of a date.
#[derive(Clone)]
pub struct ExtendedInformationNode(Shown<ExtendedInformationSummary>);

graph_node!(ExtendedInformationNode shows ExtendedInformationSummary);

object_with_links! {
    /// Balances and counts over all products of an actor, as of a date. Amounts whose names end in `Lcy` are in local currency; what was not sent is null.
    ExtendedInformationNode as "ExtendedInformation" {
        /// The service's own id: one for each actor and date.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ExtendedInformation:{}", self.0.at.id()))
        }

        /// What it is, with its date.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// The date from which on it is valid.
        as_of_date: Date = |it| it.as_of_date;
        /// The day on which the actor got its first product.
        first_product_date: Option<Date> = |it| it.given.first_product_date;
        /// The day on which the actor got its last product.
        last_product_date: Option<Date> = |it| it.given.last_product_date;
        /// What can be drawn of all deposits.
        deposits_available_balance_lcy: Option<Number> = |it| it.given.deposits_available_balance_lcy.clone();
        /// What is on deposits of a fixed term.
        deposits_fixed_term_balance_lcy: Option<Number> = |it| it.given.deposits_fixed_term_balance_lcy.clone();
        /// What is on all deposits.
        deposits_total_balance_lcy: Option<Number> = |it| it.given.deposits_total_balance_lcy.clone();
        /// What all derivatives are worth.
        derivatives_balance_lcy: Option<Number> = |it| it.given.derivatives_balance_lcy.clone();
        /// What is owed on all loans.
        loans_balance_lcy: Option<Number> = |it| it.given.loans_balance_lcy.clone();
        /// What may be borrowed at most.
        loans_credit_limit_lcy: Option<Number> = |it| it.given.loans_credit_limit_lcy.clone();
        /// By how much accounts are overdrawn.
        loans_overdraft_lcy: Option<Number> = |it| it.given.loans_overdraft_lcy.clone();
        /// What was lent, without interest.
        loans_principal_lcy: Option<Number> = |it| it.given.loans_principal_lcy.clone();
        /// What all securities are worth.
        securities_balance_lcy: Option<Number> = |it| it.given.securities_balance_lcy.clone();
        /// How many bank accounts there are.
        number_of_bank_accounts: Option<Number> = |it| it.given.number_of_bank_accounts.clone();
        /// How many credit cards there are.
        number_of_credit_cards: Option<Number> = |it| it.given.number_of_credit_cards.clone();
        /// How many deposit accounts there are.
        number_of_deposit_accounts: Option<Number> = |it| it.given.number_of_deposit_accounts.clone();
        /// How many portfolios of derivatives there are.
        number_of_derivatives_portfolios: Option<Number> = |it| it.given.number_of_derivatives_portfolios.clone();
        /// How many loans there are.
        number_of_loans: Option<Number> = |it| it.given.number_of_loans.clone();
        /// How many portfolios of securities there are.
        number_of_securities_portfolios: Option<Number> = |it| it.given.number_of_securities_portfolios.clone();
        /// The time at which it was stored last.
        recorded_at: Timestamp = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that sent it last; null for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
}

/// Which assessments. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "RiskAssessmentFilter")]
pub struct RiskAssessmentFilterInput {
    /// Those of the latest date of their type, or all but those.
    current: Option<bool>,
    /// Of one of these types.
    types: Option<Vec<String>>,
}

impl RiskAssessmentFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { current, types } = self;
        not_too_many("types", types.as_ref().map(Vec::len))?;
        Ok(ListFilter::RiskAssessments(RiskAssessmentFilter { current, types }))
    }
}
