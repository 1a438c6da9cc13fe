//! Tasks: calls that a server runs in the background. Hides the differences between the tasks of 2025-11-25 and the
//! extension of 2026-07-28.

mod follow;
mod input;
mod table;

use patchbay_client::{Connection, TaskReport};
use patchbay_contract::*;
use patchbay_protocol::{
    Era, json, methods,
    views::{TASKS_EXTENSION, TaskView},
};
use patchbay_traffic::{OperationId, Seq};

use crate::{
    calls::{MaskedAnswer, Query},
    connections::ConnectionHandle,
    convert,
    dispatch::error::fail,
    dispatch::nudges::Topic,
    lists::{Primitive as _, Tasks, page, tasks_reported_since},
    state::{Engine, EngineState},
};
use follow::Following;
pub(crate) use follow::{result, result_or_failure};
pub(crate) use table::{TaskTable, task_item};

/// The tasks that the server lists, each in its newest state, and those it has reported since. A server that lists none is
/// not asked: its tasks are then those created or reported on this connection.
pub(crate) async fn list(engine: &Engine, params: ListParams) -> Result<TaskListResponse, CommandError> {
    let (live, _) = engine.state.ready(&params.server_id)?;
    let supported = is_declared(&live);
    if !Tasks::is_declared(&live.status()) {
        let items = live.tasks.newer_than(0);
        return Ok(TaskListResponse {
            total: convert::count(items.len()),
            items,
            supported,
            ..ListPage::empty().into()
        });
    }
    let mut listed = page::<Tasks>(engine, params).await?;
    for item in &mut listed.items {
        let seq = item.seq.as_ref().map_or(Ok(0), convert::parse_seq)?;
        live.tasks.heard(item, seq);
    }
    let newer = tasks_reported_since(&live);
    listed.total += convert::count(newer.len());
    if listed.next_cursor.is_none() {
        listed.items.extend(newer);
    }
    Ok(TaskListResponse {
        supported,
        ..listed.into()
    })
}

/// Takes the states of tasks as the server reported them.
pub(crate) fn take_reports<'a>(
    state: &EngineState,
    live: &ConnectionHandle,
    reports: impl Iterator<Item = &'a TaskReport>,
) {
    let era = live.era();
    for report in reports {
        let text = state.masked(report.params.to_string());
        let view = TaskView::parse(era, &text);
        if !view.id.is_empty() {
            let item = task_item(&view, Some(report.seq), None);
            live.tasks.reported(item, report.seq);
        }
    }
}

pub(crate) async fn get(engine: &Engine, params: TaskGetParams) -> Result<TaskItem, CommandError> {
    let (live, connection) = engine.state.ready(&params.server_id)?;
    let answered = ask(
        &engine.state,
        &connection,
        ("task_get", methods::TASKS_GET),
        None,
        &params.task_id,
        "The state of the task could not be read",
    )
    .await?;
    let text = answered.body_text();
    let view = TaskView::parse(live.era(), &text);
    Ok(heard(&engine.state, &live, &view, answered.answer.seq))
}

pub(crate) async fn cancel(engine: &Engine, params: TaskCancelParams) -> Result<Done, CommandError> {
    cancel_within(engine, params, None).await
}

/// Cancels a task as a part of an operation; none: it is one of its own.
pub(crate) async fn cancel_within(
    engine: &Engine,
    params: TaskCancelParams,
    within: Option<OperationId>,
) -> Result<Done, CommandError> {
    let (live, connection) = engine.state.ready(&params.server_id)?;
    // Its state may say so before the answer does.
    live.tasks.cancel(&params.task_id);
    let asked = ask(
        &engine.state,
        &connection,
        ("task_cancel", methods::TASKS_CANCEL),
        within,
        &params.task_id,
        "The task could not be cancelled",
    );
    asked
        .await
        .inspect_err(|_| live.tasks.cancel_refused(&params.task_id))?;
    engine.state.nudges.changed(Topic::Tasks(params.server_id));
    Ok(Done {})
}

async fn ask(
    state: &EngineState,
    connection: &Connection,
    (command, method): (&'static str, &str),
    within: Option<OperationId>,
    task_id: &str,
    failed: &str,
) -> Result<MaskedAnswer, CommandError> {
    if task_id.is_empty() {
        return Err(fail(ErrorCode::InvalidParams, "A task has an id."));
    }
    let query = Query {
        state,
        connection,
        operation: within.unwrap_or_else(|| state.begin(command, task_id)),
        method,
        params: Some(id_params(task_id)),
        failed,
    };
    Ok(query.result().await?)
}

fn id_params(task_id: &str) -> String {
    format!("{{\"taskId\":{}}}", json::quote(task_id))
}

/// Stores the reported state of a task.
fn heard(state: &EngineState, live: &ConnectionHandle, view: &TaskView<'_>, seq: Seq) -> TaskItem {
    let mut item = task_item(view, Some(seq), None);
    if live.tasks.heard(&mut item, seq) {
        state.nudges.changed(Topic::Tasks(live.server_id.clone()));
    }
    item
}

/// Whether the server declared tasks.
fn is_declared(live: &ConnectionHandle) -> bool {
    let status = live.status();
    if live.era() == Era::Modern {
        let mut extensions = status.extensions.iter();
        return extensions.any(|(name, both)| name == TASKS_EXTENSION && *both);
    }
    convert::capabilities(&status).is_some_and(|declared| declared.has("tasks"))
}

#[cfg(test)]
mod tests;
