//! The links, one entry each, and what they say.
//!
//! A new link is an entry here and a field in `graphql-api`. Their orders are in [`super::link_orders`].

use std::collections::HashMap;
use std::sync::LazyLock;

use graph_schema::case::CaseTagRecord;
use graph_schema::edge::{
    AssociateFields, CaseActorFields, CaseDecisionFields, CaseObservationFields, CaseTransactionFields, IdentityFields, MemberFields, MoveFields,
    ObservationActorFields, ObservationRuleFields, RecordingFields, RoleFields, SharedIdentityFields, SignInFields, TransferFields,
};
use graph_schema::observation::{MissingReference, ObservationHandling};

use super::cases::{CaseTitlePart, FOCAL_FIRST, ONCE_IN_CASE, TRANSACTIONS_OF_CASE};
use super::filters::standardized_total;
use super::link_orders::{
    BY_ACTION, BY_CREATION, BY_DATE, BY_DECISION, BY_EXCLUSION, BY_ID, BY_IDENTITY, BY_KIND, BY_LAST_MEMBERSHIP, BY_MEMBERSHIP, BY_POSITION,
    BY_PRIMARY, BY_REPLACEMENT, BY_ROLE, BY_SCORE_DATE, BY_SCREENING, BY_TYPE, LATEST_FIRST,
};
use super::nodes::{
    ACCOUNT, ACCOUNT_BALANCE, ACCOUNT_VERSION, ACTOR, ACTOR_EXCLUSION, ACTOR_VERSION, BULK_ITEM, BULK_REQUEST, CASE, CASE_COMMENT, CHANNEL_LOCATION,
    CLEARED_MATCH, COMMUNICATION, DELIVERY, DEVICE, EVENT, EXTENDED_INFORMATION, FILE, IP_ADDRESS, OBSERVATION, OBSERVATION_ACTION,
    OBSERVATION_FEEDBACK, OBSERVATION_RULE, PHONE, REQUEST_FOR_DATA, RISK_ASSESSMENT, RISK_SCORE, SCREENING, SEGMENTATION_CATEGORY,
    SEGMENTATION_GROUP, SUPPRESSED_SIGNAL, TAG, TRANSACTION, TRANSACTION_VERSION, USER, WEBHOOK, WORKFLOW, WORKFLOW_STEP,
};
use super::observations::BY_ACT;
use super::orders::{
    BulkItemSort, CaseObservationSort, CaseSort, ClearedMatchSort, CommunicationSort, DeliverySort, FeedbackSort, ObservationSort, RequestSort,
    SignalSort, TransactionSort, TransferSort,
};
use super::past;
use super::row::{Columns, columns};
use super::webhooks::EVENT_SORTS;
use super::{Column, Count, FilterSet, Link, Node, Number, Past, Sort, Supernode};

columns!(RecordingFields { by: "{b}.userId" });
columns!(SignInFields { count: "times{d}", first: "first{d}", last: "last{d}" });
columns!(TransferFields {
    count: "{r}.count",
    sum: "[{r}.totalUnits, {r}.totalNanos, {r}.totalCarry]",
    standardized_sum: "CASE {r}.largerTally WHEN 'SENT' THEN [{r}.sentStandardUnits, {r}.sentStandardNanos, {r}.sentStandardCarry] \
        WHEN 'RECEIVED' THEN [{r}.receivedStandardUnits, {r}.receivedStandardNanos, {r}.receivedStandardCarry] END",
    currency: "{r}.currency",
    first: "{r}.first",
    last: "{r}.last",
});
columns!(IdentityFields { kind: "type({r})", source: "{r}.source" });
columns!(SharedIdentityFields { kind: "type({r})", id: "{i}.id", name: "{i}.name" });
columns!(MoveFields { action: "{r}.action" });

const SCORES_OF_ACTOR: &str = "({n})-[:HAS_RISK_SCORE]->({b}:RiskScore)";
const ASSESSMENTS_OF_ACTOR: &str = "({n})-[:HAS_RISK_ASSESSMENT]->({b}:RiskAssessment)";
const EXCLUSIONS_OF_ACTOR: &str = "({n})-[:HAS_EXCLUSION]->({b}:ActorExclusion)";
const INFORMATION_OF_ACTOR: &str = "({n})-[:HAS_EXTENDED_INFORMATION]->({b}:ExtendedInformation)";

/// Of an earlier date.
const EARLIER: &str = "{b}.asOfDate < {n}.asOfDate";

