//! `/docs`: the console of the API. It is Swagger UI over `/openapi.json`, served from this program alone.

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;

use super::bundled::{Bundle, SCRIPT, STYLE};

const CONSOLE: Bundle = Bundle {
    index: include_str!("../../assets/swagger-ui/index.html"),
    files: &[
        ("page.js", SCRIPT, include_bytes!("../../assets/swagger-ui/page.js")),
        ("swagger-ui-bundle.js", SCRIPT, include_bytes!("../../assets/swagger-ui/swagger-ui-bundle.js.gz")),
        ("swagger-ui.css", STYLE, include_bytes!("../../assets/swagger-ui/swagger-ui.css.gz")),
    ],
};

/// The page itself.
pub async fn page() -> Response {
    CONSOLE.page()
}

/// One of its files.
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    CONSOLE.file(&name, &headers)
}
