//! GraphiQL, served from this program alone: no other host is asked for anything, and none may be.

use axum::extract::Path;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};

const INDEX: &str = include_str!("../../../assets/graphiql/index.html");

/// GraphiQL's files by name; the large ones are kept and sent compressed.
const FILES: &[(&str, &str, &[u8])] = &[
    ("page.js", "text/javascript; charset=utf-8", include_bytes!("../../../assets/graphiql/page.js")),
    ("page.css", "text/css; charset=utf-8", include_bytes!("../../../assets/graphiql/page.css")),
    ("graphiql.min.js", "text/javascript; charset=utf-8", include_bytes!("../../../assets/graphiql/graphiql.min.js.gz")),
    ("graphiql.min.css", "text/css; charset=utf-8", include_bytes!("../../../assets/graphiql/graphiql.min.css.gz")),
    ("react.production.min.js", "text/javascript; charset=utf-8", include_bytes!("../../../assets/graphiql/react.production.min.js.gz")),
    ("react-dom.production.min.js", "text/javascript; charset=utf-8", include_bytes!("../../../assets/graphiql/react-dom.production.min.js.gz")),
];
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The page holds a key. So nothing runs in it, and it sends nothing anywhere, but what comes from here and to here; and no other page may
/// show it as its own. GraphiQL writes styles into the page and has its fonts in its style sheet.
const GUARDS: [(HeaderName, &str); 2] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_FRAME_OPTIONS, "DENY"),
];

/// The page itself.
pub fn page() -> Response {
    (GUARDS, [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], INDEX).into_response()
}

/// One of its files.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some((_, kind, bytes)) = FILES.iter().find(|(known, _, _)| *known == name) else { return StatusCode::NOT_FOUND.into_response() };
    let plain = (GUARDS, [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "max-age=3600")]);
    if !bytes.starts_with(&GZIP) {
        return (plain.0, plain.1, *bytes).into_response();
    }
    let takes_gzip = headers.get(ACCEPT_ENCODING).and_then(|encodings| encodings.to_str().ok()).is_some_and(|encodings| encodings.contains("gzip"));
    if takes_gzip {
        return (plain.0, plain.1, [(CONTENT_ENCODING, "gzip")], *bytes).into_response();
    }
    let mut whole = Vec::new();
    match std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(*bytes), &mut whole) {
        Ok(_) => (plain.0, plain.1, whole).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
