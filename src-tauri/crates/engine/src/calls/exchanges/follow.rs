//! The end of a request that nobody waits for any more, because the page that sent it was reloaded: from the log, as soon as it
//! is there. Deliberately not here: its progress, which the log has too.

use std::pin::pin;

use futures_util::FutureExt as _;
use patchbay_client::{Answer, CallEnd, Connection};
use patchbay_contract::*;
use patchbay_protocol::{
    Era as ProtocolEra, json,
    message::Text,
    methods,
    views::{ResultType, TaskView, result_type},
};
use patchbay_traffic::{Row, Seq as Number, Status, Store};

use crate::{
    calls::{
        finish,
        outcome::{Ending, Subject, rpc_error},
        result_view::MaskedAnswer,
        tool_named,
    },
    connections::ConnectionHandle,
    convert,
    dispatch::error::fail,
    dispatch::streams::Events,
    state::Engine,
    traffic_views::bodies::{record_bytes, unreadable},
};

/// Waits for the end of a request that was sent on the present connection, and reports it.
pub(crate) async fn follow(
    engine: &Engine,
    params: ExchangeFollowParams,
    events: &Events<ExchangeEvent>,
) -> Result<(), CommandError> {
    let seq = convert::parse_seq(&params.seq)?;
    let (live, connection) = engine.state.ready(&params.server_id)?;
    // It can be cancelled again.
    let running = params.exchange_id.0.parse().ok();
    let _running = running.map(|id| engine.state.exchanges.enter(id, connection.clone()));
    let mut over = pin!(async {
        match running {
            Some(id) => connection.end_of(id).await,
            None => std::future::pending().await,
        }
    });
    // Watched from now on, before anything is read.
    let mut end = over.as_mut().now_or_never();
    let store = &engine.state.store;
    let first = row(store, seq).await?;
    let filter = match first.operation {
        Some(operation) => format!("op:{}", operation.0),
        None => format!("connection:{}", first.connection),
    };
    let mut tail = store.tail(convert::filter(&filter)?);
    let mut request = first;
    loop {
        let mut ended = ended(store, &live, &request).await?;
        if let (None, Some(end)) = (&ended, end) {
            ended = Some(unanswered(store, end, &request).await?);
        }
        if let Some((ending, answered)) = ended {
            let event = finished(engine, (&live, &connection), &request, ending, answered).await?;
            // If the stream is closed, only the event is lost: the traffic log is complete.
            let _ = events.send(event).await;
            return Ok(());
        }
        tokio::select! {
            next = tail.next() => if next.is_none() {
                return Err(fail(ErrorCode::Internal, "The traffic log was closed."));
            },
            how = &mut over, if end.is_none() => {
                end = Some(how);
                // What it ended with is recorded already.
                store.flush().await.map_err(unreadable)?;
            }
        }
        request = newest(store, &filter, row(store, request.seq).await?).await?;
    }
}

/// The request, or the one that was sent in its place with the input that the server required.
pub(super) async fn newest(store: &Store, operation: &str, request: Row) -> Result<Row, CommandError> {
    // Its bytes are recorded before it is decoded. Until then nothing is sent in its place.
    let Some(method) = request.method.as_deref() else {
        return Ok(request);
    };
    let filter = convert::filter(&format!(
        "{operation} kind:request dir:sent method:{}",
        json::quote(method)
    ))?;
    let count = store.count(&filter).await.map_err(unreadable)?;
    let last = store
        .rows(&filter, count.saturating_sub(1), 1)
        .await
        .map_err(unreadable)?;
    let later = last
        .into_iter()
        .find(|last| last.seq > request.seq && last.operation.is_some());
    Ok(later.unwrap_or(request))
}

pub(super) async fn row(store: &Store, seq: Number) -> Result<Row, CommandError> {
    // Waits for a record that has a number but is not written yet.
    store
        .flushed(seq)
        .await
        .map_err(|error| unreadable(error.into()))?;
    let record = store.record(seq).await.map_err(unreadable)?;
    let gone = || {
        fail(
            ErrorCode::NotFound,
            format!("There is no record {seq}; it may have been cleared."),
        )
    };
    record.map(|record| record.row).ok_or_else(gone)
}

