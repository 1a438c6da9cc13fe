//! The write side: masks, numbers and queues records. Nothing here waits for the disk.

mod exchanges;

pub use exchanges::HttpBody;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use patchbay_secret::Secret;
use tokio::sync::{oneshot, watch};

use crate::intake::queue::{Content, Item, Unnumbered};
use crate::opened::OpenLog;
use crate::redact::BodyMask;
use crate::shared::Problem;
use crate::{
    Answer, ConnectionRef, Description, Direction, FrameContext, NewConnection, NewOperation, OperationId,
    Seq, StoreClosed, StoreError, Violation,
};

/// How long nothing can be written before those who wait for it are told.
const STALLED_FOR: Duration = Duration::from_secs(5);

/// The write side of the store. Cheap to clone; the store stays open as long as a clone exists, or until it is closed.
#[derive(Clone)]
pub struct Recorder {
    pub(crate) inner: Arc<OpenLog>,
}

/// The part of a long line of stderr that is not recorded yet, because it may begin a secret.
#[derive(Default)]
pub struct LongLine {
    mask: BodyMask,
}

impl Recorder {
    /// Begins a connection.
    #[must_use]
    pub fn connection(&self, connection: NewConnection) -> ConnectionRef {
        let NewConnection {
            server_id,
            server_name,
            origin,
        } = connection;
        ConnectionRef(
            self.inner
                .shared
                .queue
                .connection(server_id.into(), server_name.into(), origin),
        )
    }

    /// Begins an operation. Records refer to it by the returned number.
    #[must_use]
    pub fn begin_operation(&self, operation: NewOperation) -> OperationId {
        let NewOperation { kind, mut label } = operation;
        let shared = &self.inner.shared;
        shared.redactor().text(&mut label);
        OperationId(shared.queue.operation(kind, label))
    }

