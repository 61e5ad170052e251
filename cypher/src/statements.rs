//! The catalogue of all statements, by area. A new statement is a file below `statements/` and a line here; if it answers, [`rows`] says
//! with what.

use crate::{Reading, Statement, WriteStatement};

mod all;
mod keeping_plans;
mod planned_ahead;
mod readings;
pub mod rows;

pub use all::ALL;
pub use keeping_plans::KEEPING_PLANS;
pub(crate) use keeping_plans::keeps_plan;
pub use planned_ahead::{BEHIND_A_CHANGE, COMING_FIRST};
pub use readings::READINGS;

/// The text of `statements/<label>.cypher`, and behind it `parts/<part>.cypher`: what several statements have in common. (A macro, because only a
/// macro can read a file while compiling.)
macro_rules! text {
    ($label:literal $(, $part:literal)*) => {
        concat!(include_str!(concat!("../statements/", $label, ".cypher")), $(include_str!(concat!("../parts/", $part, ".cypher"))),*)
    };
}

/// A statement by its label and parts; one that answers with nothing.
macro_rules! statement {
    ($label:literal $(, $part:literal)*) => {
        Statement::new($label, text!($label $(, $part)*))
    };
}

/// The same for a statement that answers, with the type of its rows.
macro_rules! reading {
    ($label:literal $(, $part:literal)*) => {
        Reading::new($label, text!($label $(, $part)*))
    };
}

/// The same for a statement that only writes: `trail/append` is behind it, over one row however many the statement had.
macro_rules! write_statement {
    ($label:literal $(, $part:literal)*) => {
        WriteStatement::new($label, concat!(text!($label $(, $part)*), "WITH count(*) AS written\n", text!("trail/append")))
    };
}

/// Accounts: what they are, who holds them, what names them.
pub mod account {
    use super::rows::{ExternalAccount, HintedAccount, IdRow, LockedAccount, LockedRole};
    use super::{Reading, WriteStatement};

    pub const ADD_BALANCE: WriteStatement = write_statement!("account/add_balance");
    pub const FORGET_EXTERNAL: WriteStatement = write_statement!("account/forget_external");
    pub const FORGET_UNPAID: WriteStatement = write_statement!("account/forget_unpaid");
    pub const KEEP_VERSION: WriteStatement = write_statement!("account/keep_version");
    pub const KEYS: Reading<IdRow> = reading!("account/keys");
    pub const LOCK: Reading<LockedAccount> = reading!("account/lock");
    pub const LOCK_HINTED: Reading<HintedAccount> = reading!("account/lock_hinted");
    pub const LOCK_ROLES: Reading<LockedRole> = reading!("account/lock_roles");
    pub const MAKE_EXTERNAL: Reading<ExternalAccount> = reading!("account/make_external");
    pub const PUT_ROLES: WriteStatement = write_statement!("account/put_roles");
    pub const RECORD: WriteStatement = write_statement!("account/record");
    pub const RENEW: WriteStatement = write_statement!("account/renew");
    pub const UNLINK_IDENTITIES: WriteStatement = write_statement!("account/unlink_identities");
}

/// People and companies.
pub mod actor {
    use super::rows::{IdRow, LockedActor, RecordRow, Recorded};
    use super::{Reading, WriteStatement};

    pub const KEEP_VERSION: WriteStatement = write_statement!("actor/keep_version");
    pub const KEYS: Reading<IdRow> = reading!("actor/keys");
    pub const LOCK: Reading<LockedActor> = reading!("actor/lock");
    pub const READ: Reading<RecordRow> = reading!("actor/read");
    pub const RECORD: WriteStatement = write_statement!("actor/record", "record_actor", "add_identities", "record_actor_version");
    pub const RECORD_NEWER: Reading<Recorded> =
        reading!("actor/record_newer", "record_actor", "new_identities", "record_actor_version", "record_actor_end", "change_set");
    pub const RENEW: WriteStatement = write_statement!("actor/renew");
    pub const UNLINK_IDENTITIES: WriteStatement = write_statement!("actor/unlink_identities");
}

/// The change feed: every set of changes by its position.
pub mod change_feed {
    use super::rows::{ChangeFeedState, ChangeSetRow, EntryRow, NamedEvent, SequencedRow, SetEvents, ToldEvent, UnsequencedRow};
    use super::{Reading, Statement};

    pub const ENTRIES: Reading<EntryRow> = reading!("change_feed/entries");
    pub const EVENT_BODIES: Reading<ToldEvent> = reading!("change_feed/event_bodies");
    pub const EVENT_IDS: Reading<SetEvents> = reading!("change_feed/event_ids");
    pub const EVENT_NAMES: Reading<NamedEvent> = reading!("change_feed/event_names");
    pub const FORGET: Statement = statement!("change_feed/forget");
    pub const READ: Reading<ChangeSetRow> = reading!("change_feed/read");
    pub const SEQUENCE: Reading<SequencedRow> = reading!("change_feed/sequence");
    pub const STATE: Reading<ChangeFeedState> = reading!("change_feed/state");
    pub const UNSEQUENCED: Reading<UnsequencedRow> = reading!("change_feed/unsequenced");
}

