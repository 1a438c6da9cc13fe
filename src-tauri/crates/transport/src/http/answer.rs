//! Bodies that are no event stream: read whole, within bounds, and what they are to a request.

use bytes::{Bytes, BytesMut};
use patchbay_http::{Failed, HeaderMap, HeaderValue, Response, header};
use patchbay_protocol::{
    RequestId,
    message::{Message, Outcome, Text},
};

use crate::FRAME_LIMIT;

/// How much of a body that is not a message is read and shown.
pub(crate) const SHOWN_LIMIT: usize = 64 << 10;

/// What a frame is to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It holds the response.
    Ours,
    /// It holds an error without an id, which an answer to a request may be.
    Anonymous,
    /// Neither.
    Other,
}

/// What a frame is to the request with this id.
pub(crate) fn fit(frame: &[u8], request: &RequestId) -> Fit {
    // Most events of a stream are notifications. This is quick, and escapes in the names of members are not worth more.
    let may = |name: &[u8]| memchr::memmem::find(frame, name).is_some();
    if !may(b"\"result\"") && !may(b"\"error\"") {
        return Fit::Other;
    }
    let text = Text::of(frame);
    let mut found = Fit::Other;
    for located in text.decode().messages {
        match located.message {
            Message::Response { id: Some(id), .. } if id == *request => return Fit::Ours,
            // Without a code it is any server's JSON, such as {"error":"database down"}.
            Message::Response {
                id: None,
                outcome: Outcome::Error(error),
            } if error.code.is_some() => found = Fit::Anonymous,
            _ => {}
        }
    }
    found
}

/// A body, as far as it came.
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Its beginning; it broke off.
    Cut(Bytes, Failed),
    /// Its beginning; it is longer than the limit.
    TooLong(Bytes),
}

/// Reads a body of at most `limit` bytes. One that comes in one piece is not copied.
pub(crate) async fn read(response: &mut Response, limit: usize) -> Body {
    let mut first = Bytes::new();
    let mut joined = BytesMut::new();
    let all = |first: Bytes, joined: BytesMut| if joined.is_empty() { first } else { joined.freeze() };
    loop {
        match response.chunk().await {
            Ok(None) => return Body::Whole(all(first, joined)),
            Ok(Some(piece)) if first.is_empty() => first = piece,
            Ok(Some(piece)) => {
                if joined.is_empty() {
                    joined.extend_from_slice(&first);
                }
                joined.extend_from_slice(&piece);
            }
            Err(failed) => return Body::Cut(all(first, joined), failed),
        }
        if first.len().max(joined.len()) > limit.min(FRAME_LIMIT) {
            return Body::TooLong(all(first, joined));
        }
    }
}

/// All `WWW-Authenticate` headers.
pub(crate) fn www_authenticate(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(header::WWW_AUTHENTICATE)
        .iter()
        .map(|value| String::from_utf8_lossy(HeaderValue::as_bytes(value)).into_owned())
        .collect()
}
