//! Follows a task to its end: polls at the interval of the server, or when the server reports a change.

use std::{convert::Infallible, time::Duration};

use patchbay_client::{Connection, Request, TaskProgress};
use patchbay_contract::*;
use patchbay_protocol::{
    Era, json, methods,
    views::{TaskStatus, TaskView},
};
use patchbay_traffic::{OperationId, Seq};
use tokio::time::Instant;

use super::{heard, id_params, input::Inputs};
use crate::{
    calls::{
        Ended, Ending, Failed, MaskedAnswer, Query, Subject, finish, rpc_error, send, throttle::Throttled,
    },
    connections::ConnectionHandle,
    dispatch::error::fail,
    dispatch::streams::Events,
    state::Engine,
};

/// The polling interval if the server names none.
const INTERVAL: Duration = Duration::from_secs(1);
/// The minimum polling interval.
const SHORTEST: Duration = Duration::from_millis(50);
/// How many requests in a row may fail in a way that may pass, while the task goes on.
const MOST_FAILURES: u32 = 3;
/// The error for a task whose state can no longer be read.
const FAILED: &str = "The state of the task could not be read";

/// How a task ended.
#[expect(clippy::large_enum_variant, reason = "it lives for one match")]
pub(crate) enum End {
    /// Its result can be requested with this request (2025-11-25).
    Ask(Request),
    /// As its state says.
    Said(Ending),
}

/// A task that is being followed.
pub(crate) struct Following<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) live: &'a ConnectionHandle,
    pub(crate) connection: &'a Connection,
    pub(crate) task_id: &'a str,
    /// The operation of the call that created the task; a new one if it was not created here.
    pub(crate) operation: OperationId,
}

impl Following<'_> {
    /// Polls until the task has ended. `tell` receives each state; returning false stops polling.
    ///
    /// # Errors
    /// A request about the task has no result. The task may still be running.
    pub(crate) async fn to_the_end<F: Future<Output = bool>>(
        &self,
        mut tell: impl FnMut(TaskItem) -> F,
    ) -> Result<Option<End>, Box<Failed>> {
        let era = self.live.era();
        let mut notices = self.connection.notices();
        let mut inputs = Inputs::new(self);
        let mut failures = 0;
        loop {
            let updates = notices.borrow_and_update().task_updates;
            let asked_at = Instant::now();
            let answered = match self.ask().await {
                Err(failed) if failures < MOST_FAILURES && may_pass(&failed.ended.outcome) => {
                    failures += 1;
                    tokio::time::sleep_until(asked_at + INTERVAL).await;
                    continue;
                }
                answered => answered?,
            };
            failures = 0;
            let (text, seq) = (answered.body_text(), answered.answer.seq);
            let view = TaskView::parse(era, &text);
            let item = heard(&self.engine.state, self.live, &view, seq);
            let next = asked_at + interval(item.poll_interval_ms);
            if !tell(item).await {
                return Ok(None);
            }
            if let Some(end) = self.end(era, &view, &answered) {
                return Ok(Some(end));
            }
            if let Err(reason) = inputs.ask(&view, seq).await {
                return Ok(Some(End::Said(invalid(&answered, reason))));
            }
            let news = async {
                // An error means that the connection has ended; the next request reports that.
                let _ = notices.wait_for(|notices| notices.task_updates != updates).await;
            };
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = news => tokio::time::sleep_until(asked_at + SHORTEST).await,
                answered = inputs.answered() => inputs.send(answered).await?,
            }
        }
    }

    async fn ask(&self) -> Result<MaskedAnswer, Box<Failed>> {
        let query = Query {
            state: &self.engine.state,
            connection: self.connection,
            operation: self.operation,
            method: methods::TASKS_GET,
            params: Some(id_params(self.task_id)),
            failed: FAILED,
        };
        query.result().await
    }

    /// How the task has ended; none while it has not.
    fn end(&self, era: Era, view: &TaskView<'_>, answered: &MaskedAnswer) -> Option<End> {
        let invalid = |reason: String| invalid(answered, reason);
        let Some(status) = view.status else {
            let task = json::Object::parse(view.raw).ok();
            let named = task.as_ref().and_then(|task| task.string("status"));
            return Some(End::Said(invalid(match named {
                Some(name) => format!("The status \"{}\" of the task is unknown.", methods::clip(&name)),
                None => "The task has no status.".to_owned(),
            })));
        };
        if era == Era::Legacy {
            // A server that waits for its result to be fetched sends its input requests on that request.
            let fetch = status.is_final() || status == TaskStatus::InputRequired;
            return fetch
                .then(|| End::Ask(Request::new(methods::TASKS_RESULT, Some(id_params(self.task_id)))));
        }
        Some(End::Said(match status {
            TaskStatus::Working | TaskStatus::InputRequired => return None,
            TaskStatus::Cancelled => Ending::Other(self.cancelled(view), None),
            TaskStatus::Completed => match view.result {
                Some(result) => Ending::Result(part(answered, view, result)),
                None => invalid("The task is completed, but has no result.".to_owned()),
            },
            TaskStatus::Failed => match view.error {
                Some(error) => {
                    let error = part(answered, view, error);
                    Ending::Other(rpc_error(&error, None), Some(error))
                }
                None => invalid("The task failed, but has no error.".to_owned()),
            },
        }))
    }

    fn cancelled(&self, view: &TaskView<'_>) -> ExchangeOutcome {
        match self.live.tasks.is_cancelled_here(self.task_id) {
            true => ExchangeOutcome::Cancelled {},
            false => ExchangeOutcome::CancelledByServer {
                reason: view.message.as_deref().map(str::to_owned),
            },
        }
    }
}

