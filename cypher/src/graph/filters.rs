//! The filters of lists and links: what a caller may say to each, and what must hold then.
//!
//! A list names one [`FilterSet`]. Each entry below declares a set, the struct of what callers say to it, and the condition of each of its fields, so
//! that a filter without a condition, or a condition without a filter, does not compile. The conditions of a statement come in the order of the fields.

mod made;
mod values;

use graph_schema::actor::{ActorStatus, ActorType, ExclusionType};
use graph_schema::audit::LogType;
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::case::CaseType;
use graph_schema::channel_location::ChannelLocationType;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::date::{Date, Timestamp};
use graph_schema::delivery::DeliveryState;
use graph_schema::id::{ActorId, CaseId, SegmentationCategoryId, SegmentationGroupId, StepId, TagId, WebhookId, WorkflowId};
use graph_schema::observation::ObservationType;
use graph_schema::request_for_data::RequestStatus;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use graph_schema::transaction::{Channel, Direction, Method, TransactionStatus};
use graph_schema::workflow::StepState;

pub use self::made::{InCurrency, NewestOf, queues};
use self::values::ToValue;
use super::filter_sets::filter_sets;
use crate::{Value, map};

/// Something that must hold: `{p}` is what the caller says.
#[derive(Debug, Clone, Copy)]
pub struct Filter {
    pub name: &'static str,
    /// The type of what the caller says, as the filter's set declares it.
    pub said: &'static str,
    pub text: &'static str,
}

impl Filter {
    /// Whether what passes it becomes another while nobody writes: nothing is ever said to it but the present moment.
    pub fn is_of_the_present(&self) -> bool {
        ["overdue", "not_overdue", "active_at", "past_at"].contains(&self.name)
    }
}

/// A filter and what the caller says to it.
#[derive(Debug, Clone)]
pub struct Condition {
    pub filter: &'static Filter,
    pub value: Value,
}

/// Whether somebody has given feedback on an observation, acted on it, dismissed it or raised a case from it: nothing else leads to one.
macro_rules! handled {
    () => {
        "EXISTS { MATCH ({b})<-[:RAISED_FROM|GIVEN_ON|TAKEN_ON|DISMISSES]-(act) }"
    };
}
pub(super) use handled;

/// What the payments of an observation in the currency of a parameter add up to, by their records of one direction.
macro_rules! total_in_currency {
    ($direction:literal) => {
        concat!(
            "reduce(total = 0.0, amount IN [({b})-[:CITES]->(t:Transaction) | CASE WHEN t.currency = {p}.currency AND t.direction = '",
            $direction,
            "' THEN t.amount ELSE 0.0 END] | total + amount)"
        )
    };
}

/// What the total of a roll-up is in the platform's default currency, by the same tally: totals in several currencies are compared by it.
macro_rules! standardized_total {
    () => {
        "coalesce(CASE {r}.largerTally \
         WHEN 'SENT' THEN coalesce({r}.sentStandardCarry, 0) * 1000000000000000000.0 + {r}.sentStandardUnits + {r}.sentStandardNanos / 1000000000.0 \
         WHEN 'RECEIVED' \
         THEN coalesce({r}.receivedStandardCarry, 0) * 1000000000000000000.0 + {r}.receivedStandardUnits + {r}.receivedStandardNanos / 1000000000.0 \
         END, 0.0)"
    };
}
pub(super) use standardized_total;

/// The condition of links that have a past: the moment at which they were known.
pub(super) const KNOWN_AT: &str = "({r}.since IS NULL OR {r}.since <= {p}) AND ({r}.until IS NULL OR {r}.until > {p})";

