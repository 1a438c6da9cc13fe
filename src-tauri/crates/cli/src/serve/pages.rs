//! What a browser loads: the built UI, bodies by id, and the documents of apps.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use patchbay_contract::{AppFrameId, BodyId, ErrorCode};
use rust_embed::Embed;

use super::{
    access::{CONTENT_SECURITY_POLICY, refusal},
    serving::Serving,
};

/// The built UI: embedded in a release build, read from the folder in a debug build.
#[derive(Embed)]
#[folder = "../../../ui/dist"]
#[allow_missing = true]
struct Ui;

/// Shown when there is no built UI.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Patchbay</title>\
<h1>The UI is not built</h1><p>This <code>patchbay</code> was built without it. In the project's folder run \
<code>cargo xtask run</code>, or <code>npm ci &amp;&amp; npm run build</code> in <code>ui</code> and then build \
<code>patchbay</code> again.</p></html>";

/// The header with the key of the page.
const PAGE_KEY: &str = "x-patchbay-page";

/// Bodies come from servers: they must not run or load anything, even if opened as a page.
const BODY_POLICY: &str = "sandbox; default-src 'none'";

/// A file of the UI. It contains no secret; access is checked when the page opens the socket.
pub(super) async fn file(method: Method, uri: Uri) -> Response {
    std::future::ready(()).await;
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match Ui::get(path) {
        Some(file) => {
            // Names under `assets/` carry a hash of their content.
            let cache = if path.starts_with("assets/") {
                "private, max-age=31536000, immutable"
            } else {
                "no-store"
            };
            let headers = [
                (header::CONTENT_TYPE, content_type(path)),
                (header::CACHE_CONTROL, cache),
            ];
            let data = match file.data {
                Cow::Borrowed(data) => Bytes::from_static(data),
                Cow::Owned(data) => Bytes::from(data),
            };
            (headers, data).into_response()
        }
        None if path == "index.html" => Html(NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "Not found.").into_response(),
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// `GET /body/ID`: the bytes of a body. Requires the cookie and the page key in the header `X-Patchbay-Page`.
pub(super) async fn body(
    State(serving): State<Arc<Serving>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    // Browsers send the cookie to every port of this host, so it does not prove that the request comes from our page.
    let page = headers.get(PAGE_KEY).and_then(|value| value.to_str().ok());
    if !serving.auth.has_session(&headers) || !page.is_some_and(|page| serving.auth.has_page(page)) {
        return refusal(
            StatusCode::UNAUTHORIZED,
            "This page was not opened with the link that `patchbay serve` printed.",
        );
    }
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, BODY_POLICY),
    ];
    match serving.engine.body(&BodyId(id)).await {
        Ok(body) => (headers, body.bytes).into_response(),
        Err(error) => {
            let status = match error.code {
                ErrorCode::NotFound => StatusCode::NOT_FOUND,
                ErrorCode::InvalidParams => StatusCode::UNPROCESSABLE_ENTITY,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, Json(error)).into_response()
        }
    }
}

/// `GET /app/ID`: the document of an app's frame, with its own policy instead of the page's. The id cannot be guessed. There
/// is nothing in it that the server of the app did not send, and its origin is opaque.
pub(super) async fn app_frame(State(serving): State<Arc<Serving>>, Path(id): Path<String>) -> Response {
    std::future::ready(()).await;
    let Ok(document) = serving.engine.app_document(&AppFrameId(id)) else {
        return (StatusCode::NOT_FOUND, "This app was closed.").into_response();
    };
    let policy = format!("{}; frame-ancestors 'self'", document.policy);
    // Only checked origins are in it, so it is a valid header; if not, nothing is allowed.
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(BODY_POLICY));
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            HeaderName::from_static("x-dns-prefetch-control"),
            HeaderValue::from_static("off"),
        ),
        (CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, document.html).into_response()
}
