//! What comes back.

use std::borrow::Cow;
use std::net::SocketAddr;

use bytes::Bytes;
use http::HeaderMap;
use patchbay_traffic::Seq;
use url::Url;

use crate::Failed;

/// A response whose head is here. Dropped before its end, the exchange is aborted: HTTP/1.1 closes the connection, HTTP/2
/// resets the stream.
pub struct Response {
    /// The exchange in the log.
    pub exchange: Seq,
    /// The status code.
    pub status: u16,
    /// The fields.
    pub headers: HeaderMap,
    /// `HTTP/1.1` or `HTTP/2`.
    pub version: Cow<'static, str>,
    /// From where it comes, after redirects.
    pub url: Url,
    /// How long what took.
    pub timing: Timing,
    /// The server points elsewhere and that was not followed.
    pub redirected: Option<Redirected>,
}

/// A redirect that was not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirected {
    /// Whereto, absolute if it could be understood.
    pub to: String,
    /// Why it was not followed, in a sentence.
    pub why: String,
}

/// How long what took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timing {
    /// Finding the address; none if it stood in the URL or the connection was open.
    pub dns_ns: Option<u64>,
    /// TCP, and the proxy's CONNECT.
    pub connect_ns: Option<u64>,
    /// The TLS handshake.
    pub tls_ns: Option<u64>,
    /// From the request's beginning to the response's head.
    pub first_byte_ns: u64,
    /// An open connection was used again.
    pub reused: bool,
    /// The other end: the server, or the proxy.
    pub remote: Option<SocketAddr>,
}

impl Response {
    /// Whether bytes of the body are recorded as the exchange's body, before they are decoded. So they are unless this is
    /// turned off, before the first chunk, by who records them as frames.
    pub fn keep_body(&mut self, _keep: bool) {}

    /// Whether the body is compressed on the way.
    #[must_use]
    pub fn is_encoded(&self) -> bool {
        false
    }

    /// The next bytes of the body, decoded; `None` at its end. Cancel-safe.
    ///
    /// # Errors
    /// The connection broke, the body is cut off, cannot be decoded or is larger than allowed.
    #[allow(clippy::unused_async)]
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Failed> {
        Ok(None)
    }

    /// The whole body, decoded, if it has at most `limit` bytes; the beginning of it, and that there is more, otherwise.
    ///
    /// # Errors
    /// As [`Response::chunk`].
    pub async fn text(&mut self, limit: usize) -> Result<(Vec<u8>, bool), Failed> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > limit {
                body.truncate(limit);
                return Ok((body, true));
            }
        }
        Ok((body, false))
    }
}
