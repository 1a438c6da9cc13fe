//! Reads a provider's response: an event stream, or one JSON document from a provider that does not stream.

use std::time::Duration;

use bytes::Bytes;
use patchbay_http::{Response, sse};
use patchbay_protocol::json;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::answer::{Arguments, Arriving, MOST_BYTES, Progress};
use crate::api::Api;
use crate::{Answer, Delta, Failure, FailureKind, anthropic, chat};

/// The maximum size of an event, and of an answer that is not streamed, in bytes. JSON escapes may double the text.
const LIMIT: usize = 2 * MOST_BYTES;
/// The maximum size of a stream, in bytes: each token comes with about 300 bytes around it.
const STREAM_LIMIT: usize = 64 << 20;
/// How much of the body of an error is read.
const ERROR_LIMIT: usize = 64 << 10;
/// The time limit between two events of a stream. A model on a slow processor may take long until its first token. What only keeps
/// the connection open, such as a comment, is not an event.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long is waited for events after the end of the answer, such as the usage. Not all providers then end the stream.
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// What an event stream is read from.
trait Pieces {
    /// The next bytes; none at the end.
    fn piece(&mut self) -> impl Future<Output = Result<Option<Bytes>, Failure>> + Send;
}

impl Pieces for Response {
    async fn piece(&mut self) -> Result<Option<Bytes>, Failure> {
        self.chunk().await.map_err(|failed| Failure {
            kind: FailureKind::Incomplete,
            next: "Send it again, or complete the answer by hand.".to_owned(),
            ..Failure::http(failed)
        })
    }
}

/// Reads the answer of a successful response.
pub(crate) async fn read(
    api: Api,
    mut response: Box<Response>,
    model: &str,
    kept: Arguments,
    deltas: &mpsc::Sender<Delta>,
) -> Result<Answer, Failure> {
    let exchange = response.exchange;
    let answer = read_whole(api, &mut response, deltas).await;
    match answer.and_then(|answer| answer.end(model, kept)) {
        Ok(answer) => Ok(Answer {
            exchange: Some(exchange),
            ..answer
        }),
        Err(failure) => Err(Failure {
            exchange: Some(exchange),
            ..failure
        }),
    }
}

async fn read_whole(
    api: Api,
    response: &mut Response,
    deltas: &mpsc::Sender<Delta>,
) -> Result<Arriving, Failure> {
    let mut answer = Arriving::default();
    let mut progress = Progress::default();
    if media_type(response) == "text/event-stream" {
        read_events(api, response, &mut answer, &mut progress, deltas).await?;
        if progress.is_complete {
            finish(response).await;
        }
    } else {
        let body = json_body(response, LIMIT).await?;
        if is_error(&body) {
            return Err(Failure::in_stream(&body));
        }
        match api {
            Api::Anthropic => anthropic::whole(&body, &mut answer, &mut progress)?,
            Api::ChatCompletions => chat::whole(&body, &mut answer, &mut progress)?,
        }
        progress.pass_on(deltas).await;
    }
    Ok(answer)
}

/// Whether a response is an error in spite of its status, as gateways send it. Completions may have `error` as null.
fn is_error(body: &str) -> bool {
    let Ok(object) = json::Object::parse(body) else {
        return false;
    };
    object.get("error").is_some_and(|error| error != "null")
}

async fn read_events(
    api: Api,
    pieces: &mut impl Pieces,
    answer: &mut Arriving,
    progress: &mut Progress,
    deltas: &mpsc::Sender<Delta>,
) -> Result<(), Failure> {
    let mut parser = sse::Parser::new(LIMIT);
    let mut read = 0_usize;
    let mut last_event = Instant::now();
    loop {
        let patience = if progress.may_end { LAST_PATIENCE } else { PATIENCE };
        let piece = match timeout_at(last_event + patience, pieces.piece()).await {
            Ok(Ok(Some(piece))) => piece,
            // The answer is complete, however its stream ends.
            _ if progress.may_end => return Ok(()),
            Ok(Ok(None)) => break,
            Ok(Err(failure)) => return Err(failure),
            Err(_) => return Err(silent()),
        };
        read = read.saturating_add(piece.len());
        if read > STREAM_LIMIT {
            return Err(too_large(STREAM_LIMIT));
        }
        parser.push(piece);
        while let Some(item) = parser.next().map_err(|_| too_large(LIMIT))? {
            let sse::Item::Event(sse::Event { data: Some(data), .. }) = item else {
                continue;
            };
            let data = std::str::from_utf8(&data)
                .map_err(|_| Failure::malformed("An event of the stream is not UTF-8 text."))?;
            match api {
                Api::Anthropic => anthropic::event(data, answer, progress)?,
                Api::ChatCompletions => chat::event(data, answer, progress)?,
            }
            progress.pass_on(deltas).await;
            if progress.is_complete {
                return Ok(());
            }
            last_event = Instant::now();
        }
    }
    Err(Failure::new(
        FailureKind::Incomplete,
        "The stream ended before the answer did.",
        "Send it again, or complete the answer by hand.",
    ))
}

/// Reads the end of the response, so that the exchange is recorded as complete and its connection can be used again.
async fn finish(response: &mut Response) {
    let rest = tokio::time::timeout(Duration::from_secs(1), response.read(ERROR_LIMIT));
    // The answer is complete, whatever comes after it.
    let _ = rest.await;
}

/// The start of the body of a response with an error status.
pub(crate) async fn error_body(response: &mut Response) -> String {
    let read = tokio::time::timeout(Duration::from_secs(10), response.read(ERROR_LIMIT));
    match read.await {
        Ok(Ok((body, _))) => String::from_utf8_lossy(&body).into_owned(),
        // The status says enough.
        Ok(Err(_)) | Err(_) => String::new(),
    }
}

/// The body of a successful response, which must be JSON.
pub(crate) async fn json_body(response: &mut Response, limit: usize) -> Result<String, Failure> {
    let found = media_type(response);
    let read = tokio::time::timeout(PATIENCE, response.read(limit)).await;
    let (body, more) = read.map_err(|_| silent())?.map_err(Failure::http)?;
    if more {
        return Err(too_large(limit));
    }
    let is_json = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    match String::from_utf8(body.into()) {
        Ok(text) if is_json => Ok(text),
        _ if found.is_empty() => Err(Failure::not_a_provider("What answered sent no JSON.")),
        _ => Err(Failure::not_a_provider(format!(
            "What answered sent {found}, not JSON."
        ))),
    }
}

/// The media type in lower case, without its parameters; empty if there is none.
fn media_type(response: &Response) -> String {
    let field = response.header("content-type").unwrap_or_default();
    field
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

fn silent() -> Failure {
    Failure::new(
        FailureKind::Incomplete,
        format!("The provider sent nothing more for {} s.", PATIENCE.as_secs()),
        "Send it again, or choose a faster model.",
    )
}

fn too_large(limit: usize) -> Failure {
    Failure::new(
        FailureKind::TooLarge,
        format!("The response was stopped: it has more than {} MiB.", limit >> 20),
        "Send it again with a smaller maxTokens.",
    )
}

#[cfg(test)]
mod tests;