/// Who has to do with whom.
pub mod associate {
    use super::WriteStatement;

    pub const RECORD: WriteStatement = write_statement!("associate/record");
}

/// Bulk requests: what was taken and is processed in the background.
pub mod bulk {
    use super::rows::{
        BulkPartRow, BulkProgress, CaseLinksRow, CaseStatusRow, DueItem, DueRow, EarlierItem, ForgottenRow, LockedBulkRequest, PresentRow, RecordRow,
        TickRow, WaitingItem,
    };
    use super::{Reading, WriteStatement};

    pub const ACCEPT: WriteStatement = write_statement!("bulk/accept", "job_fields");
    pub const CASE_LINKS: Reading<CaseLinksRow> = reading!("bulk/case_links");
    pub const CASE_STATUS: Reading<CaseStatusRow> = reading!("bulk/case_status");
    pub const CASES_THERE: Reading<RecordRow> = reading!("bulk/cases_there");
    pub const BEFORE: Reading<EarlierItem> = reading!("bulk/before");
    pub const DUE: Reading<DueItem> = reading!("bulk/due");
    pub const FORGET_ITEMS: Reading<ForgottenRow> = reading!("bulk/forget_items");
    pub const FORGET_REQUESTS: Reading<ForgottenRow> = reading!("bulk/forget_requests");
    pub const LOCK: Reading<LockedBulkRequest> = reading!("bulk/lock");
    pub const NEXT_DUE: Reading<DueRow> = reading!("bulk/next_due");
    pub const NEXT_PART: Reading<BulkPartRow> = reading!("bulk/next_part");
    pub const PRESENT: Reading<PresentRow> = reading!("bulk/present");
    pub const PROGRESS: Reading<BulkProgress> = reading!("bulk/progress");
    pub const SETTLE_ITEMS: WriteStatement = write_statement!("bulk/settle_items");
    pub const SETTLE_PART: WriteStatement = write_statement!("bulk/settle_part");
    pub const TICK: Reading<TickRow> = reading!("bulk/tick");
    pub const WAITING: Reading<WaitingItem> = reading!("bulk/waiting");
    pub const WAITING_SIZES: Reading<DueItem> = reading!("bulk/waiting_sizes");
}

/// Cases.
pub mod case {
    use super::rows::{
        CaseRow, EarlierCases, LockedAlerts, LockedCase, LockedCaseActors, LockedCaseContents, PreparedAlerts, PreparedCase, RaisedCase,
    };
    use super::{Reading, WriteStatement};

    pub const ACT_ON_OBSERVATION: WriteStatement = write_statement!("case/act_on_observation");
    pub const ADD_COMMUNICATION: WriteStatement = write_statement!("case/add_communication");
    pub const ADD_COMMUNICATIONS: WriteStatement = write_statement!("case/add_communications");
    pub const ADD_FILE: WriteStatement = write_statement!("case/add_file");
    pub const AMEND: WriteStatement = write_statement!("case/amend");
    pub const AMEND_ACTORS: WriteStatement = write_statement!("case/amend_actors");
    pub const ASSIGN: WriteStatement = write_statement!("case/assign");
    pub const COMMENT: WriteStatement = write_statement!("case/comment");
    pub const CREATE: WriteStatement = write_statement!("case/create", "come_to_step", "case_risk");
    pub const DECIDE_TRANSACTION: WriteStatement = write_statement!("case/decide_transaction");
    pub const EARLIER: Reading<EarlierCases> = reading!("case/earlier");
    pub const EXTEND: WriteStatement = write_statement!("case/extend", "case_risk");
    pub const GIVE_FEEDBACK: WriteStatement = write_statement!("case/give_feedback");
    pub const LOCK: Reading<LockedCase> = reading!("case/lock");
    pub const LOCK_ACTORS: Reading<LockedCaseActors> = reading!("case/lock_actors");
    pub const LOCK_ALERTS: Reading<LockedAlerts> = reading!("case/lock_alerts");
    pub const LOCK_CONTENTS: Reading<LockedCaseContents> = reading!("case/lock_contents");
    pub const MOVE: WriteStatement = write_statement!("case/move", "come_to_step");
    pub const PREPARE: Reading<PreparedCase> = reading!("case/prepare");
    pub const PREPARE_ALERTS: Reading<PreparedAlerts> = reading!("case/prepare_alerts");
    pub const PREPARE_RAISED: Reading<RaisedCase> = reading!("case/prepare_raised");
    pub const PUT_ACTOR: WriteStatement = write_statement!("case/put_actor", "case_risk");
    pub const READ: Reading<CaseRow> = reading!("case/read");
    pub const TAG: WriteStatement = write_statement!("case/tag");
    pub const WITHDRAW_FEEDBACK: WriteStatement = write_statement!("case/withdraw_feedback");
}

/// Counts of cases, and how cases come into them.
pub mod case_count {
    use super::rows::{CaseCounting, CaseCounts, UncountedCaseRow};
    use super::{Reading, Statement};

