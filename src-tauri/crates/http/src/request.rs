//! What is to be sent.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use patchbay_traffic::{OperationId, Seq};
use url::Url;

/// What is to be sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Whereto: `http` or `https`. A fragment is not sent.
    pub url: Url,
    /// The fields. `Host`, `Content-Length` and (unless given) `Accept-Encoding` are added.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The frame of the log that is the body. Without one, a body is recorded with the exchange.
    pub message: Option<Seq>,
    /// The operation for which it is sent; the exchange is recorded as part of it.
    pub operation: Option<OperationId>,
    /// What to do when the server points elsewhere.
    pub follow: Redirects,
    /// How long the server may take to the head of its response; none: as the settings say.
    pub head_timeout: Option<Duration>,
    /// Which addresses a new connection may go to, at each hop.
    pub addresses: Addresses,
    /// To have it run twice does no harm, whatever its method says (RFC 9110, section 9.2.2): if a connection that was used
    /// before closes without a byte of the answer, it is sent once more on a new one.
    pub repeatable: bool,
}

/// Which addresses a connection may go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addresses {
    /// All.
    #[default]
    Any,
    /// Those of the public internet only, so that what a server names cannot reach into a private network: checked on the very
    /// addresses that are connected to. A name that a proxy resolves cannot be checked.
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
        }
    }

    /// Whether it may be sent once more without asking anybody.
    pub(crate) fn may_be_repeated(&self) -> bool {
        self.repeatable || self.method.is_idempotent()
    }
}

/// What to do when the server points elsewhere. 307 and 308 keep method and body; 301, 302 and 303 are followed only by GET
/// and HEAD, as they would turn a POST into a GET. At most 5 in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// Give the redirect itself back.
    Never,
    /// Follow within the origin, give any other back.
    SameOrigin,
    /// Follow anywhere, but a request with credentials or a body only within its origin.
    Anywhere,
}
