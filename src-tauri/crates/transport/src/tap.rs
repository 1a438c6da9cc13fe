//! Records each frame of a link before it is sent or read, within the limits of its connection.

use std::{ops::Range, pin::pin, time::Duration};

use bytes::Bytes;
use patchbay_protocol::limits::Limits;
use patchbay_traffic::{
    ConnectionRef, Description, Direction, FrameContext, HttpStage, OperationId, Recorder, Seq, StoreClosed,
};
use tokio::time::{Instant, timeout_at};

/// With more accepted but unsent bytes than this, a link accepts no more requests and notifications. Requests may depend on replies,
/// so these are accepted beyond it.
pub const UNSENT_LIMIT: usize = 16 << 20;
/// How long the store may be unable to accept a frame.
const STORE_PATIENCE: Duration = Duration::from_secs(5);

/// Records the traffic of one connection. A clone records on the same connection and has a separate time limit for the
/// store.
#[derive(Clone)]
pub struct Tap {
    recorder: Recorder,
    connection: ConnectionRef,
    limits: Limits,
    /// Since when the store has not accepted the current record. It survives a future that is dropped while waiting.
    stalled_since: Option<Instant>,
}

/// The store did not accept a record within 5 s, or is closed; the reason as the end of a sentence. Nothing may be sent or
/// read unrecorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing may cross unrecorded, and {0}")]
pub struct NotRecorded(pub(crate) String);

impl NotRecorded {
    /// The store is closed, by its owner or because of a problem.
    fn because(recorder: &Recorder, closed: StoreClosed) -> Self {
        let problem = recorder.problem().borrow().clone();
        Self(problem.map_or_else(|| closed.to_string(), |problem| problem.to_string()))
    }
}

impl Tap {
    /// Records on a connection, within the default limits.
    #[must_use]
    pub fn new(recorder: Recorder, connection: ConnectionRef) -> Self {
        Self {
            recorder,
            connection,
            limits: Limits::default(),
            stalled_since: None,
        }
    }

    /// The same within these limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The limits of the connection.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The recorder it uses.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The connection it records on.
    #[must_use]
    pub fn connection(&self) -> ConnectionRef {
        self.connection
    }

    /// Records a frame that is about to be sent, with its operation. Waits only for the store. Cancel safe.
    ///
    /// # Errors
    /// The store accepts nothing; the frame must not be sent.
    pub async fn sent(&mut self, frame: Bytes, operation: Option<OperationId>) -> Result<Seq, NotRecorded> {
        let context = FrameContext {
            operation,
            ..FrameContext::default()
        };
        self.frame(Direction::ClientToServer, frame, context).await
    }

    /// Records a received frame with the time at which it was read. Waits only for the store. Cancel safe.
    ///
    /// # Errors
    /// The store accepts nothing; the frame must not be handed on.
    pub async fn received(&mut self, frame: Bytes, context: FrameContext) -> Result<Seq, NotRecorded> {
        self.frame(Direction::ServerToClient, frame, context).await
    }

    /// As [`Self::received`], if the store can accept the frame now; `None` if it would have to wait.
    ///
    /// # Errors
    /// The store is closed; the frame must not be handed on.
    pub(crate) fn try_received(
        &mut self,
        frame: Bytes,
        context: FrameContext,
    ) -> Result<Option<Seq>, NotRecorded> {
        let recorded = self
            .recorder
            .try_frame(self.connection, Direction::ServerToClient, frame, context);
        if let Ok(Some(_)) = recorded {
            self.stalled_since = None;
        }
        recorded.map_err(|closed| NotRecorded::because(&self.recorder, closed))
    }

    async fn frame(
        &mut self,
        direction: Direction,
        frame: Bytes,
        context: FrameContext,
    ) -> Result<Seq, NotRecorded> {
        let now = self
            .recorder
            .try_frame(self.connection, direction, frame.clone(), context);
        match now {
            Ok(Some(seq)) => {
                self.stalled_since = None;
                Ok(seq)
            }
            Err(closed) => Err(NotRecorded::because(&self.recorder, closed)),
            Ok(None) => {
                let recorded = self.recorder.frame_in(self.connection, direction, frame, context);
                // The rare case, in a box of its own: without it, every caller would carry its size.
                patiently(&self.recorder, &mut self.stalled_since, Box::pin(recorded)).await
            }
        }
    }

    /// Records the message at `span` of a frame with several messages. Waits only for the store. Cancel safe.
    ///
    /// # Errors
    /// The store accepts nothing.
    pub async fn member(
        &mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> Result<Seq, NotRecorded> {
        let recorded = pin!(self.recorder.member(self.connection, frame, span, description));
        patiently(&self.recorder, &mut self.stalled_since, recorded).await
    }

    /// Records a stage of an HTTP exchange. Waits only for the store. Cancel safe.
    ///
    /// # Errors
    /// The store accepts nothing.
    pub async fn http_event(&mut self, exchange: Seq, stage: HttpStage) -> Result<(), NotRecorded> {
        let recorded = pin!(self.recorder.http_event(exchange, stage));
        patiently(&self.recorder, &mut self.stalled_since, recorded).await
    }
}

/// Waits for the store, with a time limit.
async fn patiently<T>(
    recorder: &Recorder,
    stalled_since: &mut Option<Instant>,
    recorded: impl Future<Output = Result<T, StoreClosed>> + Unpin,
) -> Result<T, NotRecorded> {
    // A full queue makes us wait; if this future is dropped meanwhile, the time limit continues.
    let begun = *stalled_since.get_or_insert_with(Instant::now);
    let outcome = match timeout_at(begun + STORE_PATIENCE, recorded).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(closed)) => Err(NotRecorded::because(recorder, closed)),
        Err(_) => {
            let problem = recorder.problem().borrow().clone();
            Err(NotRecorded(problem.map_or_else(
                || "the traffic log does not keep up".to_owned(),
                |problem| problem.to_string(),
            )))
        }
    };
    *stalled_since = None;
    outcome
}

#[cfg(test)]
mod tests;