    pub const ADD: Statement = statement!("case_count/add");
    pub const BEGIN: Reading<CaseCounting> = reading!("case_count/begin");
    pub const COUNTED: Statement = statement!("case_count/counted");
    pub const END: Statement = statement!("case_count/end");
    pub const FORGET: Statement = statement!("case_count/forget");
    pub const LOCK: Reading<CaseCounting> = reading!("case_count/lock");
    pub const READ: Reading<CaseCounts> = reading!("case_count/read");
    pub const UNCOUNTED: Reading<UncountedCaseRow> = reading!("case_count/uncounted");
}

/// What somebody wrote to somebody.
pub mod communication {
    use super::WriteStatement;

    pub const RECORD: WriteStatement = write_statement!("communication/record");
}

/// Files of cases.
pub mod file {
    use super::Reading;
    use super::rows::{FileRow, IdRow, OwnStoreRow};

    pub const KNOWN: Reading<IdRow> = reading!("file/known");
    pub const OWN_STORE: Reading<OwnStoreRow> = reading!("file/own_store");
    pub const READ: Reading<FileRow> = reading!("file/read");
}

/// Workflows.
pub mod workflow {
    use super::rows::LockedWorkflow;
    use super::{Reading, WriteStatement};

    pub const ADD: WriteStatement = write_statement!("workflow/add");
    pub const LOCK: Reading<LockedWorkflow> = reading!("workflow/lock");
}

/// Which values custom properties may have.
pub mod custom_property {
    use super::rows::{DatedSchemaRow, SchemaRow};
    use super::{Reading, WriteStatement};

    pub const DEFINE: WriteStatement = write_statement!("custom_property/define");
    pub const LOCK: Reading<DatedSchemaRow> = reading!("custom_property/lock");
    pub const READ: Reading<SchemaRow> = reading!("custom_property/read");
}

/// Events that webhooks are told of: who is to be told, in which order, and how that went.
pub mod delivery {
    use super::rows::{BacklogRow, CancelledRow, ClaimedLane, IdRow, LaneHead, PendingEvents, TakenEvent};
    use super::{Reading, Statement};

    pub const BACKLOG: Reading<BacklogRow> = reading!("delivery/backlog");
    pub const CANCEL: Reading<CancelledRow> = reading!("delivery/cancel");
    pub const CLAIM: Reading<ClaimedLane> = reading!("delivery/claim");
    pub const FAN_OUT: Statement = statement!("delivery/fan_out");
    pub const HEADS: Reading<LaneHead> = reading!("delivery/heads");
    pub const PARK: Statement = statement!("delivery/park");
    pub const PENDING: Reading<PendingEvents> = reading!("delivery/pending");
    pub const REST: Statement = statement!("delivery/rest");
    pub const SETTLE: Reading<IdRow> = reading!("delivery/settle");
    pub const STANDING: Statement = statement!("delivery/standing");
    pub const TAKE_EVENTS: Reading<TakenEvent> = reading!("delivery/take_events");
    pub const VOID: Statement = statement!("delivery/void");
}

/// Detection: what it goes by, and what it leaves behind.
pub mod detection {
    use super::rows::{
        AddedRule, EarlierFinding, FormerPayment, IdRow, KnownRun, LockedRule, LockedSnooze, MonitoredActor, OpenCases, OpenedAccount, OutcomeRow,
        OwnedGroup, RecordRow, ShownRun, SnoozeRow, StandingFinding, TotalRow, TuningRow,
    };
    use super::{Reading, Statement, WriteStatement};

    pub const ACCOUNTS: Reading<OpenedAccount> = reading!("detection/accounts");
    pub const ACTORS: Reading<MonitoredActor> = reading!("detection/actors");
    pub const ADDED_RULES: Reading<AddedRule> = reading!("detection/added_rules");
    pub const ADD_RULE: WriteStatement = write_statement!("detection/add_rule");
    pub const COUNT_OF_SPAN: Reading<TotalRow> = reading!("detection/count_of_span");
    pub const END_SNOOZE: WriteStatement = write_statement!("detection/end_snooze");
    pub const FINDINGS: Reading<EarlierFinding> = reading!("detection/findings");
    pub const GROUPS: Reading<OwnedGroup> = reading!("detection/groups");
    pub const KEYS_OF_SPAN: Reading<IdRow> = reading!("detection/keys_of_span");
    pub const KEYS_OF_VERSIONS: Reading<IdRow> = reading!("detection/keys_of_versions");
    pub const LIST_RUNS: Reading<ShownRun> = reading!("detection/list_runs");
    pub const LIST_SNOOZES: Reading<SnoozeRow> = reading!("detection/list_snoozes");
    pub const LOCK_ACTOR: Reading<RecordRow> = reading!("detection/lock_actor");
    pub const LOCK_RULE: Reading<LockedRule> = reading!("detection/lock_rule");
    pub const LOCK_SNOOZE: Reading<LockedSnooze> = reading!("detection/lock_snooze");
    pub const OPEN_CASES: Reading<OpenCases> = reading!("detection/open_cases");
    pub const OUTCOMES: Reading<OutcomeRow> = reading!("detection/outcomes");
    pub const PUT_RUN: Statement = statement!("detection/put_run");
    pub const READ_RUN: Reading<KnownRun> = reading!("detection/read_run");
    pub const SNOOZE: WriteStatement = write_statement!("detection/snooze");
    pub const STANDING: Reading<StandingFinding> = reading!("detection/standing");
    pub const SUPPRESS: Statement = statement!("detection/suppress");
    pub const TUNE: WriteStatement = write_statement!("detection/tune");
    pub const TUNINGS: Reading<TuningRow> = reading!("detection/tunings");
    pub const VERSIONS: Reading<FormerPayment> = reading!("detection/versions");
}

