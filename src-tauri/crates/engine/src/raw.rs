//! What the command line needs beyond the commands: answers exactly as they crossed, and the recording as a file.

use std::{fs::File, io::BufWriter, time::Duration};

use bytes::Bytes;
use patchbay_client::{Answer, ExchangeEvent, Outcome, Request};
use patchbay_contract::{CommandError, ErrorCode, FailureItem, ServerDraft, ServerId, Timeouts};
use patchbay_protocol::{
    methods,
    views::{self, CallToolResult, TaskView},
};

use crate::{
    calls, convert,
    engine::Engine,
    error::{fail, fail_with},
    tasks,
};

/// How a raw request ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RawOutcome {
    /// With a result.
    Result(RawResult),
    /// With a result that asks for input first, exactly as received.
    InputRequired(Bytes),
    /// With a JSON-RPC error: the error object, exactly as received.
    Error(Bytes),
    /// Over HTTP with something that is no answer: a status, or the end of the stream.
    Unanswered(RawUnanswered),
    /// Without an answer in time; a cancellation was sent.
    TimedOut {
        /// After how long.
        after: Duration,
    },
    /// Cancelled by [`Engine::cancel_all`].
    Cancelled,
    /// The connection broke first.
    ConnectionLost(FailureItem),
    /// Nothing was sent; why, and what to do.
    NotSent(String),
}

/// A result exactly as received: live bytes, nothing masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawResult {
    /// The text of `result`.
    pub text: Bytes,
    /// A tool result with `isError`.
    pub tool_error: bool,
    /// `nextCursor`, if there is one.
    pub next_cursor: Option<String>,
}

/// Why a request over HTTP has no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RawUnanswered {
    /// In words.
    pub failure: FailureItem,
    /// Whether the request may have been carried out.
    pub may_have_run: bool,
    /// It was refused for want of an authorization: 401, or 403 for want of scopes.
    pub unauthorized: bool,
}

/// Progress of a raw request, as it comes.
#[derive(Debug, Clone, PartialEq)]
pub struct RawProgress {
    /// How far.
    pub progress: f64,
    /// Of how much.
    pub total: Option<f64>,
    /// In words.
    pub message: Option<String>,
}

/// Checks the params of a request, or the arguments of a call, before anything is started.
///
/// # Errors
/// `InvalidParams`, with line and column, if they are no JSON object.
pub fn check_object(what: &str, text: &str) -> Result<(), CommandError> {
    calls::object(what, text).map(drop)
}

impl Engine {
    /// Closes all connections and answers when nothing is left; what was recorded can still be exported.
    pub async fn disconnect(&self) {
        self.close_connections().await;
    }

    /// A command line as a draft, for one-shot commands.
    ///
    /// # Errors
    /// `InvalidParams` with what is wrong with it.
    pub fn draft_of_command(&self, line: &str) -> Result<ServerDraft, CommandError> {
        patchbay_config::one_command(line).map_err(|why| fail(ErrorCode::InvalidParams, why))
    }

    /// An address as a draft, for one-shot commands.
    #[must_use]
    pub fn draft_of_url(&self, url: &str) -> ServerDraft {
        patchbay_config::one_url(url)
    }

    /// Sends a request on a ready connection and gives what came back, exactly as received.
    ///
    /// # Errors
    /// `NotConnected`, or `InvalidParams` if `params` is no JSON object.
    pub async fn request_raw(
        &self,
        server: &ServerId,
        method: &str,
        params: Option<String>,
        timeouts: Option<Timeouts>,
    ) -> Result<RawOutcome, CommandError> {
        let request = calls::request(method.to_owned(), params, timeouts)?;
        self.send_raw(server, request, |_| {})
            .await
            .map(|(outcome, _)| outcome)
    }

    /// Calls a tool with its arguments exactly as they stand, and gives what came back, exactly as received. If the
    /// server makes a task of it (which in the modern era it alone decides) the task's result is waited for.
    ///
    /// # Errors
    /// `NotConnected`, or `InvalidParams` if `arguments` is no JSON object.
    pub async fn call_tool_raw(
        &self,
        server: &ServerId,
        name: &str,
        arguments: &str,
        timeouts: Option<Timeouts>,
        on_progress: impl FnMut(RawProgress) + Send,
    ) -> Result<RawOutcome, CommandError> {
        let params = calls::tool_params(name, arguments, None)?;
        let mut request = calls::request(methods::TOOLS_CALL.to_owned(), Some(params), timeouts)?;
        request.progress = true;
        let (outcome, task) = self.send_raw(server, request, on_progress).await?;
        match task {
            Some(task_id) => self.task_raw(server, &task_id).await,
            None => Ok(outcome),
        }
    }

