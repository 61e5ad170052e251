//! Files of a case: taken in while they come, shown and given out again.

use bytes::Bytes;
use cypher::statements::rows::LockedCase;
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use futures::stream::BoxStream;
use graph_schema::case::CaseFileRecord;
use graph_schema::id::{CaseId, FileId, RequestForDataId};

use super::addition::{Answers, CaseAddition};
use super::stored::{CaseChange, StoredCase, absent};
use crate::files::{FileKind, FileName, Received, Taken, as_given};
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Answered, Caller, Error, ObjectKind, Once, Replayed, Resolvers, Result, boxed};

/// A file that is being sent.
pub struct GivenFile<'a> {
    /// What its sender calls it.
    pub name: String,
    /// Its content; an error ends it.
    pub content: BoxStream<'a, Result<Bytes>>,
}

/// A file that is given out.
pub struct FileContent {
    pub name: String,
    pub media_type: String,
    pub size: i64,
    pub content: BoxStream<'static, std::io::Result<Bytes>>,
}

impl Resolvers {
    /// Upload a file to a case. Answers with what is known of the file. What is refused, or breaks off, leaves nothing.
    #[boxed]
    pub async fn add_case_file<'a>(&'a self, caller: &'a Caller, request: CaseAddition<GivenFile<'a>>) -> Result<Answered> {
        let CaseAddition { case, given, request_for_data, key } = request;
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", case.as_str()))?;
        let inner = &self.inner;
        let name = FileName::of(&given.name)?;
        let kind = FileKind::of(&name.extension()).map_err(Error::UnsupportedFile)?;
        // Nobody is to send megabytes to learn that there is no such case; whether there still is one is decided again when it is written.
        let rows = inner.lookups.rows(&permit, statements::case::READ, Params::none(), case.as_str()).await?;
        if rows.is_empty() {
            return Err(absent(&case));
        }
        let id = FileId::new(inner.clock.id());
        let key_in_store = inner.key_of_file(&id).await?;
        let received = inner.settings.files.store.receive(&key_in_store, Taken::file(kind), given.content).await?;
        let file = CaseFileRecord {
            id,
            name: name.as_str().to_owned(),
            media_type: kind.media_type().to_owned(),
            size: received.size,
            sha256: received.sha256.clone(),
            uploaded_at: inner.clock.now(),
        };
        let answer = serde_json::to_string(&file).map_err(|error| Error::Internal(error.to_string()))?;
        // The same content under the same name is the same request, whatever id was made for it.
        let body = format!("{request_for_data:?}\n{}\n{}", file.name, file.sha256);
        let entry = inner.entry(&permit, "Case", case.as_str(), "case.file.added").in_case(case.as_str()).with_new_value(answer.clone());
        let row = AddedFile { case, file, key: key_in_store, given_name: as_given(&given.name), answers: request_for_data, by: caller.id.clone() };
        let once = Once { key, body: &body };
        let outcome = inner.answer_once(&permit, once, answer, &Amending::<AddFile>::NEW, Write::new(row, entry)).await;
        settle(received, &outcome).await;
        outcome
    }

    /// A file's content, for somebody who looks into cases.
    #[boxed]
    pub async fn file(&self, caller: &Caller, id: &FileId) -> Result<FileContent> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Explore, Subject::One("File", id.as_str()))?;
        let rows = inner.lookups.rows(&permit, statements::file::READ, Params::none(), id.as_str()).await?;
        let file = rows.first().ok_or_else(|| Error::not_found(ObjectKind::File, id.as_str()))?;
        let content = inner.settings.files.store.content(&file.key).await?;
        Ok(FileContent { name: file.name.clone(), media_type: file.media_type.clone(), size: file.size, content })
    }
}

/// Keeps a content that somebody owns now. Where that is not known, it stays too: the job that looks for stray ones will know.
async fn settle(received: Received, outcome: &Result<Answered>) {
    match outcome {
        Ok(answered) if answered.replayed == Replayed::No => {}
        Err(Error::Unavailable { .. } | Error::Internal(_)) => {}
        Ok(_) | Err(_) => received.discard().await,
    }
}

/// A file whose content is in the store.
pub(super) struct AddedFile {
    case: CaseId,
    file: CaseFileRecord,
    /// Under which its content is in the store.
    key: String,
    given_name: String,
    answers: Option<RequestForDataId>,
    by: String,
}

/// Makes a file a case's own.
pub(super) struct AddFile;

impl Amend for AddFile {
    type Row = AddedFile;
    type Locked = LockedCase;
    type Stored = StoredCase;
    type Answer = ();

    const LOCK: Reading<LockedCase> = statements::case::LOCK;
    const WRITE: WriteStatement = statements::case::ADD_FILE;
    const RANK: Rank = Rank::Case;

    fn id(added: &AddedFile) -> &str {
        added.case.as_str()
    }

    fn decide(added: &AddedFile, stored: Option<StoredCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&added.case))?;
        let file = &added.file;
        let fields = map([
            ("name", file.name.as_str().into()),
            ("givenName", added.given_name.as_str().into()),
            ("mediaType", file.media_type.as_str().into()),
            ("size", file.size.into()),
            ("sha256", file.sha256.as_str().into()),
            ("key", added.key.as_str().into()),
            ("uploadedAt", file.uploaded_at.millis().into()),
            ("uploadedBy", added.by.as_str().into()),
        ]);
        // A file has a new id each time.
        let answers = Answers::of(added.answers.as_ref(), &stored.requests, &[], file.id.as_str(), &added.by, &decision)?;
        let more: [(&str, Value); 3] = [("file", file.id.as_str().into()), ("fields", fields), ("answered", answers.rows())];
        let change = CaseChange::of(&added.case, stored.counters).telling_of_an_update();
        Ok(change.amended((), &decision, more))
    }
}
