//! Cases of an import. Several lines may be about one case: the first makes it, those behind it change it, and what changes it may append to what is there.
//! So each line has an audit entry of its own, by which it is known when the same import brings it again: after a crash, or where the store was away.

use std::collections::HashSet;
use std::sync::Arc;

use futures::future::{BoxFuture, join_all};
use graph_schema::bulk::{BulkCase, SingleCase};
use graph_schema::fault::Fault;
use graph_schema::given::read;
use graph_schema::id::CaseId;

use super::{LineOutcome, outcome_of};
use crate::derived_id::digest_id;
use crate::policy::{Action, Caller, Subject};
use crate::queue::Priority;
use crate::{Inner, Result};

/// A line that was read.
struct CaseLine {
    /// Its place among the lines that came along with it.
    at: usize,
    /// The id of the audit entry that it leaves.
    entry: String,
    case: SingleCase,
    text: Arc<str>,
}

/// Writes lines about cases; answers in their order. `name` is the import's.
pub(super) async fn import(
    inner: &Inner,
    caller: &Caller,
    name: &str,
    lines: &[(u64, String)],
    turn: BoxFuture<'static, ()>,
) -> Result<Vec<LineOutcome>> {
    let mut outcomes = vec![LineOutcome::Accepted; lines.len()];
    let mut open = Vec::new();
    for (at, (number, text)) in lines.iter().enumerate() {
        match read::<BulkCase>(text.trim().as_bytes()) {
            Ok(given) => {
                let entry = digest_id("import", &[name, "cases", &number.to_string(), &given.record]);
                open.push(CaseLine { at, entry, case: given.value.into_single(), text: given.record });
            }
            Err(unacceptable) => outcomes[at] = LineOutcome::Failed(unacceptable.faults().to_vec()),
        }
    }
    turn.await;
    let permit = inner.enter(caller, Action::RecordCase, Subject::Linked)?;
    let written = inner.written(&permit, open.iter().map(|line| line.entry.as_str()).collect()).await?;
    open.retain(|line| !written.contains(&line.entry));
    let mut refused = HashSet::new();
    while !open.is_empty() {
        // One line about each case: the next one has to see what that has made.
        let mut seen = HashSet::new();
        let (now, later) = open.into_iter().partition(|line: &CaseLine| seen.insert(line.case.id.clone()));
        for (at, case, outcome) in write_each(inner, caller, now).await? {
            if matches!(outcome, LineOutcome::Failed(_)) {
                refused.insert(case);
            }
            outcomes[at] = outcome;
        }
        // What the first was to make, the next would make of the little that it says.
        let known = inner
            .known_cases(&permit, &later.iter().filter(|line| refused.contains(&line.case.id)).map(|line| &line.case).collect::<Vec<_>>())
            .await?;
        open = Vec::with_capacity(later.len());
        for line in later {
            if refused.contains(&line.case.id) && !known.has(&line.case.id) {
                outcomes[line.at] = LineOutcome::Failed(vec![Fault::new(
                    "id",
                    "is of a case that an earlier line was to make, which was refused; correct that first",
                )]);
            } else {
                open.push(line);
            }
        }
    }
    Ok(outcomes)
}

/// Writes lines that are about a case each; answers with their places.
async fn write_each(inner: &Inner, caller: &Caller, lines: Vec<CaseLine>) -> Result<Vec<(usize, CaseId, LineOutcome)>> {
    let permit = inner.enter(caller, Action::RecordCase, Subject::Linked)?;
    let cases: Vec<&SingleCase> = lines.iter().map(|line| &line.case).collect();
    let known = &inner.known_cases(&permit, &cases).await?;
    let writes = lines.into_iter().map(|CaseLine { at, entry, case, text }| async move {
        let id = case.id.clone();
        let permit = inner.enter(caller, Action::RecordCase, Subject::Linked)?.leaving(&entry);
        let written = inner.write_listed_case(&permit, case, &text, known, Priority::Single).await;
        Ok((at, id, outcome_of(written)?))
    });
    join_all(writes).await.into_iter().collect()
}
