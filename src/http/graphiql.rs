//! GraphiQL, served from this program alone.

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;

use super::bundled::{Bundle, SCRIPT, STYLE};

const GRAPHIQL: Bundle = Bundle {
    index: include_str!("../../assets/graphiql/index.html"),
    files: &[
        ("page.js", SCRIPT, include_bytes!("../../assets/graphiql/page.js")),
        ("page.css", STYLE, include_bytes!("../../assets/graphiql/page.css")),
        ("graphiql.min.js", SCRIPT, include_bytes!("../../assets/graphiql/graphiql.min.js.gz")),
        ("graphiql.min.css", STYLE, include_bytes!("../../assets/graphiql/graphiql.min.css.gz")),
        ("react.production.min.js", SCRIPT, include_bytes!("../../assets/graphiql/react.production.min.js.gz")),
        ("react-dom.production.min.js", SCRIPT, include_bytes!("../../assets/graphiql/react-dom.production.min.js.gz")),
    ],
};

/// The page itself.
pub fn page() -> Response {
    GRAPHIQL.page()
}

/// One of its files.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    GRAPHIQL.file(&name, &headers)
}
