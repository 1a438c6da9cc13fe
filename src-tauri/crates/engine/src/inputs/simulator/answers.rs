//! The answers of the simulator to each kind of request.

use patchbay_client::InputReply;
use patchbay_contract::InputKind;
use patchbay_protocol::{
    error_codes,
    json::{self, Object},
};

use super::samples::{invalid_content, valid_content};

/// An answer that depends on the request only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FixedAnswer {
    Defaults,
    Decline,
    Cancel,
    Invalid,
}

/// An empty list of roots.
pub(super) const NO_ROOTS: &str = "{\"roots\":[]}";

const MODEL: &str = "patchbay-simulator";

/// The answer to a request. The roots of the settings are not known here: without them the list is empty.
pub(super) fn reply(kind: InputKind, params: &str, answer: FixedAnswer) -> InputReply {
    match (kind, answer) {
        (InputKind::Elicitation, answer) => InputReply::Result(match answer {
            FixedAnswer::Defaults => match form(params) {
                Some(form) => accepted(&valid_content(&form)),
                // The page is not opened: nobody is there to visit it.
                None => "{\"action\":\"accept\"}".to_owned(),
            },
            FixedAnswer::Decline => "{\"action\":\"decline\"}".to_owned(),
            FixedAnswer::Cancel => "{\"action\":\"cancel\"}".to_owned(),
            FixedAnswer::Invalid => match form(params) {
                Some(form) => accepted(&invalid_content(&form)),
                None => "{\"action\":\"opened\"}".to_owned(),
            },
        }),
        (InputKind::Sampling, FixedAnswer::Defaults) => InputReply::Result(sampled(params)),
        (InputKind::Sampling, FixedAnswer::Decline) => InputReply::Error {
            code: error_codes::USER_REJECTED,
            message: "User rejected sampling request".to_owned(),
            data: None,
        },
        (InputKind::Sampling, FixedAnswer::Invalid) => InputReply::Result(
            "{\"role\":\"narrator\",\"content\":{\"type\":\"hologram\"},\"model\":7,\"stopReason\":[]}"
                .to_owned(),
        ),
        (InputKind::Roots, FixedAnswer::Defaults | FixedAnswer::Decline) => {
            InputReply::Result(NO_ROOTS.to_owned())
        }
        (InputKind::Roots, FixedAnswer::Invalid) => {
            InputReply::Result("{\"roots\":[{\"uri\":7,\"name\":[\"not a name\"]}]}".to_owned())
        }
        (InputKind::Sampling | InputKind::Roots, FixedAnswer::Cancel) => InputReply::Cancelled,
    }
}

/// An elicitation that is accepted with this content: JSON text of any value.
pub(super) fn accepted(content: &str) -> String {
    format!("{{\"action\":\"accept\",\"content\":{content}}}")
}

/// A text as the answer of a model.
pub(super) fn completion(text: &str) -> String {
    format!(
        "{{\"role\":\"assistant\",\"content\":{{\"type\":\"text\",\"text\":{}}},\"model\":\"{MODEL}\",\"stopReason\":\"endTurn\"}}",
        json::quote(text)
    )
}

/// The schema of a form; none if the elicitation is not a form.
fn form(params: &str) -> Option<String> {
    let params = Object::parse(params).ok()?;
    let is_url = params.string("mode").as_deref() == Some("url");
    (!is_url).then(|| params.get("requestedSchema").unwrap_or("{}").to_owned())
}

/// A text, or a call of the first tool if the server insists on one.
fn sampled(params: &str) -> String {
    tool_call(params).unwrap_or_else(|| completion("This is a simulated answer."))
}

fn tool_call(params: &str) -> Option<String> {
    let params = Object::parse(params).ok()?;
    let choice = Object::parse(params.get("toolChoice")?).ok()?;
    if choice.string("mode").as_deref() != Some("required") {
        return None;
    }
    let tools = json::array(params.get("tools")?)?;
    let tool = Object::parse(tools.first()?).ok()?;
    let name = tool.get("name")?;
    let input = valid_content(tool.get("inputSchema").unwrap_or("{}"));
    Some(format!(
        "{{\"role\":\"assistant\",\"content\":{{\"type\":\"tool_use\",\"id\":\"simulated_1\",\"name\":{name},\"input\":{input}}},\"model\":\"{MODEL}\",\"stopReason\":\"toolUse\"}}"
    ))
}
