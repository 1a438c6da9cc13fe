//! The documents of apps' frames (MCP Apps): a scheme of their own, so that each has its own policy instead of the page's.
//!
//! A document has an opaque origin. Tauri's scripts, which know the key of its IPC, run in the main frame only, and the
//! page's `frame-src` lets a frame load nothing but this scheme.

use patchbay_contract::AppFrameId;
use patchbay_engine::AppDocument;
use tauri::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use tauri::{AppHandle, Manager, Runtime, UriSchemeResponder};

use crate::shell::Shell;

/// The scheme of the documents.
pub(crate) const SCHEME: &str = "app-frame";

/// Responds with the document whose id is the path.
pub(crate) fn respond<R: Runtime>(app: &AppHandle<R>, path: &str, responder: UriSchemeResponder) {
    let id = AppFrameId(path.trim_start_matches('/').to_owned());
    let responding = {
        let app = app.clone();
        async move {
            let found = match app.state::<Shell>().engine().await {
                Ok(engine) => engine.app_document(&id).ok(),
                Err(_) => None,
            };
            responder.respond(response(found));
        }
    };
    app.state::<Shell>().tasks.spawn(responding);
}

fn response(document: Option<AppDocument>) -> Response<Vec<u8>> {
    let (status, html, policy) = match document {
        Some(AppDocument { html, policy }) => (StatusCode::OK, html.to_vec(), policy),
        None => (StatusCode::NOT_FOUND, Vec::new(), "default-src 'none'".to_owned()),
    };
    let mut response = Response::new(html);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-dns-prefetch-control"), "off"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Only checked origins are in it, so it is a valid header; if not, nothing is allowed.
    let policy =
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("sandbox; default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

#[cfg(test)]
mod tests;
