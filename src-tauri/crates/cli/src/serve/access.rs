//! What every request passes first: its Host and Origin are checked, its response gets the security headers; and
//! `POST /session`, where a page exchanges the token for a cookie.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use super::serving::Serving;

pub(super) const CONTENT_SECURITY_POLICY: HeaderName = HeaderName::from_static("content-security-policy");

/// Everything a page may do. Styles are set by script (sizes of rows and panes), so they may stand inline.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; \
worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the headers that every answer has.
fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(PAGE_POLICY));
    response
}

/// Refuses requests under another name than ours (DNS rebinding), and POSTs and sockets from other pages.
pub(super) async fn guard(State(serving): State<Arc<Serving>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let only = |name: header::HeaderName| {
        let mut values = headers.get_all(name).iter();
        values
            .next()
            .filter(|_| values.next().is_none())
            .and_then(|value| value.to_str().ok())
    };
    let hosts = serving.auth.hosts();
    let Some(host) = only(header::HOST).filter(|host| hosts.iter().any(|ours| ours == host)) else {
        return secured(refusal(
            StatusCode::FORBIDDEN,
            "This address is not one of Patchbay's.",
        ));
    };
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let is_socket = request.uri().path() == "/ws";
    let from_us = only(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")) == Some(host);
    if (changes || is_socket) && !from_us {
        return secured(refusal(
            StatusCode::FORBIDDEN,
            "This request does not come from Patchbay's own page.",
        ));
    }
    secured(next.run(request).await)
}

#[derive(Deserialize)]
struct SessionRequest {
    token: String,
}

#[derive(Serialize)]
struct SessionResponse {
    page: String,
}

/// `POST /session`: the token for a cookie and a page.
pub(super) async fn session(
    State(serving): State<Arc<Serving>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let auth = &serving.auth;
    let cookie = auth.cookie_of(&headers);
    let token = serde_json::from_slice::<SessionRequest>(&body)
        .map(|request| request.token)
        .unwrap_or_default();
    match auth.exchange(&token, cookie.as_deref()) {
        Ok(Some((cookie, page))) => {
            let cookie = format!(
                "{}={cookie}; HttpOnly; SameSite=Strict; Path=/",
                auth.cookie_name()
            );
            ([(header::SET_COOKIE, cookie)], Json(SessionResponse { page })).into_response()
        }
        Ok(None) => {
            tracing::warn!("a wrong or used token was refused");
            refusal(
                StatusCode::UNAUTHORIZED,
                "The link was used already or is not the one `patchbay serve` printed.",
            )
        }
        Err(_) => refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            "No random numbers could be had.",
        ),
    }
}

#[derive(Serialize)]
struct Refusal {
    code: &'static str,
    message: &'static str,
    detail: Option<String>,
}

/// A refusal in words, in the shape of the contract's errors.
pub(super) fn refusal(status: StatusCode, message: &'static str) -> Response {
    (
        status,
        Json(Refusal {
            code: "notFound",
            message,
            detail: None,
        }),
    )
        .into_response()
}
