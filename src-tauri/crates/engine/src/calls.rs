//! Requests to servers: tool calls, reads, prompts and others, from sending to the view of the response.

pub(crate) mod app_frames;
mod ask;
pub(crate) mod completion;
mod exchanges;
mod finish;
pub(crate) mod handlers;
mod object;
mod origin;
mod outcome;
mod result_view;
pub(crate) mod schema_check;
mod send;
pub(crate) mod tasks;
mod throttle;

use patchbay_client::{Connection, RawMessage, Request};
use patchbay_contract::*;
use patchbay_protocol::{Era as ProtocolEra, json, methods};
use patchbay_traffic::OperationId;
use tokio::sync::mpsc;

use crate::{
    connections::ConnectionHandle,
    convert,
    dispatch::error::{fail, fail_with},
    dispatch::streams::Events,
    lists::{Tools, calls_as_tasks, definitions, listed_tool, output_schema},
    state::Engine,
};
pub use app_frames::AppDocument;
pub(crate) use ask::{Failed, Query, result_of as checked};
pub(crate) use exchanges::Exchanges;
pub(crate) use object::object;
pub use outcome::Ended;
pub(crate) use outcome::{CalledTool, Ending, Subject, ending, freshness, rpc_error};
pub(crate) use result_view::{MaskedAnswer, blocks_of, tool_result_of};
pub(crate) use send::send;

/// A request, as the commands of the contract describe it.
#[derive(Debug, Clone)]
pub enum Ask {
    /// `tool_call`
    Tool(ToolCallParams),
    /// `resource_read`
    Resource(ResourceReadParams),
    /// `prompt_get`
    Prompt(PromptGetParams),
    /// `request_send`
    Request(RequestSendParams),
    /// `task_result`
    TaskResult(TaskResultParams),
}

impl Engine {
    /// Sends a request on a ready connection and waits for its end. `on_event` receives its events; the last is `Finished`.
    ///
    /// If a request about a task has no result, this is the end of the task, as far as it is known.
    ///
    /// # Errors
    /// `NotConnected`, or `InvalidParams` if a part of the request is not a JSON object.
    pub async fn exchange(
        &self,
        ask: Ask,
        mut on_event: impl FnMut(ExchangeEvent) + Send,
    ) -> Result<Ended, CommandError> {
        let (sink, mut events) = mpsc::channel(1);
        let running = run(self.clone(), ask, Events::new(sink));
        let shown = async {
            while let Some(event) = events.recv().await {
                on_event(event);
            }
        };
        let (ended, ()) = tokio::join!(running, shown);
        ended?.ok_or_else(|| fail(ErrorCode::Internal, "Nobody waited for the end of the request."))
    }
}

/// Sends the request and reports its events. None if the stream was closed.
pub(crate) async fn run(
    engine: Engine,
    ask: Ask,
    events: Events<ExchangeEvent>,
) -> Result<Option<Ended>, CommandError> {
    let mut confirmed = false;
    let (server, request, label) = match ask {
        Ask::TaskResult(params) => return tasks::result_or_failure(&engine, params, &events).await,
        Ask::Tool(params) => {
            let checked = check_tool(&engine, params, None).await?;
            return checked.send(&engine, &events).await;
        }
        Ask::Resource(params) => {
            let uri = format!("{{\"uri\":{}}}", json::quote(&params.uri));
            let method = methods::RESOURCES_READ.to_owned();
            let request = request(method, Some(uri), params.timeouts)?;
            (
                params.server_id,
                progressing(request),
                (
                    "resource_read",
                    origin::label(params.uri, params.by_app.as_deref()),
                ),
            )
        }
        Ask::Prompt(params) => {
            let text = prompt_params(&params.name, params.arguments_json.as_deref())?;
            let request = request(methods::PROMPTS_GET.to_owned(), Some(text), params.timeouts)?;
            (
                params.server_id,
                progressing(request),
                ("prompt_get", params.name),
            )
        }
        Ask::Request(params) => {
            confirmed = params.despite_changes.unwrap_or(false);
            let label = (
                "request_send",
                origin::confirmed(params.method.clone(), confirmed),
            );
            let request = Request {
                repeats: params.repeats.as_ref().map(convert::parse_seq).transpose()?,
                ..request(params.method, params.params_json, params.timeouts)?
            };
            (params.server_id, request, label)
        }
    };
    let (live, connection) = engine.state.ready(&server)?;
    let operation = Some(engine.state.begin(label.0, label.1));
    let subject = Subject {
        method: request.method.clone(),
        tool: called_tool(&live, &request),
        operation,
        checked: confirmed,
    };
    let request = Request { operation, ..request };
    send(&engine, (&live, &connection), request, &events, subject).await
}

/// The tool that a request of any method calls, so that its result is checked like any other.
fn called_tool(live: &ConnectionHandle, request: &Request) -> Option<CalledTool> {
    if request.method != methods::TOOLS_CALL {
        return None;
    }
    let params = json::Object::parse(request.params.as_deref()?).ok()?;
    Some(tool_named(live, params.string("name")?.into_owned()))
}

/// A tool with the output schema that its definition has now.
fn tool_named(live: &ConnectionHandle, name: String) -> CalledTool {
    CalledTool {
        output_schema: output_schema(live, &name),
        name,
    }
}