filter_sets! {
    /// Which actors.
    Actors(ActorFilter) {
        /// Only those whose record has arrived, or only the others.
        known: bool => "(NOT {b}:Placeholder) = {p}";
        /// Whose name has each of these words, which are in small letters.
        words: Vec<String> => "all(word IN {p} WHERE toLower({b}.name) CONTAINS word)";
        // A placeholder has no type, and the embedded engine would make one up.
        types: Vec<ActorType> => "(CASE WHEN {b}:Placeholder THEN null ELSE {b}.type END) IN {p}";
        statuses: Vec<ActorStatus> => "{b}.status IN {p}";
        risk_bands: Vec<String> => "{b}.riskBand IN {p}";
        // Who has a domicile has a name. That says so because an index of two properties finds nothing without the second.
        domiciles: Vec<String> => "{b}.domicileOrder IN {p} AND {b}.nameOrder IS NOT NULL";
        nationalities: Vec<String> => "{b}.nationality IN {p}";
        /// With an assessment of one of these types, of the latest date of its type, that says something.
        assessment_types: Vec<String> => "EXISTS { MATCH ({b})-[:HAS_RISK_ASSESSMENT]->(x:RiskAssessment) \
            WHERE x.type IN {p} AND NOT toLower(trim(x.value)) IN ['no', 'false', 'none'] \
            AND NOT EXISTS { MATCH ({b})-[:HAS_RISK_ASSESSMENT]->(y:RiskAssessment) WHERE y.type = x.type AND y.asOfDate > x.asOfDate } }";
        /// With one of these exclusions now, of which `MONITORED` is none.
        excluded: Vec<ExclusionType> => "{b}.exclusionType IN {p}";
        /// The same where who never had an exclusion is `MONITORED`.
        exclusion_types: Vec<ExclusionType> => "coalesce({b}.exclusionType, 'MONITORED') IN {p}";
        /// In one of these groups.
        segments: Vec<SegmentationGroupId> => "EXISTS { MATCH ({b})-[:MEMBER_OF]->(g:SegmentationGroup) WHERE g.id IN {p} }";
        /// Whether the record says that it is a customer, or since when.
        is_customer: bool => "('CUSTOMER' IN coalesce({b}.subType, []) OR {b}.customerSince IS NOT NULL) = {p}";
        /// Included.
        recorded_from: Timestamp => "{b}.recordedAt >= {p}";
        /// Not included.
        recorded_to: Timestamp => "{b}.recordedAt < {p}";
    }

    /// Which associates.
    Associates(AssociateFilter) {
        /// In one of these parts, such as `INVESTOR`.
        types: Vec<String> => "{r}.type IN {p}";
        /// As they were known at this moment.
        known_at: Timestamp => KNOWN_AT;
    }

    /// Which risk assessments of an actor.
    RiskAssessments(RiskAssessmentFilter) {
        /// Those of the latest date of their type, or all others.
        current: bool => "(NOT EXISTS { MATCH ({n})-[:HAS_RISK_ASSESSMENT]->(y:RiskAssessment) \
            WHERE y.type = {b}.type AND y.asOfDate > {b}.asOfDate }) = {p}";
        types: Vec<String> => "{b}.type IN {p}";
    }

    /// Which accounts.
    Accounts(AccountFilter) {
        /// Only those whose record has arrived, or only the others.
        known: bool => "({b}.record IS NOT NULL) = {p}";
    }

    /// Which versions.
    Versions(VersionFilter) {
        /// Up to this date.
        as_of: Date => "{b}.asOfDate <= {p}";
    }

    /// Which links of those that have a past.
    Past(PastFilter) {
        /// As they were known at this moment.
        known_at: Timestamp => KNOWN_AT;
    }

    /// Which owners of a segmentation group.
    Owners(OwnerFilter) {
        /// Only what this actor is.
        actor: ActorId => "{b}.id = {p}";
        /// As they were known at this moment.
        known_at: Timestamp => KNOWN_AT;
    }

    /// Which actors of a case.
    CaseActors(CaseActorFilter) {
        /// One of these.
        actors: Vec<ActorId> => "{b}.id IN {p}";
    }

    /// Which members of a segmentation group.
    Members(MemberFilter) {
        /// One of these actors.
        actors: Vec<ActorId> => "{b}.id IN {p}";
        /// As they were known at this moment.
        known_at: Timestamp => KNOWN_AT;
        /// Words, in small letters, each of which the name has.
        named: Vec<String> => "all(word IN {p} WHERE toLower({b}.name) CONTAINS word)";
        /// Of one of these types, which only those have whose record has come.
        actor_types: Vec<ActorType> => "{b}.type IN {p}";
        /// Alpha-2 codes of countries.
        domiciles: Vec<String> => "{b}.domicile IN {p}";
        bands: Vec<String> => "{b}.riskBand IN {p}";
        /// Included.
        added_from: Timestamp => "{r}.since >= {p}";
        /// Not included.
        added_to: Timestamp => "{r}.since < {p}";
    }

    /// Which segmentation groups.
    Groups(GroupFilter) {
        /// Words, in small letters, each of which the name or the description has.
        described: Vec<String>
            => "all(word IN {p} WHERE toLower({b}.name) CONTAINS word OR toLower(coalesce({b}.description, '')) CONTAINS word)";
        categories: Vec<SegmentationCategoryId> => "{b}.categoryId IN {p}";
    }

    /// Which users.
    Users(UserFilter) {
        /// Words, in small letters, each of which the name or the username has.
        called: Vec<String> => "all(word IN {p} WHERE toLower({b}.name) CONTAINS word OR toLower(coalesce({b}.username, '')) CONTAINS word)";
        enabled: bool => "coalesce({b}.enabled, false) = {p}";
        /// In one of these.
        groups: Vec<String> => "any(team IN coalesce({b}.groups, []) WHERE team IN {p})";
    }

    /// Which workflows.
    Workflows(WorkflowFilter) {
        hidden: bool => "coalesce({b}.hidden, false) = {p}";
        types: Vec<CaseType> => "{b}.type IN {p}";
    }

    /// Which transactions.
    Transactions(TransactionFilter) {
        currency: String => "{b}.currency = {p}";
        /// In that currency.
        min_amount: f64 => "{b}.amount >= {p}";
        max_amount: f64 => "{b}.amount <= {p}";
        /// In the platform's default currency.
        min_standardized_amount: f64 => "{b}.standardizedAmount >= {p}";
        max_standardized_amount: f64 => "{b}.standardizedAmount <= {p}";
        /// Included.
        from: Timestamp => "{b}.createdAt >= {p}";
        /// Not included.
        to: Timestamp => "{b}.createdAt < {p}";
        direction: Direction => "{b}.direction = {p}";
        statuses: Vec<TransactionStatus> => "{b}.status IN {p}";
        channels: Vec<Channel> => "{b}.channel IN {p}";
        methods: Vec<Method> => "{b}.method IN {p}";
    }

    /// Which transfers.
    Transfers(TransferFilter) {
        currency: String => "{r}.currency = {p}";
        /// In that currency.
        min_total: f64 => "{r}.total >= {p}";
        /// In the platform's default currency.
        min_standardized_total: f64 => concat!(standardized_total!(), " >= {p}");
    }

    /// Which cases.
    Cases(CaseFilter) {
        /// Whether somebody works on it.
        assigned: bool => "({b}.assigneeId IS NOT NULL) = {p}";
        /// This moment and the next three belong to the range.
        created_from: Timestamp => "{b}.createdAt >= {p}";
        created_to: Timestamp => "{b}.createdAt <= {p}";
        updated_from: Timestamp => "{b}.updatedAt >= {p}";
        updated_to: Timestamp => "{b}.updatedAt <= {p}";
        /// Each of them.
        all_tags: Vec<TagId> => "all(tag IN {p} WHERE EXISTS { MATCH ({b})-[:HAS_TAG]->(t:Tag) WHERE t.id = tag })";
        /// At least one of them.
        any_tag: Vec<TagId> => "EXISTS { MATCH ({b})-[:HAS_TAG]->(t:Tag) WHERE t.id IN {p} }";
        types: Vec<CaseType> => "{b}.type IN {p}";
        workflows: Vec<WorkflowId> => "{b}.workflowId IN {p}";
        states: Vec<StepState> => "{b}.state IN {p}";
        statuses: Vec<String> => "{b}.status IN {p}";
        /// As a workflow calls them; two workflows may have one of the same id.
        steps: Vec<StepId> => "{b}.stepId IN {p}";
        /// States with assignees, as [`queues`] makes them.
        // When it was made is always there. That says so because an index of two properties finds nothing without the second.
        queues: Vec<String> => "{b}.queue IN {p} AND {b}.createdAt IS NOT NULL";
        /// Focusing on one of these.
        focal_actors: Vec<ActorId> => "EXISTS { MATCH ({b})-[:FOCUSES_ON]->(a:Actor) WHERE a.id IN {p} }";
        /// Focusing on one of these, or concerning it.
        actors: Vec<ActorId> => "EXISTS { MATCH ({b})-[:FOCUSES_ON|CONCERNS]->(a:Actor) WHERE a.id IN {p} }";
        /// The highest band of those that it focuses on: 3 is the highest, 0 none.
        risks: Vec<i64> => "{b}.riskOrder IN {p}";
        /// Those that are open and were due by a moment. Whatever is closed or not due has an order behind all times.
        overdue: Timestamp => "{b}.dueOrder < {p}";
        /// All but those.
        not_overdue: Timestamp => "{b}.dueOrder >= {p}";
        /// Included.
        due_from: Timestamp => "{b}.dueAt >= {p}";
        /// Not included.
        due_to: Timestamp => "{b}.dueAt < {p}";
        /// Included.
        closed_from: Timestamp => "{b}.closedAt >= {p}";
        /// Not included.
        closed_to: Timestamp => "{b}.closedAt < {p}";
        /// Made by one of these users, keys or clients.
        creators: Vec<String> => "{b}.createdBy IN {p}";
        /// Words, in small letters, each of which the narrative or a comment has.
        words: Vec<String> => "all(word IN {p} WHERE toLower(coalesce({b}.narrative, '')) CONTAINS word \
            OR EXISTS { MATCH ({b})-[:HAS_COMMENT]->(m:CaseComment) WHERE toLower(m.text) CONTAINS word })";
        jurisdictions: Vec<String> => "{b}.jurisdiction IN {p}";
        sources: Vec<String> => "{b}.source IN {p}";
        close_reasons: Vec<String> => "{b}.closeReason IN {p}";
    }

    /// Which communications. One that does not say when it was sent counts by when it was written, or else by when it came.
    Communications(CommunicationFilter) {
        types: Vec<String> => "{b}.communicationType IN {p}";
        /// Included.
        sent_from: Timestamp => "coalesce({b}.sentAt, {b}.createdAt, {b}.recordedAt) >= {p}";
        /// Not included.
        sent_to: Timestamp => "coalesce({b}.sentAt, {b}.createdAt, {b}.recordedAt) < {p}";
    }

    /// Which screenings.
    Screenings(ScreeningFilter) {
        responses: Vec<ScreeningResponse> => "{b}.response IN {p}";
        operations: Vec<ScreeningOperation> => "{b}.operation IN {p}";
    }

    /// Which channel locations.
    Locations(LocationFilter) {
        /// Only those whose record has arrived, or only the others.
        known: bool => "({b}.record IS NOT NULL) = {p}";
        kind: ChannelLocationType => "{b}.type = {p}";
    }

    /// Which risk scores.
    Scores(ScoreFilter) {
        data_source: String => "{b}.dataSource = {p}";
        risk_rule: String => "{b}.riskRuleId = {p}";
        /// Received later than this.
        ingested_after: Timestamp => "{b}.ingestedAt > {p}";
        /// Received earlier than this.
        ingested_before: Timestamp => "{b}.ingestedAt < {p}";
        actors: Vec<ActorId> => "{i}.id IN {p}";
        /// Of each actor only the newest that passes the filters that it repeats, null where there is none: by the date it is as of, then by when it was
        /// received.
        newest_of: NewestOf => "NOT EXISTS { MATCH ({i})-[:HAS_RISK_SCORE]->(y:RiskScore) \
            WHERE (y.asOfDate > {b}.asOfDate OR (y.asOfDate = {b}.asOfDate \
            AND (y.ingestedAt > {b}.ingestedAt OR (y.ingestedAt = {b}.ingestedAt AND y.id > {b}.id)))) \
            AND ({p}.dataSource IS NULL OR y.dataSource = {p}.dataSource) AND ({p}.riskRule IS NULL OR y.riskRuleId = {p}.riskRule) \
            AND ({p}.ingestedAfter IS NULL OR y.ingestedAt > {p}.ingestedAfter) \
            AND ({p}.ingestedBefore IS NULL OR y.ingestedAt < {p}.ingestedBefore) }";
    }

    /// Which actors that have a risk score.
    ActorRisks(ActorRiskFilter) {
        /// At least one of them.
        bands: Vec<String> => "{b}.riskBand IN {p}";
        /// Both are included.
        min_score: f64 => "{b}.riskScore >= {p}";
        max_score: f64 => "{b}.riskScore <= {p}";
    }

    /// Which bulk requests.
    BulkRequests(BulkRequestFilter) {
        /// Under this `x-request-id`.
        request_id: String => "{b}.requestId = {p}";
    }

    /// Which items of bulk requests.
    BulkItems(BulkItemFilter) {
        list: BulkList => "{b}.list = {p}";
        state: BulkItemState => "{b}.state = {p}";
        /// What they are about, by its id.
        subject: String => "{b}.subject = {p}";
        /// Both moments belong to the range.
        created_from: Timestamp => "{b}.createdAt >= {p}";
        created_to: Timestamp => "{b}.createdAt <= {p}";
    }

    /// Which observations.
    Observations(ObservationFilter) {
        types: Vec<ObservationType> => "{b}.type IN {p}";
        behaviors: Vec<String> => "{b}.behaviorId IN {p}";
        /// Included.
        from: Timestamp => "{b}.observedAt >= {p}";
        /// Not included.
        to: Timestamp => "{b}.observedAt < {p}";
        /// About this actor.
        actor: ActorId => "EXISTS { MATCH ({b})-[:ABOUT]->(a:Actor) WHERE a.id = {p} }";
        /// About one of these actors.
        actors: Vec<ActorId> => "EXISTS { MATCH ({b})-[:ABOUT]->(a:Actor) WHERE a.id IN {p} }";
        /// Naming one of these rules, by id.
        rules: Vec<String> => "EXISTS { MATCH ({b})-[:MATCHED]->(m:ObservationRule) WHERE m.id IN {p} }";
        /// Whether somebody has given feedback on it, acted on it, dismissed it or raised a case from it.
        handled: bool => concat!("(", handled!(), ") = {p}");
        priorities: Vec<String> => "{b}.priority IN {p}";
        labels: Vec<String> => "{b}.observationLabel IN {p}";
        program_groups: Vec<String> => "{b}.programGroup IN {p}";
        data_sources: Vec<String> => "{b}.dataSource IN {p}";
        /// Descriptions of taxonomies.
        typologies: Vec<String> => "{b}.taxonomyDescription IN {p}";
        /// From 0 to 1, included.
        min_score: f64 => "{b}.score >= {p}";
        /// From 0 to 1, included.
        max_score: f64 => "{b}.score <= {p}";
        below_the_line: bool => "coalesce({b}.btlFlag, false) = {p}";
        /// Whether everything that it names is there.
        finalized: bool => "(EXISTS { MATCH ({b})-[:CITES|ABOUT|MENTIONS]->(named) WHERE named:Placeholder }) <> {p}";
        /// What its payments add up to, both ends included.
        min_standardized_total: f64 => "{b}.standardUnits + {b}.standardNanos / 1000000000.0 >= {p}";
        max_standardized_total: f64 => "{b}.standardUnits + {b}.standardNanos / 1000000000.0 <= {p}";
        /// The same of payments in one currency; the larger of both directions counts.
        min_total_in: InCurrency
            => concat!("(", total_in_currency!("OUTBOUND"), " >= {p}.amount OR ", total_in_currency!("INBOUND"), " >= {p}.amount)");
        max_total_in: InCurrency
            => concat!("(", total_in_currency!("OUTBOUND"), " <= {p}.amount AND ", total_in_currency!("INBOUND"), " <= {p}.amount)");
    }

    /// Which feedback on observations.
    Feedback(FeedbackFilter) {
        /// Both are included.
        given_from: Timestamp => "{b}.createdAt >= {p}";
        given_to: Timestamp => "{b}.createdAt <= {p}";
    }

    /// Which feedback of that in whose place other was given.
    FormerFeedback(FormerFeedbackFilter) {
        /// Both are included.
        given_from: Timestamp => "{b}.createdAt >= {p}";
        given_to: Timestamp => "{b}.createdAt <= {p}";
        /// The moment at which it was the last that was given.
        stood_at: Timestamp => "{b}.until > {p}";
    }

    /// Which cleared matches.
    ClearedMatches(ClearedMatchFilter) {
        actor: ActorId => "{b}.actorId = {p}";
        /// `LIST/ENTRY`.
        entry: String => "{b}.entry = {p}";
        /// Those that count at a moment.
        active_at: Timestamp => "({b}.endedAt IS NULL AND {b}.until > {p})";
        /// Those that no longer do.
        past_at: Timestamp => "({b}.endedAt IS NOT NULL OR {b}.until <= {p})";
    }

    /// Which suppressed signals.
    Signals(SignalFilter) {
        /// Both days are included.
        reviewed_from: Date => "{b}.reviewDate >= {p}";
        reviewed_to: Date => "{b}.reviewDate <= {p}";
    }

    /// Which requests for data.
    Requests(RequestFilter) {
        /// Those that are open and were due by a moment.
        overdue: Timestamp => "{b}.overdueAt < {p}";
        /// All but those.
        not_overdue: Timestamp => "({b}.overdueAt IS NULL OR {b}.overdueAt >= {p})";
        statuses: Vec<RequestStatus> => "{b}.status IN {p}";
        types: Vec<String> => "{b}.type IN {p}";
        cases: Vec<CaseId> => "{b}.caseId IN {p}";
        /// On a case that is assigned to one of these users.
        assignees: Vec<String> => "EXISTS { MATCH ({b})-[:ABOUT]->(c:`Case`) WHERE c.assigneeId IN {p} }";
        /// Included.
        due_from: Timestamp => "{b}.dueAt >= {p}";
        /// Not included.
        due_before: Timestamp => "{b}.dueAt < {p}";
    }

    /// Which custom properties.
    Properties(PropertyFilter) {
        entity: PropertyEntity => "{b}.entity = {p}";
        name: String => "{b}.name = {p}";
    }

    /// Which events.
    Events(EventFilter) {
        event_names: Vec<String> => "{b}.name IN {p}";
        /// Both ends are included.
        created_from: Timestamp => "{b}.createdAt >= {p}";
        created_to: Timestamp => "{b}.createdAt <= {p}";
    }

    /// Which deliveries.
    Deliveries(DeliveryFilter) {
        event_names: Vec<String> => "{b}.eventName IN {p}";
        /// Both ends are included.
        created_from: Timestamp => "{b}.createdAt >= {p}";
        created_to: Timestamp => "{b}.createdAt <= {p}";
        states: Vec<DeliveryState> => "{b}.state IN {p}";
        webhooks: Vec<WebhookId> => "{b}.webhookId IN {p}";
        cases: Vec<CaseId> => "{b}.caseId IN {p}";
    }

    /// Which entries of the audit log.
    // The time is always there. That says so because an index of two properties finds nothing without the second.
    AuditEntries(AuditEntryFilter) {
        /// About one of these objects.
        objects: Vec<String> => "{b}.objectId IN {p} AND {b}.timestamp IS NOT NULL";
        /// In one of these cases.
        cases: Vec<CaseId> => "{b}.caseId IN {p} AND {b}.timestamp IS NOT NULL";
        /// By one of these users, keys or clients.
        principals: Vec<String> => "{b}.userId IN {p} AND {b}.timestamp IS NOT NULL";
        actions: Vec<String> => "{b}.action IN {p} AND {b}.timestamp IS NOT NULL";
        object_types: Vec<String> => "{b}.objectType IN {p}";
        log_types: Vec<LogType> => "{b}.logType IN {p}";
        outcomes: Vec<String> => "{b}.actionResult IN {p}";
        /// Included.
        from: Timestamp => "{b}.timestamp >= {p}";
        /// Not included.
        to: Timestamp => "{b}.timestamp < {p}";
    }
}

impl ScoreFilter {
    /// The same, of each actor the newest score alone.
    #[must_use]
    pub fn newest_only(self) -> Self {
        let repeated = map([
            ("dataSource", self.data_source.to_value()),
            ("riskRule", self.risk_rule.to_value()),
            ("ingestedAfter", self.ingested_after.to_value()),
            ("ingestedBefore", self.ingested_before.to_value()),
        ]);
        Self { newest_of: Some(NewestOf::passing(repeated)), ..self }
    }
}
