//! Error responses without an id.

use patchbay_protocol::{RequestId, Rule, Violation, message::Message};

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
