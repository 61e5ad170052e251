//! Upload a file to a case: one file of a form, taken in while it comes.

use std::pin::pin;

use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request, multipart::Field, multipart::MultipartError},
    http::header::CONTENT_LENGTH,
};
use futures::{
    SinkExt, StreamExt,
    channel::{mpsc, oneshot},
    future::{Either, select},
};
use graph_schema::case::CaseFileRecord;
use graph_schema::fault::Fault;
use resolvers::{CaseAddition, Error, GivenFile, MAX_FILE, TooLarge};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    State,
    answer::{Answer, written},
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, Streamed},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Upload a file to a case",
    method: Method::Post,
    path: "/api/cases/{id}/files",
    success: 200,
    errors: &[400, 404, 413, 415, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The form's one field.
const FILE: &str = "file";
/// The media type of forms with files.
const FORM: &str = "multipart/form-data";
/// What is wrong with any other field.
const NO_FIELD: &str = "must not be there: the form has one field, file";
/// More than what a form says around its file.
const AROUND: u64 = 64 << 10;

/// The form's shape.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct FileForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Upload a file to a case.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "upload_file_to_case",
    tag = "cases",
    description = "Adds a file of at most 50 MB to a case: JPG, PNG, GIF, PDF, DOC, DOCX, XLS, XLSX, JSON, TXT or CSV, by its content and by its name. Text is in UTF-8.",
    params(
        ("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256),
        ("service-rfd-id" = Option<String>, Header, description = "The request for data that this answers", format = Uuid),
    ),
    request_body(content = FileForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "the file of the case", body = CaseFileRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, Streamed { asked, request }: Streamed) -> Answer {
    let state = State { resolvers: asked.resolvers.clone() };
    let place = (asked.id("id"), asked.request_for_data()).together();
    let (key, (case, request_for_data)) = (asked.key_without_query(), place).together()?;
    if asked.media_type()?.as_deref() != Some(FORM) {
        return Err(Failure::MediaType(FORM));
    }
    let form = form(request, &state).await?;
    let (named, name) = oneshot::channel();
    let (parts, content) = mpsc::channel(0);
    let storing = async {
        let name = name.await.unwrap_or_else(|_| Err(Failure::Internal("a form was not read".to_owned())))?;
        let request = CaseAddition { case, given: GivenFile { name, content: content.boxed() }, request_for_data, key };
        written(asked.resolvers.add_case_file(&caller, request).await?)
    };
    // What is refused is answered at once, however slowly the rest of it comes.
    match select(pin!(storing), pin!(read(form, named, parts))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(((), storing)) => storing.await,
    }
}

async fn form(request: Request, state: &State) -> Result<Multipart, Failure> {
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > MAX_FILE as u64 + AROUND) {
        return Err(Error::TooLarge(TooLarge::File { most: MAX_FILE }).into());
    }
    Multipart::from_request(request, state).await.map_err(|rejection| Failure::unreadable("content-type", rejection.body_text()))
}

/// Reads the form while it comes: says what its file is called, passes the content on until nobody wants more of it, and sees that nothing follows.
async fn read(mut form: Multipart, named: oneshot::Sender<Result<String, Failure>>, mut parts: mpsc::Sender<Result<Bytes, Error>>) {
    let mut field = match file_of(&mut form).await {
        Ok(field) => field,
        Err(failure) => return drop(named.send(Err(failure))),
    };
    if named.send(Ok(field.file_name().unwrap_or_default().to_owned())).is_err() {
        return;
    }
    loop {
        let part = match field.chunk().await {
            Ok(Some(part)) => Ok(part),
            Ok(None) => break,
            Err(error) => Err(broken(error)),
        };
        let is_last = part.is_err();
        if parts.send(part).await.is_err() || is_last {
            return;
        }
    }
    drop(field);
    let after = match form.next_field().await {
        Ok(None) => return,
        Ok(Some(more)) => Error::Unreadable(vec![Fault::new(more.name().unwrap_or_default(), NO_FIELD)]),
        Err(error) => broken(error),
    };
    // Nobody waits for it any more where that fails.
    let _ = parts.send(Err(after)).await;
}

/// The form's file, which must come first.
async fn file_of(form: &mut Multipart) -> Result<Field<'_>, Failure> {
    match form.next_field().await.map_err(broken)? {
        Some(field) if field.name() == Some(FILE) => Ok(field),
        Some(field) => Err(Failure::unreadable(field.name().unwrap_or_default(), NO_FIELD)),
        None => Err(Failure::unreadable(FILE, "is required")),
    }
}

/// A form that can't be read to its end.
fn broken(error: MultipartError) -> Error {
    Error::Unreadable(vec![Fault::new("body", format!("must be a complete form: {}", error.body_text()))])
}