/// What is kept of matches that say something, and of such that do not.
const WITH_LINK: &str = "{b}, {r}";
const WITH_STANDARDIZED: &str = concat!("{b}, {r}, ", standardized_total!(), " AS standardized{d}");
const NODE_ALONE: &str = "{b}";
const ONCE: &str = "DISTINCT {b}";
/// Sign-ins are a link each; they are told together.
const TOGETHER: &str = "{b}, count({r}) AS times{d}, min({r}.at) AS first{d}, max({r}.at) AS last{d}";

/// A link that says something and is there once for each key.
const fn telling(name: &'static str, pattern: &'static str, to: &'static Node, edge: &'static [Column], sorts: &'static [Sort]) -> Link {
    let (condition, filters) = (None, FilterSet::None);
    Link {
        name,
        pattern,
        condition,
        carry: WITH_LINK,
        count: Count::Matches,
        edge,
        sorts,
        filters,
        to,
        number: Number::Pages,
        degree: None,
        supernode: None,
        past: None,
    }
}

/// A link that says nothing but that it is there.
const fn silent(name: &'static str, pattern: &'static str, to: &'static Node) -> Link {
    let (condition, edge, filters) = (None, &[], FilterSet::None);
    Link {
        name,
        pattern,
        condition,
        carry: NODE_ALONE,
        count: Count::Matches,
        edge,
        sorts: BY_ID,
        filters,
        to,
        number: Number::Pages,
        degree: None,
        supernode: None,
        past: None,
    }
}

/// A link of which a node may have a great many, and knows how many: `orders` are those whose first key has an index.
const fn many(degree: &'static str, orders: &'static [Sort], link: Link) -> Link {
    Link { degree: Some(degree), supernode: Some(Supernode { degree, orders }), ..link }
}

/// Payments by time or amount, any of their filters. `degree`: the same without what the type of the link says already.
const fn payments(name: &'static str, pattern: &'static str, degree: &'static str) -> Link {
    let link = Link { sorts: TransactionSort::ALL, filters: FilterSet::Transactions, ..silent(name, pattern, &TRANSACTION) };
    many(degree, TransactionSort::ALL.split_at(1).0, link)
}

/// Cases, any of their orders and filters.
const fn cases(name: &'static str, pattern: &'static str) -> Link {
    Link { sorts: CaseSort::ALL, filters: FilterSet::Cases, ..silent(name, pattern, &CASE) }
}

/// Observations that are known, the newest first, any of their filters.
const fn observations(name: &'static str, pattern: &'static str) -> Link {
    Link { sorts: ObservationSort::ALL, filters: FilterSet::Observations, ..silent(name, pattern, &OBSERVATION) }
}

/// The same where the link says something.
const fn observations_telling(name: &'static str, pattern: &'static str, edge: &'static [Column]) -> Link {
    Link { carry: WITH_LINK, edge, ..observations(name, pattern) }
}

/// What was screened, any of its filters.
const fn screenings(name: &'static str, pattern: &'static str) -> Link {
    Link { sorts: BY_SCREENING, filters: FilterSet::Screenings, ..silent(name, pattern, &SCREENING) }
}

/// Communications, any of their orders and filters.
const fn communications(name: &'static str, pattern: &'static str) -> Link {
    Link { sorts: CommunicationSort::ALL, filters: FilterSet::Communications, ..silent(name, pattern, &COMMUNICATION) }
}

/// Deliveries, any of their orders and filters.
const fn deliveries(name: &'static str, pattern: &'static str) -> Link {
    Link { sorts: DeliverySort::ALL, filters: FilterSet::Deliveries, ..silent(name, pattern, &DELIVERY) }
}

/// The roll-up one way; a pair whose payments were all withdrawn is empty.
const fn transfers(name: &'static str, pattern: &'static str) -> Link {
    let condition = Some("{r}.count > 0");
    Link {
        condition,
        carry: WITH_STANDARDIZED,
        filters: FilterSet::Transfers,
        ..telling(name, pattern, &ACCOUNT, TransferFields::COLUMNS, TransferSort::ALL)
    }
}

/// Who is associated with whom, in any part.
const fn associates(name: &'static str, pattern: &'static str) -> Link {
    let link = with_past(&past::ASSOCIATES, telling(name, pattern, &ACTOR, AssociateFields::COLUMNS, BY_TYPE));
    Link { filters: FilterSet::Associates, ..link }
}

/// What is said of an actor or account, in an order of its own.
const fn said_of(name: &'static str, pattern: &'static str, to: &'static Node, sorts: &'static [Sort]) -> Link {
    Link { sorts, ..silent(name, pattern, to) }
}

