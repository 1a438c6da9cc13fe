//! Recording HTTP exchanges: the beginning, what happens after, the bytes of a body.

use bytes::Bytes;

use super::Recorder;
use crate::intake::queue::{Content, Item, Unnumbered};
use crate::{ConnectionRef, HttpHead, HttpStage, OperationId, Seq, StoreClosed};

impl Recorder {
    /// Begins an HTTP exchange: a row that is pending until its end, failure or abort is told. `carries` is the frame of
    /// the log that is its body, `operation` what it is done for. Credentials are masked here. Waits while the queue is full; cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn http_begin(
        &self,
        connection: ConnectionRef,
        mut head: HttpHead,
        carries: Option<Seq>,
        operation: Option<OperationId>,
    ) -> Result<Seq, StoreClosed> {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        head.mask(&shared.redactor());
        let size = head.fields.0.len();
        let content = Content::Http(Box::new(head), carries, operation);
        let record = Unnumbered {
            at_ns,
            connection: connection.0,
            redactions: 0,
            content,
        };
        shared.queue.record(size, record).await
    }

    /// Tells what happened in an exchange. Never waits: for what happens a few times in each.
    pub fn http_stage(&self, exchange: Seq, mut stage: HttpStage) {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        stage.mask(&shared.redactor());
        shared.queue.send(Item::Http(exchange, at_ns, Box::new(stage)));
    }

    /// Tells what happened in an exchange, and waits while the queue is full: for what a peer can make happen without end
    /// (ids and comments of a stream). Cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn http_event(&self, exchange: Seq, mut stage: HttpStage) -> Result<(), StoreClosed> {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        stage.mask(&shared.redactor());
        let size = stage.size();
        let item = Item::Http(exchange, at_ns, Box::new(stage));
        shared.queue.send_sized(size, item).await
    }

    /// Records the next bytes of an exchange's body as they crossed, before they are decoded. For bodies that are not made
    /// of frames. Waits while the queue is full; cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn http_body(&self, exchange: Seq, bytes: Bytes) -> Result<(), StoreClosed> {
        let shared = &self.inner.shared;
        let (bytes, _) = shared.redactor().bytes(bytes);
        let item = Item::HttpBody(exchange, bytes.clone());
        shared.queue.send_sized(bytes.len(), item).await
    }
}
