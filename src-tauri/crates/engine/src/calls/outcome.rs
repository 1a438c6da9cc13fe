//! How an exchange ended: the only mapping from the client's outcome to the contract's. Masked, decoded, checked.

use std::time::SystemTime;

use bytes::Bytes;
use patchbay_client::{Finished, Outcome, Unanswered};
use patchbay_contract::*;
use patchbay_protocol::{
    error_codes, json,
    message::RpcError,
    methods,
    views::{CacheScope, cache_hint},
};
use patchbay_traffic::{OperationId, Recorder};

use super::result_view::MaskedAnswer;
use crate::{convert, dispatch::error::fail};

/// What was requested, to make a view of the result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Subject {
    pub(crate) method: String,
    /// The tool, for a tool call.
    pub(crate) tool: Option<CalledTool>,
    /// The operation of the request. A task that it creates belongs to it too.
    pub(crate) operation: Option<OperationId>,
    /// Whether it may be sent without a check of the tool's definition: it has passed the check, or the user confirmed the call
    /// although the definition changed.
    pub(crate) checked: bool,
}

/// The tool that was called.
#[derive(Debug, Clone)]
pub(crate) struct CalledTool {
    pub(crate) name: String,
    pub(crate) output_schema: Option<String>,
}

/// How an exchange ended, for Rust callers.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The outcome of the contract: masked, with views.
    pub outcome: ExchangeOutcome,
    /// The `result` or `error` exactly as received, not masked. None without a response.
    pub answer: Option<Bytes>,
}

/// How an exchange ended, before its result is read.
#[expect(clippy::large_enum_variant, reason = "it lives for one match")]
pub(crate) enum Ending {
    /// With a result.
    Result(MaskedAnswer),
    /// With a task.
    Task(MaskedAnswer),
    /// In another way, with the response if there was one.
    Other(ExchangeOutcome, Option<MaskedAnswer>),
}

/// Converts the client's outcome.
pub(crate) fn ending(recorder: &Recorder, finished: Finished) -> Result<Ending, CommandError> {
    let masked = |text: String| convert::masked_text(recorder, text);
    let answered = finished.response.map(|answer| MaskedAnswer::of(recorder, answer));
    let outcome = match (finished.outcome, &answered) {
        (Outcome::Result, Some(_)) => return answered.map(Ending::Result).ok_or_else(lost),
        (Outcome::Task, Some(_)) => return answered.map(Ending::Task).ok_or_else(lost),
        // An unknown `resultType` makes a result invalid (2026-07-28, `basic#resulttype`).
        (Outcome::UnknownResultType(result_type), Some(answered)) => ExchangeOutcome::InvalidResult {
            raw: answered.raw(),
            reason: format!(
                "Its `resultType` \"{}\" is unknown: neither the specification nor a declared extension defines it.",
                masked(result_type)
            ),
        },
        (Outcome::InputRequired(reason), Some(answered)) => ExchangeOutcome::InputRequired {
            raw: answered.raw(),
            reason,
        },
        (Outcome::Error, Some(answered)) => rpc_error(answered, finished.advice),
        (
            Outcome::Result
            | Outcome::Task
            | Outcome::UnknownResultType(_)
            | Outcome::InputRequired(_)
            | Outcome::Error,
            None,
        ) => return Err(lost()),
        (Outcome::TimedOut { after }, _) => ExchangeOutcome::TimedOut {
            after_ms: convert::ms(after),
        },
        (Outcome::Cancelled, _) => ExchangeOutcome::Cancelled {},
        (Outcome::EndedByServer(reason), _) => ExchangeOutcome::CancelledByServer {
            reason: reason.map(masked),
        },
        (Outcome::ConnectionLost(failure), _) => ExchangeOutcome::ConnectionLost {
            failure: convert::failure(&failure, masked),
            may_have_run: true,
        },
        (Outcome::Unanswered(why), _) => unanswered(&why, masked),
        (Outcome::NotSent(message), _) => ExchangeOutcome::NotSent { message },
    };
    Ok(Ending::Other(outcome, answered))
}

fn lost() -> CommandError {
    fail(ErrorCode::Internal, "The answer was lost. See the traffic log.")
}

/// How long a result may be reused, for methods whose results say so.
pub(crate) fn freshness(method: &str, result: &str) -> Option<Freshness> {
    let says = matches!(
        method,
        methods::TOOLS_LIST
            | methods::PROMPTS_LIST
            | methods::RESOURCES_LIST
            | methods::RESOURCES_TEMPLATES_LIST
            | methods::RESOURCES_READ
            | methods::SKILLS_LIST
            | methods::SKILLS_GET
            | methods::SERVER_DISCOVER
    );
    if !says {
        return None;
    }
    let (hint, _) = cache_hint(result);
    Some(Freshness {
        // More than a century counts as for ever.
        ttl_ms: hint.ttl_ms? as f64,
        scope: hint.scope.map(|scope| {
            match scope {
                CacheScope::Public => "public",
                CacheScope::Private => "private",
            }
            .to_owned()
        }),
        since_at_ms: convert::at_ms(SystemTime::now()),
    })
}

fn unanswered(why: &Unanswered, masked: impl Fn(String) -> String) -> ExchangeOutcome {
    let mut failure = convert::failure(&why.failure, masked);
    failure.http_status = why.status.map(u32::from);
    failure.seq = why.http.map(convert::seq);
    match why.status {
        Some(status) => ExchangeOutcome::HttpStatus {
            status: status.into(),
            message: format!("{} {}", failure.cause, failure.next),
            may_have_run: why.may_have_run,
            http_seq: why.http.map(convert::seq),
            unauthorized: why.challenge.is_some(),
        },
        None => ExchangeOutcome::ConnectionLost {
            failure,
            may_have_run: why.may_have_run,
        },
    }
}

/// A JSON-RPC error as the UI shows it.
pub(crate) fn rpc_error(answered: &MaskedAnswer, advice: Option<String>) -> ExchangeOutcome {
    let text = answered.body_text();
    let error = RpcError::parse(&text);
    ExchangeOutcome::RpcError {
        raw: answered.raw(),
        code: json::string(&error.code_text)
            .as_ref()
            .unwrap_or(&error.code_text)
            .to_string(),
        message: error.message.into_owned(),
        meaning: error.code.and_then(error_codes::meaning).map(str::to_owned),
        advice,
        data_json: error.data.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests;
