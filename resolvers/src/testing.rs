//! What the tests of this crate reach of its inside, and nobody else: those of `tests/unit`, without which all of the crate would have to be compiled once
//! more. It is no part of what the crate offers, and whoever calls it goes round the policy.
//!
//! Types, functions and constants keep their places. They are public in modules that are not, so that this list alone leads to them. What callers know of types that
//! the crate offers is not made more for tests: functions here ask for them.

pub mod account {
    pub use crate::account::ADD_BALANCE;
    pub mod roles {
        pub use crate::account::roles::{FormerRole, Roles};
    }
}
pub mod audit {
    pub use crate::audit::{Begin, Listing, Walk, Walks, at_least};
    pub mod changes {
        pub use crate::audit::changes::{DEEPEST, LONGEST_PATH, MOST};
    }
    pub mod entry {
        use crate::SystemClock;
        pub use crate::audit::entry::{AuditDraft, Object};
        use crate::policy::Permit;

        /// The entry of a change that the service makes by itself.
        pub fn entry_of_service(object: Object<'_>) -> AuditDraft {
            AuditDraft::of(&Permit::of_service(), &SystemClock, object)
        }

        /// The same with an id that is given beforehand.
        pub fn entry_with_id(id: &str, object: Object<'_>) -> AuditDraft {
            AuditDraft::of(&Permit::of_service().leaving(id), &SystemClock, object)
        }
    }
    pub mod gatherer {
        pub use crate::audit::gatherer::{Gatherer, STRANGERS_EVERY, Stranger};
    }
    pub mod noted {
        pub use crate::audit::noted::{LONGEST_ID, MOST_NAMED, Noted, Outcome};
    }
    pub mod telling {
        pub use crate::audit::telling::{source, stranger_entry};
    }
}
pub mod bulk {
    pub mod awaited {
        pub use crate::bulk::awaited::Awaited;
    }
    pub mod progress {
        pub use crate::bulk::progress::is_over;
    }
}
pub mod case {
    pub mod row {
        pub use crate::case::row::{communication_ids, custom_props};
    }
}
pub mod change_feed {
    pub use crate::change_feed::some_of;
    pub mod events {
        pub use crate::change_feed::events::{Choice, MOST_BYTES};
    }
    pub mod position {
        use crate::EventPosition;

        /// The position behind all of a set.
        pub fn behind(set: i64) -> EventPosition {
            EventPosition::behind(set)
        }

        /// The one behind the first events of a set that has so many events.
        pub fn inside(set: i64, read: usize, events: usize) -> EventPosition {
            EventPosition::inside(set, read, events)
        }

        /// The last set of which all is read.
        pub fn set(position: EventPosition) -> i64 {
            position.set()
        }
    }
    pub mod sequencer {
        pub use crate::change_feed::sequencer::in_order;
    }
    pub mod watch {
        pub use crate::change_feed::watch::{EventWatch, Seen, Tail, Waited, Waiter};
    }
}
pub mod clock {
    pub use crate::clock::millis;
}
pub mod credential {
    pub mod guesses {
        pub use crate::credential::guesses::{Guesses, Try};
    }
    pub mod secret {
        pub use crate::credential::secret::{CHECKED, CLIENT, KEY, RANDOM, is_nonsense, secret};
    }
}
pub mod delivery {
    pub mod address {
        pub use crate::delivery::address::{Lookup, Resolver};
    }
    pub mod endpoint {
        pub use crate::delivery::endpoint::{AT_FIRST, AT_MOST, Endpoint, Failing, Learnt, Turn, WAITING_AT_MOST, WAITING_FOR_EACH};
    }
    pub mod endpoints {
        pub use crate::delivery::endpoints::{Endpoints, FOR_ALL, FOR_EACH, REMEMBERED};
    }
    pub mod lane {
        pub use crate::delivery::lane::{HeldLane, Lease};
    }
    pub mod send {
        pub use crate::delivery::send::{Message, Sender};
    }
    pub mod verdict {
        pub use crate::delivery::verdict::{Answered, Follows, retry_after, verdict};
    }
}
pub mod derived_id {
    pub use crate::derived_id::{digest_id, digest_number, digest_uuid};
}
pub mod detection {
    pub mod below_the_line {
        pub use crate::detection::below_the_line::moved;
    }
    pub mod business_day {
        pub use crate::detection::business_day::{parts_of, span_before};
    }
    pub mod cases {
        pub use crate::detection::cases::{Group, groups, is_to_be_gathered};
    }
    pub mod precision {
        use crate::detection::FeedbackMeanings;
        pub use crate::detection::precision::{MOST_DAYS, days};