/// Requests for data on cases.
pub mod request_for_data {
    use super::rows::{DatedSchemaRow, LockedAnswer, RequestRow, RequestSchemaRow, TotalRow};
    use super::{Reading, WriteStatement};

    pub const COMPLETE: WriteStatement = write_statement!("request_for_data/complete");
    pub const COUNT_OVERDUE: Reading<TotalRow> = reading!("request_for_data/count_overdue");
    pub const CREATE: WriteStatement = write_statement!("request_for_data/create", "move_where_said", "come_to_step");
    pub const LOCK_ANSWER: Reading<LockedAnswer> = reading!("request_for_data/lock_answer");
    pub const LOCK_SCHEMA: Reading<DatedSchemaRow> = reading!("request_for_data/lock_schema");
    pub const READ: Reading<RequestRow> = reading!("request_for_data/read");
    pub const READ_SCHEMA: Reading<RequestSchemaRow> = reading!("request_for_data/read_schema");
    pub const RECORD_SCHEMA: WriteStatement = write_statement!("request_for_data/record_schema");
    pub const REJECT: WriteStatement = write_statement!("request_for_data/reject", "move_where_said", "come_to_step");
}

/// Branches, machines.
pub mod channel_location {
    use super::rows::{IdRow, LockedLocation};
    use super::{Reading, WriteStatement};

    pub const KNOWN: Reading<IdRow> = reading!("channel_location/known");
    pub const LOCK: Reading<LockedLocation> = reading!("channel_location/lock");
    pub const RECORD: WriteStatement = write_statement!("channel_location/record");
}

/// API keys and token clients.
pub mod credential {
    use super::rows::{ClientRow, CredentialRow, IdRow, KeyRow, LockedCredential, PrincipalRow, TotalRow};
    use super::{Reading, WriteStatement};

    pub const COUNT_KEYS: Reading<TotalRow> = reading!("credential/count_keys");
    pub const CREATE_CLIENT: WriteStatement = write_statement!("credential/create_client");
    pub const CREATE_KEY: WriteStatement = write_statement!("credential/create_key");
    pub const FIND_CLIENT: Reading<ClientRow> = reading!("credential/find_client");
    pub const FIND_KEY: Reading<KeyRow> = reading!("credential/find_key");
    pub const LOCK_ADMIN_CLIENTS: Reading<LockedCredential> = reading!("credential/lock_admin_clients");
    pub const LOCK_ADMIN_KEYS: Reading<LockedCredential> = reading!("credential/lock_admin_keys");
    pub const LOCK_CLIENT: Reading<LockedCredential> = reading!("credential/lock_client");
    pub const LOCK_KEY: Reading<LockedCredential> = reading!("credential/lock_key");
    pub const LIST_CLIENTS: Reading<CredentialRow> = reading!("credential/list_clients");
    pub const LIST_KEYS: Reading<CredentialRow> = reading!("credential/list_keys");
    pub const PRINCIPALS: Reading<PrincipalRow> = reading!("credential/principals");
    pub const REVOKE_CLIENT: WriteStatement = write_statement!("credential/revoke_client");
    pub const REVOKE_KEY: WriteStatement = write_statement!("credential/revoke_key");
    pub const SHUT_OUT: Reading<IdRow> = reading!("credential/shut_out");
}

/// Devices and sign-ins.
pub mod device {
    use super::WriteStatement;

    pub const RECORD: WriteStatement = write_statement!("device/record");
    pub const SIGN_IN: WriteStatement = write_statement!("device/sign_in");
}

/// Answers that were given before.
pub mod idempotency {
    use super::Reading;
    use super::rows::{AnsweredRow, ForgottenRow};

    pub const FIND: Reading<AnsweredRow> = reading!("idempotency/find");
    pub const FORGET: Reading<ForgottenRow> = reading!("idempotency/forget");
    pub const FORGET_KEY: Reading<ForgottenRow> = reading!("idempotency/forget_key");
}

/// Jobs of which there may be any number.
pub mod job_instance {
    use super::rows::{ClaimedJob, DueJob, ForgottenRow, HeldJob, IdRow, LockedJob, PreparedJob, ShownJob};
    use super::{Reading, Statement, WriteStatement};

