//! Token request: a stored client gets a short-lived token (RFC 6749, section 4.4).
//!
//! It is the way to credentials, so that it needs none. A client says its secret in the form, or by HTTP Basic, not
//! both. As RFC 6749 wants it, parameters that are unknown are passed over, empty ones count as absent, repeated ones
//! are refused.

use axum::http::{HeaderMap, StatusCode, header};
use base64::{Engine, prelude::BASE64_STANDARD};
use graph_schema::fault::Fault;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, json, unstored},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::RestRequest,
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Token request",
    method: Method::Post,
    path: "/auth/token",
    success: 200,
    errors: &[400, 401, 500],
    error_body: ErrorBody::OAuth,
    credentials: Credentials::None,
};

const FORM: &str = "application/x-www-form-urlencoded";
const GRANT: &str = "client_credentials";

/// The form.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct TokenRequest {
    grant_type: GrantType,
    /// May be said by HTTP Basic instead, as may the secret.
    #[schema(min_length = 1, nullable = false)]
    client_id: Option<String>,
    #[schema(min_length = 1, nullable = false)]
    client_secret: Option<String>,
}

/// The one kind of grant that is offered.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum GrantType {
    ClientCredentials,
}

/// A token and how long it holds.
#[derive(Serialize, ToSchema)]
struct Token {
    access_token: String,
    token_type: &'static str,
    /// Seconds.
    expires_in: u64,
}

/// Who asks for a token.
#[derive(Debug, PartialEq)]
struct Client {
    id: String,
    secret: String,
}

/// Token request.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "token_request",
    tag = "credentials",
    description = "Gives a stored client a short-lived token, to be sent as `Authorization: Bearer`.",
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "a token", body = Token)),
)]
pub(crate) async fn handle(asked: RestRequest) -> Answer {
    if asked.media_type()?.as_deref() != Some(FORM) {
        return Err(Failure::MediaType(FORM));
    }
    let client = client(asked.headers(), &Form::read(asked.body())?)?;
    let issued = asked.resolvers.issue_token(&asked.origin(), &client.id, &client.secret).await?;
    let token = Token { access_token: issued.access_token, token_type: "Bearer", expires_in: issued.expires_in };
    Ok(unstored(json(StatusCode::OK, &token)?))
}

/// The parameters of a form that have a value.
struct Form(Vec<(String, String)>);

impl Form {
    fn read(body: &[u8]) -> Result<Self, Failure> {
        let pairs: Vec<(String, String)> =
            serde_urlencoded::from_bytes(body).map_err(|_| Failure::unreadable("body", "must be form fields, percent-encoded"))?;
        let given = pairs.into_iter().filter(|(_, value)| !value.is_empty());
        Ok(Self(given.collect()))
    }

    fn field(&self, name: &str) -> Result<Option<&str>, Failure> {
        let mut values = self.0.iter().filter(|(given, _)| given == name);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(Failure::unreadable(name, "must be given once")),
            (value, None) => Ok(value.map(|(_, value)| value.as_str())),
        }
    }
}

/// The client, when it asks for what is offered and says who it is in one way.
fn client(headers: &HeaderMap, form: &Form) -> Result<Client, Failure> {
    match form.field("grant_type")? {
        Some(GRANT) => {}
        Some(_) => return Err(Failure::UnsupportedGrant(format!("must be {GRANT}"))),
        None => {
            return Err(Failure::unreadable("grant_type", format!("is required: {GRANT}")));
        }
    }
    let (id, secret) = (form.field("client_id")?, form.field("client_secret")?);
    match (by_basic(headers)?, id, secret) {
        (None, Some(id), Some(secret)) => Ok(Client { id: id.to_owned(), secret: secret.to_owned() }),
        (None, _, _) => Err(Failure::Unauthenticated("needed: client_id and client_secret, in the form or by HTTP Basic".to_owned())),
        (Some(_), _, Some(_)) => {
            let problem = "must not be in the form and in HTTP Basic both";
            Err(Failure::Unreadable(vec![Fault::new("client_secret", problem)]))
        }
        (Some(client), Some(id), None) if id != client.id => {
            let problem = "must be the same in the form and in HTTP Basic";
            Err(Failure::Unreadable(vec![Fault::new("client_id", problem)]))
        }
        (Some(client), _, None) => Ok(client),
    }
}

/// Id and secret of HTTP Basic; `None` when there is no such header, or it has the token that is to be renewed.
fn by_basic(headers: &HeaderMap) -> Result<Option<Client>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    if text.split_once(' ').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) {
        return Ok(None);
    }
    let wrong = || Failure::Unauthenticated("authorization: must be HTTP Basic".to_owned());
    basic(text).map(Some).ok_or_else(wrong)
}

/// RFC 6749, section 2.3.1: id and secret are form-encoded before they are joined.
fn basic(value: &str) -> Option<Client> {
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = BASE64_STANDARD.decode(encoded.trim()).ok()?;
    let joined = String::from_utf8(bytes).ok()?;
    let (id, secret) = joined.split_once(':')?;
    let decoded = |text: &str| {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&format!("v={text}")).ok()?;
        match <[(String, String); 1]>::try_from(pairs) {
            Ok([(_, value)]) => Some(value),
            Err(_) => None,
        }
    };
    Some(Client { id: decoded(id)?, secret: decoded(secret)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(authorization: Option<&str>, form: &str) -> Result<Client, Failure> {
        let mut headers = HeaderMap::new();
        if let Some(value) = authorization {
            headers.insert(header::AUTHORIZATION, value.parse().unwrap());
        }
        client(&headers, &Form::read(form.as_bytes())?)
    }

    fn basic_of(text: &str) -> String {
        format!("Basic {}", BASE64_STANDARD.encode(text))
    }

    #[test]
    fn a_client_says_who_it_is_in_the_form_or_by_basic() {
        let wanted = Client { id: "c:1".to_owned(), secret: "s &+".to_owned() };
        let form = "grant_type=client_credentials&client_id=c%3A1&client_secret=s+%26%2B&scope=x";
        assert_eq!(asked(None, form).unwrap(), wanted);
        let header = basic_of("c%3A1:s+%26%2B");
        assert_eq!(asked(Some(&header), "grant_type=client_credentials").unwrap(), wanted);
        assert_eq!(asked(Some("Bearer expired"), form).unwrap(), wanted);
        let with_id = "grant_type=client_credentials&client_id=c%3A1";
        assert_eq!(asked(Some(&header), with_id).unwrap(), wanted);
    }

    #[test]
    fn what_rfc_6749_refuses_is_refused() {
        let unauthenticated = |result| matches!(result, Err(Failure::Unauthenticated(_)));
        let unreadable = |result| matches!(result, Err(Failure::Unreadable(_)));
        let grant = "grant_type=client_credentials";
        assert!(unauthenticated(asked(None, grant)));
        assert!(unauthenticated(asked(None, &format!("{grant}&client_id=c&client_secret="))));
        assert!(unauthenticated(asked(Some("Bearer x"), grant)));
        assert!(unauthenticated(asked(Some("Basic !"), grant)));
        assert!(unreadable(asked(None, "client_id=c&client_secret=s")));
        assert!(unreadable(asked(None, &format!("{grant}&{grant}&client_id=c&client_secret=s"))));
        let header = basic_of("c:s");
        assert!(unreadable(asked(Some(&header), &format!("{grant}&client_secret=s"))));
        assert!(unreadable(asked(Some(&header), &format!("{grant}&client_id=d"))));
        assert!(matches!(asked(None, "grant_type=password&client_id=c&client_secret=s"), Err(Failure::UnsupportedGrant(_))));
    }
}