/// How the request ended, with the number of the response; none while it is pending or input is required.
async fn ended(
    store: &Store,
    live: &ConnectionHandle,
    request: &Row,
) -> Result<Option<(Ending, Option<Number>)>, CommandError> {
    let other = |outcome| Ok(Some((Ending::Other(outcome, None), None)));
    match request.status {
        None | Some(Status::Pending) => return Ok(None),
        Some(Status::Cancelled) => return other(ExchangeOutcome::Cancelled {}),
        Some(Status::TimedOut) => return other(timed_out(request)),
        Some(Status::Lost) => {
            let message = "The connection ended before a response arrived.";
            return Err(fail(ErrorCode::NotConnected, message));
        }
        Some(Status::Ok | Status::Error | Status::ToolError) => {}
    }
    let Some(response) = request.pair else {
        return Ok(None);
    };
    let bytes = record_bytes(store, response).await?.unwrap_or_default();
    let Some((answered, is_result)) = answered(response, bytes) else {
        return Ok(None);
    };
    if !is_result {
        let outcome = rpc_error(&answered, None);
        return Ok(Some((Ending::Other(outcome, Some(answered)), Some(response))));
    }
    let modern = live.era() == ProtocolEra::Modern;
    let text = answered.body_text().into_owned();
    if modern && matches!(result_type(&text).0, ResultType::InputRequired) {
        return Ok(None);
    }
    let is_call = request.method.as_deref() == Some(methods::TOOLS_CALL);
    let is_task = is_call && json::member(&text, "content").is_none();
    let ending = match TaskView::created(live.era(), &text) {
        Some(_) if is_task => Ending::Task(answered),
        _ => Ending::Result(answered),
    };
    Ok(Some((ending, Some(response))))
}

/// The end of a request that is not in progress, and whose response, if there is one, does not say how it ended.
async fn unanswered(
    store: &Store,
    end: Option<CallEnd>,
    request: &Row,
) -> Result<(Ending, Option<Number>), CommandError> {
    let (outcome, response) = match (end, request.pair) {
        (Some(CallEnd::Cancelled), _) => (ExchangeOutcome::Cancelled {}, None),
        (Some(CallEnd::TimedOut), _) => (timed_out(request), None),
        (_, Some(seq)) => {
            let bytes = record_bytes(store, seq).await?.unwrap_or_default();
            let Some((answered, _)) = answered(seq, bytes) else {
                return Err(fail(
                    ErrorCode::ServerError,
                    "The response is not JSON-RPC. It is in the traffic log.",
                ));
            };
            let outcome = ExchangeOutcome::InputRequired {
                raw: answered.raw(),
                reason: "It ended before the input was sent.".to_owned(),
            };
            return Ok((Ending::Other(outcome, Some(answered)), Some(seq)));
        }
        (_, None) => {
            let message =
                "The request ended without a JSON-RPC response. See its HTTP exchange in the traffic log.";
            return Err(fail(ErrorCode::ServerError, message));
        }
    };
    Ok((Ending::Other(outcome, None), response))
}

fn timed_out(request: &Row) -> ExchangeOutcome {
    let after_ms = request.latency_ns.map_or(0.0, |nanos| nanos as f64 / 1e6);
    ExchangeOutcome::TimedOut { after_ms }
}

/// The response in its record, and whether it is a result.
fn answered(seq: Number, frame: bytes::Bytes) -> Option<(MaskedAnswer, bool)> {
    let text = Text::of(&frame).into_str();
    let (body, is_result) = match json::member(&text, "result") {
        Some(result) => (json::span_of(&text, result), true),
        None => (json::span_of(&text, json::member(&text, "error")?), false),
    };
    let answer = Answer {
        seq,
        message: 0..frame.len(),
        frame: frame.clone(),
        body,
    };
    Some((MaskedAnswer { frame, answer }, is_result))
}

async fn finished(
    engine: &Engine,
    (live, connection): (&ConnectionHandle, &Connection),
    request: &Row,
    ending: Ending,
    response: Option<Number>,
) -> Result<ExchangeEvent, CommandError> {
    let method = request.method.clone().unwrap_or_default();
    let subject = Subject {
        tool: request
            .tool
            .clone()
            .filter(|_| method == methods::TOOLS_CALL)
            .map(|name| tool_named(live, name)),
        method,
        operation: request.operation,
        checked: false,
    };
    let ended = finish::ended(engine, (live, connection), ending, subject).await?;
    Ok(ExchangeEvent::Finished {
        outcome: ended.outcome,
        duration_ms: request.latency_ns.map_or(0.0, |nanos| nanos as f64 / 1e6),
        human_wait_ms: 0.0,
        request_seq: Some(convert::seq(request.seq)),
        response_seq: response.map(convert::seq),
    })
}
