//! Requests of ours: tool calls and any other, from sending to the view of what came back.

mod result_view;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use patchbay_client as client;
use patchbay_client::{Connection, Finished, Outcome, Request};
use patchbay_contract::*;
use patchbay_protocol::{Violation, error_codes, json, methods};
use tokio::time::Instant;

use crate::{
    convert,
    engine::Engine,
    error::{fail, fail_with},
    schema_check,
    streams::{Closed, Events},
};
use result_view::Answered;

/// At most one progress event in this time.
const PACE: Duration = Duration::from_millis(50);

/// The exchanges that can be cancelled, by id.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    running: Mutex<HashMap<u64, Connection>>,
}

impl Exchanges {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Connection>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels one; none of that id is running: it has ended, which is what was wanted.
    pub(crate) async fn cancel(&self, id: &ExchangeId) -> Result<(), CommandError> {
        let number =
            id.0.parse()
                .map_err(|_| fail(ErrorCode::InvalidParams, format!("`{id}` is no exchange's id.")))?;
        let connection = self.lock().get(&number).cloned();
        if let Some(connection) = connection {
            connection
                .cancel(number, Some("Cancelled by the user".to_owned()))
                .await;
        }
        Ok(())
    }

    /// Cancels all that run.
    pub(crate) async fn cancel_all(&self) {
        let running: Vec<(u64, Connection)> = self
            .lock()
            .iter()
            .map(|(id, connection)| (*id, connection.clone()))
            .collect();
        for (id, connection) in running {
            connection
                .cancel(id, Some("Interrupted by the user".to_owned()))
                .await;
        }
    }

    /// Enters an exchange until the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>, id: u64, connection: Connection) -> Running {
        self.lock().insert(id, connection);
        Running {
            id,
            exchanges: self.clone(),
        }
    }
}

/// Takes its exchange out of the list when dropped.
#[derive(Debug)]
pub(crate) struct Running {
    id: u64,
    exchanges: Arc<Exchanges>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.exchanges.lock().remove(&self.id);
    }
}

/// Calls a tool.
pub(crate) async fn tool_call(
    engine: Engine,
    params: ToolCallParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    let (live, connection) = engine.inner.ready(&params.server_id)?;
    let request = Request {
        method: methods::TOOLS_CALL.to_owned(),
        params: Some(tool_params(&params.name, &params.arguments_json)?),
        meta: params
            .meta_json
            .as_deref()
            .map(meta_members)
            .transpose()?
            .unwrap_or_default(),
        timeouts: params.timeouts.map(convert::timeouts),
        progress: true,
    };
    let output_schema = live.tools.output_schema(&params.name);
    run(&engine, &connection, request, &events, Some(output_schema)).await
}

/// Sends any request.
pub(crate) async fn request_send(
    engine: Engine,
    params: RequestSendParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    let (_, connection) = engine.inner.ready(&params.server_id)?;
    let request = request(params.method, params.params_json, params.timeouts)?;
    run(&engine, &connection, request, &events, None).await
}

/// A request of any method.
pub(crate) fn request(
    method: String,
    params: Option<String>,
    timeouts: Option<Timeouts>,
) -> Result<Request, CommandError> {
    if method.is_empty() {
        return Err(fail(ErrorCode::InvalidParams, "The request needs a method."));
    }
    Ok(Request {
        params: params.as_deref().map(|text| object("params", text)).transpose()?,
        timeouts: timeouts.map(convert::timeouts),
        ..Request::new(method, None)
    })
}

/// The params of a tool call, its arguments exactly as they stand.
pub(crate) fn tool_params(name: &str, arguments: &str) -> Result<String, CommandError> {
    let arguments = object("arguments", arguments)?;
    Ok(format!(
        "{{\"name\":{},\"arguments\":{arguments}}}",
        json::quote(name)
    ))
}

/// JSON text of an object as it can stand in a frame: line breaks, which can only be between tokens, become spaces.
pub(crate) fn object(what: &str, text: &str) -> Result<String, CommandError> {
    json::well_formed(text).map_err(|error| {
        let (line, column, why) = (error.line, error.column, error.message);
        fail(
            ErrorCode::InvalidParams,
            format!("The {what} are not valid JSON: {why} at line {line}, column {column}."),
        )
    })?;
    match json::kind(text) {
        json::Kind::Object => Ok(text.trim().replace(['\n', '\r'], " ")),
        other => Err(fail(
            ErrorCode::InvalidParams,
            format!("The {what} must be a JSON object, not {}.", other.name()),
        )),
    }
}

fn meta_members(text: &str) -> Result<Vec<(String, String)>, CommandError> {
    let text = object("`_meta` members", text)?;
    let members = json::Object::parse(&text).map_err(|error| {
        fail_with(
            ErrorCode::InvalidParams,
            "The `_meta` members cannot be read.",
            error,
        )
    })?;
    Ok(members
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_owned()))
        .collect())
}

