//! Requests that a command sends itself. It needs the result, or the reason in words why there is none.

use patchbay_client::{Connection, Finished, Request};
use patchbay_contract::{CommandError, ErrorCode, ExchangeOutcome};
use patchbay_protocol::{message::RpcError, methods};
use patchbay_traffic::{OperationId, Recorder};

use super::{
    exchanges::CANCELLED,
    outcome::{Ended, Ending, ending},
    result_view::MaskedAnswer,
};
use crate::{convert, dispatch::error::fail, state::EngineState};

const IN_THE_LOG: &str = "The answer is in the traffic log.";

/// A request without a result: the error of the command, and how the request ended.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: CommandError,
    pub(crate) ended: Ended,
}

impl Failed {
    /// An internal error, not a failure of the request.
    pub(crate) fn inside(error: CommandError) -> Box<Self> {
        let outcome = ExchangeOutcome::NotSent {
            message: error.message.clone(),
        };
        let ended = Ended {
            outcome,
            answer: None,
        };
        Box::new(Self { error, ended })
    }
}

impl From<Box<Failed>> for CommandError {
    fn from(failed: Box<Failed>) -> Self {
        failed.error
    }
}

/// A request whose result a command needs.
pub(crate) struct Query<'a> {
    pub(crate) state: &'a EngineState,
    pub(crate) connection: &'a Connection,
    pub(crate) operation: OperationId,
    pub(crate) method: &'a str,
    pub(crate) params: Option<String>,
    /// The beginning of the error: `The tools could not be listed`.
    pub(crate) failed: &'a str,
}

impl Query<'_> {
    /// Sends the request and waits for its result.
    pub(crate) async fn result(self) -> Result<MaskedAnswer, Box<Failed>> {
        self.result_until(std::future::pending()).await
    }

    /// As [`Self::result`], but cancels the request when `stop` ends.
    pub(crate) async fn result_until(
        self,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<MaskedAnswer, Box<Failed>> {
        let request = Request {
            operation: Some(self.operation),
            ..Request::new(self.method, self.params)
        };
        let exchange = self.connection.request(request).await;
        let id = exchange.id;
        let _running = self.state.exchanges.enter(id, self.connection.clone());
        let mut finished = std::pin::pin!(exchange.finished());
        let finished = tokio::select! {
            finished = &mut finished => finished,
            () = stop => {
                self.connection.cancel(id, Some(CANCELLED.to_owned())).await;
                finished.await
            }
        };
        result_of(&self.state.recorder, finished, self.failed)
    }
}

/// The response with a result, or why there is none.
pub(crate) fn result_of(
    recorder: &Recorder,
    finished: Finished,
    failed: &str,
) -> Result<MaskedAnswer, Box<Failed>> {
    let (outcome, answered) = match ending(recorder, finished).map_err(Failed::inside)? {
        Ending::Result(answered) => return Ok(answered),
        Ending::Task(answered) => {
            let outcome = ExchangeOutcome::NotSent {
                message: format!("The server created a task instead. {IN_THE_LOG}"),
            };
            (outcome, Some(answered))
        }
        Ending::Other(outcome, answered) => (outcome, answered),
    };
    let (code, why) = words(&outcome, answered.as_ref());
    let mut error = fail(code, format!("{failed}: {why}"));
    error.detail = answered
        .as_ref()
        .map(|answered| answered.body_text().into_owned());
    let ended = Ended {
        outcome,
        answer: answered.map(|answered| answered.exact()),
    };
    Err(Box::new(Failed { error, ended }))
}

/// Why an exchange has no result, as the end of a sentence.
fn words(outcome: &ExchangeOutcome, answered: Option<&MaskedAnswer>) -> (ErrorCode, String) {
    match outcome {
        ExchangeOutcome::RpcError { advice, .. } => {
            let text = answered.map(MaskedAnswer::body_text).unwrap_or_default();
            let said = methods::error_summary(&RpcError::parse(&text));
            let next = advice.as_deref().unwrap_or(IN_THE_LOG);
            let words = format!("the server answered with the error “{said}”. {next}");
            (ErrorCode::ServerError, words)
        }
        ExchangeOutcome::InputRequired { reason, .. } => (
            ErrorCode::ServerError,
            format!("the server asks for input first. {reason}"),
        ),
        ExchangeOutcome::TimedOut { after_ms } => (
            ErrorCode::TimedOut,
            format!(
                "the server did not answer within {} s. Try again, or raise its timeout.",
                convert::tenths(*after_ms)
            ),
        ),
        ExchangeOutcome::ConnectionLost { failure, .. } => (
            ErrorCode::ConnectionFailed,
            format!("{} {}", failure.cause, failure.next),
        ),
        ExchangeOutcome::HttpStatus { message, .. } => (ErrorCode::ServerError, message.clone()),
        ExchangeOutcome::NotSent { message } => (ErrorCode::NotConnected, message.clone()),
        ExchangeOutcome::CancelledByServer { reason } => (
            ErrorCode::ServerError,
            match reason {
                Some(reason) => format!("the server cancelled the request: {reason}"),
                None => "the server cancelled the request.".to_owned(),
            },
        ),
        ExchangeOutcome::InvalidResult { reason, .. } => (
            ErrorCode::ServerError,
            format!("the result is invalid. {reason} {IN_THE_LOG}"),
        ),
        ExchangeOutcome::Cancelled {} | ExchangeOutcome::Result { .. } | ExchangeOutcome::Task { .. } => {
            (ErrorCode::Cancelled, "the request was cancelled.".to_owned())
        }
    }
}

#[cfg(test)]
mod tests;
