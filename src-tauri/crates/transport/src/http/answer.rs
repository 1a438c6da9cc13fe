//! Bodies other than event streams: read completely, within limits, and matched to a request.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use patchbay_http::{Failed, HeaderMap, HeaderValue, PeerDelay, Response, header};
use patchbay_protocol::{
    RequestId,
    limits::Limits,
    message::{Message, Outcome, Text},
};
use tokio::time::Instant;

use super::shared::Shared;
use crate::{Failure, Unanswered, at};

/// The maximum size of a body without a message that is shown, in bytes.
const SHOWN_LIMIT: usize = 64 << 10;
/// The maximum size of a body without a message that is read, in bytes: more than is shown, so that a secret across
/// that end is recognized.
pub(crate) const READ_LIMIT: usize = 80 << 10;

/// How long a response may continue once nothing is awaited from it: its stream has delivered the answer, the answer came
/// elsewhere, or its head said all there is to say.
pub(crate) const LINGER: Duration = Duration::from_secs(2);

/// The relation of a frame to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It contains the response.
    Ours,
    /// It contains an error without an id, which may be the response.
    Anonymous,
    /// Neither.
    Other,
}

/// The relation of a frame to the request with this id.
pub(crate) fn fit(frame: &[u8], request: &RequestId, limits: &Limits) -> Fit {
    // Most events of a stream are notifications. This check is quick; escaped member names are not worth a slower one.
    let may = |name: &[u8]| memchr::memmem::find(frame, name).is_some();
    if !may(b"\"result\"") && !may(b"\"error\"") {
        return Fit::Other;
    }
    let text = Text::of(frame);
    let mut found = Fit::Other;
    for located in text.decode_within(limits).messages {
        match located.message {
            Message::Response { id: Some(id), .. } if id == *request => return Fit::Ours,
            // Without a code it is not a JSON-RPC error, such as {"error":"database down"}.
            Message::Response {
                id: None,
                outcome: Outcome::Error(error),
            } if error.code.is_some() => found = Fit::Anonymous,
            _ => {}
        }
    }
    found
}

/// A body, as far as it was received.
pub(crate) enum Body {
    /// The complete body.
    Whole(Bytes),
    /// Its start; it was interrupted.
    Cut(Bytes, Failed),
    /// Its start; it exceeds the limit.
    TooLong(Bytes),
    /// Its start; it did not end in time.
    Late(Bytes),
}

impl Body {
    /// What was received of it.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self {
            Self::Whole(body) | Self::Cut(body, _) | Self::TooLong(body) | Self::Late(body) => body,
        }
    }
}

/// Reads a body of at most `limit` bytes, for at most `patience` if there is one. A body in one chunk is not copied.
pub(crate) async fn read(response: &mut Response, limit: usize, patience: Option<Duration>) -> Body {
    let until = patience.map(|patience| Instant::now() + patience);
    let mut first = Bytes::new();
    let mut joined = BytesMut::new();
    let all = |first: Bytes, joined: BytesMut| if joined.is_empty() { first } else { joined.freeze() };
    loop {
        let chunk = tokio::select! {
            biased;
            chunk = response.chunk() => chunk,
            () = at(until) => return Body::Late(all(first, joined)),
        };
        match chunk {
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
        if first.len().max(joined.len()) > limit {
            return Body::TooLong(all(first, joined));
        }
    }
}

/// All `WWW-Authenticate` header fields.
pub(crate) fn www_authenticate(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(header::WWW_AUTHENTICATE)
        .iter()
        .map(|value| String::from_utf8_lossy(HeaderValue::as_bytes(value)).into_owned())
        .collect()
}

/// A response without a message. Its body is read here, for a limited time.
pub(crate) async fn status(shared: &Shared, response: &mut Response, session_lost: bool) -> Unanswered {
    let body = read(response, READ_LIMIT, Some(LINGER)).await.into_bytes();
    status_of(shared, response, &body, session_lost, None)
}

/// The same with a body that was read.
pub(crate) fn status_of(
    shared: &Shared,
    response: &Response,
    body: &Bytes,
    session_lost: bool,
    authorization: Option<Failure>,
) -> Unanswered {
    let www_authenticate = www_authenticate(&response.headers);
    Unanswered::Status {
        exchange: response.exchange,
        status: response.status,
        body_text: shown(shared, body),
        session_lost,
        www_authenticate: (!www_authenticate.is_empty()).then(|| www_authenticate.join(", ")),
        retry_after: PeerDelay::retry_after(&response.headers).map(PeerDelay::get),
        authorization,
        resuming: false,
    }
}

/// The part of a body that is shown. Masked before it is cut: part of a secret is not recognized as one.
pub(crate) fn shown(shared: &Shared, body: &Bytes) -> String {
    let body = shared.tap.recorder().masked(body.clone());
    String::from_utf8_lossy(body.get(..SHOWN_LIMIT).unwrap_or(&body)).into_owned()
}
