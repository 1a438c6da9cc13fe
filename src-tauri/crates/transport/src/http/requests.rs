//! The requests of a link: their headers, and requests without a message.

use std::time::Duration;

use bytes::Bytes;
use patchbay_http::{Failed, HeaderMap, HeaderName, HeaderValue, Method, OnWire, header};
use patchbay_protocol::{RequestId, Revision};
use patchbay_traffic::OperationId;

use super::{
    INITIALIZED,
    authorized::{Answered, HttpAttempt},
    shared::{EVENT_STREAM, JSON, SESSION_ID, Shared},
};
use crate::{Dialect, Failure, OutgoingKind};

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
pub(super) const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long `notifications/initialized` may be unanswered. All that follows waits for it, so it is far less than a request has.
const INITIALIZED_PATIENCE: Duration = Duration::from_secs(10);
const SET_HEADERS: &str = "Set the headers";

impl Shared {
    /// The head of a POST. The failure names a header that cannot be sent.
    pub(crate) fn post_head(&self, own: &[(String, String)]) -> Result<HeaderMap, Failure> {
        let mut map = self.head(match self.dialect {
            Dialect::HttpSse => "application/json, text/event-stream, */*",
            Dialect::Modern | Dialect::Legacy => "application/json, text/event-stream",
        });
        map.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        for (name, value) in own {
            let (name, value) = field(name, value)?;
            map.insert(name, value);
        }
        self.add_own(&mut map);
        Ok(map)
    }

    /// Requests a stream, starting after the event `last_event`; `request` is the request whose response it continues.
    pub(crate) async fn get_stream(
        &self,
        last_event: Option<&str>,
        request: Option<&RequestId>,
        operation: Option<OperationId>,
    ) -> Result<Answered, Failed> {
        let mut map = self.head(EVENT_STREAM);
        map.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(id) = last_event.and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok()) {
            map.insert(LAST_EVENT_ID, id);
        }
        self.add_own(&mut map);
        let mut attempt = self.bodiless(Method::GET, map, request);
        attempt.operation = operation;
        if self.dialect == Dialect::Legacy {
            // A server may hold the head back until it has a first event. HTTP+SSE names the endpoint at once.
            attempt.head_timeout = Some(A_DAY);
        }
        self.ask(attempt).await
    }

    /// Ends the session on the server. The user is not asked for a token for this.
    pub(crate) async fn delete_session(&self) {
        let mut map = self.head("*/*");
        self.add_own(&mut map);
        // 405: the server does not allow clients to end sessions.
        let _ = self.ask_quietly(&self.bodiless(Method::DELETE, map, None)).await;
    }

    fn bodiless<'a>(
        &self,
        method: Method,
        headers: HeaderMap,
        request: Option<&'a RequestId>,
    ) -> HttpAttempt<'a> {
        HttpAttempt {
            operation: None,
            purpose: if method == Method::GET { "GET" } else { "DELETE" },
            method,
            url: self.url.clone(),
            headers,
            body: Bytes::new(),
            message: None,
            request,
            is_repeatable: request.is_none(),
            head_timeout: None,
            on_wire: OnWire::default(),
        }
    }

    fn head(&self, accept: &'static str) -> HeaderMap {
        let mut map = HeaderMap::with_capacity(8 + self.headers.len());
        map.insert(header::ACCEPT, HeaderValue::from_static(accept));
        let state = self.state();
        if let Some(session) = &state.session {
            map.insert(SESSION_ID, session.clone());
        }
        // This header exists since 2025-06-18.
        let has_header = |revision: &&str| {
            Revision::parse(revision).is_none_or(|revision| revision >= Revision::V2025_06_18)
        };
        let agreed = state.revision.as_deref();
        let revision = match self.dialect {
            Dialect::Modern => Some(agreed.unwrap_or(Revision::LATEST_MODERN.as_str())),
            Dialect::Legacy | Dialect::HttpSse => agreed.filter(has_header),
        };
        // A text that is no header cannot be agreed on over HTTP.
        if let Some(revision) = revision.and_then(|revision| HeaderValue::from_str(revision).ok()) {
            map.insert(PROTOCOL_VERSION, revision);
        }
        map
    }

    /// The user's headers replace ours.
    fn add_own(&self, map: &mut HeaderMap) {
        for name in self.headers.keys() {
            map.remove(name);
        }
        for (name, value) in &self.headers {
            map.append(name, value.clone());
        }
    }
}

/// How long the head of the response may take, if that is not the usual time. The sender of a request has a limit for it.
pub(super) fn head_limit(kind: &OutgoingKind) -> Option<Duration> {
    match kind {
        kind if kind.may_be_answered() => Some(A_DAY),
        OutgoingKind::Notification { method } if method == INITIALIZED => Some(INITIALIZED_PATIENCE),
        _ => None,
    }
}

/// A valid header; the failure does not show the value.
pub(super) fn field(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Failure> {
    let bad = |what: &str| {
        Failure::new(
            SET_HEADERS,
            format!("The header \u{201c}{name}\u{201d} has {what}."),
            "Use letters, digits and hyphens in names, and visible ASCII characters and spaces in values.",
        )
    };
    let parsed =
        HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("a name that HTTP does not allow"))?;
    let value =
        HeaderValue::from_str(value).map_err(|_| bad("a value with characters that HTTP does not allow"))?;
    Ok((parsed, value))
}
