//! A recorded exchange, which always gets an end.

use http::HeaderMap;
use patchbay_traffic::{
    ConnectionRef, HttpBody, HttpFields, HttpHead, HttpStage, Recorder, Seq, StoreClosed,
};

use crate::failed::{Failed, Fault};
use crate::request::Request;

/// The maximum size of a recorded request body without a message, in bytes.
const BODY: usize = 64 << 10;

/// A recorded exchange. Dropping it before its end records an abort.
pub(crate) struct Exchange {
    recorder: Recorder,
    pub(crate) seq: Seq,
    pub(crate) status: u16,
    /// The received bytes of the response's body.
    pub(crate) raw: u64,
    /// The part of the body that is not recorded yet.
    pub(crate) body: HttpBody,
    open: bool,
}

impl Exchange {
    /// Records the start.
    pub(crate) async fn begin(
        recorder: &Recorder,
        connection: ConnectionRef,
        request: &Request,
        headers: &HeaderMap,
    ) -> Result<Self, StoreClosed> {
        let inline = request.message.is_none() && !request.body.is_empty();
        let size = request.body.len();
        let end = size.min(BODY);
        let head = HttpHead {
            method: request.method.as_str().to_owned(),
            url: request.url.as_str().to_owned(),
            fields: fields(headers),
            body: inline.then(|| String::from_utf8_lossy(&request.body[..end]).into_owned()),
            body_size: (inline && end < size).then_some(size as u64),
        };
        let seq = recorder
            .http_begin(connection, head, request.message, request.operation)
            .await?;
        Ok(Self {
            recorder: recorder.clone(),
            seq,
            status: 0,
            raw: 0,
            body: HttpBody::default(),
            open: true,
        })
    }

    /// Records the bytes of the body that were taken. Cancel-safe.
    pub(crate) async fn record_body(&mut self) -> Result<(), StoreClosed> {
        self.body.record(&self.recorder, self.seq).await
    }

    /// Records a stage.
    pub(crate) fn tell(&self, stage: HttpStage) {
        self.recorder.http_stage(self.seq, stage);
    }

    /// Records the last stage, after the rest of the body.
    fn tell_last(&mut self, stage: HttpStage) {
        self.body.finish(&self.recorder, self.seq);
        self.tell(stage);
    }

    /// Records the end.
    pub(crate) fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            self.tell_last(HttpStage::End {
                bytes: self.raw,
                status: self.status,
            });
        }
    }

    /// Records a failure.
    pub(crate) fn fail(&mut self, fault: Fault, may_have_been_sent: bool) -> Failed {
        if std::mem::take(&mut self.open) {
            self.tell_last(HttpStage::Failed {
                step: fault.step.id().into(),
                cause: fault.cause.clone(),
                timed_out: fault.timed_out,
                may_have_been_sent,
            });
        }
        fault.of(Some(self.seq), may_have_been_sent)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.open {
            self.tell_last(HttpStage::Aborted { bytes: self.raw });
        }
    }
}

/// The fields as they are recorded.
pub(crate) fn fields(headers: &HeaderMap) -> HttpFields {
    let mut fields = HttpFields::with_capacity(headers.len());
    for (name, value) in headers {
        fields.push(name.as_str(), value.as_bytes());
    }
    fields
}