    /// Records a frame. Waits while the queue is full; on a full disk that may take long (see [`Recorder::problem`]).
    /// Cancel-safe: if dropped while waiting, nothing is recorded.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn frame(
        &self,
        connection: ConnectionRef,
        direction: Direction,
        frame: Bytes,
    ) -> Result<Seq, StoreClosed> {
        self.frame_in(connection, direction, frame, FrameContext::default())
            .await
    }

    /// Records a frame with its context: the HTTP exchange that carries it, the operation it belongs to. Otherwise as
    /// [`Recorder::frame`].
    ///
    /// # Errors
    /// The store is closed.
    pub async fn frame_in(
        &self,
        connection: ConnectionRef,
        direction: Direction,
        frame: Bytes,
        context: FrameContext,
    ) -> Result<Seq, StoreClosed> {
        let (size, record) = self.masked_frame(connection, direction, frame, context);
        self.inner.shared.queue.record(size, record).await
    }

    /// As [`Recorder::frame_in`], if the queue has room now; otherwise `None`.
    ///
    /// # Errors
    /// The store is closed.
    pub fn try_frame(
        &self,
        connection: ConnectionRef,
        direction: Direction,
        frame: Bytes,
        context: FrameContext,
    ) -> Result<Option<Seq>, StoreClosed> {
        let (size, record) = self.masked_frame(connection, direction, frame, context);
        self.inner.shared.queue.try_record(size, record)
    }

    /// The record of a frame, and its size.
    fn masked_frame(
        &self,
        connection: ConnectionRef,
        direction: Direction,
        frame: Bytes,
        context: FrameContext,
    ) -> (usize, Unnumbered) {
        let shared = &self.inner.shared;
        let at_ns = context.read_at_ns.unwrap_or_else(|| shared.now_ns());
        let (frame, redactions) = shared.redactor().bytes(frame);
        let size = frame.len();
        let record = Unnumbered {
            at_ns,
            connection: connection.0,
            redactions,
            content: Content::Frame(direction, frame, context),
        };
        (size, record)
    }

    /// Records a line of stderr. Never waits: lines that arrive faster than they can be written are skipped, counted, and
    /// recorded as one [`crate::Kind::Gap`].
    pub fn stderr(&self, connection: ConnectionRef, line: Bytes) {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        let (line, redactions) = shared.redactor().bytes(line);
        shared.queue.stderr(at_ns, connection.0, redactions, line);
    }

    /// As [`Recorder::stderr`], for a line that is too long to be recorded at once. `line` is empty before the first part.
    pub fn stderr_part(&self, connection: ConnectionRef, line: &mut LongLine, part: &[u8], last: bool) {
        let shared = &self.inner.shared;
        line.mask.push(part);
        if let Some(ready) = line.mask.ready(&shared.redactor(), last) {
            line.mask.take(&ready);
            let at_ns = shared.now_ns();
            shared
                .queue
                .stderr(at_ns, connection.0, ready.redactions, ready.bytes);
        }
    }

    /// Records an event of a connection: `text` is its summary, `detail` its body. Never waits, because such events are
    /// rare.
    ///
    /// # Errors
    /// The store is closed.
    pub fn lifecycle(
        &self,
        connection: ConnectionRef,
        mut text: String,
        detail: Option<String>,
        operation: Option<OperationId>,
    ) -> Result<Seq, StoreClosed> {
        let shared = &self.inner.shared;
        let redactor = shared.redactor();
        let mut redactions = redactor.text(&mut text);
        let detail = detail.map(|detail| {
            let (detail, more) = redactor.bytes(detail.into());
            redactions += more;
            detail
        });
        let content = Content::Lifecycle {
            text,
            detail,
            operation,
        };
        shared.queue.record_at_once(Unnumbered {
            at_ns: shared.now_ns(),
            connection: connection.0,
            redactions,
            content,
        })
    }

    /// Records a message that is part of a frame (a batch, or a line with several messages). Its bytes are the range `span`
    /// of the frame. Waits while the queue is full.
    ///
    /// # Errors
    /// The store is closed.
    // Not an `async fn`: its future would hold the arguments and the record, and so would those of all its callers.
    pub fn member(
        &self,
        connection: ConnectionRef,
        frame: Seq,
        span: Range<usize>,
        mut description: Description,
    ) -> impl Future<Output = Result<Seq, StoreClosed>> {
        let shared = &self.inner.shared;
        shared.redactor().description(&mut description);
        let content = Content::Member {
            frame,
            span,
            description,
        };
        let record = Unnumbered {
            at_ns: shared.now_ns(),
            connection: connection.0,
            redactions: 0,
            content,
        };
        shared.queue.record(0, record)
    }

    /// Adds a decoder's results to a record. Shortly after the record, this costs no additional write.
    pub fn describe(&self, seq: Seq, mut description: Description) {
        self.inner.shared.redactor().description(&mut description);
        self.inner.shared.queue.send(Item::Describe(seq, description));
    }

    /// Adds violations that were found later.
    pub fn violations(&self, seq: Seq, violations: Vec<Violation>) {
        let mut description = Description {
            violations,
            ..Description::new(crate::Kind::Invalid)
        };
        self.inner.shared.redactor().description(&mut description);
        self.inner
            .shared
            .queue
            .send(Item::Violations(seq, description.violations));
    }

    /// Completes a request. The response's row is updated with [`Recorder::describe`].
    pub fn answer(&self, request: Seq, answer: Answer) {
        self.inner.shared.queue.send(Item::Answer(request, answer));
    }

    /// Bytes as they would be recorded: secrets masked, length unchanged. For display without the store.
    #[must_use]
    pub fn masked(&self, bytes: Bytes) -> Bytes {
        self.inner.shared.redactor().bytes(bytes).0
    }

    /// Masks these values, in addition to earlier ones, in everything recorded from now on.
    pub fn redact(&self, secrets: Vec<Secret>) {
        self.inner
            .shared
            .update_redactor(|redactor| redactor.and(secrets));
    }

    /// Waits until everything recorded before is written.
    ///
    /// # Errors
    /// The store was closed before, or nothing can be written: the disk is full.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.inner.flush().await
    }

    /// Time since the run began, in nanoseconds; the clock of the records' times. It never goes back; on Linux it goes on while
    /// the machine sleeps.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.inner.shared.now_ns()
    }

    /// Why records cannot be written at present. Meanwhile queued records stay in memory.
    #[must_use]
    pub fn problem(&self) -> watch::Receiver<Problem> {
        self.inner.shared.problem.subscribe()
    }
}

impl OpenLog {
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        let (done, written) = oneshot::channel();
        if !self.shared.queue.send(Item::Flush(done)) {
            return Err(StoreClosed.into());
        }
        tokio::select! {
            biased;
            written = written => written.map_err(|_| StoreClosed.into()),
            cause = self.stalled() => Err(StoreError::Stalled(cause)),
        }
    }

    /// Completes with the cause once nothing could be written for [`STALLED_FOR`].
    async fn stalled(&self) -> String {
        let mut problem = self.shared.problem.subscribe();
        loop {
            // An error means that the log is gone, which the caller learns otherwise.
            if problem.wait_for(Option::is_some).await.is_err() {
                std::future::pending::<()>().await;
            }
            let cause = problem.borrow().clone();
            let over = tokio::time::timeout(STALLED_FOR, problem.wait_for(Option::is_none))
                .await
                .is_ok();
            if let (Some(cause), false) = (cause, over) {
                return cause.to_string();
            }
        }
    }
}
