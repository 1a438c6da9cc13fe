//! Requests that a command makes for itself: it needs the result, and says in words why there is none.

use patchbay_client::{Answer, Connection, Finished, Outcome, Request};
use patchbay_contract::{CommandError, ErrorCode};
use patchbay_protocol::{message::RpcError, methods};

use crate::{
    engine::Inner,
    error::{fail, fail_with},
};

const IN_THE_LOG: &str = "Its answer stands in the traffic log.";

/// Sends a request and waits for its result. `failed` is what then failed: `The tools could not be listed`.
pub(crate) async fn ask(
    inner: &Inner,
    connection: &Connection,
    method: &str,
    params: Option<String>,
    failed: &str,
) -> Result<Answer, CommandError> {
    let exchange = connection.request(Request::new(method, params)).await;
    let _running = inner.exchanges.enter(exchange.id, connection.clone());
    result_of(inner, exchange.finished().await, failed)
}

/// The text of an answer's result or error, secrets masked.
pub(crate) fn text_of(inner: &Inner, answer: &Answer) -> String {
    String::from_utf8_lossy(&inner.masked_bytes(answer.frame.slice(answer.body.clone()))).into_owned()
}

/// The answer with a result, or why there is none.
pub(crate) fn result_of(inner: &Inner, finished: Finished, failed: &str) -> Result<Answer, CommandError> {
    match (finished.outcome, finished.response) {
        (Outcome::Result | Outcome::UnknownResultType(_), Some(answer)) => Ok(answer),
        (Outcome::Error, Some(answer)) => {
            let error = text_of(inner, &answer);
            let said = methods::error_summary(&RpcError::parse(&error));
            let next = finished.advice.as_deref().unwrap_or(IN_THE_LOG);
            let message = format!("{failed}: the server answered with the error “{said}”. {next}");
            Err(fail_with(ErrorCode::ServerError, message, error))
        }
        (Outcome::Task, Some(answer)) => Err(fail_with(
            ErrorCode::ServerError,
            format!("{failed}: the server made a task of it. {IN_THE_LOG}"),
            text_of(inner, &answer),
        )),
        (Outcome::InputRequired(why), Some(answer)) => Err(fail_with(
            ErrorCode::ServerError,
            format!("{failed}: the server asks for input first. {why}"),
            text_of(inner, &answer),
        )),
        (Outcome::TimedOut { after }, _) => Err(fail(
            ErrorCode::TimedOut,
            format!(
                "{failed}: the server did not answer within {:.0} s. Try again, or raise its time-out.",
                after.as_secs_f64()
            ),
        )),
        (Outcome::ConnectionLost(failure), _) => Err(fail(
            ErrorCode::ConnectionFailed,
            format!("{failed}: {} {}", inner.masked(failure.cause), failure.next),
        )),
        (Outcome::Unanswered(why), _) => Err(fail(
            ErrorCode::ServerError,
            format!(
                "{failed}: {} {}",
                inner.masked(why.failure.cause),
                why.failure.next
            ),
        )),
        (Outcome::NotSent(why), _) => Err(fail(ErrorCode::NotConnected, format!("{failed}: {why}"))),
        _ => Err(fail(
            ErrorCode::ServerError,
            format!("{failed}: the request was cancelled."),
        )),
    }
}
