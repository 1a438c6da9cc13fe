//! Requests of ours: tool calls and any other, from sending to the view of what came back.

mod exchanges;
mod outcome;
mod pace;
mod result_view;

use patchbay_client as client;
use patchbay_client::{Connection, Request};
use patchbay_contract::*;
use patchbay_protocol::{Era as ProtocolEra, json, methods};

use crate::{
    connections::Live,
    convert,
    engine::Engine,
    error::{fail, fail_with},
    streams::Events,
};
pub(crate) use exchanges::Exchanges;
pub(crate) use outcome::{Asked, AskedTool, freshness, result_of, rpc_error};
use pace::Paced;
pub(crate) use result_view::Answered;

/// Calls a tool.
pub(crate) async fn tool_call(
    engine: Engine,
    params: ToolCallParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    let (live, connection) = engine.inner.ready(&params.server_id)?;
    // In the modern era the server decides whether it makes a task.
    let as_task = params.as_task.filter(|_| live.era() == ProtocolEra::Legacy);
    let request = Request {
        method: methods::TOOLS_CALL.to_owned(),
        params: Some(tool_params(&params.name, &params.arguments_json, as_task)?),
        meta: params
            .meta_json
            .as_deref()
            .map(meta_members)
            .transpose()?
            .unwrap_or_default(),
        timeouts: params.timeouts.map(convert::timeouts),
        progress: true,
        operation: None,
    };
    let asked = Asked {
        method: methods::TOOLS_CALL.to_owned(),
        tool: Some(AskedTool {
            output_schema: live.tools.output_schema(&params.name),
            name: params.name,
        }),
    };
    run(&engine, (&live, &connection), request, &events, asked).await
}

/// Sends any request.
pub(crate) async fn request_send(
    engine: Engine,
    params: RequestSendParams,
    events: Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    let (live, connection) = engine.inner.ready(&params.server_id)?;
    let request = request(params.method, params.params_json, params.timeouts)?;
    let asked = Asked {
        method: request.method.clone(),
        tool: None,
    };
    run(&engine, (&live, &connection), request, &events, asked).await
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
pub(crate) fn tool_params(
    name: &str,
    arguments: &str,
    as_task: Option<AsTask>,
) -> Result<String, CommandError> {
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
                "The time to keep a task is a whole number of milliseconds.",
            ));
        }
    };
    Ok(format!(
        "{{\"name\":{},\"arguments\":{arguments}{task}}}",
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

/// Sends a request and tells its events.
pub(crate) async fn run(
    engine: &Engine,
    (live, connection): (&Live, &Connection),
    request: Request,
    events: &Events<ExchangeEvent>,
    asked: Asked,
) -> Result<(), CommandError> {
    let mut exchange = connection.request(request).await;
    let id = exchange.id;
    let _running = engine.inner.exchanges.enter(id, connection.clone());
    let mut progress = Paced::default();
    let mut legs = Legs::default();
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
            Some(client::ExchangeEvent::Sent { seq }) => events.send(&legs.sent(id, seq)).await,
            Some(client::ExchangeEvent::InputRound { round, seq, inputs }) => {
                events.send(&legs.asked(round, seq, inputs)).await
            }
            Some(client::ExchangeEvent::Progress(new)) => {
                progress.put(*new);
                Ok(())
            }
            // Whoever sends `subscriptions/listen` as a plain request reads its notifications in the log.
            Some(client::ExchangeEvent::Acknowledged { .. } | client::ExchangeEvent::Notified { .. }) => {
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
    let end = outcome::end(engine, (live, connection), finished, asked).await?;
    // Nobody listens any more: the log has it all.
    let _ = events.send(&end).await;
    Ok(())
}

/// The requests that one exchange took, and why there was more than one.
#[derive(Debug, Default)]
struct Legs {
    sent: bool,
    round: Option<u32>,
}

impl Legs {
    fn asked(&mut self, round: u32, seq: patchbay_traffic::Seq, inputs: usize) -> ExchangeEvent {
        self.round = Some(round);
        ExchangeEvent::InputRound {
            round,
            count: convert::count(inputs),
            seq: convert::seq(seq),
        }
    }

    fn sent(&mut self, id: u64, seq: patchbay_traffic::Seq) -> ExchangeEvent {
        let seq = convert::seq(seq);
        if !std::mem::replace(&mut self.sent, true) {
            return ExchangeEvent::Started {
                exchange_id: ExchangeId(id.to_string()),
                seq,
            };
        }
        let reason = match self.round.take() {
            Some(round) => format!("With the input of round {round}."),
            None => "Once more: it had been refused before it was carried out.".to_owned(),
        };
        ExchangeEvent::Resent { seq, reason }
    }
}

#[cfg(test)]
mod tests;
