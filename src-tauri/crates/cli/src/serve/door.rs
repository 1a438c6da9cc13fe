//! Who may come in: the one-time token, the cookie it is traded for, the page's own nonce, and Host and Origin.
//!
//! The token only ever stands in the address we print and in the body of one request; it is never logged, stored or
//! passed on. The cookie is shared by all tabs, so the page brings a nonce of its own that only it knows.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::{Serving, pages::secured};

/// So many pages may be open; an older one has to be opened by the link again.
const MOST_PAGES: usize = 256;

/// The state of the door.
pub(crate) struct Door {
    port: u16,
    token: String,
    session: Mutex<Option<Session>>,
}

struct Session {
    cookie: String,
    pages: VecDeque<String>,
}

impl Door {
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self {
            port,
            token: random()?,
            session: Mutex::default(),
        })
    }

    /// The address to open, with the token.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// The hosts under which we are reached.
    pub(super) fn hosts(&self) -> [String; 2] {
        [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ]
    }

    fn cookie_name(&self) -> String {
        format!("patchbay_{}", self.port)
    }

    /// Trades the token for a cookie and a page: the first time from anybody, later only with that cookie.
    fn trade(&self, token: &str, cookie: Option<&str>) -> Result<Option<(String, String)>, getrandom::Error> {
        if !same(token, &self.token) {
            return Ok(None);
        }
        let page = random()?;
        let mut session = self.lock();
        let session = match session.as_mut() {
            Some(session) if cookie.is_some_and(|cookie| same(cookie, &session.cookie)) => session,
            Some(_) => return Ok(None),
            None => session.insert(Session {
                cookie: random()?,
                pages: VecDeque::new(),
            }),
        };
        if session.pages.len() == MOST_PAGES {
            session.pages.pop_front();
        }
        session.pages.push_back(page.clone());
        Ok(Some((session.cookie.clone(), page)))
    }

    /// Whether a request brings the cookie.
    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        let cookie = self.cookie_of(headers);
        let session = self.lock();
        session
            .as_ref()
            .zip(cookie)
            .is_some_and(|(session, cookie)| same(&cookie, &session.cookie))
    }

    /// Whether a page came in by the link.
    pub(super) fn knows_page(&self, page: &str) -> bool {
        let session = self.lock();
        session
            .as_ref()
            .is_some_and(|session| session.pages.iter().any(|known| same(page, known)))
    }

    fn cookie_of(&self, headers: &HeaderMap) -> Option<String> {
        let name = self.cookie_name();
        let values = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In a time that does not tell how much was right.
fn same(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// 256 random bits, fit for an address and a cookie.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
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
    let hosts = serving.door.hosts();
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
    let door = &serving.door;
    let cookie = door.cookie_of(&headers);
    let token = serde_json::from_slice::<SessionRequest>(&body)
        .map(|request| request.token)
        .unwrap_or_default();
    match door.trade(&token, cookie.as_deref()) {
        Ok(Some((cookie, page))) => {
            let cookie = format!(
                "{}={cookie}; HttpOnly; SameSite=Strict; Path=/",
                door.cookie_name()
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
