use resolvers::testing::policy::rights::{reads, roles_of};
use resolvers::{Action, Role};

/// Each action, and whether each of the roles (INGEST, ANALYST, SUPERVISOR, AUDITOR, ADMIN) allows it.
const EXPECTED: [(Action, [bool; 5]); 28] = {
    const Y: bool = true;
    const N: bool = false;
    [
        (Action::Ingest, [Y, N, N, N, Y]),
        (Action::ReadRecord, [Y, Y, Y, Y, Y]),
        (Action::RecordCase, [Y, Y, Y, N, Y]),
        (Action::WorkOnCase, [N, Y, Y, N, Y]),
        (Action::Explore, [N, Y, Y, Y, Y]),
        (Action::ReadPrincipals, [Y, Y, Y, Y, Y]),
        (Action::ChangeMembers, [Y, Y, Y, N, Y]),
        (Action::SendDecision, [Y, Y, Y, N, Y]),
        (Action::Decide, [N, Y, Y, N, Y]),
        (Action::ReadAuditLog, [N, N, Y, Y, Y]),
        (Action::ReadCaseAuditLog, [N, Y, Y, Y, Y]),
        (Action::ReadRules, [N, Y, Y, Y, Y]),
        (Action::StartDetection, [Y, N, Y, N, Y]),
        (Action::CalculateRisk, [N, Y, Y, N, Y]),
        (Action::TuneRules, [N, N, Y, N, Y]),
        (Action::PublishRules, [N, N, Y, N, Y]),
        (Action::ReadWatchlists, [N, Y, Y, Y, Y]),
        (Action::ImportWatchlists, [N, N, Y, N, Y]),
        (Action::ScreenActors, [N, N, Y, N, Y]),
        (Action::FollowChanges, [N, N, N, N, Y]),
        (Action::FollowEvents, [Y, N, N, N, Y]),
        (Action::ReadJobs, [N, N, Y, N, Y]),
        (Action::ReadOwnJobs, [Y, Y, Y, Y, Y]),
        (Action::CancelJobs, [N, N, Y, N, Y]),
        (Action::CancelOwnJob, [Y, Y, Y, Y, Y]),
        (Action::StartJobs, [N, N, N, N, Y]),
        (Action::ReadWebhooks, [N, N, N, N, Y]),
        (Action::Administer, [N, N, N, N, Y]),
    ]
};

#[test]
fn roles_allow_the_actions_of_their_rows() {
    for (action, expected) in EXPECTED {
        assert_eq!(Role::ALL.map(|role| roles_of(action).contains(&role)), expected, "{action:?}");
    }
}

#[test]
fn an_auditor_changes_nothing_but_the_auditors_own_jobs() {
    for (action, _) in EXPECTED.into_iter().filter(|(action, _)| *action != Action::CancelOwnJob) {
        assert!(reads(action) || !roles_of(action).contains(&Role::Auditor), "{action:?}");
    }
}

/// Moves of a case that are decisions are let in as work on a case.
#[test]
fn each_role_that_works_on_cases_decides() {
    assert_eq!(roles_of(Action::WorkOnCase), roles_of(Action::Decide));
}

#[test]
fn an_administrator_may_do_everything() {
    assert!(EXPECTED.iter().all(|(action, _)| roles_of(*action).contains(&Role::Admin)));
}
