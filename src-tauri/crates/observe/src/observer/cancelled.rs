//! Cancelled requests and the streams that end with them.

use patchbay_protocol::{Direction, RequestId, Rule, Violation};

use super::Observer;
use crate::Description;

impl Observer {
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
        if self.pairing.is_open(Direction::ClientToServer, id) {
            let message = "a server may cancel nothing but a subscription";
            description
                .violations
                .push(Violation::new(Rule::ServerCancelled, message));
        }
        None
    }
}