        /// What calls a finding right.
        pub fn true_positives(meanings: &FeedbackMeanings) -> &[String] {
            &meanings.true_positive
        }

        /// What calls one wrong.
        pub fn false_positives(meanings: &FeedbackMeanings) -> &[String] {
            &meanings.false_positive
        }
    }
    pub mod rule_set {
        pub use crate::detection::rule_set::RuleSet;
    }
    pub mod scope {
        pub use crate::detection::scope::{Monitoring, is_of_line, is_snoozed, monitoring};
    }
    pub mod tuning {
        pub use crate::detection::tuning::checked;
    }
}
pub mod device {
    pub use crate::device::RECORD_DEVICE;
}
pub mod explain {
    use std::sync::Arc;

    use cypher::Params;

    /// Tells whoever wants to know that a statement is asked.
    pub fn note(text: impl FnOnce() -> Arc<str>, params: &Params, id: Option<&str>) {
        crate::explain::note(text, params, id);
    }
}
pub mod explore {
    pub mod counted {
        pub use crate::explore::counted::{Cell, CountQuery, Grain, Standing, changes, goes_together};
    }
    pub mod place {
        use cypher::Value;

        use crate::explore::Place;

        /// The place of a row with these keys.
        pub fn place_of(keys: Vec<Value>) -> Place {
            Place(keys)
        }
    }
    pub mod places {
        pub use crate::explore::places::ListPlaces;
    }
    pub mod shared_lists {
        pub use crate::explore::shared_lists::{Question, SharedLists};
    }
}
pub mod files {
    pub mod kind {
        pub use crate::files::kind::{FileKind, Inspection, KINDS, OLE, ZIP};
    }
    pub mod macros {
        pub use crate::files::macros::{ENTRY, MacroSearch};
    }
    pub mod name {
        pub use crate::files::name::{FileName, MAX_CHARS, as_given};
    }
    pub mod stray {
        pub use crate::files::stray::{is_content, is_unfinished};
    }
    pub mod text {
        pub use crate::files::text::{BIG_MARK, Encodings, LITTLE_MARK, TextReader, UTF_8_MARK};
    }
    pub mod told {
        pub use crate::files::told::told;
    }
}
pub mod jobs {
    use std::time::Duration;

    /// The name and the lease of each job.
    pub fn standard() -> Vec<(&'static str, Duration)> {
        crate::jobs::Jobs::standard().names_and_leases()
    }

    pub mod instance {
        use std::time::Duration;

        /// Of each kind its name, its lease, how many are under way at a time, and after how many failures one has failed.
        pub fn standard() -> Vec<(&'static str, Duration, usize, i64)> {
            crate::jobs::Kinds::standard().terms()
        }

