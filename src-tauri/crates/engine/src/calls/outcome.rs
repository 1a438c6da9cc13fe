//! How an exchange ended, as the UI sees it: masked, decoded, checked.

use std::time::SystemTime;

use patchbay_client::{Connection, Finished, Outcome, Unanswered};
use patchbay_contract::*;
use patchbay_protocol::{
    Violation, error_codes, json,
    message::RpcError,
    methods,
    views::{CacheScope, TaskView, cache_hint},
};

use super::result_view::{self, Answered};
use crate::{
    connections::Live,
    convert,
    engine::Engine,
    error::{fail, fail_with},
    schema_check, tasks,
};

/// What a request was, to make a view of its result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Of a tool call.
    pub(crate) tool: Option<AskedTool>,
}

/// The tool that was called.
#[derive(Debug, Clone)]
pub(crate) struct AskedTool {
    pub(crate) name: String,
    pub(crate) output_schema: Option<String>,
}

/// The last event of an exchange.
pub(super) async fn end(
    engine: &Engine,
    (live, connection): (&Live, &Connection),
    finished: Finished,
    asked: Asked,
) -> Result<ExchangeEvent, CommandError> {
    let response_seq = finished.response.as_ref().map(|answer| convert::seq(answer.seq));
    let request_seq = finished.request_seq.map(convert::seq);
    let duration_ms = convert::ms(finished.duration);
    let human_wait_ms = convert::ms(finished.human_wait);
    let answered = finished.response.map(|answer| Answered {
        frame: engine.inner.masked_bytes(answer.frame.clone()),
        answer,
    });
    let outcome = match (finished.outcome, answered) {
        (Outcome::Result | Outcome::UnknownResultType(_), Some(answered)) => {
            result_of(engine, connection, answered, asked).await?
        }
        (Outcome::Task, Some(answered)) => task(engine, live, &answered, asked)?,
        (Outcome::InputRequired(reason), Some(answered)) => ExchangeOutcome::InputRequired {
            raw: answered.raw(),
            reason,
        },
        (Outcome::Error, Some(answered)) => rpc_error(&answered, finished.advice),
        (Outcome::TimedOut { after }, _) => ExchangeOutcome::TimedOut {
            after_ms: convert::ms(after),
        },
        (Outcome::Cancelled, _) => ExchangeOutcome::Cancelled {},
        (Outcome::EndedByServer(reason), _) => ExchangeOutcome::ConnectionLost {
            failure: convert::failure(
                &patchbay_client::Failure::new(
                    "Wait for the answer",
                    reason.map_or_else(
                        || "The server cancelled the request.".to_owned(),
                        |reason| format!("The server cancelled the request: {reason}"),
                    ),
                    "Send it again if you still want it.",
                ),
                |text| engine.inner.masked(text),
            ),
            may_have_run: true,
        },
        (Outcome::ConnectionLost(failure), _) => ExchangeOutcome::ConnectionLost {
            failure: convert::failure(&failure, |text| engine.inner.masked(text)),
            may_have_run: true,
        },
        (Outcome::Unanswered(why), _) => unanswered(engine, *why),
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
        human_wait_ms,
        request_seq,
        response_seq,
    })
}

/// A result, and what is wrong with it recorded.
pub(crate) async fn result_of(
    engine: &Engine,
    connection: &Connection,
    answered: Answered,
    asked: Asked,
) -> Result<ExchangeOutcome, CommandError> {
    let seq = answered.answer.seq;
    let freshness = freshness(&asked.method, &answered.body_text());
    let (outcome, fault) = result(answered, asked.tool, freshness).await?;
    if let Some(fault) = fault {
        engine.inner.recorder.violations(seq, vec![fault]);
        connection.count_problems(1).await;
    }
    Ok(outcome)
}

/// The view of a result, and what is wrong with it in the light of the tool's output schema.
async fn result(
    answered: Answered,
    tool: Option<AskedTool>,
    freshness: Option<Freshness>,
) -> Result<(ExchangeOutcome, Option<Violation>), CommandError> {
    let Some(tool) = tool else {
        let raw = answered.raw();
        let outcome = ExchangeOutcome::Result {
            raw,
            tool: None,
            freshness,
        };
        return Ok((outcome, None));
    };
    let has_schema = tool.output_schema.is_some();
    // Off the runtime: a result may be many megabytes.
    let (raw, mut view, structured) = tokio::task::spawn_blocking(move || {
        let (view, structured) = answered.tool_view(has_schema);
        (answered.raw(), view, structured)
    })
    .await
    .map_err(|error| fail_with(ErrorCode::Internal, "The result could not be read.", error))?;
    if let (Some(shown), Some(schema), Some(value)) = (&mut view.structured, tool.output_schema, structured) {
        shown.check = Some(schema_check::check(schema, value).await);
    }
    let fault = result_view::fault(&view);
    let tool = Some(view);
    Ok((ExchangeOutcome::Result { raw, tool, freshness }, fault))
}

/// How long a result may be used again, if its method is one of those that say.
pub(crate) fn freshness(method: &str, result: &str) -> Option<Freshness> {
    let says = matches!(
        method,
        methods::TOOLS_LIST
            | methods::PROMPTS_LIST
            | methods::RESOURCES_LIST
            | methods::RESOURCES_TEMPLATES_LIST
            | methods::RESOURCES_READ
            | methods::SERVER_DISCOVER
    );
    if !says {
        return None;
    }
    let (hint, _) = cache_hint(result);
    Some(Freshness {
        // Longer than a century is for ever.
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

fn task(
    engine: &Engine,
    live: &Live,
    answered: &Answered,
    asked: Asked,
) -> Result<ExchangeOutcome, CommandError> {
    let text = answered.body_text();
    let era = live.era();
    let Some(view) = TaskView::created(era, &text) else {
        return Err(fail(
            ErrorCode::Internal,
            "The task that the server made could not be read. See the traffic log.",
        ));
    };
    let task = tasks::item(
        &view,
        Some(answered.answer.seq),
        asked.tool.as_ref().map(|tool| tool.name.clone()),
    );
    live.tasks.put(task.clone(), asked);
    engine
        .inner
        .nudges
        .changed(crate::nudges::Topic::Tasks(live.server_id.clone()));
    Ok(ExchangeOutcome::Task {
        task,
        raw: answered.raw(),
    })
}

fn unanswered(engine: &Engine, why: Unanswered) -> ExchangeOutcome {
    let mut failure = convert::failure(&why.failure, |text| engine.inner.masked(text));
    failure.http_status = why.status.map(u32::from);
    failure.seq = why.http.map(convert::seq);
    match why.status {
        Some(status) => ExchangeOutcome::HttpStatus {
            status: status.into(),
            message: format!("{} {}", failure.cause, failure.next),
            may_have_run: why.may_have_run,
            http_seq: why.http.map(convert::seq),
        },
        None => ExchangeOutcome::ConnectionLost {
            failure,
            may_have_run: why.may_have_run,
        },
    }
}

/// A JSON-RPC error, as the UI sees it.
pub(crate) fn rpc_error(answered: &Answered, advice: Option<String>) -> ExchangeOutcome {
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