    pub const CANCEL: WriteStatement = write_statement!("job_instance/cancel");
    pub const CANCELLED: Reading<IdRow> = reading!("job_instance/cancelled");
    pub const CLAIM: Reading<ClaimedJob> = reading!("job_instance/claim");
    pub const CREATE: WriteStatement = write_statement!("job_instance/create", "job_fields");
    pub const DUE: Reading<DueJob> = reading!("job_instance/due");
    pub const ENLIST: Statement = statement!("job_instance/enlist");
    pub const FORGET: Reading<ForgottenRow> = reading!("job_instance/forget");
    pub const LIST: Reading<ShownJob> = reading!("job_instance/list", "job_shown");
    pub const LOCK: Reading<LockedJob> = reading!("job_instance/lock");
    pub const PREPARE: Reading<PreparedJob> = reading!("job_instance/prepare");
    pub const READ: Reading<ShownJob> = reading!("job_instance/read", "job_shown");
    pub const RELEASE: Reading<IdRow> = reading!("job_instance/release");
    pub const RENEW: Reading<HeldJob> = reading!("job_instance/renew");
    pub const SAVE: Reading<HeldJob> = reading!("job_instance/save");
    pub const VOID: Statement = statement!("job_instance/void");
}

/// What is followed live: changes, credentials of open connections, work under way.
pub mod live {
    use super::Reading;
    use super::rows::{AssigneeRow, FirstEntry, LiveEntry, LiveLook, WebhookDeliveries};

    pub const ASSIGNEES: Reading<AssigneeRow> = reading!("live/assignees");
    pub const DELIVERIES: Reading<WebhookDeliveries> = reading!("live/deliveries");
    pub const ENTRIES: Reading<LiveEntry> = reading!("live/entries");
    pub const FIRST_ENTRIES: Reading<FirstEntry> = reading!("live/first_entries");
    pub const LOOK: Reading<LiveLook> = reading!("live/look");
}

/// Work in the background: who is at it, until when, how it went.
pub mod job {
    use super::rows::{IdRow, JobRow};
    use super::{Reading, Statement};

    pub const CLAIM: Reading<IdRow> = reading!("job/claim");
    pub const ENLIST: Statement = statement!("job/enlist");
    pub const LOOK: Reading<JobRow> = reading!("job/look");
    pub const RELEASE: Reading<IdRow> = reading!("job/release");
    pub const RENEW: Reading<IdRow> = reading!("job/renew");
    pub const VOID: Statement = statement!("job/void");
}

/// The store's own version.
pub mod migration {
    use super::rows::{IdRow, TotalRow};
    use super::{Reading, Statement};

    pub const HOLDS_RECORDS: Reading<TotalRow> = reading!("migration/holds_records");
    pub const LIST: Reading<IdRow> = reading!("migration/list");
    pub const MARK: Statement = statement!("migration/mark");
}

/// What detection has noticed.
pub mod observation {
    use super::rows::{DismissedObservation, EvidenceRow, KnownObservation, LockedObservation, MissingRow, ObservationRow};
    use super::{Reading, WriteStatement};

    pub const ADD_ACTORS: WriteStatement = write_statement!("observation/add_actors");
    pub const ADD_UP: WriteStatement = write_statement!("observation/add_up", "total_of_payments");
    pub const DISMISS: WriteStatement = write_statement!("observation/dismiss");
    pub const EVIDENCE: Reading<EvidenceRow> = reading!("observation/evidence");
    pub const LOCK: Reading<LockedObservation> = reading!("observation/lock");
    pub const LOCK_DISMISSED: Reading<DismissedObservation> = reading!("observation/lock_dismissed");
    pub const LOCK_KNOWN: Reading<KnownObservation> = reading!("observation/lock_known");
    pub const MISSING: Reading<MissingRow> = reading!("observation/missing");
    pub const READ: Reading<ObservationRow> = reading!("observation/read");
    pub const RECORD: WriteStatement = write_statement!("observation/record", "total_of_payments");
    pub const RESTORE: WriteStatement = write_statement!("observation/restore");
}

/// Exclusions, assessments, scores.
pub mod risk {
    use super::rows::{AddedRule, LockedRule, RecordRow, RiskFactsRow, ScoredActorRow, TuningRow};
    use super::{Reading, WriteStatement};

    pub const ACTORS: Reading<RiskFactsRow> = reading!("risk/actors");
    pub const ADDED_RULES: Reading<AddedRule> = reading!("risk/added_rules");
    pub const ADD_RULE: WriteStatement = write_statement!("risk/add_rule");
    pub const ADD_SCORE: WriteStatement = write_statement!("risk/add_score", "focusing_cases", "case_risk");
    pub const ASSESS: WriteStatement = write_statement!("risk/assess");
    pub const EXCLUDE: WriteStatement = write_statement!("risk/exclude");
    pub const EXTEND: WriteStatement = write_statement!("risk/extend");
    pub const EXTENDED: Reading<RecordRow> = reading!("risk/extended");
    pub const LAST_CALCULATED: Reading<RecordRow> = reading!("risk/last_calculated");
    pub const LOCK_RULE: Reading<LockedRule> = reading!("risk/lock_rule");
    pub const LOCK_SCORES: Reading<ScoredActorRow> = reading!("risk/lock_scores");
    pub const SCORE: WriteStatement = write_statement!("risk/score", "focusing_cases", "case_risk");
    pub const SCORES: Reading<ScoredActorRow> = reading!("risk/scores");
    pub const TUNE: WriteStatement = write_statement!("risk/tune");
    pub const TUNINGS: Reading<TuningRow> = reading!("risk/tunings");
}

/// Payments that belong to somebody else now, and are moved in steps.
pub mod payment_move {
    use super::rows::{LeftPayment, LockedMove, MovingRow, PlacedPayment};
    use super::{Reading, WriteStatement};

