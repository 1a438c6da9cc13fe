//! A failure in words: which step, what came back, what to do.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

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
    /// The address is in a private network, and only public ones were allowed ([`crate::Addresses::Public`]).
    pub private: Option<IpAddr>,
    /// A time limit was reached.
    pub timed_out: bool,
    /// The server may have got the request, and acted on it: it must not be sent again unasked.
    pub may_have_been_sent: bool,
    /// It went out on a connection that was used before, which closed without a byte of the answer: most likely the server
    /// had closed it already, and never saw the request.
    pub(crate) stale: bool,
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
            Self::Resolve => "Resolve host",
            Self::Connect => "Connect",
            Self::Tls => "TLS handshake",
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

/// A failure before it is known whose.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) step: Step,
    pub(crate) cause: String,
    pub(crate) next: String,
    pub(crate) tls: Option<Box<TlsProblem>>,
    pub(crate) private: Option<IpAddr>,
    pub(crate) timed_out: bool,
    pub(crate) stale: bool,
}

impl Fault {
    pub(crate) fn new(step: Step, cause: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            step,
            cause: cause.into(),
            next: next.into(),
            tls: None,
            private: None,
            timed_out: false,
            stale: false,
        }
    }

    /// It was on a connection that was used before ([`Failed::stale`]).
    pub(crate) fn stale(self) -> Self {
        let next = "Send it again if it may run twice: the server had most likely closed the kept connection before it saw the \
                    request.";
        Self {
            next: next.to_owned(),
            stale: true,
            ..self
        }
    }

    /// A time limit was reached.
    pub(crate) fn timed_out(step: Step, limit: Duration) -> Self {
        let seconds = limit.as_secs_f64();
        let (cause, next) = match step {
            Step::Resolve => (
                "the name server did not answer",
                "Check the network connection and the host name.",
            ),
            Step::Connect => (
                "the server could not be reached",
                "Check host and port, and whether a firewall blocks the way; a proxy may be needed.",
            ),
            Step::Tls => (
                "the TLS handshake did not finish",
                "Check that the port speaks TLS; use http:// if it does not.",
            ),
            Step::Send | Step::Head | Step::Body => (
                "the server took the request and did not begin an answer",
                "Look at the server's own log, or allow more time.",
            ),
        };
        Self {
            timed_out: true,
            ..Self::new(step, format!("{cause} within {seconds} s"), next)
        }
    }

    /// As the failure of an exchange.
    pub(crate) fn of(self, exchange: Option<Seq>, may_have_been_sent: bool) -> Failed {
        Failed {
            exchange,
            step: self.step,
            cause: self.cause,
            next: self.next,
            tls: self.tls,
            private: self.private,
            timed_out: self.timed_out,
            may_have_been_sent,
            stale: self.stale,
        }
    }
}

/// An error and what it comes from, without saying anything twice.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    text
}

/// The first error of this type in the chain; also inside an I/O error.
pub(crate) fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut current = Some(error);
    while let Some(error) = current {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        current = match error.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref()) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}