/// Sends a text as one message.
pub(crate) async fn send_message(
    engine: &Engine,
    params: MessageSendParams,
) -> Result<MessageSendResponse, CommandError> {
    if params.text.trim().is_empty() {
        return Err(fail(ErrorCode::InvalidParams, "The message is empty."));
    }
    let repeats = params.repeats.as_ref().map(convert::parse_seq).transpose()?;
    let (live, connection) = engine.state.ready(&params.server_id)?;
    let confirmed = params.despite_changes.unwrap_or(false);
    let label = origin::confirmed(String::new(), confirmed);
    let operation = engine.state.begin("message_send", label);
    if !confirmed {
        definitions::check_message(engine, &live, &params.text, operation).await?;
    }
    let message = RawMessage {
        text: params.text,
        operation: Some(operation),
        repeats,
    };
    let sent = connection.send_message(message).await;
    sent.map(|seq| MessageSendResponse {
        seq: convert::seq(seq),
    })
    .map_err(|why| fail(ErrorCode::NotConnected, why))
}

/// A call of a tool that has passed the check before it is sent.
pub(crate) struct CheckedCall {
    live: ConnectionHandle,
    connection: Connection,
    request: Request,
    subject: Subject,
}

impl CheckedCall {
    /// Calls a tool that only runs as a task (2025-11-25, `execution.taskSupport`) as one. Call it with the same arguments.
    pub(crate) fn with_required_task(mut self, name: &str, arguments: &str) -> Result<Self, CommandError> {
        let support = listed_tool(&self.live, name).and_then(|tool| tool.task_support);
        if support.as_deref() == Some("required") && calls_as_tasks(&self.live.status()) {
            let text = tool_params(name, arguments, Some(AsTask { ttl_ms: None }))?;
            self.request.params = Some(text);
        }
        Ok(self)
    }

    /// Sends the call and reports its events. None if the stream was closed; the call continues.
    pub(crate) async fn send(
        self,
        engine: &Engine,
        events: &Events<ExchangeEvent>,
    ) -> Result<Option<Ended>, CommandError> {
        let to = (&self.live, &self.connection);
        send(engine, to, self.request, events, self.subject).await
    }
}

/// Checks a call of a tool, in an operation of its own if none is given. Nothing is sent but what the check lists.
pub(crate) async fn check_tool(
    engine: &Engine,
    params: ToolCallParams,
    operation: Option<OperationId>,
) -> Result<CheckedCall, CommandError> {
    let (live, connection) = engine.state.ready(&params.server_id)?;
    live.lists.used::<Tools>();
    // In the modern era the server decides whether to create a task.
    let as_task = params.as_task.filter(|_| live.era() == ProtocolEra::Legacy);
    if as_task.is_some() && !calls_as_tasks(&live.status()) {
        return Err(fail(
            ErrorCode::InvalidParams,
            "The server did not declare `tasks.requests.tools.call`: its tools cannot be called as tasks.",
        ));
    }
    let meta = params.meta_json.as_deref().map(meta_members).transpose()?;
    let text = tool_params(&params.name, &params.arguments_json, as_task)?;
    if params.by_app.is_some() {
        origin::check(listed_tool(&live, &params.name).as_ref(), &params.name)?;
    }
    let label = origin::label(params.name.clone(), params.by_app.as_deref());
    let operation = operation.or_else(|| Some(engine.state.begin("tool_call", label)));
    let request = Request {
        meta: meta.unwrap_or_default(),
        operation,
        ..request(methods::TOOLS_CALL.to_owned(), Some(text), params.timeouts)?
    };
    let request = progressing(request);
    definitions::check_call(engine, &live, &request).await?;
    let subject = Subject {
        method: methods::TOOLS_CALL.to_owned(),
        tool: Some(tool_named(&live, params.name)),
        operation,
        checked: true,
    };
    Ok(CheckedCall {
        live,
        connection,
        request,
        subject,
    })
}

/// A request of any method.
fn request(
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

/// Adds a progress token to the request.
fn progressing(request: Request) -> Request {
    Request {
        progress: true,
        ..request
    }
}

/// The params of a tool call; the arguments are used verbatim.
fn tool_params(name: &str, arguments: &str, as_task: Option<AsTask>) -> Result<String, CommandError> {
    let arguments = object("arguments", arguments)?;
    let task = match as_task {
        None => String::new(),
        Some(AsTask { ttl_ms: None }) => ",\"task\":{}".to_owned(),
        Some(AsTask { ttl_ms: Some(ttl) }) if ttl >= 0.0 && ttl.fract() == 0.0 => {
            format!(",\"task\":{{\"ttl\":{ttl:.0}}}")
        }
        Some(_) => {
            return Err(fail(
                ErrorCode::InvalidParams,
                "The time to keep a task must be a whole number of milliseconds.",
            ));
        }
    };
    Ok(format!(
        "{{\"name\":{},\"arguments\":{arguments}{task}}}",
        json::quote(name)
    ))
}

fn prompt_params(name: &str, arguments: Option<&str>) -> Result<String, CommandError> {
    let arguments = match arguments {
        Some(text) => format!(",\"arguments\":{}", object("arguments", text)?),
        None => String::new(),
    };
    Ok(format!("{{\"name\":{}{arguments}}}", json::quote(name)))
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

#[cfg(test)]
mod tests;