    /// Follows a task to its end.
    async fn task_raw(&self, server: &ServerId, task_id: &str) -> Result<RawOutcome, CommandError> {
        let (live, connection) = self.inner.ready(server)?;
        let following = tasks::Following {
            engine: self,
            live: &live,
            connection: &connection,
            task_id,
        };
        Ok(match following.to_the_end(async |_| true).await? {
            Some(tasks::End::Ask(mut request)) => {
                request.method = methods::TASKS_RESULT.to_owned();
                return self
                    .send_raw(server, request, |_| {})
                    .await
                    .map(|(outcome, _)| outcome);
            }
            Some(tasks::End::Result(answer)) => {
                let text = answer.frame.slice(answer.body.clone());
                RawOutcome::Result(raw_result(&answer, text, true))
            }
            Some(tasks::End::Error(answer)) => RawOutcome::Error(answer.frame.slice(answer.body.clone())),
            Some(tasks::End::Cancelled) | None => RawOutcome::Cancelled,
        })
    }

    /// Cancels everything that runs: `notifications/cancelled` is sent for each.
    pub async fn cancel_all(&self) {
        self.inner.exchanges.cancel_all().await;
    }

    /// Writes all that was recorded so far (frames and stderr, as JSON lines) into `file`.
    ///
    /// # Errors
    /// `Storage` with the cause.
    pub async fn export_recording(&self, file: File) -> Result<(), CommandError> {
        use std::io::Write as _;

        let failed = |error: &dyn std::fmt::Display| {
            fail_with(ErrorCode::Storage, "The recording could not be written.", error)
        };
        self.inner
            .recorder
            .flush()
            .await
            .map_err(|error| failed(&error))?;
        let (mut writer, _) = self
            .inner
            .store
            .export_jsonl(0, BufWriter::new(file))
            .await
            .map_err(|error| failed(&error))?;
        writer.flush().map_err(|error| failed(&error))
    }

    async fn send_raw(
        &self,
        server: &ServerId,
        request: Request,
        mut on_progress: impl FnMut(RawProgress) + Send,
    ) -> Result<(RawOutcome, Option<String>), CommandError> {
        let (live, connection) = self.inner.ready(server)?;
        let is_call = matches!(&*request.method, methods::TOOLS_CALL | methods::TASKS_RESULT);
        let mut exchange = connection.request(request).await;
        let _running = self.inner.exchanges.enter(exchange.id, connection.clone());
        let finished = loop {
            match exchange.next().await {
                Some(
                    ExchangeEvent::Sent { .. }
                    | ExchangeEvent::InputRound { .. }
                    | ExchangeEvent::Acknowledged { .. }
                    | ExchangeEvent::Notified { .. },
                ) => {}
                Some(ExchangeEvent::Progress(progress)) => on_progress(RawProgress {
                    progress: progress.progress,
                    total: progress.total,
                    message: progress.message,
                }),
                Some(ExchangeEvent::Finished(finished)) => break *finished,
                None => {
                    let why = "The connection is closed.".to_owned();
                    return Ok((RawOutcome::NotSent(why), None));
                }
            }
        };
        let body = finished
            .response
            .as_ref()
            .map(|answer| answer.frame.slice(answer.body.clone()));
        let mut task = None;
        let outcome = match (finished.outcome, finished.response, body) {
            (Outcome::Result | Outcome::UnknownResultType(_), Some(answer), Some(text)) => {
                RawOutcome::Result(raw_result(&answer, text, is_call))
            }
            (Outcome::Task, Some(answer), Some(text)) => {
                task = TaskView::created(live.era(), &answer.body_text()).map(|task| task.id.into());
                RawOutcome::Result(raw_result(&answer, text, false))
            }
            (Outcome::InputRequired(_), _, Some(text)) => RawOutcome::InputRequired(text),
            (Outcome::Error, _, Some(text)) => RawOutcome::Error(text),
            (Outcome::TimedOut { after }, ..) => RawOutcome::TimedOut { after },
            (Outcome::Cancelled, ..) => RawOutcome::Cancelled,
            (Outcome::ConnectionLost(failure), ..) => {
                RawOutcome::ConnectionLost(convert::failure(&failure, |text| self.inner.masked(text)))
            }
            (Outcome::EndedByServer(reason), ..) => {
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                RawOutcome::NotSent(format!("The server cancelled the request{reason}."))
            }
            (Outcome::Unanswered(why), ..) => {
                let mut failure = convert::failure(&why.failure, |text| self.inner.masked(text));
                failure.http_status = why.status.map(u32::from);
                failure.seq = why.http.map(convert::seq);
                RawOutcome::Unanswered(RawUnanswered {
                    failure,
                    may_have_run: why.may_have_run,
                    unauthorized: why.challenge.is_some(),
                })
            }
            (Outcome::NotSent(why), ..) => RawOutcome::NotSent(why),
            (_, None, _) | (_, _, None) => {
                return Err(fail(
                    ErrorCode::Internal,
                    "The answer was lost. See the recording.",
                ));
            }
        };
        Ok((outcome, task))
    }
}

fn raw_result(answer: &Answer, text: Bytes, is_call: bool) -> RawResult {
    let read = answer.body_text();
    RawResult {
        tool_error: is_call && CallToolResult::parse(&read).is_error,
        next_cursor: views::next_cursor(&read).0.map(Into::into),
        text,
    }
}