/// The end of a task whose state is not one that a server may send.
fn invalid(answered: &MaskedAnswer, reason: String) -> Ending {
    let raw = answered.raw();
    Ending::Other(
        ExchangeOutcome::InvalidResult { raw, reason },
        Some(answered.clone()),
    )
}

/// The response, with a part of the task in it as the body.
fn part(answered: &MaskedAnswer, task: &TaskView<'_>, part: &str) -> MaskedAnswer {
    let span = json::span_of(task.raw, part);
    let mut answered = answered.clone();
    let start = answered.answer.body.start;
    answered.answer.body = start + span.start..start + span.end;
    answered
}

/// Whether a request about a task may have another outcome later. Asking for the state of a task changes nothing.
fn may_pass(outcome: &ExchangeOutcome) -> bool {
    match outcome {
        ExchangeOutcome::TimedOut { .. } | ExchangeOutcome::ConnectionLost { .. } => true,
        ExchangeOutcome::HttpStatus { status, .. } => *status == 429 || *status >= 500,
        _ => false,
    }
}

fn interval(ms: Option<f64>) -> Duration {
    ms.filter(|ms| ms.is_finite() && *ms >= 0.0)
        // A day, if a server says a year.
        .map_or(INTERVAL, |ms| {
            Duration::from_secs_f64(ms.min(86_400_000.0) / 1000.0)
        })
        .max(SHORTEST)
}

/// The stream `task_result`.
///
/// # Errors
/// The end of the task is not known, because a request about it has no result.
pub(crate) async fn result(
    engine: &Engine,
    params: TaskResultParams,
    events: &Events<ExchangeEvent>,
) -> Result<Option<Ended>, Box<Failed>> {
    let (live, connection) = engine.state.ready(&params.server_id).map_err(Failed::inside)?;
    tokio::select! {
        ended = follow(engine, (&live, &connection), &params, events) => ended,
        never = report_progress(engine, &connection, &params.task_id, events) => match never {},
    }
}

/// As [`result`], with the request that has no result as the end, of which the last event tells.
///
/// # Errors
/// That request was not sent.
pub(crate) async fn result_or_failure(
    engine: &Engine,
    params: TaskResultParams,
    events: &Events<ExchangeEvent>,
) -> Result<Option<Ended>, CommandError> {
    let begun = Instant::now();
    match result(engine, params, events).await {
        Err(failed) if !matches!(failed.ended.outcome, ExchangeOutcome::NotSent { .. }) => {
            let _ = events.send(finished(&failed.ended, begun, None)).await;
            Ok(Some(failed.ended))
        }
        ended => Ok(ended?),
    }
}

