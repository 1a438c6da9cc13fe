//! Records HTTP exchanges: the request, the stages, the bytes of a body.

use bytes::Bytes;

use super::Recorder;
use crate::intake::queue::{Content, Item, Unnumbered};
use crate::redact::BodyMask;
use crate::{ConnectionRef, HttpHead, HttpStage, OperationId, Seq, StoreClosed};

impl Recorder {
    /// Begins an HTTP exchange: a row that is pending until its end, failure or abort is reported. `carries` is the frame
    /// that is its body, `operation` its operation. Credentials are masked. Waits while the queue is full; cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    // Not `async fn`: see `Recorder::member`.
    pub fn http_begin(
        &self,
        connection: ConnectionRef,
        mut head: HttpHead,
        carries: Option<Seq>,
        operation: Option<OperationId>,
    ) -> impl Future<Output = Result<Seq, StoreClosed>> {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        let redactions = head.mask(&shared.redactor());
        let size = head.fields.0.len();
        let content = Content::Http(Box::new(head), carries, operation);
        let record = Unnumbered {
            at_ns,
            connection: connection.0,
            redactions,
            content,
        };
        shared.queue.record(size, record)
    }

    /// Records a stage of an exchange. Never waits: for stages that occur a few times per exchange.
    pub fn http_stage(&self, exchange: Seq, mut stage: HttpStage) {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        let redactions = stage.mask(&shared.redactor());
        shared
            .queue
            .send(Item::Http(exchange, at_ns, Box::new(stage), redactions));
    }

    /// Records a stage of an exchange, and waits while the queue is full: for stages that a peer can repeat without limit
    /// (ids and comments of a stream). Cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    // Not `async fn`: see `Recorder::member`.
    pub fn http_event(
        &self,
        exchange: Seq,
        mut stage: HttpStage,
    ) -> impl Future<Output = Result<(), StoreClosed>> {
        let shared = &self.inner.shared;
        let at_ns = shared.now_ns();
        let redactions = stage.mask(&shared.redactor());
        let size = stage.size();
        let item = Item::Http(exchange, at_ns, Box::new(stage), redactions);
        shared.queue.send_sized(size, item)
    }

    /// Records a whole body of an exchange, decoded. For bodies without frames. Waits while the queue is full; cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn http_body(&self, exchange: Seq, bytes: Bytes) -> Result<(), StoreClosed> {
        let shared = &self.inner.shared;
        let (bytes, redactions) = shared.redactor().bytes(bytes);
        let item = Item::HttpBody(exchange, bytes.clone(), redactions);
        shared.queue.send_sized(bytes.len(), item).await
    }
}

/// The body of an exchange while it arrives: bytes without frames, decoded. Secrets are found wherever the body is cut, so
/// the last bytes are recorded when more follow, or at the end.
#[derive(Default)]
pub struct HttpBody {
    mask: BodyMask,
}

impl HttpBody {
    /// Takes the next bytes. [`HttpBody::record`] records them.
    pub fn push(&mut self, bytes: &[u8]) {
        self.mask.push(bytes);
    }

    /// Records what cannot be a part of a secret that is not complete. Waits while the queue is full; cancel-safe.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn record(&mut self, recorder: &Recorder, exchange: Seq) -> Result<(), StoreClosed> {
        let shared = &recorder.inner.shared;
        if let Some(ready) = self.mask.ready(&shared.redactor(), false) {
            let item = Item::HttpBody(exchange, ready.bytes.clone(), ready.redactions);
            shared.queue.send_sized(ready.bytes.len(), item).await?;
            self.mask.take(&ready);
        }
        Ok(())
    }

    /// Records the rest. Never waits: it is at most some kilobytes, or 1 MiB that is compressed.
    pub fn finish(&mut self, recorder: &Recorder, exchange: Seq) {
        let shared = &recorder.inner.shared;
        if let Some(ready) = self.mask.ready(&shared.redactor(), true) {
            let item = Item::HttpBody(exchange, ready.bytes.clone(), ready.redactions);
            shared.queue.send(item);
            self.mask.take(&ready);
        }
    }
}
