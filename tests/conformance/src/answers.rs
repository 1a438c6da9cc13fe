//! Default answers to input requests: a form's defaults, a short text for sampling, no folders.

use patchbay_contract::{InputAnswer, InputItem, InputKind};
use serde_json::{Map, Value, json};

/// The answer to a request.
pub(crate) fn to(request: &InputItem) -> InputAnswer {
    let result = match request.kind {
        InputKind::Elicitation => accept(&request.params_json),
        InputKind::Sampling => json!({
            "role": "assistant",
            "content": {"type": "text", "text": "As you like."},
            "model": "nobody",
            "stopReason": "endTurn",
        }),
        InputKind::Roots => json!({"roots": []}),
    };
    InputAnswer::Result {
        json: result.to_string(),
    }
}

/// Accepts a form with the default of each field that has one.
fn accept(params: &str) -> Value {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let fields = params["requestedSchema"]["properties"].as_object();
    let content: Map<String, Value> = fields
        .into_iter()
        .flatten()
        .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
        .collect();
    json!({"action": "accept", "content": content})
}

#[cfg(test)]
mod tests;
