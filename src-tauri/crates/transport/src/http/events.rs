//! The messages of an event stream, each recorded before it is returned, and the position for resuming the stream.

use std::borrow::Cow;

use patchbay_http::{
    HeaderValue, PeerDelay, Response,
    sse::{self, Item, Parser, TooLong},
};
use patchbay_protocol::{RequestId, Violation};
use patchbay_traffic::{HttpStage, OperationId};

use super::{
    answer::{Fit, fit},
    shared::{ResponseContext, Shared, failure},
};
use crate::{
    Failure,
    ended::{Cause, size},
};

/// The position of a stream, across all its exchanges.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// The id of the last event.
    pub(crate) id: Option<String>,
    /// The reconnection delay that the server asked for.
    pub(crate) retry: Option<PeerDelay>,
    /// The number of messages so far. An event that only sets the id is not a message.
    pub(crate) messages: u64,
}

/// Why reading of a stream ended.
#[derive(Debug)]
pub(crate) enum ReadEnd {
    /// The server closed it between two events.
    Closed,
    /// It was interrupted, or cannot be read further.
    Broken(Failure),
    /// A part exceeds the limit: reading it again would not help.
    TooLong(Failure),
    /// The link cannot continue.
    Store(Cause),
}

/// Reads the part of a stream in one exchange.
pub(crate) struct Events<'a> {
    shared: &'a Shared,
    response: Box<Response>,
    cursor: &'a mut Cursor,
    parser: Parser,
    operation: Option<OperationId>,
    /// From the exchange's head; reported with its first message.
    violations: Vec<Violation>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(
        shared: &'a Shared,
        mut response: Box<Response>,
        cursor: &'a mut Cursor,
        operation: Option<OperationId>,
        violations: Vec<Violation>,
    ) -> Self {
        response.stream();
        Self {
            shared,
            response,
            cursor,
            parser: Parser::new(shared.tap.limits().frame_bytes),
            operation,
            violations,
        }
    }

    /// The next event, which is not recorded yet.
    pub(crate) async fn next(&mut self) -> Result<sse::Event, ReadEnd> {
        loop {
            match self.parser.next() {
                Ok(Some(Item::Event(event))) => return Ok(event),
                Ok(Some(Item::Retry(ms))) => {
                    self.cursor.retry = Some(PeerDelay::from_millis(ms));
                    self.stage(HttpStage::SseRetry { ms }).await?;
                }
                Ok(Some(Item::Comment(text))) => self.stage(HttpStage::SseComment { text }).await?,
                Ok(None) => match self.response.chunk().await {
                    Ok(Some(piece)) => self.parser.push(piece),
                    Ok(None) => return Err(self.over(None).await),
                    Err(failed) => return Err(self.over(Some(failure(failed))).await),
                },
                Err(TooLong) => return Err(self.too_long().await),
            }
        }
    }

    /// Records an event's message and passes it on, and stores its id. Returns whether it answers `request`.
    pub(crate) async fn deliver(
        &mut self,
        event: sse::Event,
        request: Option<&RequestId>,
    ) -> Result<bool, ReadEnd> {
        let is_message = event.is_message();
        let mut answers = false;
        let mut frame = None;
        match event.data {
            Some(data) if is_message && !data.is_empty() => {
                answers = request.is_some_and(|id| fit(&data, id, self.shared.tap.limits()) != Fit::Other);
                let context = self.context(request);
                frame = Some(self.shared.frame(context, data).await.map_err(ReadEnd::Store)?);
                self.cursor.messages += 1;
            }
            Some(data) if !is_message => {
                let name = event.name.as_deref().unwrap_or_default();
                // Masked before it is cut: part of a secret is not recognized as one. Otherwise it is masked, and what is masked is
                // counted, when it is recorded.
                let data = match data.len() > sse::SMALL_LIMIT {
                    true => self.shared.tap.recorder().masked(data),
                    false => data,
                };
                let text = format!("event {name}: {}", shown(&data));
                self.stage(HttpStage::SseComment { text }).await?;
            }
            _ => {}
        }
        if let Some(id) = event.id {
            self.stage(HttpStage::SseId {
                id: id.clone(),
                frame,
            })
            .await?;
            // An id may contain control characters, which a header may not: then the stream cannot be resumed.
            self.cursor.id =
                Some(id).filter(|id| !id.is_empty() && HeaderValue::from_bytes(id.as_bytes()).is_ok());
        }
        Ok(answers)
    }

    fn context<'b>(&mut self, request: Option<&'b RequestId>) -> ResponseContext<'b> {
        ResponseContext {
            exchange: self.response.exchange,
            operation: self.operation,
            status: self.response.status,
            reply_to: request,
            violations: std::mem::take(&mut self.violations),
        }
    }

    async fn stage(&self, stage: HttpStage) -> Result<(), ReadEnd> {
        self.shared
            .stage(self.response.exchange, stage)
            .await
            .map_err(ReadEnd::Store)
    }

    /// A part exceeds the limit; what fits is recorded.
    async fn too_long(&mut self) -> ReadEnd {
        const WORDS: &str = "the event is longer than any message we take";
        if let Some(piece) = self.parser.finish() {
            let context = self.context(None);
            if let Err(cause) = self.shared.cut_off(context, piece, WORDS).await {
                return ReadEnd::Store(cause);
            }
        }
        let limit = self.shared.tap.limits().frame_bytes;
        ReadEnd::TooLong(too_long(limit))
    }

    /// The stream has ended; the incomplete rest is recorded.
    async fn over(&mut self, broken: Option<Failure>) -> ReadEnd {
        const WORDS: &str = "the stream ended in the middle of this event";
        let Some(piece) = self.parser.finish() else {
            return broken.map_or(ReadEnd::Closed, ReadEnd::Broken);
        };
        let context = self.context(None);
        if let Err(cause) = self.shared.cut_off(context, piece, WORDS).await {
            return ReadEnd::Store(cause);
        }
        ReadEnd::Broken(broken.unwrap_or_else(|| {
            Failure::new(
                "Read the event stream",
                "The stream ended in the middle of an event: its blank line never came.",
                "See the incomplete event in the log; the server must end each event with a blank line.",
            )
        }))
    }
}

/// The data of an event that is not a message, as it is kept: as much as of a comment, and how much was left out.
fn shown(data: &[u8]) -> Cow<'_, str> {
    let (kept, rest) = data.split_at(data.len().min(sse::SMALL_LIMIT));
    let text = String::from_utf8_lossy(kept);
    match rest.len() {
        0 => text,
        more => format!("{text}\u{2026} ({more} more bytes are not kept)").into(),
    }
}

fn too_long(limit: usize) -> Failure {
    Failure::new(
        "Read the event stream",
        format!(
            "The server sent more than {} without ending the line or the event.",
            size(limit)
        ),
        "Make the server answer in smaller messages; the beginning is in the log.",
    )
}
