//! Upload a file to a case: one file of a form, taken in while it comes.

use std::pin::pin;

use futures::{
    StreamExt,
    channel::{mpsc, oneshot},
    future::{Either, select},
};
use graph_schema::case::CaseFileRecord;
use resolvers::{CaseAddition, GivenFile};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    State,
    answer::{Answer, written},
    fault::{Failure, Together},
    form::{self, FORM},
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
    description = "Adds a file of at most 50 MB to a case: JPG, PNG, GIF, PDF, DOC, DOCX, XLS, XLSX, JSON, TXT or CSV, by its content and by its name. TXT and CSV are in UTF-8, UTF-16 or Windows-1252, JSON is in UTF-8; DOCX and XLSX have no macros.",
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
    let form = form::FileForm::of(request, &state).await?;
    let (named, name) = oneshot::channel();
    let (parts, content) = mpsc::channel(0);
    let storing = async {
        let name = name.await.unwrap_or_else(|_| Err(Failure::Internal("a form was not read".to_owned())))?;
        let request = CaseAddition { case, given: GivenFile { name, content: content.boxed() }, request_for_data, key };
        written(asked.resolvers.add_case_file(&caller, request).await?)
    };
    // What is refused is answered at once, however slowly the rest of it comes.
    match select(pin!(storing), pin!(form.read(named, parts))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(((), storing)) => storing.await,
    }
}
