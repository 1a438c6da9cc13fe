//! Error responses without an id.

use patchbay_protocol::{Direction, RequestId, Rule, Violation, message::Message, pairing::Pairing};

use crate::Crossing;

/// The request that a response without an id certainly belongs to: that of its HTTP exchange, or the one whose invalid id is
/// `null`.
pub(super) fn answered(pairing: &Pairing, crossing: &Crossing<'_>) -> Option<RequestId> {
    match crossing.direction {
        Direction::ServerToClient => crossing.reply_to().cloned(),
        Direction::ClientToServer => {
            let null = RequestId::parse("null");
            pairing.is_open(Direction::ServerToClient, &null).then_some(null)
        }
    }
}

/// Assigns a response without an id to the request that is certainly meant: over HTTP an error may omit its id, and the
/// response to a request with id `null` cannot have another.
pub(super) fn adopt<'a>(
    message: Message<'a>,
    answered: Option<RequestId>,
    violations: &mut Vec<Violation>,
) -> Message<'a> {
    match (message, answered) {
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
        (message, _) => message,
    }
}