        pub mod store {
            pub use crate::jobs::instance::store::Left;
        }
    }
    pub mod record {
        pub use crate::jobs::record::{Due, NEVER, Standing, Woken, wait_after};
    }
}
pub mod live {
    pub mod change {
        pub use crate::live::change::{FoundChange, RECORDED, ReadSets, SUCCESS, change_of};
    }
    pub mod credentials {
        pub use crate::live::credentials::{Connection, CredentialIds, CredentialKind, Credentials, Standing};
    }
    pub mod memory {
        pub use crate::live::memory::{Bounds, Memory, Reader, Step};
    }
    pub mod states {
        pub use crate::live::states::{IDLE, Looked, StateWatch, States};
    }
}
pub mod loader {
    pub mod query {
        pub use crate::loader::query::LoaderQuery;
    }
    pub mod waiting {
        pub use crate::loader::waiting::{Asker, PendingKey, SLOW, Waiter, Waiting};
    }
}
pub mod logical_time {
    pub use crate::logical_time::{Acknowledged, BEFORE_ALL, BEHIND_ITEMS, LogicalTime, TICK};
}
pub mod long_reads {
    pub mod pace {
        pub use crate::long_reads::pace::{Company, FEWEST, MOST, Pace};
    }
}
pub mod numbers {
    pub mod moves {
        pub use crate::numbers::moves::{end, to_move};
    }
    pub mod plan {
        pub use crate::numbers::plan::{Claims, EXTERNAL, Holders, Numbers, Plan, Source, plan};
    }
}
pub mod observation {
    pub mod evidence {
        pub use crate::observation::evidence::evidence;
    }
}
pub mod policy {
    use crate::{Action, Caller, Result};

    /// Whether a role of the caller allows the action.
    pub fn may(caller: &Caller, action: Action) -> Result<()> {
        crate::policy::may(caller, action)
    }

    pub mod rights {
        use crate::{Action, Role};

        /// Those who may do it.
        pub fn roles_of(action: Action) -> &'static [Role] {
            action.roles()
        }

        /// Whether it changes nothing.
        pub fn reads(action: Action) -> bool {
            action.reads()
        }
    }
}
pub mod queue {
    pub use crate::queue::{Along, Answers, Queue, Write, WriteError};
    pub mod change {
        pub use crate::queue::change::{AtDatabase, Change, Company, Done, Item, Outcomes, Rank};
    }
    pub mod change_set {
        pub use crate::queue::change_set::ChangeSet;
    }
    pub mod clock {
        pub use crate::queue::clock::{forward, now, stop};
    }
    pub mod pace {
        pub use crate::queue::pace::{Alike, LEAST, MOST, Pace, Way};
    }
    pub mod submission {
        pub use crate::queue::submission::{Foresight, LockHint, Part, Priority, Submission};
    }
    pub mod unit_of_work {
        pub use crate::queue::unit_of_work::UnitOfWork;
    }
    pub mod waiting {
        pub use crate::queue::waiting::{Batch, Departed, MAX_ROWS, SLOW_FOR_COMPANY, Waiting};
    }
}
pub mod risk {
    pub mod backtest {
        use crate::RiskBacktest;
        pub use crate::risk::backtest::faults;

        /// How many actors with another band are shown of each day and each set.
        pub fn shown_of(backtest: &RiskBacktest) -> usize {
            backtest.shown()
        }
    }
    pub mod calculated {
        pub use crate::risk::calculated::{Calculated, OF_RUNS, Occasion};
    }
    pub mod facts {
        pub use crate::risk::facts::{KnownActor, Scope, assessments};
    }
    pub mod load {
        pub use crate::risk::load::{Times, compare_volumes, ties_among};
    }
    pub mod on_demand {
        pub use crate::risk::on_demand::Explained;
    }
    pub mod population {
        pub use crate::risk::population::{Calculation, Population, SHOWN, fingerprint};
    }
    pub mod rule_set {
        pub use crate::risk::rule_set::{LiveRules, RiskRuleSet};
    }
    pub mod rules {
        use ::risk::{Pack, RiskRule};

        use crate::RiskRules;
        pub use crate::risk::rules::overwriting;

        /// The rules of a pack.
        pub fn rules_of(pack: Pack) -> RiskRules {
            RiskRules::of(pack)
        }

