//! Lists of all nodes of a kind: where a walk may begin without a name.
//!
//! An entry is as that of a link that leads from nowhere. Both engines read a page in order out of an index, if the first key of the order has one
//! and is bounded: so every page is, the first one by what lies before all.

use graph_schema::id::ActorId;

use super::link_orders::BY_CREATION;
use super::nodes::{
    ACCOUNT, ACTOR, AUDIT_ENTRY, BULK_ITEM, BULK_REQUEST, CASE, CHANNEL_LOCATION, CLEARED_MATCH, CUSTOM_PROPERTY, DELIVERY, DEVICE, OBSERVATION,
    OBSERVATION_FEEDBACK, OBSERVATION_RULE, REQUEST_FOR_DATA, REQUEST_FOR_DATA_SCHEMA, RISK_SCORE, SEGMENTATION_CATEGORY, SEGMENTATION_GROUP,
    SUPPRESSED_SIGNAL, TAG, TRANSACTION, USER, WEBHOOK, WORKFLOW,
};
use super::orders::{
    ActorSort, BulkItemSort, CaseSort, ClearedMatchSort, DeliverySort, FeedbackSort, LocationSort, ObservationSort, RequestSort, ScoredActorSort,
    SignalSort, TransactionSort, UserSort, WorkflowSort, ascending, descending,
};
use super::row::{Columns, columns};
use super::{Count, FilterSet, Link, Node, Number, Sort};

/// A list of all nodes of a kind.
#[derive(Debug)]
pub struct List {
    /// `{b}` are its nodes; there is no `{n}`.
    pub link: Link,
    /// What pages are looked up by, the most selective first.
    pub seeks: &'static [Seek],
    /// Orders, by name, that an index of several properties has as a whole, with these properties. It serves where nothing is looked up.
    pub along: &'static [(&'static str, &'static [&'static str])],
}

/// A filter of a list by which its pages are looked up.
#[derive(Debug)]
pub struct Seek {
    pub filter: &'static str,
    pub by: SeekBy,
    /// The orders, by name, for whose first key there is such an index; all of the list where none is named.
    pub orders: &'static [&'static str],
}

