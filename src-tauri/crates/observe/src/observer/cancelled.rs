//! Cancelled requests and the streams that end with them.

use patchbay_protocol::{Direction, RequestId, Rule, Violation, message::Message, methods};

use super::Observer;
use crate::Description;

impl Observer {
    /// Records that a request of the client was abandoned without a message (over HTTP its stream was closed).
    pub fn abandoned(&mut self, id: &RequestId) {
        self.streams.close(id);
        let known = self.pairing.seq_of(Direction::ClientToServer, id);
        if let (None, Some(renewal)) = (known, self.renewal.of(id)) {
            renewal.abandoned(id);
        }
        if let Some(seq) = known {
            self.requests.ended(seq);
            self.conversation.cancelled(id);
            let params = format!("{{\"requestId\":{}}}", id.to_json());
            let message = Message::Notification {
                method: methods::CANCELLED.into(),
                params: Some(&params),
            };
            self.pairing.observe(Direction::ClientToServer, seq, 0, &message);
        }
    }

    /// Records a cancelled request. Returns the id of the stream that the server ended by it.
    pub(super) fn cancelled(
        &mut self,
        direction: Direction,
        id: Option<&RequestId>,
        description: &mut Description,
    ) -> Option<RequestId> {
        let id = id?;
        if direction == Direction::ClientToServer {
            self.streams.close(id);
            if let Some(seq) = description.related_to {
                self.requests.ended(seq);
            }
            return None;
        }
        if !self.agreement.is_modern() {
            return None;
        }
        if self.streams.close(id) {
            return Some(id.clone());
        }
        // One that the client has cancelled too is no longer a stream here, and the server ends it all the same.
        let open = self.pairing.open_method(Direction::ClientToServer, id);
        if open.is_some_and(|method| method != methods::SUBSCRIPTIONS_LISTEN) {
            let message = "a server may cancel nothing but a subscription";
            description
                .violations
                .push(Violation::new(Rule::ServerCancelled, message));
        }
        None
    }
}