/// The first of it.
const fn first_of(link: Link) -> Link {
    Link { number: Number::One, ..link }
}

/// The entry of the audit log that a record was kept with. Who may not read the log sees by whom it was, and nothing else of it.
const fn recording(name: &'static str, pattern: &'static str, condition: &'static str) -> Link {
    // It has no more to show than a phone.
    let link = telling(name, pattern, &PHONE, RecordingFields::COLUMNS, BY_ID);
    Link { condition: Some(condition), carry: NODE_ALONE, number: Number::Few, ..link }
}

/// The version before one.
const fn previous(name: &'static str, pattern: &'static str, to: &'static Node, condition: &'static str, sorts: &'static [Sort]) -> Link {
    Link { condition: Some(condition), ..first_of(said_of(name, pattern, to, sorts)) }
}

/// Groups that actors are in or own.
const fn groups(name: &'static str, pattern: &'static str, past: &'static Past) -> Link {
    with_past(past, telling(name, pattern, &SEGMENTATION_GROUP, MemberFields::COLUMNS, BY_MEMBERSHIP))
}

/// Sign-ins, told together for each pair.
const fn sign_ins(name: &'static str, pattern: &'static str, to: &'static Node) -> Link {
    Link { carry: TOGETHER, count: Count::Nodes, ..telling(name, pattern, to, SignInFields::COLUMNS, BY_ID) }
}

/// What a node may share with tens of thousands, by their ids.
const fn shared(name: &'static str, pattern: &'static str, to: &'static Node, degree: &'static str) -> Link {
    Link { supernode: Some(Supernode { degree, orders: BY_ID }), ..silent(name, pattern, to) }
}

/// Cases of which there may be tens of thousands.
const fn many_cases(name: &'static str, pattern: &'static str, degree: &'static str) -> Link {
    many(degree, CaseSort::ALL.split_at(3).0, cases(name, pattern))
}

/// What was known as of dates, the latest first.
const fn versions(name: &'static str, pattern: &'static str, to: &'static Node) -> Link {
    Link { sorts: LATEST_FIRST, filters: FilterSet::Versions, ..silent(name, pattern, to) }
}

/// A link of which it is kept what it was before.
const fn with_past(past: &'static Past, link: Link) -> Link {
    Link { past: Some(past), filters: FilterSet::Past, ..link }
}

/// What there is at most one of.
const fn one(name: &'static str, pattern: &'static str, to: &'static Node) -> Link {
    Link { number: Number::One, ..silent(name, pattern, to) }
}

/// All links by both parts of their names: each field of each document is looked for.
static BY_NAME: LazyLock<HashMap<(&str, &str), &Link>> =
    LazyLock::new(|| ALL.iter().filter_map(|link| Some((link.name.split_once('.')?, link))).collect());

/// The link with this public name.
pub fn link(node: &Node, field: &str) -> Option<&'static Link> {
    let owner = if node.is_identity() { "Identity" } else { node.label };
    BY_NAME.get(&(owner, field)).copied()
}

