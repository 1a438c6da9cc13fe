//! How calls end, in words that the model gets too.

use patchbay_contract::*;
use patchbay_protocol::json;

use crate::chat::{
    item::{Call, text_block},
    view::start,
};

/// The size up to which a result is kept whole, in bytes.
const LARGEST_RESULT: usize = 2 << 20;
/// How much is kept of a larger one, in bytes.
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

/// A result as it is kept: a very large one is cut, and its size is said.
pub(super) fn kept(raw: &str) -> (String, Option<f64>) {
    if !is_cut(raw) {
        return (raw.to_owned(), None);
    }
    let result = json::Object::parse(raw).ok();
    let first = result
        .and_then(|result| json::array(result.get("content")?)?.first().copied())
        .and_then(|block| json::Object::parse(block).ok()?.string("text"));
    let text = first.as_deref().unwrap_or(raw);
    let cut = format!("{{\"content\":[{}]}}", text_block(&start(text, KEPT_OF_LARGER)));
    (cut, Some(raw.len() as f64))
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
