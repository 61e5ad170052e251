use cypher::statements::rows::{BulkProgress, PendingItems, TroubledItems};
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;
use resolvers::testing::bulk::progress::is_over;

/// A request that came at a time, of which nothing is left.
fn request(received_at: Option<i64>, status: Option<JobStatus>) -> BulkProgress {
    BulkProgress { id: "request".to_owned(), received_at, status, pending: Vec::new(), troubled: Vec::new() }
}

fn troubled(state: BulkItemState) -> TroubledItems {
    TroubledItems { list: BulkList::Cases, state, items: 1 }
}

#[test]
fn a_request_is_over_when_its_job_has_ended_and_nothing_waits() {
    let over = |status, pending: bool, states: &[BulkItemState]| {
        let pending = if pending { vec![PendingItems { list: BulkList::Cases, items: 1 }] } else { Vec::new() };
        let troubled = states.iter().copied().map(troubled).collect();
        is_over(&BulkProgress { pending, troubled, ..request(Some(7), Some(status)) }, Timestamp(i64::MAX))
    };
    assert!(!over(JobStatus::Queued, false, &[]), "its parts are not found yet");
    assert!(!over(JobStatus::Running, false, &[]));
    assert!(over(JobStatus::Done, false, &[]));
    assert!(over(JobStatus::Done, false, &[BulkItemState::Failed]));
    assert!(!over(JobStatus::Done, false, &[BulkItemState::Failed, BulkItemState::Deferred]), "what waits is tried again");
    assert!(!over(JobStatus::Cancelled, true, &[]), "its parts are still looked at");
    assert!(over(JobStatus::Cancelled, false, &[BulkItemState::Failed]));
}

#[test]
fn a_request_without_a_job_is_over_once_it_would_have_one() {
    let over = |received_at| is_over(&request(received_at, None), Timestamp(100_000));
    assert!(over(Some(0)), "an older program took it");
    assert!(!over(Some(99_000)), "its job is not found yet");
    assert!(!over(None), "nor is all that it says of itself");
}