/// Reports the progress of a task until the caller stops waiting for it.
async fn report_progress(
    engine: &Engine,
    connection: &Connection,
    task_id: &str,
    events: &Events<ExchangeEvent>,
) -> Infallible {
    let mut reported = connection.task_progress();
    let mut progress = Throttled::new(engine.state.recorder.clone());
    let mut count = 0;
    loop {
        let is_new = |table: &TaskProgress| table.of(task_id).is_some_and(|progress| progress.count != count);
        let new = async {
            let table = reported.wait_for(is_new).await;
            table.ok().and_then(|table| table.of(task_id).cloned())
        };
        tokio::select! {
            new = new => {
                let Some(new) = new else { return std::future::pending().await };
                count = new.count;
                progress.put(new);
            }
            () = progress.due() => {
                if progress.send(events).await.is_err() {
                    // The stream is closed, which ends `follow` as well.
                    return std::future::pending().await;
                }
            }
        }
    }
}

async fn follow(
    engine: &Engine,
    (live, connection): (&ConnectionHandle, &Connection),
    params: &TaskResultParams,
    events: &Events<ExchangeEvent>,
) -> Result<Option<Ended>, Box<Failed>> {
    let begun = Instant::now();
    let subject = live.tasks.subject(&params.task_id).unwrap_or_else(|| Subject {
        method: methods::TOOLS_CALL.to_owned(),
        ..Subject::default()
    });
    let operation = subject
        .operation
        .unwrap_or_else(|| engine.state.begin("task_result", &params.task_id));
    let following = Following {
        engine,
        live,
        connection,
        task_id: &params.task_id,
        operation,
    };
    let end = following
        .to_the_end(async |task| events.send(ExchangeEvent::Task { task }).await.is_ok())
        .await?;
    let (ended, seq) = match end {
        None => return Ok(None),
        Some(End::Ask(mut request)) => {
            // The server responds when the task has ended, which may take long.
            request.timeouts = Some(max_timeouts(engine, &params.server_id).map_err(Failed::inside)?);
            request.operation = Some(operation);
            let sent = send(engine, (live, connection), request, events, subject).await;
            return sent.map_err(Failed::inside);
        }
        Some(End::Said(ending)) => {
            let seq = match &ending {
                Ending::Result(answered) | Ending::Task(answered) => Some(answered.answer.seq),
                Ending::Other(_, answered) => answered.as_ref().map(|answered| answered.answer.seq),
            };
            let ended = finish::ended(engine, (live, connection), ending, subject).await;
            (ended.map_err(Failed::inside)?, seq)
        }
    };
    // If the stream is closed, only the event is lost: the traffic log is complete.
    let _ = events.send(finished(&ended, begun, seq)).await;
    Ok(Some(ended))
}

fn finished(ended: &Ended, begun: Instant, response: Option<Seq>) -> ExchangeEvent {
    ExchangeEvent::Finished {
        outcome: ended.outcome.clone(),
        duration_ms: crate::convert::ms(begun.elapsed()),
        human_wait_ms: 0.0,
        request_seq: None,
        response_seq: response.map(crate::convert::seq),
    }
}

/// The server's timeouts, raised to the maximum.
fn max_timeouts(engine: &Engine, server: &ServerId) -> Result<patchbay_client::Timeouts, CommandError> {
    let server = engine.state.servers.get(server)?;
    let timeouts = crate::convert::timeouts(server.draft.timeouts);
    match timeouts.max_total.is_zero() {
        true => Err(fail(ErrorCode::InvalidParams, "A timeout of 0 ends at once.")),
        false => Ok(patchbay_client::Timeouts {
            request: timeouts.max_total,
            ..timeouts
        }),
    }
}

#[cfg(test)]
mod tests;