/// Sends a request and tells its events. `tool` is there for a tool call and holds the output schema, if there is one.
async fn run(
    engine: &Engine,
    connection: &Connection,
    request: Request,
    events: &Events<ExchangeEvent>,
    tool: Option<Option<String>>,
) -> Result<(), CommandError> {
    let mut exchange = connection.request(request).await;
    let id = exchange.id;
    let _running = engine.inner.exchanges.enter(id, connection.clone());
    let mut progress = Paced::default();
    let finished = loop {
        let event = tokio::select! {
            event = exchange.next() => event,
            () = progress.due() => {
                if progress.send(events).await.is_err() {
                    return Ok(());
                }
                continue;
            }
        };
        let sent = match event {
            Some(client::ExchangeEvent::Sent { seq }) => {
                let started = ExchangeEvent::Started {
                    exchange_id: ExchangeId(id.to_string()),
                    seq: convert::seq(seq),
                };
                events.send(&started).await
            }
            Some(client::ExchangeEvent::Progress(new)) => {
                progress.put(*new);
                Ok(())
            }
            Some(client::ExchangeEvent::Finished(finished)) => break *finished,
            None => {
                return Err(fail(
                    ErrorCode::Internal,
                    "The exchange ended without a word. See the traffic log.",
                ));
            }
        };
        if sent.is_err() {
            return Ok(());
        }
    };
    if progress.send(events).await.is_err() {
        return Ok(());
    }
    let end = end(engine, connection, finished, tool).await?;
    // Nobody listens any more: the log has it all.
    let _ = events.send(&end).await;
    Ok(())
}

/// The newest progress, sent at most once per [`PACE`].
#[derive(Debug, Default)]
struct Paced {
    waiting: Option<client::Progress>,
    last: Option<Instant>,
}

impl Paced {
    fn put(&mut self, progress: client::Progress) {
        self.waiting = Some(progress);
    }

    /// Ends when the waiting one may be sent; never while none waits.
    async fn due(&self) {
        match (&self.waiting, self.last) {
            (Some(_), Some(last)) => tokio::time::sleep_until(last + PACE).await,
            (Some(_), None) => {}
            (None, _) => std::future::pending().await,
        }
    }

    async fn send(&mut self, events: &Events<ExchangeEvent>) -> Result<(), Closed> {
        let Some(progress) = self.waiting.take() else {
            return Ok(());
        };
        self.last = Some(Instant::now());
        let event = ExchangeEvent::Progress {
            progress: progress.progress,
            total: progress.total,
            message: progress.message,
            count: convert::count(progress.count),
        };
        events.send(&event).await
    }
}

/// How it ended, as the UI sees it: masked, decoded, checked.
async fn end(
    engine: &Engine,
    connection: &Connection,
    finished: Finished,
    tool: Option<Option<String>>,
) -> Result<ExchangeEvent, CommandError> {
    let response_seq = finished.response.as_ref().map(|answer| convert::seq(answer.seq));
    let request_seq = finished.request_seq.map(convert::seq);
    let duration_ms = convert::ms(finished.duration);
    let answered = match finished.response {
        None => None,
        Some(answer) => Some(Answered {
            frame: engine.inner.masked_bytes(answer.frame.clone()),
            answer,
        }),
    };
    let outcome = match (finished.outcome, answered) {
        (Outcome::Result | Outcome::UnknownResultType(_), Some(answered)) => {
            let seq = answered.answer.seq;
            let (outcome, fault) = result(answered, tool).await?;
            if let Some(fault) = fault {
                engine.inner.recorder.violations(seq, vec![fault]);
                connection.count_problems(1).await;
            }
            outcome
        }
        (Outcome::InputRequired, Some(answered)) => ExchangeOutcome::InputRequired { raw: answered.raw() },
        (Outcome::Error, Some(answered)) => rpc_error(&answered),
        (Outcome::TimedOut { after }, _) => ExchangeOutcome::TimedOut {
            after_ms: convert::ms(after),
        },
        (Outcome::Cancelled, _) => ExchangeOutcome::Cancelled {},
        (Outcome::ConnectionLost(failure), _) => ExchangeOutcome::ConnectionLost {
            failure: convert::failure(&failure, |text| engine.inner.masked(text)),
        },
        (Outcome::NotSent(message), _) => ExchangeOutcome::NotSent { message },
        (_, None) => {
            return Err(fail(
                ErrorCode::Internal,
                "The answer was lost. See the traffic log.",
            ));
        }
    };
    Ok(ExchangeEvent::Finished {
        outcome,
        duration_ms,
        request_seq,
        response_seq,
    })
}

/// The view of a result, and what is wrong with it in the light of the tool's output schema.
async fn result(
    answered: Answered,
    tool: Option<Option<String>>,
) -> Result<(ExchangeOutcome, Option<Violation>), CommandError> {
    let Some(output_schema) = tool else {
        let raw = answered.raw();
        return Ok((ExchangeOutcome::Result { raw, tool: None }, None));
    };
    let has_schema = output_schema.is_some();
    // Off the runtime: a result may be many megabytes.
    let (raw, mut view, structured) = tokio::task::spawn_blocking(move || {
        let (view, structured) = answered.tool_view(has_schema);
        (answered.raw(), view, structured)
    })
    .await
    .map_err(|error| fail_with(ErrorCode::Internal, "The result could not be read.", error))?;
    if let (Some(shown), Some(schema), Some(value)) = (&mut view.structured, output_schema, structured) {
        shown.check = Some(schema_check::check(schema, value).await);
    }
    let fault = result_view::fault(&view);
    let tool = Some(view);
    Ok((ExchangeOutcome::Result { raw, tool }, fault))
}

fn rpc_error(answered: &Answered) -> ExchangeOutcome {
    let text = answered.body_text();
    let members = json::Object::parse(&text).ok();
    let member = |name: &str| members.as_ref().and_then(|members| members.get(name));
    let code = member("code").unwrap_or_default();
    ExchangeOutcome::RpcError {
        raw: answered.raw(),
        code: json::string(code).unwrap_or(code.into()).into_owned(),
        message: member("message")
            .and_then(json::string)
            .unwrap_or_default()
            .into_owned(),
        meaning: json::integer(code)
            .and_then(error_codes::meaning)
            .map(str::to_owned),
        data_json: member("data").map(str::to_owned),
    }
}

#[cfg(test)]
mod tests;
