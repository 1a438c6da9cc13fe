//! Answers that the user writes in place of a model, one a line.

use patchbay_contract::{ChatId, ChatWriteParams, ChatWrittenCall};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::exit::Problem;

/// A line that is a JSON object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    text: String,
    #[serde(default)]
    calls: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    /// As it is written: it may be anything.
    arguments: Option<Box<RawValue>>,
}

/// The answer in a line: a JSON object, or text.
pub(super) fn answer(chat_id: ChatId, line: &str) -> Result<ChatWriteParams, Problem> {
    if !line.trim_start().starts_with('{') {
        return Ok(ChatWriteParams {
            chat_id,
            text: line.to_owned(),
            calls: Vec::new(),
        });
    }
    let Line { text, calls } = serde_json::from_str(line).map_err(|error| {
        let expected = r#"An answer is text, or {"text": …, "calls": [{"name": …, "arguments": {…}}]}"#;
        Problem::usage(format!("{expected}: {error}."))
    })?;
    let calls = calls.into_iter().map(|call| ChatWrittenCall {
        alias: call.name,
        arguments_json: call
            .arguments
            .map_or_else(|| "{}".to_owned(), |arguments| arguments.get().to_owned()),
    });
    Ok(ChatWriteParams {
        chat_id,
        text,
        calls: calls.collect(),
    })
}
