//! What people do with a case: assign it, comment on it; and what all such work has in common.
//!
//! Who says by which version of the case they decided is refused when it has changed since, and told how it stands now.

use std::sync::Arc;

use cypher::statements::rows::LockedCase;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::event::{CaseAssigned, CaseCommented, Event};
use graph_schema::id::{CaseId, UserId};
use serde_json::{Value as Json, json};

use super::stored::{CaseChange, CurrentCase, StoredCase, absent};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Part, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// Gives a case to a user, or takes it from the one who has it.
#[derive(Debug, Clone)]
pub struct AssignCase {
    pub case: CaseId,
    /// Nobody, when absent.
    pub to: Option<UserId>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// Says something about a case.
#[derive(Debug, Clone)]
pub struct CommentOnCase {
    pub case: CaseId,
    pub text: String,
    pub expected_version: Option<i64>,
}

/// Why something can't be done with a case as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseConflictKind {
    /// It has changed since the version that was expected.
    Stale,
    /// Its workflow has no such move from where it stands.
    NotAllowed,
}

/// Something can't be done with a case as it stands, and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseConflict {
    pub kind: CaseConflictKind,
    pub current: CurrentCase,
}

impl Resolvers {
    /// Gives a case to a user. Told by `case.assigned`, unless it was theirs already.
    #[boxed]
    pub async fn assign_case(&self, caller: &Caller, assign: AssignCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &assign.case)?;
        let said = json!({"assignedToUserId": assign.to});
        let locks: Vec<LockHint> = assign.to.iter().map(|user| LockHint::of("User", user.as_str())).collect();
        let work = Work::of(&permit, assign.case.clone(), assign.expected_version, assign);
        let write = work.written("case.assigned", &said, &self.inner, &permit).locking(locks);
        self.done(&permit, &said, write, key).await
    }

    /// Adds a comment to a case: answers with its id. Told by `case.commented`.
    #[boxed]
    pub async fn comment_on_case(&self, caller: &Caller, comment: CommentOnCase, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let permit = self.work_on(caller, &comment.case)?;
        must_say("text", &comment.text, LONGEST_COMMENT)?;
        let said = json!({"comment": comment.text});
        let work = Work::of(&permit, comment.case.clone(), comment.expected_version, comment);
        let write = work.written("case.commented", &said, &self.inner, &permit);
        // The comment has the id of its write.
        let id = write.entry.id().to_owned();
        self.answered(&permit, &said, write, key, &id).await.map(|answered| answered.text)
    }

    /// Refuses whoever may not work on a case. For those who refuse something themselves before the work comes here: that comes first.
    pub fn may_work_on(&self, caller: &Caller, case: &CaseId) -> Result<()> {
        self.work_on(caller, case).map(drop)
    }

    pub(super) fn work_on<'c>(&self, caller: &'c Caller, case: &CaseId) -> Result<Permit<'c>> {
        self.inner.enter(caller, Action::WorkOnCase, Subject::One("Case", case.as_str()))
    }

    /// The same for work that decides on what was found.
    pub(super) fn decide_on<'c>(&self, caller: &'c Caller, case: &CaseId) -> Result<Permit<'c>> {
        self.inner.enter(caller, Action::Decide, Subject::One("Case", case.as_str()))
    }

    pub(super) async fn done<W: CaseWork>(&self, permit: &Permit<'_>, said: &Json, write: Write<Work<W>>, key: Option<IdempotencyKey>) -> Result<()> {
        self.answered(permit, said, write, key, "").await.map(drop)
    }

    /// The same for work that has an answer.
    pub(super) async fn answered<W: CaseWork>(
        &self,
        permit: &Permit<'_>,
        said: &Json,
        write: Write<Work<W>>,
        key: Option<IdempotencyKey>,
        answer: &str,
    ) -> Result<Answered> {
        let body = format!("{:?}\n{said}", write.row.expected_version);
        let once = Once { key, body: &body };
        self.inner.answer_once(permit, once, answer, &Amending::<Working<W>>::NEW, write).await
    }
}

impl Inner {
    /// The write that assigns a case which the same transaction makes.
    pub(super) fn assigning_part(&self, permit: &Permit<'_>, case: &CaseId, to: UserId) -> Part {
        let said = json!({"assignedToUserId": to});
        let lock = LockHint::of("User", to.as_str());
        let work = Work::of(permit, case.clone(), None, AssignCase { case: case.clone(), to: Some(to), expected_version: None });
        Part::new(&Amending::<Working<AssignCase>>::NEW, work.written("case.assigned", &said, self, permit).locking([lock]))
    }

    /// The write that comments on a case which the same transaction makes, or changes.
    pub(super) fn commenting_part(&self, permit: &Permit<'_>, case: &CaseId, text: String) -> Part {
        let said = json!({"comment": text});
        let work = Work::of(permit, case.clone(), None, CommentOnCase { case: case.clone(), text, expected_version: None });
        Part::new(&Amending::<Working<CommentOnCase>>::NEW, work.written("case.commented", &said, self, permit))
    }
}

/// A piece of work on a case, and by whom.
pub(super) struct Work<W> {
    pub case: CaseId,
    expected_version: Option<i64>,
    pub by: UserId,
    pub what: W,
}