/// All links.
pub static ALL: &[Link] = &[
    with_past(&past::ROLES, telling("Actor.accounts", "({n})-[{r}:HAS_ROLE]->({b}:Account)", &ACCOUNT, RoleFields::COLUMNS, BY_ROLE)),
    associates("Actor.associates", "({n})<-[{r}:ASSOCIATED_WITH]-({b}:Actor)"),
    associates("Actor.associateOf", "({n})-[{r}:ASSOCIATED_WITH]->({b}:Actor)"),
    telling(
        "Actor.identities",
        "({n})-[{r}:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->({b})",
        // They are of several labels; none has more to show than a phone.
        &PHONE,
        IdentityFields::COLUMNS,
        BY_KIND,
    ),
    Link {
        condition: Some("{b}.id <> {n}.id"),
        carry: "{b}, {r}, {i}",
        ..telling(
            "Actor.sharesIdentityWith",
            "({n})-[{r}:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->({i})\
             <-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-({b}:Actor)",
            &ACTOR,
            SharedIdentityFields::COLUMNS,
            BY_IDENTITY,
        )
    },
    telling("Actor.cases", "({n})<-[{r}:FOCUSES_ON|CONCERNS]-({b}:`Case`)", &CASE, CaseActorFields::COLUMNS, BY_ID),
    payments("Actor.involvedIn", "({n})<-[:INVOLVES]-({b}:Transaction)", "({n})<-[:INVOLVES]-()"),
    payments("Actor.transactions", "({n})<-[:OWNED_BY]-({b}:Transaction)", "({n})<-[:OWNED_BY]-()"),
    versions("Actor.history", "({n})-[:HAS_VERSION]->({b}:ActorVersion)", &ACTOR_VERSION),
    said_of("Actor.riskScores", SCORES_OF_ACTOR, &RISK_SCORE, BY_SCORE_DATE),
    // The actor has the place of each of the two among its scores, of which the id is the end.
    Link {
        condition: Some("{b}.id = substring(CASE WHEN {n}.riskOverrideScore IS NULL THEN {n}.riskScoreKey ELSE {n}.riskOverrideKey END, 27)"),
        ..one("Actor.effectiveRiskScore", SCORES_OF_ACTOR, &RISK_SCORE)
    },
    recording("RiskScore.recordedBy", "({b}:AuditEntry {id: {n}.id})", "{b}.objectType = 'Actor'"),
    Link { filters: FilterSet::RiskAssessments, ..said_of("Actor.riskAssessments", ASSESSMENTS_OF_ACTOR, &RISK_ASSESSMENT, BY_DATE) },
    said_of("Actor.exclusions", EXCLUSIONS_OF_ACTOR, &ACTOR_EXCLUSION, BY_EXCLUSION),
    first_of(said_of("Actor.exclusion", EXCLUSIONS_OF_ACTOR, &ACTOR_EXCLUSION, BY_EXCLUSION)),
    recording("ActorExclusion.recordedBy", "({b}:AuditEntry {id: {n}.id})", "{b}.objectType = 'Actor'"),
    said_of("Actor.extendedInformationHistory", INFORMATION_OF_ACTOR, &EXTENDED_INFORMATION, BY_DATE),
    first_of(said_of("Actor.extendedInformation", INFORMATION_OF_ACTOR, &EXTENDED_INFORMATION, BY_DATE)),
    with_past(&past::ROLES, telling("Account.actors", "({n})<-[{r}:HAS_ROLE]-({b}:Actor)", &ACTOR, RoleFields::COLUMNS, BY_ROLE)),
    sign_ins("Account.devices", "({n})<-[{r}:SIGNED_IN]-({b}:Device)", &DEVICE),
    Link {
        condition: Some("{r}.ipAddress = {b}.id"),
        ..sign_ins("Account.ipAddresses", "({n})<-[{r}:SIGNED_IN]-(:Device)-[:SEEN_AT]->({b}:IpAddress)", &IP_ADDRESS)
    },
    telling("Account.identities", "({n})-[{r}:IDENTIFIED_BY|HAS_REFERENCE]->({b})", &PHONE, IdentityFields::COLUMNS, BY_KIND),
    // A payment from an account to itself is found twice.
    Link {
        carry: ONCE,
        count: Count::Nodes,
        degree: None,
        ..payments("Account.transactions", "({n})-[:SENT|RECEIVED_BY]-({b}:Transaction)", "({n})-[:SENT|RECEIVED_BY]-()")
    },
    payments("Account.sent", "({n})-[:SENT]->({b}:Transaction)", "({n})-[:SENT]->()"),
    payments("Account.received", "({n})<-[:RECEIVED_BY]-({b}:Transaction)", "({n})<-[:RECEIVED_BY]-()"),
    transfers("Account.transferredTo", "({n})-[{r}:TRANSFERRED_TO]->({b}:Account)"),
    transfers("Account.receivedFrom", "({n})<-[{r}:TRANSFERRED_TO]-({b}:Account)"),
    versions("Account.history", "({n})-[:HAS_VERSION]->({b}:AccountVersion)", &ACCOUNT_VERSION),
    said_of("Account.balances", "({n})-[:HAS_BALANCE]->({b}:AccountBalance)", &ACCOUNT_BALANCE, BY_DATE),
    one("Transaction.account", "({b}:Account {id: {n}.accountId})", &ACCOUNT),
    one("Transaction.owner", "({n})-[:OWNED_BY]->({b}:Actor)", &ACTOR),
    one("Transaction.sender", "({n})<-[:SENT]-({b}:Account)", &ACCOUNT),
    one("Transaction.receiver", "({n})-[:RECEIVED_BY]->({b}:Account)", &ACCOUNT),
    one("Transaction.device", "({n})-[:USED]->({b}:Device)", &DEVICE),
    one("Transaction.ipAddress", "({n})-[:CONNECTED_FROM]->({b}:IpAddress)", &IP_ADDRESS),
    one("Transaction.channelLocation", "({n})-[:AT]->({b}:ChannelLocation)", &CHANNEL_LOCATION),
    recording("Transaction.recordedBy", "({b}:AuditEntry {id: {n}.writeId})", "{b}.objectType = 'Transaction' AND {b}.objectId = {n}.id"),
    // What an older program has kept has no transactionId, and its writeId may be that of a move: nobody is told of it.
    recording(
        "TransactionVersion.recordedBy",
        "({b}:AuditEntry {id: {n}.writeId})",
        "{b}.objectType = 'Transaction' AND {b}.objectId = {n}.transactionId",
    ),
    silent("Transaction.parties", "({n})-[:INVOLVES]->({b}:Actor)", &ACTOR),
    Link { sorts: BY_REPLACEMENT, ..silent("Transaction.history", "({n})-[:HAD_VERSION]->({b}:TransactionVersion)", &TRANSACTION_VERSION) },
    screenings("Transaction.screenings", "({n})-[:HAS_SCREENING]->({b}:Screening)"),
    screenings("Actor.screenings", "({n})-[:HAS_SCREENING]->({b}:Screening)"),
    Link { sorts: ClearedMatchSort::ALL, ..silent("Actor.clearedMatches", "({n})<-[:CLEARED_FOR]-({b}:ClearedMatch)", &CLEARED_MATCH) },
    one("ClearedMatch.actor", "({n})-[:CLEARED_FOR]->({b}:Actor)", &ACTOR),
    one("Screening.actor", "({n})<-[:HAS_SCREENING]-({b}:Actor)", &ACTOR),
    one("Screening.transaction", "({n})<-[:HAS_SCREENING]-({b}:Transaction)", &TRANSACTION),
    observations("Screening.observations", "({n})-[:FOUND]->({b}:Observation)"),
    screenings("Observation.screenings", "({n})<-[:FOUND]-({b}:Screening)"),
    previous(
        "TransactionVersion.previous",
        "({n})<-[:HAD_VERSION]-(:Transaction)-[:HAD_VERSION]->({b}:TransactionVersion)",
        &TRANSACTION_VERSION,
        // Of an older program one that was replaced in the millisecond in which it came was known for no time. Which of several of
        // those was before the others is as the order has it: so it never goes in a circle.
        "{b}.knownUntil <= {n}.knownFrom AND ({b}.knownUntil < {n}.knownUntil OR {b}.knownFrom < {n}.knownFrom \
            OR coalesce({b}.logicalTime, 0) < coalesce({n}.logicalTime, 0) \
            OR (coalesce({b}.logicalTime, 0) = coalesce({n}.logicalTime, 0) AND {b}.id < {n}.id))",
        BY_REPLACEMENT,
    ),
    previous("ActorVersion.previous", "({n})<-[:HAS_VERSION]-(:Actor)-[:HAS_VERSION]->({b}:ActorVersion)", &ACTOR_VERSION, EARLIER, LATEST_FIRST),
    previous(
        "AccountVersion.previous",
        "({n})<-[:HAS_VERSION]-(:Account)-[:HAS_VERSION]->({b}:AccountVersion)",
        &ACCOUNT_VERSION,
        EARLIER,
        LATEST_FIRST,
    ),
    one("TransactionVersion.account", "({b}:Account {id: {n}.accountId})", &ACCOUNT),
    one("TransactionVersion.owner", "({b}:Actor {id: {n}.accountOwnerId})", &ACTOR),
    payments("ChannelLocation.transactions", "({n})<-[:AT]-({b}:Transaction)", "({n})<-[:AT]-()"),
    sign_ins("Device.accounts", "({n})-[{r}:SIGNED_IN]->({b}:Account)", &ACCOUNT),
    silent("Device.ipAddresses", "({n})-[:SEEN_AT]->({b}:IpAddress)", &IP_ADDRESS),
    payments("Device.transactions", "({n})<-[:USED]-({b}:Transaction)", "({n})<-[:USED]-()"),
    shared("IpAddress.devices", "({n})<-[:SEEN_AT]-({b}:Device)", &DEVICE, "({n})<-[:SEEN_AT]-()"),
    Link {
        condition: Some("{r}.ipAddress = {n}.id"),
        ..sign_ins("IpAddress.accounts", "({n})<-[:SEEN_AT]-(:Device)-[{r}:SIGNED_IN]->({b}:Account)", &ACCOUNT)
    },
    payments("IpAddress.transactions", "({n})<-[:CONNECTED_FROM]-({b}:Transaction)", "({n})<-[:CONNECTED_FROM]-()"),
    shared(
        "Identity.actors",
        "({n})<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-({b}:Actor)",
        &ACTOR,
        "({n})<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-()",
    ),
    shared("Identity.accounts", "({n})<-[:IDENTIFIED_BY|HAS_REFERENCE]-({b}:Account)", &ACCOUNT, "({n})<-[:IDENTIFIED_BY|HAS_REFERENCE]-()"),
    Link {
        filters: FilterSet::CaseActors,
        ..telling("Case.actors", "({n})-[{r}:FOCUSES_ON|CONCERNS]->({b}:Actor)", &ACTOR, CaseActorFields::COLUMNS, FOCAL_FIRST)
    },
    silent("Case.focalActors", "({n})-[:FOCUSES_ON]->({b}:Actor)", &ACTOR),
    Link {
        number: Number::Few,
        // They are of several labels; none has more to show than a phone.
        ..telling("Case.title", "({n})-[{r}:FOCUSES_ON|RAISED_FROM]->({b})", &PHONE, CaseTitlePart::COLUMNS, BY_KIND)
    },
    silent("Case.comments", "({n})-[:HAS_COMMENT]->({b}:CaseComment)", &CASE_COMMENT),
    one("CaseComment.case", "({n})<-[:HAS_COMMENT]-({b}:`Case`)", &CASE),
    communications("Case.communications", "({n})-[:HAS_COMMUNICATION]->({b}:Communication)"),
    cases("Communication.cases", "({n})<-[:HAS_COMMUNICATION]-({b}:`Case`)"),
    one("Communication.sender", "({n})-[:SENT_BY]->({b}:Actor)", &ACTOR),
    one("Communication.receiver", "({n})-[:SENT_TO]->({b}:Actor)", &ACTOR),
    // What somebody wrote to himself is found twice.
    Link { carry: ONCE, count: Count::Nodes, ..communications("Actor.communications", "({n})<-[:SENT_BY|SENT_TO]-({b}:Communication)") },
    silent("Case.files", "({n})-[:HAS_FILE]->({b}:File)", &FILE),
    one("File.case", "({n})<-[:HAS_FILE]-({b}:`Case`)", &CASE),
    Link {
        sorts: CaseObservationSort::ALL,
        ..observations_telling("Case.observations", "({n})-[{r}:RAISED_FROM]->({b}:Observation)", CaseObservationFields::COLUMNS)
    },
    Link { sorts: FeedbackSort::ALL, ..silent("Case.feedback", "({n})-[:HAS_FEEDBACK]->({b}:ObservationFeedback)", &OBSERVATION_FEEDBACK) },
    Link { sorts: FeedbackSort::ALL, ..silent("Observation.feedback", "({n})<-[:GIVEN_ON]-({b}:ObservationFeedback)", &OBSERVATION_FEEDBACK) },
    one("ObservationFeedback.case", "({n})<-[:HAS_FEEDBACK]-({b}:`Case`)", &CASE),
    one("ObservationFeedback.observation", "({n})-[:GIVEN_ON]->({b}:Observation)", &OBSERVATION),
    Link { sorts: BY_CREATION, ..silent("Case.observationActions", "({n})-[:HAS_OBSERVATION_ACTION]->({b}:ObservationAction)", &OBSERVATION_ACTION) },
    Link { sorts: BY_CREATION, ..silent("Observation.actions", "({n})<-[:TAKEN_ON]-({b}:ObservationAction)", &OBSERVATION_ACTION) },
    one("ObservationAction.case", "({n})<-[:HAS_OBSERVATION_ACTION]-({b}:`Case`)", &CASE),
    one("ObservationAction.observation", "({n})-[:TAKEN_ON]->({b}:Observation)", &OBSERVATION),
    // A payment that several observations cite, or that is of several actors, is found as often.
    Link {
        condition: Some("NOT {b}:AwaitedTransaction"),
        carry: ONCE_IN_CASE,
        count: Count::Nodes,
        edge: CaseTransactionFields::COLUMNS,
        degree: None,
        supernode: None,
        ..payments("Case.transactions", TRANSACTIONS_OF_CASE, "")
    },
    telling("Case.decidedTransactions", "({n})-[{r}:DECIDED_ON]->({b}:Transaction)", &TRANSACTION, CaseDecisionFields::COLUMNS, BY_DECISION),
    telling("Transaction.decidedIn", "({n})<-[{r}:DECIDED_ON]-({b}:`Case`)", &CASE, CaseDecisionFields::COLUMNS, BY_DECISION),
    telling("Observation.actors", "({n})-[{r}:ABOUT]->({b}:Actor)", &ACTOR, ObservationActorFields::COLUMNS, BY_PRIMARY),
    observations_telling("Actor.observations", "({n})<-[{r}:ABOUT]-({b}:Observation)", ObservationActorFields::COLUMNS),
    silent("Observation.legalEntities", "({n})-[:MENTIONS]->({b}:Actor)", &ACTOR),
    observations("Actor.mentionedIn", "({n})<-[:MENTIONS]-({b}:Observation)"),
    Link {
        condition: Some("NOT {b}:AwaitedTransaction"),
        degree: None,
        supernode: None,
        ..payments("Observation.transactions", "({n})-[:CITES]->({b}:Transaction)", "")
    },
    observations("Transaction.observations", "({n})<-[:CITES]-({b}:Observation)"),
    telling("Observation.rules", "({n})-[{r}:MATCHED]->({b}:ObservationRule)", &OBSERVATION_RULE, ObservationRuleFields::COLUMNS, BY_ID),
    observations_telling("ObservationRule.observations", "({n})<-[{r}:MATCHED]-({b}:Observation)", ObservationRuleFields::COLUMNS),
    Link {
        condition: Some("{b}:Placeholder"),
        number: Number::Few,
        // They are of several labels; none has more to show than a phone.
        ..telling("Observation.missingReferences", "({n})-[{r}:CITES|ABOUT|MENTIONS]->({b})", &PHONE, MissingReference::COLUMNS, BY_KIND)
    },
    Link {
        // Feedback in whose place other was given is not the last word.
        condition: Some("NOT {b}:FormerObservationFeedback"),
        number: Number::Few,
        // They are of several labels; none has more to show than a phone.
        ..telling("Observation.handling", "({n})<-[{r}:RAISED_FROM|GIVEN_ON|TAKEN_ON|DISMISSES]-({b})", &PHONE, ObservationHandling::COLUMNS, BY_ACT)
    },
    Link { sorts: SignalSort::ALL, ..silent("Actor.suppressedSignals", "({n})<-[:SUPPRESSED_FOR]-({b}:SuppressedSignal)", &SUPPRESSED_SIGNAL) },
    one("SuppressedSignal.actor", "({n})-[:SUPPRESSED_FOR]->({b}:Actor)", &ACTOR),
    Link {
        sorts: RequestSort::ALL,
        filters: FilterSet::Requests,
        ..silent("Case.requestsForData", "({n})<-[:ABOUT]-({b}:RequestForData)", &REQUEST_FOR_DATA)
    },
    one("RequestForData.case", "({n})-[:ABOUT]->({b}:`Case`)", &CASE),
    one("RequestForData.answeringActor", "({n})-[:ANSWERED_BY]->({b}:Actor)", &ACTOR),
    one("RequestForData.answeringCommunication", "({n})-[:ANSWERED_BY]->({b}:Communication)", &COMMUNICATION),
    one("RequestForData.answeringFile", "({n})-[:ANSWERED_BY]->({b}:File)", &FILE),
    silent("Actor.answeredRequests", "({n})<-[:ANSWERED_BY]-({b}:RequestForData)", &REQUEST_FOR_DATA),
    silent("Communication.answeredRequests", "({n})<-[:ANSWERED_BY]-({b}:RequestForData)", &REQUEST_FOR_DATA),
    silent("File.answeredRequests", "({n})<-[:ANSWERED_BY]-({b}:RequestForData)", &REQUEST_FOR_DATA),
    cases("Observation.cases", "({n})<-[:RAISED_FROM]-({b}:`Case`)"),
    Link {
        sorts: BulkItemSort::ALL.split_at(1).0,
        filters: FilterSet::BulkItems,
        ..silent("BulkRequest.items", "({n})<-[:PART_OF]-({b}:BulkItem)", &BULK_ITEM)
    },
    one("BulkItem.request", "({n})-[:PART_OF]->({b}:BulkRequest)", &BULK_REQUEST),
    one("Case.analysisCase", "({n})-[:REPORTS_ON]->({b}:`Case`)", &CASE),
    cases("Case.filings", "({n})<-[:REPORTS_ON]-({b}:`Case`)"),
    one("Case.step", "({n})-[:AT_STEP]->({b}:WorkflowStep)", &WORKFLOW_STEP),
    Link { sorts: BY_POSITION, ..silent("Workflow.steps", "({n})-[:HAS_STEP]->({b}:WorkflowStep)", &WORKFLOW_STEP) },
    cases("Workflow.cases", "({n})-[:HAS_STEP]->(:WorkflowStep)<-[:AT_STEP]-({b}:`Case`)"),
    one("WorkflowStep.workflow", "({n})<-[:HAS_STEP]-({b}:Workflow)", &WORKFLOW),
    telling("WorkflowStep.moves", "({n})-[{r}:MAY_MOVE_TO]->({b}:WorkflowStep)", &WORKFLOW_STEP, MoveFields::COLUMNS, BY_ACTION),
    many_cases("WorkflowStep.cases", "({n})<-[:AT_STEP]-({b}:`Case`)", "({n})<-[:AT_STEP]-()"),
    Link { number: Number::Few, edge: CaseTagRecord::COLUMNS, ..silent("Case.tags", "({n})-[:HAS_TAG]->({b}:Tag)", &TAG) },
    many_cases("Tag.cases", "({n})<-[:HAS_TAG]-({b}:`Case`)", "({n})<-[:HAS_TAG]-()"),
    many_cases("User.cases", "({n})<-[:ASSIGNED_TO]-({b}:`Case`)", "({n})<-[:ASSIGNED_TO]-()"),
    Link { sorts: BY_CREATION, ..silent("SegmentationCategory.groups", "({n})<-[:IN_CATEGORY]-({b}:SegmentationGroup)", &SEGMENTATION_GROUP) },
    Link {
        carry: "{b}, max({r}.since) AS since{d}",
        count: Count::Nodes,
        sorts: BY_LAST_MEMBERSHIP,
        ..silent("SegmentationCategory.actors", "({n})<-[:IN_CATEGORY]-(:SegmentationGroup)<-[{r}:MEMBER_OF]-({b}:Actor)", &ACTOR)
    },
    one("SegmentationGroup.category", "({n})-[:IN_CATEGORY]->({b}:SegmentationCategory)", &SEGMENTATION_CATEGORY),
    Link {
        degree: Some("({n})<-[:MEMBER_OF]-()"),
        past: Some(&past::MEMBERS),
        filters: FilterSet::Members,
        ..telling("SegmentationGroup.actors", "({n})<-[{r}:MEMBER_OF]-({b}:Actor)", &ACTOR, MemberFields::COLUMNS, BY_MEMBERSHIP)
    },
    Link {
        past: Some(&past::OWNERS),
        filters: FilterSet::Owners,
        ..telling("SegmentationGroup.owners", "({n})<-[{r}:OWNS_GROUP]-({b}:Actor)", &ACTOR, MemberFields::COLUMNS, BY_MEMBERSHIP)
    },
    groups("Actor.segmentationGroups", "({n})-[{r}:MEMBER_OF]->({b}:SegmentationGroup)", &past::MEMBERS),
    groups("Actor.ownedGroups", "({n})-[{r}:OWNS_GROUP]->({b}:SegmentationGroup)", &past::OWNERS),
    one("Case.assignee", "({n})-[:ASSIGNED_TO]->({b}:User)", &USER),
    Link {
        number: Number::Few,
        ..telling(
            "Case.actions",
            "({n})-[:AT_STEP]->(:WorkflowStep)-[{r}:MAY_MOVE_TO]->({b}:WorkflowStep)",
            &WORKFLOW_STEP,
            MoveFields::COLUMNS,
            BY_ACTION,
        )
    },
    many("({n})<-[:GOES_TO]-()", DeliverySort::ALL.split_at(1).0, deliveries("Webhook.deliveries", "({n})<-[:GOES_TO]-({b}:Delivery)")),
    deliveries("Event.deliveries", "({n})<-[:TELLS]-({b}:Delivery)"),
    // In the pattern: in a condition, behind a node, the embedded engine does not look into the index.
    deliveries("Case.deliveries", "({b}:Delivery {caseId: {n}.id})"),
    Link { sorts: EVENT_SORTS, filters: FilterSet::Events, ..silent("Case.events", "({b}:Event {caseId: {n}.id})", &EVENT) },
    one("Event.case", "({b}:`Case` {id: {n}.caseId})", &CASE),
    one("Delivery.event", "({n})-[:TELLS]->({b}:Event)", &EVENT),
    Link { condition: Some("NOT {b}:RemovedWebhook"), ..one("Delivery.webhook", "({n})-[:GOES_TO]->({b}:Webhook)", &WEBHOOK) },
    one("Delivery.case", "({b}:`Case` {id: {n}.caseId})", &CASE),
];