    pub const CLOSE: WriteStatement = write_statement!("payment_move/close");
    pub const FORGET_EMPTY: WriteStatement = write_statement!("payment_move/forget_empty");
    pub const LEFT: Reading<LeftPayment> = reading!("payment_move/left");
    pub const LEFT_OF_EXTERNAL: Reading<LeftPayment> = reading!("payment_move/left_of_external");
    pub const LIST: Reading<MovingRow> = reading!("payment_move/list");
    pub const LOCK: Reading<LockedMove> = reading!("payment_move/lock");
    pub const OPEN: WriteStatement = write_statement!("payment_move/open");
    pub const PLACES: Reading<PlacedPayment> = reading!("payment_move/places");
    pub const RELINK: WriteStatement = write_statement!("payment_move/relink");
}

/// Processes that keep what they have read, and tell one another what they have written.
pub mod read_cache {
    use super::rows::{CacheNoteRow, CacheWriterRow, ForgottenRow, IdRow};
    use super::{Reading, Statement};

    pub const ENLIST: Statement = statement!("read_cache/enlist");
    pub const FORGET_NOTES: Statement = statement!("read_cache/forget_notes");
    pub const LOOK: Reading<CacheWriterRow> = reading!("read_cache/look");
    pub const NOTES: Reading<CacheNoteRow> = reading!("read_cache/notes");
    pub const REMOVE: Reading<ForgottenRow> = reading!("read_cache/remove");
    pub const RENEW: Reading<IdRow> = reading!("read_cache/renew");
    pub const TELL: Reading<IdRow> = reading!("read_cache/tell");
}

/// Segmentation: categories, groups, who is in them and owns them.
pub mod segmentation {
    use super::rows::{FoundMember, IdRow, LockedOwner, LockedSegment, PreparedSegment};
    use super::{Reading, WriteStatement};

    pub const ADD_MEMBERS: WriteStatement = write_statement!("segmentation/add_members");
    pub const AMEND_CATEGORY: WriteStatement = write_statement!("segmentation/amend_category");
    pub const AMEND_GROUP: WriteStatement = write_statement!("segmentation/amend_group");
    pub const CREATE_CATEGORY: WriteStatement = write_statement!("segmentation/create_category");
    pub const CREATE_GROUP: WriteStatement = write_statement!("segmentation/create_group");
    pub const FIND_MEMBER: Reading<FoundMember> = reading!("segmentation/find_member");
    pub const KNOWN_ACTORS: Reading<IdRow> = reading!("segmentation/known_actors");
    pub const LOCK_CATEGORY: Reading<LockedSegment> = reading!("segmentation/lock_category");
    pub const LOCK_GROUP: Reading<LockedSegment> = reading!("segmentation/lock_group");
    pub const LOCK_OWNER: Reading<LockedOwner> = reading!("segmentation/lock_owner");
    pub const PREPARE_CATEGORY: Reading<PreparedSegment> = reading!("segmentation/prepare_category");
    pub const PREPARE_GROUP: Reading<PreparedSegment> = reading!("segmentation/prepare_group");
    pub const PUT_OWNER: WriteStatement = write_statement!("segmentation/put_owner");
    pub const REMOVE_MEMBERS: WriteStatement = write_statement!("segmentation/remove_members");
    pub const REMOVE_OWNER: WriteStatement = write_statement!("segmentation/remove_owner");
}

/// Users.
pub mod user {
    use super::rows::{LockedUser, PreparedUser, UserRow};
    use super::{Reading, WriteStatement};

    pub const AMEND: WriteStatement = write_statement!("user/amend");
    pub const CREATE: WriteStatement = write_statement!("user/create");
    pub const FIND: Reading<UserRow> = reading!("user/find");
    pub const LOCK: Reading<LockedUser> = reading!("user/lock");
    pub const PREPARE: Reading<PreparedUser> = reading!("user/prepare");
}

/// What providers have said of payments and actors, actors that wait to be screened, and matches that somebody has cleared.
pub mod screening {
    use super::rows::{
        AccountPayment, ClearanceRow, ClearedEntry, IdRow, LockedClearance, PendingPayments, PendingScreening, RecordedActorRow, ScreenedActorRow,
        ScreeningRow,
    };
    use super::{Reading, Statement, WriteStatement};

