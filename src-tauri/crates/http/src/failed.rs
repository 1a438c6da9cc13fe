//! A failure in words: which step, what came back, what to do.

use patchbay_traffic::Seq;

/// An exchange that did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {cause}", step = step.title())]
pub struct Failed {
    /// The exchange in the log; none if it could not even begin.
    pub exchange: Option<Seq>,
    /// At which step.
    pub step: Step,
    /// What came back, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// What is wrong with the server's certificate, if that is it.
    pub tls: Option<Box<TlsProblem>>,
    /// A time limit was reached.
    pub timed_out: bool,
    /// The server may have got the request, and acted on it: it must not be sent again unasked.
    pub may_have_been_sent: bool,
}

/// The steps of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Finding the address.
    Resolve,
    /// TCP, or the proxy.
    Connect,
    /// TLS.
    Tls,
    /// Sending the request.
    Send,
    /// Waiting for the response's head.
    Head,
    /// Reading the response's body.
    Body,
}

impl Step {
    /// One word, as in the log.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Send => "send",
            Self::Head => "head",
            Self::Body => "body",
        }
    }

    /// As a person would say it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Resolve => "Find the address",
            Self::Connect => "Connect",
            Self::Tls => "Agree on TLS",
            Self::Send => "Send the request",
            Self::Head => "Wait for the response",
            Self::Body => "Read the response",
        }
    }
}

/// What is wrong with a server's certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsProblem {
    /// Why it is refused.
    pub reason: TlsReason,
    /// SHA-256 of the certificate, in hex: what [`crate::Settings::accepted_fingerprint`] takes.
    pub fingerprint: String,
    /// Whose it says it is.
    pub subject: String,
    /// Who vouches for it.
    pub issuer: String,
    /// The names it is for.
    pub names: Vec<String>,
    /// From when it is valid, as an RFC 3339 date-time.
    pub not_before: String,
    /// Until when.
    pub not_after: String,
}

/// Why a server's certificate is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsReason {
    /// It vouches for itself.
    SelfSigned,
    /// Nobody this system trusts vouches for it.
    UnknownIssuer,
    /// It has expired.
    Expired,
    /// It is not valid yet.
    NotYetValid,
    /// It is for another name.
    WrongName,
    /// It was revoked.
    Revoked,
    /// Anything else.
    Other,
}
