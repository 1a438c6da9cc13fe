//! HTTP exchanges as evidence: what was sent, what came back, in stages, each with its time.
//!
//! An exchange is a row of [`crate::Kind::Http`]; its stages are added as they happen, so that one which hangs is seen
//! where it hangs. What must not be seen is masked here, before anything is queued. Deliberately not here: doing HTTP
//! (`patchbay-http`), and the messages a body carries (records of their own, which name their exchange).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Seq;

/// The fields of a head in their order, as `name: value` lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HttpFields(pub(crate) String);

impl HttpFields {
    /// Room for about this many fields.
    #[must_use]
    pub fn with_capacity(fields: usize) -> Self {
        Self(String::with_capacity(fields * 40))
    }

    /// Adds a field. What is no UTF-8 in its value is replaced.
    pub fn push(&mut self, name: &str, value: &[u8]) {
        self.0.push_str(name);
        self.0.push_str(": ");
        self.0.push_str(&String::from_utf8_lossy(value));
        self.0.push('\n');
    }

    /// Name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .lines()
            .map(|line| line.split_once(": ").unwrap_or((line, "")))
    }

    /// The first field of this name, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// What is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpHead {
    /// `POST`.
    pub method: String,
    /// Whole, without a fragment.
    pub url: String,
    /// The request's fields.
    pub fields: HttpFields,
    /// The body as text, where it is no frame of the log (a form of an authorization step); `None` where it is one, or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// A connection that was made for an exchange, and how long each step took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpTiming {
    /// Address and port of the other end: the server's, or the proxy's.
    pub remote: String,
    /// The proxy that stood between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// Finding the address; none if it stood in the URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dns_ns: Option<u64>,
    /// TCP, and the proxy's CONNECT.
    pub connect_ns: u64,
    /// The TLS handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_ns: Option<u64>,
    /// What TLS agreed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<HttpTls>,
}

/// What TLS agreed on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpTls {
    /// `TLS 1.3`.
    pub version: String,
    /// The cipher suite.
    pub cipher: String,
    /// `h2` or `http/1.1`, if agreed on.
    pub alpn: Option<String>,
    /// The server's certificate: whose.
    pub subject: String,
    /// By whom.
    pub issuer: String,
    /// Until when, as an RFC 3339 date-time.
    pub not_after: String,
    /// SHA-256 of the server's certificate, in hex.
    pub fingerprint: String,
    /// The normal check failed and the user's accepted fingerprint stood in for it.
    pub accepted_by_user: bool,
}

/// One thing that happened in an exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HttpStage {
    /// The request, with which an exchange begins.
    Sent(HttpHead),
    /// A connection was made for it. Missing: an open one was used again.
    Timing(HttpTiming),
    /// The response's head.
    Head {
        /// The status code.
        status: u16,
        /// The reason as sent, or the status's usual one (HTTP/2 sends none).
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
        /// The frame the event is recorded as; none of an event without data.
        frame: Option<Seq>,
    },
    /// The stream says how long to wait before reconnecting.
    SseRetry {
        /// In milliseconds.
        ms: u64,
    },
    /// A comment of the stream.
    SseComment {
        /// Its text.
        text: String,
    },
    /// The server points elsewhere.
    Redirect {
        /// Whereto.
        to: String,
        /// Whether that is done: the next exchange.
        followed: bool,
        /// Why, or why not.
        why: String,
    },
    /// The response is complete.
    End {
        /// Bytes of its body as they crossed.
        bytes: u64,
        /// Its status code.
        status: u16,
    },
    /// It did not work.
    Failed {
        /// At which step: `resolve`, `connect`, `tls`, `send`, `head`, `body`.
        step: Cow<'static, str>,
        /// What came back.
        cause: String,
        /// A time limit was reached.
        timed_out: bool,
        /// The server may have got the request.
        may_have_been_sent: bool,
    },
    /// We ended it before it was complete.
    Aborted {
        /// Bytes of the response's body that had come.
        bytes: u64,
    },
}

/// When what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpMoment {
    /// Since the exchange began, in nanoseconds.
    pub after_ns: u64,
    /// What.
    pub stage: HttpStage,
}

/// An exchange in full, but for the bytes of its body ([`crate::Store::body`]).
#[derive(Debug, Clone, PartialEq)]
pub struct HttpRecord {
    /// The exchange.
    pub exchange: Seq,
    /// The stages in their order, the first of them [`HttpStage::Sent`]; at most 2000.
    pub stages: Vec<HttpMoment>,
    /// How many more there are.
    pub omitted: u64,
    /// The frames it carried, both ways, oldest first; at most 200.
    pub frames: Vec<Seq>,
}