/// What can be done with a case that stands as expected.
pub(super) trait CaseWork: Sized + Send + Sync + 'static {
    const WRITE: WriteStatement;

    /// Observations of the case of which more is to be known.
    fn observations(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Transactions of which more is to be known.
    fn transactions(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Actors of which more is to be known.
    fn actors(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Users of whom more is to be known.
    fn users(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Ids of custom properties whose definitions are to be known.
    fn properties(&self) -> Vec<String> {
        Vec::new()
    }

    /// About how many bytes it writes.
    fn size(&self) -> usize {
        1_000
    }

    /// What changes; `None` when it is so already.
    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>>;
}

/// Does a piece of work, unless the case has changed since it was decided.
pub(super) struct Working<W>(std::marker::PhantomData<fn() -> W>);

impl<W: CaseWork> Amend for Working<W> {
    type Row = Work<W>;
    type Locked = LockedCase;
    type Stored = StoredCase;
    type Answer = ();

    const LOCK: Reading<LockedCase> = statements::case::LOCK;
    const WRITE: WriteStatement = W::WRITE;
    const RANK: Rank = Rank::Work;

    fn id(work: &Work<W>) -> &str {
        work.case.as_str()
    }

    fn lock_row(work: &Work<W>, write_id: &str) -> Value {
        let what = &work.what;
        map([
            ("id", Self::id(work).into()),
            ("writeId", write_id.into()),
            ("observations", what.observations().into()),
            ("transactions", what.transactions().into()),
            ("actors", what.actors().into()),
            ("users", what.users().into()),
            ("properties", what.properties().into()),
        ])
    }

    fn size(work: &Work<W>) -> usize {
        work.what.size()
    }

    fn decide(work: &Work<W>, stored: Option<StoredCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&work.case))?;
        if work.expected_version.is_some_and(|expected| expected != stored.counters.version) {
            return Err(conflict(CaseConflictKind::Stale, &stored));
        }
        Ok(W::done(work, &stored, &decision)?.unwrap_or_else(|| Amended::nothing(())))
    }
}

/// The longest comment, in characters.
pub(super) const LONGEST_COMMENT: usize = 10_000;

/// The most bytes that one act says of all its cases together.
const MAX_TOTAL_BYTES: usize = 16 << 20;

/// Refuses texts of each of so many cases that are too much for all of them together; `at` is what is to blame where it is too much for one.
pub(super) fn check_total_size(cases: usize, bytes: usize, at: &str) -> Result<()> {
    if bytes.saturating_mul(cases) <= MAX_TOTAL_BYTES {
        return Ok(());
    }
    match MAX_TOTAL_BYTES / bytes {
        0 => Err(Error::invalid(at, format!("must be at most {MAX_TOTAL_BYTES} bytes"))),
        most => Err(Error::invalid("cases", format!("must name at most {most}, as so much is said of each"))),
    }
}

/// That a text says something, and not too much.
pub(super) fn must_say(at: &str, text: &str, longest: usize) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Error::invalid(at, "must not be empty"));
    }
    may_say(at, Some(text), longest)
}

/// That a text says not too much, where there is one.
pub(super) fn may_say(at: &str, text: Option<&str>, longest: usize) -> Result<()> {
    match text {
        Some(text) if text.chars().count() > longest => Err(Error::invalid(at, format!("must be at most {longest} characters"))),
        _ => Ok(()),
    }
}

pub(super) fn conflict(kind: CaseConflictKind, stored: &StoredCase) -> Error {
    Error::CaseConflict(Box::new(CaseConflict { kind, current: stored.current() }))
}

impl<W> Work<W> {
    pub(super) fn of(permit: &Permit<'_>, case: CaseId, expected_version: Option<i64>, what: W) -> Self {
        Self { case, expected_version, by: UserId::new(permit.caller().id.as_str()), what }
    }

    /// The write, and the entry that says what was asked for.
    pub(super) fn written(self, action: &'static str, said: &Json, inner: &Inner, permit: &Permit<'_>) -> Write<Self> {
        let case = self.case.as_str();
        let entry = inner.entry(permit, "Case", case, action).in_case(case).with_new_value(said.to_string());
        Write::new(self, entry)
    }

    pub(super) fn change(&self, stored: &StoredCase) -> CaseChange {
        CaseChange::of(&self.case, stored.counters)
    }
}

impl CaseWork for AssignCase {
    const WRITE: WriteStatement = statements::case::ASSIGN;

    fn users(&self) -> Vec<&str> {
        self.to.iter().map(|user| user.as_str()).collect()
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let to = &work.what.to;
        if *to == stored.assignee {
            return Ok(None);
        }
        if to.as_ref().is_some_and(|user| stored.disabled_users.contains(user)) {
            return Err(Error::invalid("userId", "is the id of a user who is disabled; enable the user, or assign the case to somebody else"));
        }
        let event =
            CaseAssigned { id: work.case.clone(), user_id: work.by.clone(), assigned_to_user_id: to.clone(), metadata: stored.metadata.clone() };
        let users: Vec<&str> = to.iter().map(|user| user.as_str()).collect();
        let assignee = Value::from(to.as_ref().map(|user| user.as_str()));
        let change = work.change(stored).setting([("assigneeId", assignee)]).telling(Event::CaseAssigned(event));
        let before = stored.assignee.as_ref().map(|user| json!({"assignedToUserId": user}).to_string());
        Ok(Some(change.amended((), decision, [("users", users.into())]).replacing(before)))
    }
}

impl CaseWork for CommentOnCase {
    const WRITE: WriteStatement = statements::case::COMMENT;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let text = work.what.text.as_str();
        let event = CaseCommented { id: work.case.clone(), user_id: work.by.clone(), comment: text.to_owned(), metadata: stored.metadata.clone() };
        let comment = map([
            ("name", caption(text).into()),
            ("text", text.into()),
            ("userId", work.by.as_str().into()),
            ("createdAt", decision.now.millis().into()),
        ]);
        let more = [("commentId", decision.entry.id().into()), ("comment", comment)];
        Ok(Some(work.change(stored).telling(Event::CaseCommented(event)).amended((), decision, more)))
    }
}

/// How a comment begins.
fn caption(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
