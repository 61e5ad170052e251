//! A form with one file, read while it comes: what its file is called, then its content, part by part, and that nothing follows.

mod disposition;
mod pace;

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Multipart, Request, multipart::Field, multipart::MultipartError},
    http::{HeaderMap, header::CONTENT_DISPOSITION, header::CONTENT_LENGTH},
};
use futures::{
    SinkExt,
    channel::{mpsc, oneshot},
};
use graph_schema::fault::Fault;
use resolvers::{Error, MAX_FILE, TooLarge};

use crate::{State, fault::Failure};
use disposition::Disposition;
use pace::{AROUND, Pace, Paced};

/// The form's one field.
pub(crate) const FILE: &str = "file";
/// The media type of forms with files.
pub(crate) const FORM: &str = "multipart/form-data";
/// What is wrong with any other field.
const NO_FIELD: &str = "must not be there: the form has one field, file";
/// How a part says that its content is written otherwise than it is meant, and what of that is no change at all.
const TRANSFER: &str = "content-transfer-encoding";
/// The most characters that are repeated of what was not understood.
const SHOWN: usize = 40;
const AS_IT_IS: [&str; 3] = ["binary", "8bit", "7bit"];

/// A form whose parts are still coming.
pub(crate) struct FileForm {
    parts: Multipart,
    pace: Arc<Pace>,
}

impl FileForm {
    pub(crate) async fn of(request: Request, state: &State) -> Result<Self, Failure> {
        let declared = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if declared.is_some_and(|length| length > (MAX_FILE + AROUND) as u64) {
            return Err(Error::TooLarge(TooLarge::File { most: MAX_FILE }).into());
        }
        let pace = Arc::new(Pace::default());
        let (head, body) = request.into_parts();
        let paced = Paced::new(body.into_data_stream(), Arc::clone(&pace));
        let parts = Multipart::from_request(Request::from_parts(head, Body::from_stream(paced)), state).await;
        let parts = parts.map_err(|rejection| Failure::unreadable("content-type", rejection.body_text()))?;
        Ok(Self { parts, pace })
    }

    /// Says what the form's file is called, and passes its content on until nobody wants more of it.
    pub(crate) async fn read(mut self, named: oneshot::Sender<Result<String, Failure>>, mut parts: mpsc::Sender<Result<Bytes, Error>>) {
        let broken = |error: &MultipartError| broken(&self.pace, error);
        let mut field = match self.parts.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => return drop(named.send(Err(Failure::unreadable(FILE, "is required")))),
            Err(error) => return drop(named.send(Err(broken(&error).into()))),
        };
        let named = match name_of(&field) {
            Ok(name) => named.send(Ok(name)),
            Err(failure) => return drop(named.send(Err(failure))),
        };
        if named.is_err() {
            return;
        }
        self.pace.content();
        loop {
            let part = match field.chunk().await {
                Ok(Some(part)) => Ok(part),
                Ok(None) => break,
                Err(error) => Err(broken(&error)),
            };
            let is_last = part.is_err();
            if parts.send(part).await.is_err() || is_last {
                return;
            }
        }
        drop(field);
        self.pace.heading();
        let after = match self.parts.next_field().await {
            Ok(None) => return,
            Ok(Some(more)) => Error::Unreadable(vec![Fault::new(more.name().unwrap_or_default(), NO_FIELD)]),
            Err(error) => broken(&error),
        };
        // Nobody waits for it any more where that fails.
        let _ = parts.send(Err(after)).await;
    }
}

/// What the file of a field is called, which must be the form's one, and its content written as it is.
fn name_of(field: &Field<'_>) -> Result<String, Failure> {
    let said = field.headers().get(CONTENT_DISPOSITION).map(|value| Disposition::read(value.as_bytes())).unwrap_or_default();
    if said.name.as_deref() != Some(FILE) {
        return Err(Failure::unreadable(said.name.unwrap_or_default(), NO_FIELD));
    }
    as_it_is(field.headers())?;
    said.file_name().map_err(|problem| Failure::unreadable(FILE, problem))
}

fn as_it_is(headers: &HeaderMap) -> Result<(), Failure> {
    let said = |name: &str| {
        headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase().chars().take(SHOWN).collect::<String>())
    };
    if let Some(other) = said(TRANSFER).filter(|coding| !AS_IT_IS.contains(&coding.as_str())) {
        let right = AS_IT_IS.join(", ");
        return Err(Failure::UnsupportedFile(format!("{FILE}: its {TRANSFER} must be one of {right}, or left out; {other} is not understood")));
    }
    match said("content-encoding").filter(|coding| coding != "identity") {
        Some(other) => Err(Failure::UnsupportedFile(format!("{FILE}: its content-encoding must be left out; {other} is not understood"))),
        None => Ok(()),
    }
}

/// A form that can't be read to its end.
fn broken(pace: &Pace, error: &MultipartError) -> Error {
    let problem = pace.problem().unwrap_or_else(|| format!("must be a complete form: {}", error.body_text()));
    Error::Unreadable(vec![Fault::new("body", problem)])
}
