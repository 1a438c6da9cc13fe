//! Checks Host and Origin of every request and adds the security headers to its response. Also `POST /session`, where a
//! page exchanges the token for a cookie.

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

/// What the page may load. Scripts set styles (sizes of rows and panes), so inline styles are allowed. Frames show apps of
/// servers; everything else here refuses to be framed.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; \
worker-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the security headers to a response.
fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(PAGE_POLICY));
    response
}

/// Refuses requests with an unknown `Host` (DNS rebinding), and POSTs and sockets from other origins.
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
            "Unknown host: this address is not served by Patchbay.",
        ));
    };
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let is_socket = request.uri().path() == "/ws";
    let from_us = only(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")) == Some(host);
    if (changes || is_socket) && !from_us {
        return secured(refusal(
            StatusCode::FORBIDDEN,
            "Requests from other origins are refused.",
        ));
    }
    let answer = tokio::time::timeout(serving.limits.response, next.run(request)).await;
    secured(answer.unwrap_or_else(|_| {
        refusal(
            StatusCode::REQUEST_TIMEOUT,
            "The request was not complete in time.",
        )
    }))
}

#[derive(Deserialize)]
struct SessionRequest {
    token: String,
}

#[derive(Serialize)]
struct SessionResponse {
    page: String,
}

/// `POST /session`: exchanges the token for a cookie and a page key.
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
                "The link was already used, or it is not the one that `patchbay serve` printed.",
            )
        }
        Err(_) => refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The system's random number generator failed.",
        ),
    }
}

#[derive(Serialize)]
struct Refusal {
    code: &'static str,
    message: &'static str,
    detail: Option<String>,
}

/// A refusal as an error of the contract.
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
