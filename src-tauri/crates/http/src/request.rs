//! A request to be sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use patchbay_traffic::{OperationId, Seq};
use url::Url;

/// A request to be sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The URL: `http` or `https`. A fragment is not sent.
    pub url: Url,
    /// The header fields. `Host`, `Content-Length` and (unless present) `Accept-Encoding` are added.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The frame of the log that is the body. Without one, the body is recorded with the exchange.
    pub message: Option<Seq>,
    /// The operation of the request; the exchange is recorded as part of it.
    pub operation: Option<OperationId>,
    /// How to handle redirects.
    pub follow: Redirects,
    /// The time limit for the head of the response; none: that of the settings.
    pub head_timeout: Option<Duration>,
    /// The addresses that a new connection may use, for each redirect.
    pub addresses: Addresses,
    /// Whether running it twice is harmless, whatever its method (RFC 9110, section 9.2.2): if a reused connection closes
    /// without a byte of the response, it is sent once more on a new one.
    pub repeatable: bool,
    /// Tells meanwhile whether it may have reached the server, and is told that it was cancelled.
    pub on_wire: OnWire,
}

/// Whether a request may have reached a server that runs it: from just before its first byte is written, until the server
/// turns out not to have run it. While it is not, dropping the exchange means that it never runs.
#[derive(Debug, Clone, Default)]
pub struct OnWire(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    on_wire: AtomicBool,
    cancelled: AtomicBool,
}

impl OnWire {
    /// Whether the request may have reached the server.
    #[must_use]
    pub fn get(&self) -> bool {
        self.0.on_wire.load(Ordering::Relaxed)
    }

    /// Notes whether the request may have reached the server.
    pub fn set(&self, on_wire: bool) {
        self.0.on_wire.store(on_wire, Ordering::Relaxed);
    }

    /// Whether the request was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Cancels a request whose response is still awaited: it is not sent again, such as to the target of a redirect.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

/// The addresses that a connection may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addresses {
    /// All addresses.
    #[default]
    Any,
    /// Public addresses only, so that a server cannot make us reach into a private network. Checked on the resolved
    /// addresses; a name that a proxy resolves cannot be checked.
    Public,
}

impl Request {
    /// A request without fields and body that follows redirects within its origin.
    #[must_use]
    pub fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            message: None,
            operation: None,
            follow: Redirects::SameOrigin,
            head_timeout: None,
            addresses: Addresses::Any,
            repeatable: false,
            on_wire: OnWire::default(),
        }
    }

    /// Whether it may be repeated automatically.
    pub(crate) fn may_be_repeated(&self) -> bool {
        (self.repeatable || self.method.is_idempotent()) && !self.on_wire.is_cancelled()
    }
}

/// How to handle redirects. 307 and 308 keep method and body; 301, 302 and 303 are followed for GET and HEAD only, as they
/// would turn a POST into a GET. As many in a row as the settings allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// Return the redirect itself.
    Never,
    /// Follow within the origin, return others.
    SameOrigin,
    /// Follow to any origin, except for requests with credentials or a body.
    Anywhere,
}