        /// All of them, as their files say.
        pub fn all_of(rules: &RiskRules) -> impl Iterator<Item = &RiskRule> {
            rules.all()
        }
    }
    pub mod score {
        pub use crate::risk::score::{overriding, standing};
    }
    pub mod tuning {
        pub use crate::risk::tuning::checked;
    }
}
pub mod rule_adding {
    pub use crate::rule_adding::KnownVersion;
}
pub mod screening {
    pub use crate::screening::{Payment, ScreenedActor, Subject};
    pub mod answer {
        pub use crate::screening::answer::{KeptProvider, KeptScreening, ToldResult, TransactionAnswer};
    }
    pub mod breaker {
        pub use crate::screening::breaker::{Breaker, FAILURES, REST};
    }
    pub mod cleared {
        pub use crate::screening::cleared::{Clearances, PartyKey};
    }
    pub mod facts {
        pub use crate::screening::facts::ActorFacts;
    }
    pub mod http {
        pub use crate::screening::http::{Asked, HttpProvider, read};
    }
    pub mod kernels {
        pub use crate::screening::kernels::{MOST_FOUND, MOST_PAYMENTS, signs};
    }
    pub mod lists {
        pub use crate::screening::lists::{Lists, LoadedList, Standing, entry};
    }
    pub mod party {
        pub use crate::screening::party::{Party, PartyRole, ToldParty};
    }
    pub mod pending {
        pub use crate::screening::pending::{Drained, wait_after};
    }
    pub mod pending_payments {
        pub use crate::screening::pending_payments::{Arrival, BULK_NODES, PORTION, SubmittedPayment, as_text, of_one_step};
    }
    pub mod provider {
        pub use crate::screening::provider::{Kind, Provider, SEARCH};
    }
    pub mod record {
        pub use crate::screening::record::said_less;
    }
    pub mod result {
        pub use crate::screening::result::{Match, MatchReason, ProviderResult};
    }
}
pub mod transaction {
    pub mod flow_totals {
        use cypher::statements::rows::FlowTally;

        use crate::FlowTotals;
        pub use crate::transaction::flow_totals::{MOST, MOST_CURRENCIES};

        /// What payments come to that were added up; nothing of more than are added up.
        pub fn of(tallies: &[FlowTally]) -> Option<FlowTotals> {
            FlowTotals::of(tallies)
        }
    }
    pub mod foresight {
        pub use crate::transaction::foresight::SeenHolders;
    }
    pub mod roll_up {
        pub use crate::transaction::roll_up::{Delta, RollUps, SUMS, Sign, TransferDelta};
    }
    pub mod row {
        pub use crate::transaction::row::TransactionRow;
    }
}
pub mod unique_name {
    pub use crate::unique_name::{NameSpace, Renaming};
}
pub mod user {
    pub use crate::user::{caption, distinct, id_of_subject};
    pub mod admin {
        pub use crate::user::admin::After;
    }
    pub mod arrival {
        pub use crate::user::arrival::{kept, kept_groups};
    }
}
pub mod verification {
    pub mod sums {
        pub use crate::verification::sums::{Compared, Sums, compared};
    }
}
pub mod versioned {
    pub use crate::versioned::{Meaning, Stored, VersionedRow};
}
pub mod warm {
    pub use crate::warm::{PLANNING, Warmth, nothing_to_do, run_behind_a_change};
}
pub mod watchlist {
    pub mod entry {
        pub use crate::watchlist::entry::Said;
    }
    pub mod request {
        pub use crate::watchlist::request::{faults, id_of};
    }
}
pub mod webhook {
    pub use crate::webhook::{MOST, TENANT};
    pub mod address {
        pub use crate::webhook::address::problems;
    }
    pub mod registry {
        pub use crate::webhook::registry::{Resting, Wanted, resting, room_beside};
    }
    pub mod secret {
        pub use crate::webhook::secret::{Vault, WebhookSecret};
    }
}
