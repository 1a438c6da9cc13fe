//! Why a model did not answer, with the cause and the next action.

use std::time::Duration;

use patchbay_http::{Failed, HeaderMap, PeerDelay};
use patchbay_protocol::json::{self, Object};
use patchbay_traffic::Seq;

/// The maximum length of a provider's own words, in characters.
const MOST_WORDS: usize = 500;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// The cause, in a sentence. It may quote the provider.
    pub cause: String,
    /// The next action, in a sentence.
    pub next: String,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// How long the provider asks to wait; at most a day.
    pub retry_after: Option<Duration>,
    /// The HTTP exchange, if there was one.
    pub exchange: Option<Seq>,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The request of the server cannot be converted for this provider. Nothing was sent.
    Request,
    /// The provider could not be reached, or the connection broke before its response.
    Unreachable,
    /// It does not accept the key (401, 403).
    Unauthorized,
    /// There is no credit left (402, or `insufficient_quota`).
    NoCredit,
    /// There is no such model or no such path (404).
    NotFound,
    /// It rejects the request (400, 413, 422).
    Rejected,
    /// Too many requests (429).
    RateLimited,
    /// It is overloaded (503, 529).
    Overloaded,
    /// It failed (other 5xx).
    Failed,
    /// What answered is not a model provider.
    NotAProvider,
    /// The stream ended before the answer did.
    Incomplete,
    /// An event of the stream cannot be read.
    Malformed,
    /// The answer is larger than the limit.
    TooLarge,
    /// The answer is empty.
    Empty,
}

impl FailureKind {
    /// Whether the provider may have counted tokens: it had begun to answer.
    #[must_use]
    pub fn may_have_used_tokens(self) -> bool {
        matches!(
            self,
            Self::Incomplete | Self::Malformed | Self::TooLarge | Self::Empty
        )
    }
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, cause: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            kind,
            cause: cause.into(),
            next: next.into(),
            status: None,
            retry_after: None,
            exchange: None,
        }
    }

    pub(crate) fn request(cause: impl Into<String>) -> Self {
        Self::new(
            FailureKind::Request,
            cause,
            "Edit the request, or choose another model.",
        )
    }

    pub(crate) fn malformed(cause: impl Into<String>) -> Self {
        Self::new(
            FailureKind::Malformed,
            cause,
            "The whole response is in the traffic log. Check that the provider's API is the selected one.",
        )
    }

    pub(crate) fn not_a_provider(cause: impl Into<String>) -> Self {
        Self::new(
            FailureKind::NotAProvider,
            cause,
            "Check the base URL and the API: another program may be listening at this address.",
        )
    }

    /// There is no response, or it broke off.
    pub(crate) fn http(failed: Failed) -> Self {
        let failure = Self::new(FailureKind::Unreachable, format!("{failed}."), &*failed.next);
        Self {
            exchange: failed.exchange,
            ..failure
        }
    }

    /// A response with an error status. `body` is its start.
    pub(crate) fn status(status: u16, headers: &HeaderMap, body: &str) -> Self {
        let (code, words) = error_of(body);
        let said = words
            .map(|words| format!(": {words}"))
            .unwrap_or_else(|| ".".to_owned());
        let (kind, what, next) = match status {
            401 | 403 => (
                FailureKind::Unauthorized,
                "The provider does not accept the key",
                "Check the key of this provider.",
            ),
            402 => no_credit(),
            429 if code.as_deref() == Some("insufficient_quota") => no_credit(),
            404 | 405 => (
                FailureKind::NotFound,
                "The provider has no such model or path",
                "Choose another model, or check the base URL.",
            ),
            429 => (
                FailureKind::RateLimited,
                "The provider takes no more requests for now",
                "Try again later.",
            ),
            503 | 529 => (
                FailureKind::Overloaded,
                "The provider is overloaded",
                "Try again later.",
            ),
            500.. => (
                FailureKind::Failed,
                "The provider failed",
                "Try again; if it persists, check its status page or log.",
            ),
            300..=399 => (
                FailureKind::NotAProvider,
                "The address redirects elsewhere, where the key is not sent",
                "Enter the address that it redirects to as the base URL.",
            ),
            _ => (
                FailureKind::Rejected,
                "The provider rejects the request",
                "Edit the request, or choose another model.",
            ),
        };
        Self {
            status: Some(status),
            retry_after: PeerDelay::retry_after(headers).map(PeerDelay::get),
            ..Self::new(kind, format!("{what} (status {status}){said}"), next)
        }
    }

    /// An error that is sent within a stream, or in place of an answer with the status of one, as JSON text of an object with
    /// `message` and `type` or `code`.
    pub(crate) fn in_stream(error: &str) -> Self {
        let (code, words) = error_of(error);
        let code = code.unwrap_or_default();
        let (kind, next) = match &*code {
            "overloaded_error" | "529" | "503" => (FailureKind::Overloaded, "Try again later."),
            "rate_limit_error" | "rate_limit_exceeded" | "429" => {
                (FailureKind::RateLimited, "Try again later.")
            }
            "authentication_error" | "permission_error" | "401" | "403" => {
                (FailureKind::Unauthorized, "Check the key of this provider.")
            }
            "billing_error" | "insufficient_quota" | "402" => {
                (FailureKind::NoCredit, "Add credit at the provider.")
            }
            _ => (FailureKind::Failed, "Try again."),
        };
        let words = words.unwrap_or_else(|| "it gave no reason.".to_owned());
        Self::new(
            kind,
            format!("The provider ended the answer with an error: {words}"),
            next,
        )
    }
}

fn no_credit() -> (FailureKind, &'static str, &'static str) {
    (
        FailureKind::NoCredit,
        "The provider reports that there is no credit left",
        "Add credit at the provider, or choose another one.",
    )
}

/// The code and the message of an error object, which both APIs have as `error` (or which is itself the text).
fn error_of(body: &str) -> (Option<String>, Option<String>) {
    let Ok(object) = Object::parse(body) else {
        return (None, None);
    };
    let inner = object.get("error").unwrap_or(body);
    if let Some(words) = json::string(inner) {
        return (None, Some(shortened(&words)));
    }
    let Ok(error) = Object::parse(inner) else {
        return (None, None);
    };
    let code = ["code", "type"].iter().find_map(|name| {
        let text = error.get(name)?;
        json::string(text)
            .map(|code| code.into_owned())
            .or_else(|| json::integer(text).map(|code| code.to_string()))
    });
    (code, error.string("message").map(|words| shortened(&words)))
}

fn shortened(words: &str) -> String {
    let mut text: String = json::one_line(words).chars().take(MOST_WORDS).collect();
    if words.chars().count() > MOST_WORDS {
        text.push('…');
    }
    text
}
