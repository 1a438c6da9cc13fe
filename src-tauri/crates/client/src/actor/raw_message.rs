//! Messages that a user wrote whole, right or wrong: they are sent as they are, and nobody waits for an answer.

use patchbay_protocol::{
    RequestId, headers,
    message::{Message, Text},
    methods,
};
use patchbay_traffic::{Answer as RecordAnswer, Seq, Status as RecordStatus};
use patchbay_transport::OutgoingKind;

use super::{Actor, Phase, outgoing::SendContext};
use crate::RawMessage;

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
            self.track_raw_request(id, seq);
        }
        Ok(seq)
    }

    /// The answer to a request that a user wrote completes this record.
    pub(super) fn track_raw_request(&mut self, id: RequestId, record: Seq) {
        if self.raw_requests.len() < TRACKED {
            self.raw_requests.insert(id, record);
        }
    }

    /// What a transport must know of a text: what it is, and what of it belongs in HTTP headers. What is not a message, or
    /// is several, has no header of its own.
    fn envelope(&self, text: &str) -> (OutgoingKind, Vec<(String, String)>) {
        let text = Text::of(text.as_bytes());
        let mut messages = text.decode().messages;
        let is_request = |message: &Message<'_>| matches!(message, Message::Request { .. });
        let has_request = messages.iter().any(|located| is_request(&located.message));
        let message = if messages.len() == 1 { messages.pop() } else { None };
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
        let Some(seq) = self.raw_requests.remove(id) else {
            return false;
        };
        let answer = RecordAnswer {
            response: None,
            status,
            latency_ns: None,
        };
        self.recorder.answer(seq, answer);
        true
    }

    /// The connection is over for all of them.
    pub(super) fn lose_raw_requests(&mut self) {
        let ids: Vec<RequestId> = self.raw_requests.keys().cloned().collect();
        for id in ids {
            self.end_raw_request(&id, RecordStatus::Lost);
        }
    }
}
