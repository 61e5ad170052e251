//! The table of rights: which roles allow which action.
//!
//! A role is a set of rights: the actions in whose row it stands ([`Action::roles`]). A new action does not compile without a row, and a role that is not
//! in the row is refused.

use super::roles::Role;

/// What an operation does, as far as rights go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Sends records.
    Ingest,
    /// Reads one record back, a reference list or a report, over REST.
    ReadRecord,
    /// Makes cases and changes them, with their actors, files and communications, over REST; rejects a request for data.
    RecordCase,
    /// Raises cases from observations, assigns cases, comments on them, moves them on, over GraphQL.
    ///
    /// To file a report and to reopen what was filed are moves of a case as well. They are decisions ([`Action::Decide`]) that are let in as work on a
    /// case, because each role that works on cases decides.
    WorkOnCase,
    /// Walks the graph.
    Explore,
    /// Sees who the caller is and what the caller may do, and who it was that did something.
    ReadPrincipals,
    /// Says which actors are in a segment.
    ChangeMembers,
    /// Sends a decision on an actor's risk as a record, over REST: an exclusion, an assessment, a score that overrides.
    SendDecision,
    /// Decides on what was found: whitelists, dismisses, snoozes, clears matches, files, reopens what was filed; excludes actors, sets and lifts scores, records
    /// assessments.
    Decide,
    /// Reads who did what to anything.
    ReadAuditLog,
    /// Reads who did what to one case.
    ReadCaseAuditLog,
    /// Reads the rules of detection and their backtests.
    ReadRules,
    /// Starts a run of detection.
    StartDetection,
    /// Calculates the risk score of one actor.
    CalculateRisk,
    /// Changes parameters of rules, tries them in backtests, switches rules on and off.
    TuneRules,
    /// Makes a version of a rule the one that counts.
    PublishRules,
    /// Reads watchlists, their versions and entries.
    ReadWatchlists,
    /// Uploads watchlists and imports them.
    ImportWatchlists,
    /// Has all actors screened against whole lists.
    ScreenActors,
    /// Follows all changes, whatever they are of.
    FollowChanges,
    /// Follows the events that webhooks are sent, of all cases: what an integrator does who can't be sent any.
    FollowEvents,
    /// Sees work in the background, whoever has started it.
    ReadJobs,
    /// Sees the work in the background that the caller has started.
    ReadOwnJobs,
    /// Cancels work in the background, whoever has started it.
    CancelJobs,
    /// Cancels the work in the background that the caller has started.
    CancelOwnJob,
    /// Starts work in the background that is for the service itself, such as a comparison of totals.
    StartJobs,
    /// Reads webhooks and what was delivered to them: addresses and answers may have in them what is not for others.
    ReadWebhooks,
    /// Makes and revokes credentials, makes and changes users, workflows, webhooks and settings.
    Administer,
}

impl Action {
    /// The roles that allow the action. This is the table of rights.
    pub(crate) fn roles(self) -> &'static [Role] {
        use Role::{Admin, Analyst, Auditor, Ingest, Supervisor};
        match self {
            Action::Ingest | Action::FollowEvents => &[Ingest, Admin],
            Action::ReadRecord => &[Ingest, Analyst, Supervisor, Auditor, Admin],
            Action::RecordCase => &[Ingest, Analyst, Supervisor, Admin],
            Action::WorkOnCase => &[Analyst, Supervisor, Admin],
            Action::Explore => &[Analyst, Supervisor, Auditor, Admin],
            Action::ReadPrincipals => &Role::ALL,
            // A membership is a record, too: a system that sends records sends these.
            Action::ChangeMembers => &[Ingest, Analyst, Supervisor, Admin],
            Action::SendDecision => &[Ingest, Analyst, Supervisor, Admin],
            Action::Decide => &[Analyst, Supervisor, Admin],
            Action::ReadAuditLog => &[Supervisor, Auditor, Admin],
            Action::ReadCaseAuditLog => &[Analyst, Supervisor, Auditor, Admin],
            Action::ReadRules => &[Analyst, Supervisor, Auditor, Admin],
            Action::StartDetection => &[Ingest, Supervisor, Admin],
            Action::CalculateRisk => &[Analyst, Supervisor, Admin],
            Action::TuneRules | Action::PublishRules => &[Supervisor, Admin],
            Action::ReadWatchlists => &[Analyst, Supervisor, Auditor, Admin],
            Action::ImportWatchlists | Action::ScreenActors => &[Supervisor, Admin],
            Action::ReadJobs | Action::CancelJobs => &[Supervisor, Admin],
            Action::ReadOwnJobs | Action::CancelOwnJob => &Role::ALL,
            Action::FollowChanges | Action::StartJobs | Action::ReadWebhooks | Action::Administer => &[Admin],
        }
    }

    /// Whether the action changes nothing.
    pub(crate) fn reads(self) -> bool {
        match self {
            Action::ReadRecord
            | Action::Explore
            | Action::ReadPrincipals
            | Action::ReadAuditLog
            | Action::ReadCaseAuditLog
            | Action::ReadRules
            | Action::ReadWatchlists
            | Action::FollowChanges
            | Action::FollowEvents
            | Action::ReadJobs
            | Action::ReadOwnJobs
            | Action::ReadWebhooks => true,
            Action::Ingest
            | Action::RecordCase
            | Action::WorkOnCase
            | Action::ChangeMembers
            | Action::SendDecision
            | Action::Decide
            | Action::StartDetection
            | Action::CalculateRisk
            | Action::TuneRules
            | Action::PublishRules
            | Action::ImportWatchlists
            | Action::ScreenActors
            | Action::CancelJobs
            | Action::CancelOwnJob
            | Action::StartJobs
            | Action::Administer => false,
        }
    }

    /// The action's name in the audit log.
    pub(super) fn name(self) -> &'static str {
        match self {
            Action::Ingest => "ingest",
            Action::ReadRecord => "record.read",
            Action::RecordCase => "case.record",
            Action::WorkOnCase => "case.work",
            Action::Explore => "graph.explored",
            Action::ReadPrincipals => "principals.read",
            Action::ChangeMembers => "segmentation.members.change",
            Action::SendDecision => "decision.record",
            Action::Decide => "decision.make",
            Action::ReadAuditLog | Action::ReadCaseAuditLog => "audit_log.read",
            Action::ReadRules => "rules.read",
            Action::StartDetection => "detection.start",
            Action::CalculateRisk => "risk.calculate",
            Action::TuneRules => "rules.tune",
            Action::PublishRules => "rules.publish",
            Action::ReadWatchlists => "watchlists.read",
            Action::ImportWatchlists => "watchlist.import",
            Action::ScreenActors => "actors.screen",
            Action::FollowChanges => "changes.followed",
            Action::FollowEvents => "events.followed",
            Action::ReadJobs | Action::ReadOwnJobs => "jobs.read",
            Action::CancelJobs | Action::CancelOwnJob => "job.cancelled",
            Action::StartJobs => "job.start",
            Action::ReadWebhooks => "webhooks.read",
            Action::Administer => "administer",
        }
    }
}
