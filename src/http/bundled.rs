//! Pages that are bundled with the program, GraphiQL and the API's console: no other host is asked for anything, and none may be.

use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};

/// A page and its files.
pub struct Bundle {
    pub index: &'static str,
    pub files: &'static [BundledFile],
}

/// A file: its name, its media type, its bytes. The large ones are kept and sent compressed.
pub type BundledFile = (&'static str, &'static str, &'static [u8]);

pub const SCRIPT: &str = "text/javascript; charset=utf-8";
pub const STYLE: &str = "text/css; charset=utf-8";

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The page holds a key. So nothing runs in it, and it sends nothing anywhere, but what comes from here and to here; and no other page may
/// show it as its own. Both pages write styles into themselves and have fonts or pictures in their style sheets.
const GUARDS: [(HeaderName, &str); 2] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_FRAME_OPTIONS, "DENY"),
];

impl Bundle {
    /// The page itself.
    pub fn page(&self) -> Response {
        (GUARDS, [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], self.index).into_response()
    }

    /// One of its files.
    pub fn file(&self, name: &str, headers: &HeaderMap) -> Response {
        let Some((_, kind, bytes)) = self.files.iter().find(|(known, _, _)| *known == name) else { return StatusCode::NOT_FOUND.into_response() };
        let plain = (GUARDS, [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "max-age=3600")]);
        if !bytes.starts_with(&GZIP) {
            return (plain.0, plain.1, *bytes).into_response();
        }
        let encodings = headers.get(ACCEPT_ENCODING).and_then(|encodings| encodings.to_str().ok());
        if encodings.is_some_and(|encodings| encodings.contains("gzip")) {
            return (plain.0, plain.1, [(CONTENT_ENCODING, "gzip")], *bytes).into_response();
        }
        let mut whole = Vec::new();
        match std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(*bytes), &mut whole) {
            Ok(_) => (plain.0, plain.1, whole).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}
