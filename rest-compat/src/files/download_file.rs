//! Download a file: gives out a file of a case.

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use crate::{
    answer::Answer,
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What is said of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Download a file",
    method: Method::Get,
    path: "/files/{id}",
    success: 200,
    errors: &[404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Download a file.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "download_file",
    tag = "files",
    description = "Gives out a file of a case, for those who look into cases.",
    params(("id" = String, Path, description = "Id of the file", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the file", content_type = "application/octet-stream", body = [u8])),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    let file = asked.resolvers.file(&caller, &id).await?;
    let mut response: Response = Body::from_stream(file.content).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, value(&file.media_type)?);
    headers.insert(header::CONTENT_LENGTH, file.size.into());
    headers.insert(header::CONTENT_DISPOSITION, value(&disposition(&file.name))?);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Whatever is in it, a browser that shows it all the same runs nothing of it.
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    Ok(response)
}

fn value(text: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(text).map_err(|error| Failure::Internal(format!("a file's header can't be written: {error}")))
}

/// RFC 6266: the name for all, and as much of it as there is of ASCII for those who know no other.
fn disposition(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%') || c == ' ' { c } else { '_' }).collect();
    let encoded = name.bytes().fold(String::new(), |text, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) { text + &char::from(byte).to_string() } else { text + &format!("%{byte:02X}") }
    });
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_for_all() {
        assert_eq!(disposition("a b.pdf"), "attachment; filename=\"a b.pdf\"; filename*=UTF-8''a%20b.pdf");
        let wanted = "attachment; filename=\"__ber_._.txt\"; filename*=UTF-8''%22%C3%BCber%25.%5C.txt";
        assert_eq!(disposition("\"über%.\\.txt"), wanted);
        assert!(HeaderValue::from_str(&disposition("収入\u{202E}.csv")).is_ok());
    }
}
