//! Session authentication: the one-time token, the cookie it is exchanged for, and the key of each page.
//!
//! The token appears only in the address we print and in the body of one request; it is never logged or stored. All tabs
//! share the cookie, and a browser sends it to every port of the host, so each page also has a key that only it knows.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::http::{HeaderMap, header};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;

/// The maximum number of valid page keys; the oldest is dropped first.
const MOST_PAGES: usize = 256;

/// The one-time token, and the session it was exchanged for.
pub(crate) struct SessionAuth {
    port: u16,
    token: String,
    session: Mutex<Option<Session>>,
}

struct Session {
    cookie: String,
    pages: VecDeque<String>,
}

impl SessionAuth {
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

    /// The accepted values of `Host`.
    pub(super) fn hosts(&self) -> [String; 2] {
        [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ]
    }

    pub(super) fn cookie_name(&self) -> String {
        format!("patchbay_{}", self.port)
    }

    /// Exchanges the token for a cookie and a page key: the first time without a cookie, later only with that cookie.
    pub(super) fn exchange(
        &self,
        token: &str,
        cookie: Option<&str>,
    ) -> Result<Option<(String, String)>, getrandom::Error> {
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

    /// Whether a request carries the session cookie.
    pub(super) fn has_session(&self, headers: &HeaderMap) -> bool {
        let cookie = self.cookie_of(headers);
        let session = self.lock();
        session
            .as_ref()
            .zip(cookie)
            .is_some_and(|(session, cookie)| same(&cookie, &session.cookie))
    }

    /// Whether this is the key of a page that was opened with the link.
    pub(super) fn has_page(&self, page: &str) -> bool {
        let session = self.lock();
        session
            .as_ref()
            .is_some_and(|session| session.pages.iter().any(|known| same(page, known)))
    }

    pub(super) fn cookie_of(&self, headers: &HeaderMap) -> Option<String> {
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

/// Compares in constant time.
fn same(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// 256 random bits, encoded for an address and a cookie.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
