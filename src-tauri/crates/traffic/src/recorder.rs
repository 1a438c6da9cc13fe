//! The write side.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::watch;

use crate::{
    Answer, ConnectionRef, Description, Direction, NewConnection, Secret, Seq, StoreClosed, Violation,
};

/// Why records cannot be written at present; `None` while all is well.
pub type Problem = Option<Arc<str>>;

/// The write side of the store. Cheap to clone.
#[derive(Clone)]
pub struct Recorder {
    problem: watch::Receiver<Problem>,
}

impl Recorder {
    /// Begins a connection.
    pub fn connection(&self, connection: NewConnection) -> ConnectionRef {
        let _ = connection;
        ConnectionRef(0)
    }

    /// Records a frame as it crossed. Waits while the queue is full. Cancel-safe: dropped while it waits, nothing is recorded.
    pub async fn frame(
        &self,
        connection: ConnectionRef,
        direction: Direction,
        frame: Bytes,
    ) -> Result<Seq, StoreClosed> {
        let _ = (connection, direction, frame);
        std::future::ready(Err(StoreClosed)).await
    }

    /// Records a line of stderr. Never waits.
    pub fn stderr(&self, connection: ConnectionRef, line: Bytes) {
        let _ = (connection, line);
    }

    /// Records something that happened to a connection. Never waits.
    pub fn lifecycle(
        &self,
        connection: ConnectionRef,
        text: String,
        detail: Option<String>,
    ) -> Result<Seq, StoreClosed> {
        let _ = (connection, text, detail);
        Err(StoreClosed)
    }

    /// Records a message that is part of a frame (member of a batch). Waits while the queue is full.
    pub async fn member(
        &self,
        connection: ConnectionRef,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> Result<Seq, StoreClosed> {
        let _ = (connection, frame, span, description);
        std::future::ready(Err(StoreClosed)).await
    }

    /// Says what a decoder found out about a record.
    pub fn describe(&self, seq: Seq, description: Description) {
        let _ = (seq, description);
    }

    /// Adds violations that were found later.
    pub fn violations(&self, seq: Seq, violations: Vec<Violation>) {
        let _ = (seq, violations);
    }

    /// Completes a request.
    pub fn answer(&self, request: Seq, answer: Answer) {
        let _ = (request, answer);
    }

    /// Masks these values from now on, in everything recorded.
    pub fn redact(&self, secrets: Vec<Secret>) {
        let _ = secrets;
    }

    /// Waits until all that was recorded before is written.
    pub async fn flush(&self) -> Result<(), StoreClosed> {
        std::future::ready(Err(StoreClosed)).await
    }

    /// Monotonic time since the run's anchor, in nanoseconds.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        0
    }

    /// Why records cannot be written at present.
    #[must_use]
    pub fn problem(&self) -> watch::Receiver<Problem> {
        self.problem.clone()
    }
}