    pub const ACTORS: Reading<ScreenedActorRow> = reading!("screening/actors");
    pub const AWAIT_ACTORS: Statement = statement!("screening/await_actors");
    pub const AWAIT_PAYMENTS: WriteStatement = write_statement!("screening/await_payments");
    pub const CLEAR: WriteStatement = write_statement!("screening/clear");
    pub const CLEARED: Reading<ClearanceRow> = reading!("screening/cleared");
    pub const DELAY_PAYMENTS: Statement = statement!("screening/delay_payments");
    pub const DELAY_PENDING: Statement = statement!("screening/delay_pending");
    pub const DROP_PAYMENTS: Statement = statement!("screening/drop_payments");
    pub const DROP_PENDING: Statement = statement!("screening/drop_pending");
    pub const ENTRIES: Reading<ClearedEntry> = reading!("screening/entries");
    pub const KEEP_FACTS: Statement = statement!("screening/keep_facts");
    pub const LOCK_CLEARED: Reading<LockedClearance> = reading!("screening/lock_cleared");
    pub const OBSERVED: Reading<IdRow> = reading!("screening/observed");
    pub const PAYMENTS: Reading<AccountPayment> = reading!("screening/payments");
    pub const PENDING: Reading<PendingScreening> = reading!("screening/pending");
    pub const PENDING_BULK_PAYMENTS: Reading<PendingPayments> = reading!("screening/pending_bulk_payments");
    pub const PENDING_PAYMENTS: Reading<PendingPayments> = reading!("screening/pending_payments");
    pub const RECORD: Reading<ScreeningRow> = reading!("screening/record");
    pub const RECORD_ACTORS: Statement = statement!("screening/record_actors");
    pub const RESULTS: Reading<ScreeningRow> = reading!("screening/results");
    pub const STREAM_ACTORS: Reading<ScreenedActorRow> = reading!("screening/stream_actors");
    pub const STREAM_RECORDS: Reading<RecordedActorRow> = reading!("screening/stream_records");
    pub const UNCLEAR: WriteStatement = write_statement!("screening/unclear");
}

/// Watchlists: their versions, their entries, and the files that they are imported from.
pub mod watchlist {
    use super::rows::{
        AbandonedImport, BegunImport, ForgottenRow, FormerEntry, IdRow, ImportingWatchlist, KeyedEntry, ListedEntry, LockedWatchlist, StreamedEntry,
        TotalRow, WatchlistRow, WatchlistState, WatchlistUpload, WatchlistVersionRow,
    };
    use super::{Reading, Statement, WriteStatement};

    pub const ABANDON: Reading<AbandonedImport> = reading!("watchlist/abandon");
    pub const ADDED: Reading<ListedEntry> = reading!("watchlist/added");
    pub const BEGIN: Reading<BegunImport> = reading!("watchlist/begin");
    pub const CHANGED_IDS: Reading<IdRow> = reading!("watchlist/changed_ids");
    pub const CLOSE: Statement = statement!("watchlist/close");
    pub const DROP_UPLOADS: Statement = statement!("watchlist/drop_uploads");
    pub const END: Statement = statement!("watchlist/end");
    pub const ENDED: Reading<ListedEntry> = reading!("watchlist/ended");
    pub const ENTRIES: Reading<ListedEntry> = reading!("watchlist/entries");
    pub const FORGET_UNPUBLISHED: Statement = statement!("watchlist/forget_unpublished");
    pub const FORGET_UPLOADS: Reading<ForgottenRow> = reading!("watchlist/forget_uploads");
    pub const FORMER: Reading<FormerEntry> = reading!("watchlist/former");
    pub const IDS: Reading<IdRow> = reading!("watchlist/ids");
    pub const IMPORTING: Reading<ImportingWatchlist> = reading!("watchlist/importing");
    pub const KEEP_UPLOAD: WriteStatement = write_statement!("watchlist/keep_upload");
    pub const KEYS: Reading<KeyedEntry> = reading!("watchlist/keys");
    pub const LIST: Reading<WatchlistRow> = reading!("watchlist/list");
    pub const LOCK: Reading<LockedWatchlist> = reading!("watchlist/lock");
    pub const PLACES: Reading<KeyedEntry> = reading!("watchlist/places");
    pub const PUBLISH: WriteStatement = write_statement!("watchlist/publish", "job_fields");
    pub const READ_UPLOAD: Reading<WatchlistUpload> = reading!("watchlist/read_upload");
    pub const RESTORE: Reading<TotalRow> = reading!("watchlist/restore");
    pub const RESTORE_OTHERS: Reading<TotalRow> = reading!("watchlist/restore_others");
    pub const SETTLE: Reading<TotalRow> = reading!("watchlist/settle");
    pub const STAGE: Statement = statement!("watchlist/stage");
    pub const STANDING: Reading<StreamedEntry> = reading!("watchlist/standing");
    pub const STATES: Reading<WatchlistState> = reading!("watchlist/states");
    pub const STREAM: Reading<StreamedEntry> = reading!("watchlist/stream");
    pub const UNSTAGE: Reading<TotalRow> = reading!("watchlist/unstage");
    pub const UNSTAGE_OTHERS: Reading<TotalRow> = reading!("watchlist/unstage_others");
    pub const VERSIONS: Reading<WatchlistVersionRow> = reading!("watchlist/versions");
}

/// Webhooks, and what is to be done again of what they are told.
pub mod webhook {
    use super::rows::{
        DeliveryStatisticsRow, FailedDeliveries, ForgottenRow, LockedDelivery, LockedWebhook, TotalRow, UntoldEvents, WakingWebhook, WokenRow,
    };
    use super::{Reading, Statement, WriteStatement};

