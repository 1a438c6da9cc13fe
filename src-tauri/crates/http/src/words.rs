//! Messages for errors of hyper.

use std::borrow::Cow;
use std::io;

use http::Version;
use http::response::Parts;
use hyper::ext::ReasonPhrase;

use crate::Step;
use crate::connect::{reason as io_reason, tls_fault};
use crate::failed::{Fault, chain, find};

/// The reason phrase as sent, or the usual one of the status.
pub(crate) fn reason(head: &Parts) -> Cow<'static, str> {
    match head.extensions.get::<ReasonPhrase>() {
        Some(sent) => String::from_utf8_lossy(sent.as_bytes()).into_owned().into(),
        None => head.status.canonical_reason().unwrap_or_default().into(),
    }
}

/// `HTTP/1.1`.
pub(crate) fn version(version: Version) -> Cow<'static, str> {
    match version {
        Version::HTTP_10 => "HTTP/1.0".into(),
        Version::HTTP_11 => "HTTP/1.1".into(),
        Version::HTTP_2 => "HTTP/2".into(),
        other => format!("{other:?}").into(),
    }
}

/// Whether the peer closed the connection, in any way.
pub(crate) fn is_closed(error: &hyper::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let broke = |io: &io::Error| {
        matches!(
            io.kind(),
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof
        )
    };
    error.is_incomplete_message()
        || error.is_canceled()
        || error.is_closed()
        || find::<io::Error>(error).is_some_and(broke)
}

/// Converts an HTTP error at a step.
pub(crate) fn fault(error: &hyper::Error, step: Step, has_identity: bool) -> Fault {
    let log = "Check the server's own log.";
    if let Some(tls) = find::<rustls::Error>(error) {
        return tls_fault(tls, has_identity);
    }
    let cut = error.is_incomplete_message()
        || find::<io::Error>(error).is_some_and(|io| io.kind() == io::ErrorKind::UnexpectedEof);
    if error.is_parse() && error.to_string().contains("too large") {
        return Fault::new(step, "the head of the response is larger than allowed", log);
    }
    if error.is_parse() {
        return Fault::new(
            step,
            format!("the response is not HTTP: {}", chain(error)),
            "Check the port, and whether the server wants https://.",
        );
    }
    if cut && step == Step::Body {
        return Fault::new(step, "the connection closed in the middle of the body", log);
    }
    if cut || error.is_canceled() || error.is_closed() {
        return Fault::new(step, "the server closed the connection without an answer", log);
    }
    if let Some(io) = find::<io::Error>(error) {
        return Fault::new(step, format!("the connection broke: {}", io_reason(io)), log);
    }
    Fault::new(step, chain(error), log)
}
