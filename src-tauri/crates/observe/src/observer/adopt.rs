//! Responses without an id.

use patchbay_protocol::{
    Direction, RequestId, Revision, Rule, Violation,
    checks::Carrier,
    message::{Message, Outcome},
};

use super::Observer;
use crate::Crossing;

impl Observer {
    /// Assigns a response without an id to the request that is certainly meant: over HTTP an error may omit its id, and the
    /// response to a request with id `null` cannot have another.
    pub(super) fn adopt<'a>(
        &mut self,
        message: Message<'a>,
        crossing: &Crossing<'_>,
        violations: &mut Vec<Violation>,
    ) -> Message<'a> {
        if crossing.direction == Direction::ClientToServer {
            self.unread |= is_malformed(&message);
        }
        match (message, self.answered(crossing)) {
            (Message::Response { id: None, outcome }, Some(id)) => {
                let is_null = id == RequestId::parse("null");
                violations.retain(|violation| match violation.rule {
                    Rule::ResponseWithoutId => false,
                    Rule::IdNull => !is_null,
                    _ => true,
                });
                Message::Response {
                    id: Some(id),
                    outcome,
                }
            }
            (Message::Response { id: None, outcome }, None) => {
                let is_known = violations.iter().any(|known| known.rule == Rule::IdNull);
                if let (Outcome::Error(_), false) = (&outcome, is_known) {
                    violations.extend(self.error_without_id(crossing));
                }
                Message::Response { id: None, outcome }
            }
            (message, _) => message,
        }
    }

    /// The request that a response without an id certainly belongs to: that of its HTTP exchange, or the one whose invalid id is
    /// `null`.
    fn answered(&self, crossing: &Crossing<'_>) -> Option<RequestId> {
        match crossing.direction {
            Direction::ServerToClient => crossing.reply_to().cloned(),
            Direction::ClientToServer => {
                let null = RequestId::parse("null");
                let is_open = self.pairing.is_open(Direction::ServerToClient, &null);
                is_open.then_some(null)
            }
        }
    }

    /// What is wrong with an error of the server without an id, which nothing but the id could give to a request. Since 2025-11-25
    /// it may lack one if the request could not be read.
    fn error_without_id(&self, crossing: &Crossing<'_>) -> Option<Violation> {
        let is_of_server = crossing.direction == Direction::ServerToClient;
        let revision = self.agreement.revision;
        let may_lack_it = revision.is_none_or(|revision| revision >= Revision::V2025_11_25);
        let is_wrong = is_of_server && crossing.carrier() == Carrier::Pipe && !(may_lack_it && self.unread);
        is_wrong.then(|| {
            let message = "an error without an id belongs to no request";
            Violation::new(Rule::ResponseWithoutId, message)
        })
    }
}

/// Whether the other side may not be able to read a message, or its id.
fn is_malformed(message: &Message<'_>) -> bool {
    match message {
        Message::Request { id, .. } => !id.is_allowed(),
        Message::Invalid { .. } => true,
        Message::Notification { .. } | Message::Response { .. } => false,
    }
}
