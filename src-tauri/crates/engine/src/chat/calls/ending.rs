//! How calls end, in words that the model gets too.

use patchbay_contract::*;
use patchbay_protocol::json;

use crate::chat::{
    item::{Call, media_words, text_block},
    view::start,
};

/// The size up to which a result is kept whole, in bytes.
const LARGEST_RESULT: usize = 2 << 20;
/// How much is kept of a larger one, and the size up to which other texts of a server are kept, in bytes.
const KEPT_OF_LARGER: usize = 64 << 10;

pub(super) fn denied(call: Call, reason: &str, by: String) -> Call {
    let error = match reason.is_empty() {
        true => "The user denied this call. It was not sent.".to_owned(),
        false => format!("The user denied this call. It was not sent. The reason: {reason}"),
    };
    Call {
        state: ChatCallState::Denied,
        decided_by: Some(by),
        error: Some(error),
        ..call
    }
}

pub(super) fn not_run(call: Call) -> Call {
    Call {
        state: ChatCallState::NotRun,
        error: Some("The user stopped the turn before this call was sent.".to_owned()),
        ..call
    }
}

/// A call that is not sent, because it could not be written that it is.
pub(in crate::chat) fn not_run_unsaved(call: Call) -> Call {
    Call {
        state: ChatCallState::NotRun,
        error: Some("The conversation could not be saved, so this call was not sent.".to_owned()),
        ..call
    }
}

/// Whether a result is too large to be kept whole.
pub(super) fn is_cut(raw: &str) -> bool {
    raw.len() > LARGEST_RESULT
}

/// A result as it is kept: of a very large one the first blocks, and its size.
pub(in crate::chat) fn kept(raw: &str) -> (String, Option<f64>) {
    if !is_cut(raw) {
        return (raw.to_owned(), None);
    }
    let result = json::Object::parse(raw).ok();
    let member = |name| result.as_ref().and_then(|result| result.get(name));
    let content = member("content").and_then(json::array).unwrap_or_default();
    let blocks = match (content.is_empty(), member("structuredContent")) {
        (true, structured) => vec![text_block(&start(structured.unwrap_or(raw), KEPT_OF_LARGER))],
        (false, _) => first_blocks(&content),
    };
    let is_error = match member("isError").and_then(json::boolean) {
        Some(true) => ",\"isError\":true",
        _ => "",
    };
    let cut = format!("{{\"content\":[{}]{is_error}}}", blocks.join(","));
    (cut, Some(raw.len() as f64))
}

/// The first blocks of a result, as far as there is room for them: of a long text its beginning, of large media only what it is.
fn first_blocks(content: &[&str]) -> Vec<String> {
    let mut left = KEPT_OF_LARGER;
    let mut blocks = Vec::new();
    for (at, raw) in content.iter().enumerate() {
        if left == 0 {
            let rest = content.len() - at;
            blocks.push(text_block(&format!(
                "[Further blocks of the result, which are left out: {rest}.]"
            )));
            break;
        }
        let block = match raw.len() <= left {
            true => (*raw).to_owned(),
            false => beginning_of(raw, left),
        };
        left = left.saturating_sub(block.len());
        blocks.push(block);
    }
    blocks
}

/// The beginning of a block that there is no room for.
fn beginning_of(raw: &str, most: usize) -> String {
    if let Some(words) = media_words(raw) {
        return text_block(&format!("[{words}: left out.]"));
    }
    let block = json::Object::parse(raw).ok();
    let resource = block
        .as_ref()
        .and_then(|block| json::Object::parse(block.get("resource")?).ok());
    let text = resource
        .as_ref()
        .or(block.as_ref())
        .and_then(|holder| holder.string("text"));
    text_block(&start(text.as_deref().unwrap_or(raw), most))
}

/// A text of a server as it is kept beside its call: of a very long one the beginning, and its size.
pub(super) fn shortened(text: String) -> String {
    match is_long(&text) {
        true => format!(
            "{}… [the beginning of {} bytes]",
            start(&text, KEPT_OF_LARGER),
            text.len()
        ),
        false => text,
    }
}

/// Whether a text is too long to be kept whole beside its call.
pub(super) fn is_long(text: &str) -> bool {
    text.len() > KEPT_OF_LARGER
}

/// Why there is no result, for the user and the model.
pub(super) fn words(outcome: ExchangeOutcome) -> String {
    match outcome {
        ExchangeOutcome::RpcError { code, message, .. } => {
            format!("The server answered with the error {code}: {message}")
        }
        ExchangeOutcome::TimedOut { after_ms } => {
            format!(
                "The server did not answer within {} s. The call may have run.",
                crate::convert::tenths(after_ms)
            )
        }
        ExchangeOutcome::ConnectionLost {
            failure,
            may_have_run,
        } => may_have(
            may_have_run,
            format!("The connection was lost: {}", failure.cause),
        ),
        ExchangeOutcome::HttpStatus {
            message,
            may_have_run,
            ..
        } => may_have(may_have_run, message),
        ExchangeOutcome::NotSent { message } => message,
        ExchangeOutcome::CancelledByServer { reason } => match reason {
            Some(reason) => format!("The server cancelled the call: {reason}"),
            None => "The server cancelled the call.".to_owned(),
        },
        ExchangeOutcome::InputRequired { reason, .. } => format!("The server asks for input. {reason}"),
        ExchangeOutcome::InvalidResult { reason, .. } => {
            format!("The server answered with an invalid result. {reason}")
        }
        ExchangeOutcome::Cancelled {} | ExchangeOutcome::Result { .. } | ExchangeOutcome::Task { .. } => {
            "There is no result.".to_owned()
        }
    }
}

fn may_have(run: bool, why: String) -> String {
    match run {
        true => format!("{why} The call may have run."),
        false => why,
    }
}