    pub const AMEND: WriteStatement = write_statement!("webhook/amend");
    pub const COUNT: Reading<TotalRow> = reading!("webhook/count");
    pub const CREATE: WriteStatement = write_statement!("webhook/create");
    pub const FORGET_DELIVERIES: Reading<ForgottenRow> = reading!("webhook/forget_deliveries");
    pub const FORGET_EVENTS: Reading<ForgottenRow> = reading!("webhook/forget_events");
    pub const FORGET_LANES: Reading<ForgottenRow> = reading!("webhook/forget_lanes");
    pub const FORGET_REMOVED: Reading<ForgottenRow> = reading!("webhook/forget_removed");
    pub const LOCK: Reading<LockedWebhook> = reading!("webhook/lock");
    pub const LOCK_DELIVERY: Reading<LockedDelivery> = reading!("webhook/lock_delivery");
    pub const LOCK_FAILED: Reading<FailedDeliveries> = reading!("webhook/lock_failed");
    pub const LOCK_UNTOLD: Reading<UntoldEvents> = reading!("webhook/lock_untold");
    pub const REMOVE: WriteStatement = write_statement!("webhook/remove");
    pub const REPLAY: WriteStatement = write_statement!("webhook/replay");
    pub const SEND_TEST: WriteStatement = write_statement!("webhook/send_test");
    pub const STATISTICS: Reading<DeliveryStatisticsRow> = reading!("webhook/statistics");
    pub const TELL_EVENTS: WriteStatement = write_statement!("webhook/tell_events");
    pub const WAKE_LANES: Reading<WokenRow> = reading!("webhook/wake_lanes");
    pub const WAKING: Reading<WakingWebhook> = reading!("webhook/waking");
    pub const WOKEN: Statement = statement!("webhook/woken");
}

/// What every transaction leaves behind, and the audit log.
pub mod trail {
    use super::rows::{EntryRow, IdRow, TotalRow};
    use super::{Reading, Statement};

    pub const APPEND: Statement = statement!("trail/append");
    pub const ENTRIES: Reading<EntryRow> = reading!("trail/entries");
    pub const ENTRIES_COUNT: Reading<TotalRow> = reading!("trail/entries_count");
    pub const WRITTEN: Reading<IdRow> = reading!("trail/written");
}

/// Payments.
pub mod transaction {
    use super::rows::{AwaitedPayment, FlowRow, IdRow, LockedPayment, PaymentRow, RecordRow, Recorded, TimeRow};
    use super::{Reading, WriteStatement};

    pub const AMEND: WriteStatement = write_statement!("transaction/amend");
    pub const FLOW_TOTALS: Reading<FlowRow> = reading!("transaction/flow_totals");
    pub const FORGET_SIGHTINGS: WriteStatement = write_statement!("transaction/forget_sightings");
    pub const KEEP_VERSION: WriteStatement = write_statement!("transaction/keep_version");
    pub const KEYS: Reading<IdRow> = reading!("transaction/keys");
    pub const LOCK: Reading<LockedPayment> = reading!("transaction/lock");
    pub const LOCK_AWAITED: Reading<AwaitedPayment> = reading!("transaction/lock_awaited");
    pub const READ: Reading<RecordRow> = reading!("transaction/read");
    pub const RECORD: Reading<Recorded> =
        reading!("transaction/record", "record_rows", "record_node", "record_two_ends", "add_to_roll_up", "record_end", "change_set");
    pub const RECORD_BY_NUMBER: Reading<Recorded> =
        reading!("transaction/record_by_number", "record_rows", "record_node", "record_two_ends", "add_to_roll_up", "record_end", "change_set");
    pub const RECORD_ONE_SIDED: Reading<Recorded> = reading!("transaction/record_one_sided", "record_node", "record_one_end", "change_set");
    pub const RENEW: WriteStatement = write_statement!("transaction/renew");
    pub const STREAM: Reading<PaymentRow> = reading!("transaction/stream");
    pub const TIMES: Reading<TimeRow> = reading!("transaction/times");
    pub const UNLINK: WriteStatement = write_statement!("transaction/unlink");
}

/// The roll-up of payments between two accounts.
pub mod transfer {
    use super::rows::{CheckedPair, RollUpRow, SenderTransfers, TransferTally};
    use super::{Reading, WriteStatement};

    pub const ADD: WriteStatement = write_statement!("transfer/add", "add_to_roll_up");
    pub const CHECK: Reading<CheckedPair> = reading!("transfer/check");
    pub const OF_SENDERS: Reading<SenderTransfers> = reading!("transfer/of_senders");
    pub const REFRESH_SPAN: WriteStatement = write_statement!("transfer/refresh_span");
    pub const ROLL_UPS: Reading<RollUpRow> = reading!("transfer/roll_ups");
    pub const SUMS: Reading<TransferTally> = reading!("transfer/sums");
}

/// Numbers that name accounts.
pub mod identifier {
    use super::rows::{NumberRow, SeenHolder};
    use super::{Reading, WriteStatement};

    pub const GIVE: WriteStatement = write_statement!("identifier/give");
    pub const GIVE_HINT: WriteStatement = write_statement!("identifier/give_hint");
    pub const NAME_TOGETHER: WriteStatement = write_statement!("identifier/name_together");
    pub const READ: Reading<NumberRow> = reading!("identifier/read");
    pub const SEEN_HOLDERS: Reading<SeenHolder> = reading!("identifier/seen_holders");
    pub const TAKE: WriteStatement = write_statement!("identifier/take");
}
