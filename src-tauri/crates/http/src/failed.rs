//! A failure with a message for the user: the step, the cause, the next action.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use patchbay_traffic::Seq;

/// A failed exchange.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {cause}", step = step.title())]
pub struct Failed {
    /// The recorded exchange; none if it could not be started.
    pub exchange: Option<Seq>,
    /// The failed step.
    pub step: Step,
    /// The cause, in a sentence.
    pub cause: String,
    /// The next action, in a sentence.
    pub next: String,
    /// The problem with the server's certificate, if that is the cause.
    pub tls: Option<Box<TlsProblem>>,
    /// The address is in a private network, but only public ones are allowed ([`crate::Addresses::Public`]).
    pub private: Option<IpAddr>,
    /// A time limit was reached.
    pub timed_out: bool,
    /// The server may have received and run the request: it must not be repeated automatically.
    pub may_have_been_sent: bool,
    /// It was sent on a reused connection, which closed without a byte of the response: most likely the server had already
    /// closed it and never received the request.
    pub(crate) stale: bool,
}

/// The steps of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Resolving the host.
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
    /// The name in the log.
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

    /// The display name.
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

/// The problem with a server's certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsProblem {
    /// The reason.
    pub reason: TlsReason,
    /// SHA-256 of the certificate, in hex, for [`crate::Settings::accepted_fingerprint`].
    pub fingerprint: String,
    /// The subject.
    pub subject: String,
    /// The issuer.
    pub issuer: String,
    /// The names it is valid for.
    pub names: Vec<String>,
    /// The start of its validity, as an RFC 3339 date-time.
    pub not_before: String,
    /// The end of its validity.
    pub not_after: String,
}

/// Why a server's certificate is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsReason {
    /// Self-signed certificate.
    SelfSigned,
    /// Issued by an authority that is not trusted.
    UnknownIssuer,
    /// It has expired.
    Expired,
    /// It is not valid yet.
    NotYetValid,
    /// Issued for another name.
    WrongName,
    /// Revoked.
    Revoked,
    /// Another reason.
    Other,
}

/// A failure that does not belong to an exchange yet.
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

    /// Marks a failure on a reused connection ([`Failed::stale`]).
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
                "the server accepted the request but did not respond",
                "Check the server's own log, or increase the timeout.",
            ),
        };
        Self {
            timed_out: true,
            ..Self::new(step, format!("{cause} within {seconds} s"), next)
        }
    }

    /// Adds the exchange.
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

/// An error and its sources, without repetition.
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

/// The first error of this type in the chain, also inside an I/O error.
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
