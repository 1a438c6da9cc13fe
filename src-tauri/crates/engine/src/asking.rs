//! Requests that a command makes for itself: it needs the result, and says in words why there is none.

use bytes::Bytes;
use patchbay_client::{Answer, Connection, Finished, Outcome, Request};
use patchbay_contract::{CommandError, ErrorCode};

use crate::{
    engine::Inner,
    error::{fail, fail_with},
};

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

/// The text of an answer's result, secrets masked.
pub(crate) fn text_of(inner: &Inner, answer: &Answer) -> String {
    String::from_utf8_lossy(&masked(inner, answer)).into_owned()
}

fn masked(inner: &Inner, answer: &Answer) -> Bytes {
    inner.masked_bytes(answer.frame.slice(answer.body.clone()))
}

/// The answer with a result, or why there is none.
pub(crate) fn result_of(inner: &Inner, finished: Finished, failed: &str) -> Result<Answer, CommandError> {
    match (finished.outcome, finished.response) {
        (Outcome::Result | Outcome::UnknownResultType(_), Some(answer)) => Ok(answer),
        (Outcome::Error | Outcome::Task, Some(answer)) => Err(fail_with(
            ErrorCode::ServerError,
            match finished.advice {
                Some(advice) => format!("{failed}: the server refused. {advice}"),
                None => format!("{failed}: the server refused. Its answer stands in the traffic log."),
            },
            String::from_utf8_lossy(&masked(inner, &answer)),
        )),
        (Outcome::InputRequired(why), Some(answer)) => Err(fail_with(
            ErrorCode::ServerError,
            format!("{failed}: the server asks for input first. {why}"),
            String::from_utf8_lossy(&masked(inner, &answer)),
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