/// What each value that is said to a filter leads to.
#[derive(Debug)]
pub enum SeekBy {
    /// Nodes with that value of a property, read along an index in the order of the page.
    Property(&'static str),
    /// Nodes behind a link `{r}` of a type, which repeats the keys of the orders, with that value of a property of the link. Read along an index of the type in
    /// the order of the page. They are counted by the pattern from `{id: value}` to `{b}`, whatever the links repeat.
    LinkProperty { pattern: &'static str, kind: &'static str, property: &'static str, from: &'static str },
    /// Nodes that are linked to another: the pattern from `{id: value}` to `{b}`. They are sorted, as there are few.
    Links(&'static str),
}

const BY_ID: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id")] }];
const BY_NAME: &[Sort] = &[Sort { name: "NAME", keys: &[ascending("{b}.name"), ascending("{b}.id")] }];

const fn by_id(name: &'static str, pattern: &'static str, to: &'static Node, filters: FilterSet) -> List {
    list(name, pattern, to, BY_ID, filters)
}

const fn list(name: &'static str, pattern: &'static str, to: &'static Node, sorts: &'static [Sort], filters: FilterSet) -> List {
    of(of_all(name, pattern, to, sorts, filters))
}

const fn of(link: Link) -> List {
    List { link, seeks: &[], along: &[] }
}

const fn of_all(name: &'static str, pattern: &'static str, to: &'static Node, sorts: &'static [Sort], filters: FilterSet) -> Link {
    Link {
        name,
        pattern,
        condition: None,
        carry: "{b}",
        count: Count::Matches,
        edge: &[],
        sorts,
        filters,
        to,
        number: Number::Pages,
        degree: None,
        supernode: None,
        past: None,
    }
}

/// Of the other orders than that of ids those actors alone have the keys whose record has come.
pub static ACTORS: List = List {
    seeks: &[
        Seek { filter: "excluded", by: SeekBy::Property("exclusionType"), orders: &["NAME", "RISK"] },
        Seek { filter: "risk_bands", by: SeekBy::Property("riskBand"), orders: &["NAME", "RISK"] },
        Seek { filter: "domiciles", by: SeekBy::Property("domicileOrder"), orders: &["NAME", "RISK"] },
    ],
    ..list("Query.actors", "({b}:Actor)", &ACTOR, ActorSort::ALL, FilterSet::Actors)
};
/// Actors that have a risk score, the highest first.
pub static SCORED_ACTORS: List = of(Link {
    condition: Some("{b}.riskScoreParts IS NOT NULL"),
    ..of_all("Query.scoredActors", "({b}:Actor)", &ACTOR, ScoredActorSort::ALL, FilterSet::ActorRisks)
});
pub static ACCOUNTS: List = by_id("Query.accounts", "({b}:Account)", &ACCOUNT, FilterSet::Accounts);
/// The first order is that of GraphQL; the latest first is what REST has when nothing is said.
pub static CHANNEL_LOCATIONS: List =
    list("Query.channelLocations", "({b}:ChannelLocation)", &CHANNEL_LOCATION, LocationSort::ALL, FilterSet::Locations);
pub static DEVICES: List = by_id("Query.devices", "({b}:Device)", &DEVICE, FilterSet::None);
/// By time only: there is no index of amounts.
pub static TRANSACTIONS: List =
    list("Query.transactions", "({b}:Transaction)", &TRANSACTION, TransactionSort::ALL.split_at(1).0, FilterSet::Transactions);
const CASE_SEEKS: &[&str] = &["CREATED_AT", "UPDATED_AT", "DUE_AT", "STEP_SINCE", "CLOSED_AT", "RISK"];
pub static CASES: List = List {
    seeks: &[
        Seek { filter: "focal_actors", by: SeekBy::Links("(who:Actor {id: value})<-[:FOCUSES_ON]-({b}:`Case`)"), orders: &[] },
        Seek { filter: "actors", by: SeekBy::Links("(who:Actor {id: value})<-[:FOCUSES_ON|CONCERNS]-({b}:`Case`)"), orders: &[] },
        Seek { filter: "queues", by: SeekBy::Property("queue"), orders: CASE_SEEKS },
        Seek { filter: "states", by: SeekBy::Property("state"), orders: CASE_SEEKS },
        Seek { filter: "types", by: SeekBy::Property("type"), orders: CASE_SEEKS },
    ],
    // There are two types, so an index of types alone would have half of all cases to sort.
    along: &[("TYPE", &["type", "id"])],
    ..list("Query.cases", "({b}:`Case`)", &CASE, CaseSort::ALL, FilterSet::Cases)
};
/// Requests, newest first.
pub static BULK_REQUESTS: List = list("Query.bulkRequests", "({b}:BulkRequest)", &BULK_REQUEST, REQUEST_SORTS, FilterSet::BulkRequests);
/// Items of bulk requests that wait, that have failed, and cases.
pub static BULK_ITEMS: List = list("Query.bulkItems", "({b}:BulkItem)", &BULK_ITEM, BulkItemSort::ALL.split_at(1).0, FilterSet::BulkItems);
/// Those that have failed.
pub static DEAD_LETTERS: List = list("Query.deadLetters", "({b}:DeadLetter)", &BULK_ITEM, BulkItemSort::ALL, FilterSet::BulkItems);
/// Those that are known. Of all others the label says so, which the database keeps with a node; records are long, and lie elsewhere.
pub static OBSERVATIONS: List = List {
    seeks: &[
        Seek { filter: "actor", by: SeekBy::Links(OBSERVATIONS_OF_ACTOR), orders: &[] },
        Seek { filter: "actors", by: SeekBy::Links(OBSERVATIONS_OF_ACTOR), orders: &[] },
        Seek {
            filter: "rules",
            by: SeekBy::LinkProperty {
                pattern: "({b}:Observation)-[{r}:MATCHED]->(:ObservationRule)",
                kind: "MATCHED",
                property: "ruleId",
                from: "(what:ObservationRule {id: value})<-[:MATCHED]-({b}:Observation)",
            },
            orders: &[],
        },
    ],
    ..of(Link {
        condition: Some("NOT {b}:Placeholder"),
        ..of_all("Query.observations", "({b}:Observation)", &OBSERVATION, ObservationSort::ALL, FilterSet::Observations)
    })
};
const OBSERVATIONS_OF_ACTOR: &str = "(who:Actor {id: value})<-[:ABOUT]-({b}:Observation)";
pub static OBSERVATION_FEEDBACK_GIVEN: List =
    list("Query.observationFeedback", "({b}:ObservationFeedback)", &OBSERVATION_FEEDBACK, FeedbackSort::ALL, FilterSet::Feedback);
/// Feedback in whose place other was given: as it was until then.
pub static FORMER_OBSERVATION_FEEDBACK: List =
    list("Query.formerObservationFeedback", "({b}:FormerObservationFeedback)", &OBSERVATION_FEEDBACK, FeedbackSort::ALL, FilterSet::FormerFeedback);
pub static SUPPRESSED_SIGNALS: List =
    list("Query.suppressedSignals", "({b}:SuppressedSignal)", &SUPPRESSED_SIGNAL, SignalSort::ALL, FilterSet::Signals);
pub static CLEARED_MATCHES: List =
    list("Query.clearedMatches", "({b}:ClearedMatch)", &CLEARED_MATCH, ClearedMatchSort::ALL, FilterSet::ClearedMatches);
pub static WORKFLOWS: List = list("Query.workflows", "({b}:Workflow)", &WORKFLOW, WorkflowSort::ALL, FilterSet::Workflows);
pub static CUSTOM_PROPERTIES: List = list("Query.customProperties", "({b}:CustomProperty)", &CUSTOM_PROPERTY, NEWEST_FIRST, FilterSet::Properties);
pub static REQUEST_FOR_DATA_SCHEMAS: List =
    list("Query.requestForDataSchemas", "({b}:RequestForDataSchema)", &REQUEST_FOR_DATA_SCHEMA, NEWEST_FIRST, FilterSet::None);
/// Those that are overdue are read by when they were due: an index that has open ones alone.
pub static REQUESTS_FOR_DATA: List = List {
    seeks: &[
        Seek { filter: "cases", by: SeekBy::Links("(what:`Case` {id: value})<-[:ABOUT]-({b}:RequestForData)"), orders: &[] },
        Seek {
            filter: "assignees",
            by: SeekBy::Links("(who:User {id: value})<-[:ASSIGNED_TO]-(:`Case`)<-[:ABOUT]-({b}:RequestForData)"),
            orders: &[],
        },
    ],
    ..list("Query.requestsForData", "({b}:RequestForData)", &REQUEST_FOR_DATA, RequestSort::ALL, FilterSet::Requests)
};
pub static RISK_SCORES: List = of(Link {
    carry: "{b}, {i}",
    edge: ScoredActor::COLUMNS,
    ..of_all("Query.riskScores", "({i}:Actor)-[:HAS_RISK_SCORE]->({b}:RiskScore)", &RISK_SCORE, SCORE_SORTS, FilterSet::Scores)
});

pub static SEGMENTATION_CATEGORIES: List =
    list("Query.segmentationCategories", "({b}:SegmentationCategory)", &SEGMENTATION_CATEGORY, BY_CREATION, FilterSet::None);
pub static SEGMENTATION_GROUPS: List =
    list("Query.segmentationGroups", "({b}:SegmentationGroup)", &SEGMENTATION_GROUP, BY_CREATION, FilterSet::Groups);
/// Those who are known: who was only named was not made at any time.
pub static USERS: List =
    of(Link { condition: Some("NOT {b}:Placeholder"), ..of_all("Query.users", "({b}:User)", &USER, UserSort::ALL, FilterSet::Users) });
/// By their labels, which are their captions.
pub static TAGS: List = list("Query.caseTags", "({b}:Tag)", &TAG, BY_NAME, FilterSet::None);
/// Rules of detection that observations have named.
pub static OBSERVATION_RULES: List = by_id("Query.observationRules", "({b}:ObservationRule)", &OBSERVATION_RULE, FilterSet::None);

pub static WEBHOOKS: List =
    of(Link { condition: Some("NOT {b}:RemovedWebhook"), ..of_all("Query.webhooks", "({b}:Webhook)", &WEBHOOK, BY_CREATION, FilterSet::None) });
pub static DELIVERIES: List = list("Query.deliveries", "({b}:Delivery)", &DELIVERY, DeliverySort::ALL, FilterSet::Deliveries);
/// Entries of the audit log, newest first.
pub static AUDIT_ENTRIES: List = List {
    seeks: &[
        Seek { filter: "objects", by: SeekBy::Property("objectId"), orders: &["AT"] },
        Seek { filter: "cases", by: SeekBy::Property("caseId"), orders: &["AT"] },
        Seek { filter: "principals", by: SeekBy::Property("userId"), orders: &["AT"] },
        Seek { filter: "actions", by: SeekBy::Property("action"), orders: &["AT"] },
    ],
    ..list("Query.auditEntries", "({b}:AuditEntry)", &AUDIT_ENTRY, ENTRY_SORTS, FilterSet::AuditEntries)
};

const ENTRY_SORTS: &[Sort] = &[Sort { name: "AT", keys: &[descending("{b}.timestamp").integer(), descending("{b}.id")] }];
const REQUEST_SORTS: &[Sort] = &[Sort { name: "RECEIVED_AT", keys: &[descending("{b}.receivedAt").integer(), descending("{b}.id")] }];
const NEWEST_FIRST: &[Sort] = &[Sort { name: "LATEST", keys: &[descending("{b}.createdAt").integer(), ascending("{b}.id")] }];
const SCORE_SORTS: &[Sort] = &[Sort { name: "LATEST", keys: &[descending("{b}.ingestedAt").integer(), descending("{b}.id")] }];

/// Whose score it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredActor {
    pub id: ActorId,
}

columns!(ScoredActor { id: "{i}.id" });

/// All lists.
pub static ALL: &[&List] = &[
    &ACTORS,
    &SCORED_ACTORS,
    &ACCOUNTS,
    &CHANNEL_LOCATIONS,
    &DEVICES,
    &TRANSACTIONS,
    &CASES,
    &RISK_SCORES,
    &BULK_REQUESTS,
    &BULK_ITEMS,
    &DEAD_LETTERS,
    &SEGMENTATION_CATEGORIES,
    &SEGMENTATION_GROUPS,
    &USERS,
    &TAGS,
    &OBSERVATION_RULES,
    &OBSERVATIONS,
    &OBSERVATION_FEEDBACK_GIVEN,
    &FORMER_OBSERVATION_FEEDBACK,
    &SUPPRESSED_SIGNALS,
    &CLEARED_MATCHES,
    &WORKFLOWS,
    &CUSTOM_PROPERTIES,
    &REQUEST_FOR_DATA_SCHEMAS,
    &REQUESTS_FOR_DATA,
    &WEBHOOKS,
    &DELIVERIES,
    &AUDIT_ENTRIES,
];
