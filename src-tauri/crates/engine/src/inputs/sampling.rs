//! Sampling: the responders for `sampling/createMessage`, the rules of servers, and the models that a person asks.

mod automatic;
pub(crate) mod generate;
pub(crate) mod handlers;
mod rules;

use patchbay_client::{InputKind, InputReply};
use patchbay_protocol::{error_codes, json};

use super::responder::{Answers, InputQuestion, Responder, Response};
pub(crate) use automatic::{ModelResponder, RulesResponder};
pub(crate) use rules::SamplingState;

/// A rule for `sampling/createMessage`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SamplingRule {
    /// Refuse with the error that the specification defines.
    Decline,
    /// Respond with this text as an assistant message.
    Text(String),
    /// Respond with this result: JSON text of an object, sent verbatim.
    Result(String),
}

impl SamplingRule {
    fn reply(&self) -> InputReply {
        match self {
            Self::Decline => InputReply::Error {
                code: error_codes::USER_REJECTED,
                message: "User rejected sampling request".to_owned(),
                data: None,
            },
            Self::Text(text) => InputReply::Result(format!(
                "{{\"role\":\"assistant\",\"content\":{{\"type\":\"text\",\"text\":{}}},\"model\":\"patchbay-manual\",\"stopReason\":\"endTurn\"}}",
                json::quote(text)
            )),
            Self::Result(json) => InputReply::Result(json.clone()),
        }
    }
}

impl Responder for SamplingRule {
    fn rule(&self) -> Option<String> {
        let what = match self {
            Self::Decline => "decline",
            Self::Text(_) => "this text",
            Self::Result(_) => "this result",
        };
        Some(format!("--on-sampling, {what}"))
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Sampling,
            // A fixed answer uses no tools.
            capability: "{}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let reply = (question.input.kind == InputKind::Sampling).then(|| self.reply());
        Box::pin(std::future::ready(reply))
    }
}

#[cfg(test)]
mod tests;
