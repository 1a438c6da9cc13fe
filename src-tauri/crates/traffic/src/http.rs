//! Recorded HTTP exchanges: requests and responses in stages, each with its time.
//!
//! An exchange is a row of [`crate::Kind::Http`]. Its stages are added as they happen, so that a hanging exchange shows
//! where it hangs. Secrets are masked here, before anything is queued. Deliberately not here: the HTTP client
//! (`patchbay-http`), and the messages in a body (separate records that refer to their exchange).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Seq;

/// Header fields in order, as `name: value` lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HttpFields(pub(crate) String);

impl HttpFields {
    /// With capacity for about this many fields.
    #[must_use]
    pub fn with_capacity(fields: usize) -> Self {
        Self(String::with_capacity(fields * 40))
    }

    /// Adds a field. Invalid UTF-8 in its value is replaced.
    pub fn push(&mut self, name: &str, value: &[u8]) {
        self.0.push_str(name);
        self.0.push_str(": ");
        self.0.push_str(&String::from_utf8_lossy(value));
        self.0.push('\n');
    }

    /// Name and value of each field.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .lines()
            .map(|line| line.split_once(": ").unwrap_or((line, "")))
    }

    /// The first field with this name, ignoring case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// The request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpHead {
    /// `POST`.
    pub method: String,
    /// The whole URL, without its fragment.
    pub url: String,
    /// The request's fields.
    pub fields: HttpFields,
    /// The body as text, if it is not a frame of the log (a form of an authorization step); `None` if it is one, or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The size of the whole body in bytes, if `body` is only its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_size: Option<u64>,
}

/// A connection that was opened for an exchange, with the duration of each step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpTiming {
    /// Address and port of the peer: the server or the proxy.
    pub remote: String,
    /// The proxy, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// Name resolution; none if the URL has an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dns_ns: Option<u64>,
    /// TCP, and the proxy's CONNECT.
    pub connect_ns: u64,
    /// The TLS handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_ns: Option<u64>,
    /// The negotiated TLS parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<HttpTls>,
}

/// The negotiated TLS parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpTls {
    /// `TLS 1.3`.
    pub version: String,
    /// The cipher suite.
    pub cipher: String,
    /// `h2` or `http/1.1`, if negotiated.
    pub alpn: Option<String>,
    /// The subject of the server's certificate.
    pub subject: String,
    /// Its issuer.
    pub issuer: String,
    /// Its expiry, as an RFC 3339 date-time.
    pub not_after: String,
    /// SHA-256 of the server's certificate, in hex.
    pub fingerprint: String,
    /// The certificate failed the normal check and was accepted by its fingerprint.
    pub accepted_by_user: bool,
}

/// A stage of an exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HttpStage {
    /// The request, which begins an exchange.
    Sent(HttpHead),
    /// A connection was opened for it. Missing if an open one was reused.
    Timing(HttpTiming),
    /// The response's head.
    Head {
        /// The status code.
        status: u16,
        /// The reason phrase as sent, or the status's usual one (HTTP/2 sends none).
        reason: Cow<'static, str>,
        /// `HTTP/1.1`.
        version: Cow<'static, str>,
        /// The response's fields.
        fields: HttpFields,
    },
    /// An event of the stream has an id.
    SseId {
        /// The id.
        id: String,
        /// The frame that the event is recorded as; none for an event without data.
        frame: Option<Seq>,
    },
    /// The stream sets the reconnection delay.
    SseRetry {
        /// In milliseconds.
        ms: u64,
    },
    /// A comment of the stream.
    SseComment {
        /// Its text.
        text: String,
    },
    /// A redirect.
    Redirect {
        /// The target.
        to: String,
        /// Whether it is followed; then the next exchange is.
        followed: bool,
        /// The reason.
        why: String,
    },
    /// The response is complete.
    End {
        /// The size of its body as transferred.
        bytes: u64,
        /// Its status code.
        status: u16,
    },
    /// The exchange failed.
    Failed {
        /// The step: `resolve`, `connect`, `tls`, `send`, `head`, `body`.
        step: Cow<'static, str>,
        /// The error.
        cause: String,
        /// Whether a time limit was reached.
        timed_out: bool,
        /// Whether the server may have received the request.
        may_have_been_sent: bool,
    },
    /// Patchbay ended it before it was complete.
    Aborted {
        /// The received bytes of the response's body.
        bytes: u64,
    },
}

impl HttpStage {
    /// Whether it ends the exchange.
    #[must_use]
    pub fn is_end(&self) -> bool {
        matches!(
            self,
            Self::End { .. } | Self::Failed { .. } | Self::Aborted { .. }
        )
    }
}

/// A stage with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpMoment {
    /// Since the exchange began, in nanoseconds.
    pub after_ns: u64,
    /// The stage.
    pub stage: HttpStage,
}

/// An exchange except for the bytes of its body ([`crate::Store::body`]).
#[derive(Debug, Clone, PartialEq)]
pub struct HttpRecord {
    /// The exchange.
    pub exchange: Seq,
    /// The stages in order, starting with [`HttpStage::Sent`]; at most 2000, and about 1 MiB. Beyond that only the end follows.
    pub stages: Vec<HttpMoment>,
    /// The number of further stages.
    pub omitted: u64,
    /// The frames that it carried, in both directions, oldest first; at most 200.
    pub frames: Vec<Seq>,
}
