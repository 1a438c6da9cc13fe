//! Messages that a user wrote whole, right or wrong: they are sent as they are, and nobody waits for an answer.

use patchbay_protocol::{
    RequestId, headers,
    message::{Decoded, Message, Text},
    methods,
};
use patchbay_traffic::{Answer as RecordAnswer, Seq, Status as RecordStatus};
use patchbay_transport::OutgoingKind;

use super::{Actor, Phase, outgoing::SendContext};
use crate::{RawMessage, pending::RawRequest};

/// For so many requests at once the answer completes the record of the request.
const TRACKED: usize = 1024;

impl Actor {
    /// Sends a text as one message. The error says why nothing was sent.
    pub(super) async fn raw_message(&mut self, message: RawMessage) -> Result<Seq, String> {
        if self.phase != Phase::Ready {
            return Err(self.publisher.status.why_not_ready());
        }
        let (kind, in_headers) = self.envelope(&message.text);
        let id = kind.request_id().cloned();
        let context = SendContext {
            related: message.repeats,
            operation: message.operation,
        };
        let sent = self.send(message.text, kind, in_headers, context).await;
        let seq = sent.map_err(|failure| format!("{} {}", failure.cause, failure.next))?;
        if let Some(id) = id {
            self.track_raw_request(id, seq, seq);
        }
        Ok(seq)
    }

    /// The answer to a request that a user wrote, in this frame, completes this record.
    pub(super) fn track_raw_request(&mut self, id: RequestId, frame: Seq, record: Seq) {
        if self.raw_requests.len() < TRACKED {
            self.raw_requests.insert(id, RawRequest { frame, record });
        }
    }

    /// What a transport must know of a text: what it is, and what of it belongs in HTTP headers. What is not a message, or
    /// is a batch, has no header of its own.
    fn envelope(&self, text: &str) -> (OutgoingKind, Vec<(String, String)>) {
        let text = Text::of(text.as_bytes());
        let Decoded {
            mut messages, batch, ..
        } = text.decode();
        let is_request = |message: &Message<'_>| matches!(message, Message::Request { .. });
        let has_request = messages.iter().any(|located| is_request(&located.message));
        let message = match messages.len() {
            1 if !batch => messages.pop(),
            _ => None,
        };
        let (kind, params) = match message.map(|located| located.message) {
            Some(Message::Request { id, method, params }) => {
                let method = methods::intern(&method);
                (OutgoingKind::Request { id, method }, params)
            }
            Some(Message::Notification { method, params }) => {
                let method = methods::intern(&method);
                (OutgoingKind::Notification { method }, params)
            }
            Some(Message::Response { id: Some(id), .. }) => (OutgoingKind::Response { id }, None),
            None if has_request => (OutgoingKind::Batch, None),
            Some(Message::Response { id: None, .. } | Message::Invalid { .. }) | None => {
                (OutgoingKind::Other, None)
            }
        };
        let in_headers = match &kind {
            OutgoingKind::Request { method, .. } | OutgoingKind::Notification { method }
                if self.headed && !method.is_empty() =>
            {
                headers::of_request(method, params, &[])
            }
            _ => Vec::new(),
        };
        (kind, in_headers)
    }

    /// Completes the record of a request that a user wrote: no answer to it can come. Whether it was one.
    pub(super) fn end_raw_request(&mut self, id: &RequestId, status: RecordStatus) -> bool {
        let Some(RawRequest { record, .. }) = self.raw_requests.remove(id) else {
            return false;
        };
        let answer = RecordAnswer {
            response: None,
            status,
            latency_ns: None,
        };
        self.recorder.answer(record, answer);
        true
    }

    /// Completes the records of the requests of a batch: no answer to it can come.
    pub(super) fn end_raw_batch(&mut self, frame: Seq, status: RecordStatus) {
        self.end_raw_requests(status, |request| request.frame == frame);
    }

    /// The connection is over for all of them.
    pub(super) fn lose_raw_requests(&mut self) {
        self.end_raw_requests(RecordStatus::Lost, |_| true);
    }

    fn end_raw_requests(&mut self, status: RecordStatus, which: impl Fn(&RawRequest) -> bool) {
        let ended = self.raw_requests.iter().filter(|(_, request)| which(request));
        let ids: Vec<RequestId> = ended.map(|(id, _)| id.clone()).collect();
        for id in ids {
            self.end_raw_request(&id, status);
        }
    }
}
