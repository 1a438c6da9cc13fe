//! Tasks: calls that a server carries out in its own time. The core ones of 2025-11-25 and the extension of 2026-07-28
//! differ in what is asked when; here they are one.

mod follow;
pub(crate) mod handlers;
mod input;

use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_client::Connection;
use patchbay_contract::*;
use patchbay_protocol::{
    Era, json, methods,
    views::{ServerCapabilities, TASKS_EXTENSION, TaskView},
};

use crate::{
    calls::{self, Answered, Subject},
    connections::ConnectionHandle,
    convert,
    engine::{Engine, Inner},
    error::fail,
    lists::{self, Primitive as _},
    nudges::Topic,
};
use follow::Following;
pub(crate) use follow::result;

/// So many tasks of a connection are known; the oldest ones that are over go first.
const MOST: usize = 1_000;

/// The tasks that were made on a connection, as last heard of.
#[derive(Debug, Default)]
pub(crate) struct TaskTable {
    known: Mutex<Vec<(TaskItem, Subject)>>,
}

impl TaskTable {
    fn lock(&self) -> MutexGuard<'_, Vec<(TaskItem, Subject)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A task that a call made.
    pub(crate) fn put(&self, item: TaskItem, subject: Subject) {
        let mut known = self.lock();
        known.retain(|(other, _)| other.task_id != item.task_id);
        if known.len() >= MOST {
            let over = known.iter().position(|(item, _)| item.is_final).unwrap_or(0);
            known.remove(over);
        }
        known.push((item, subject));
    }

    /// Completes what was heard of a task with what is known of it; whether that is news.
    fn heard(&self, item: &mut TaskItem) -> bool {
        let mut known = self.lock();
        let Some((before, _)) = known
            .iter_mut()
            .find(|(before, _)| before.task_id == item.task_id)
        else {
            return false;
        };
        item.tool.clone_from(&before.tool);
        let news = before.status != item.status || before.status_message != item.status_message;
        *before = item.clone();
        news
    }

    /// What the call that made a task was.
    pub(crate) fn subject(&self, task_id: &str) -> Option<Subject> {
        let known = self.lock();
        let found = known.iter().find(|(item, _)| item.task_id == task_id);
        found.map(|(_, subject)| subject.clone())
    }

    fn all(&self) -> Vec<TaskItem> {
        self.lock().iter().map(|(item, _)| item.clone()).collect()
    }
}

/// A task as the contract shows it. What it quotes is masked already.
pub(crate) fn item(
    view: &TaskView<'_>,
    seq: Option<patchbay_traffic::Seq>,
    tool: Option<String>,
) -> TaskItem {
    let status = json::Object::parse(view.raw)
        .ok()
        .and_then(|task| task.string("status").map(Into::into));
    TaskItem {
        task_id: view.id.to_string(),
        status: status.unwrap_or_default(),
        is_final: view.status.is_some_and(|status| status.is_final()),
        status_message: view.message.as_deref().map(str::to_owned),
        created_at: view.created_at.as_deref().map(str::to_owned),
        last_updated_at: view.updated_at.as_deref().map(str::to_owned),
        ttl_ms: view.ttl_ms,
        poll_interval_ms: view.poll_interval_ms,
        tool,
        seq: seq.map(convert::seq),
        violations: convert::violations(&view.violations),
    }
}

pub(crate) async fn list(engine: &Engine, params: TaskListParams) -> Result<TaskListResponse, CommandError> {
    let (live, _) = engine.inner.ready(&params.server_id)?;
    let supported = is_declared(&live);
    if !lists::Tasks::is_declared(&live) {
        return Ok(TaskListResponse {
            items: live.tasks.all(),
            next_cursor: None,
            supported,
            asked: false,
        });
    }
    // A task changes all the time: the first page asks the server, the others show the same list.
    let listing = ListParams {
        server_id: params.server_id,
        refresh: params.cursor.is_none(),
        cursor: params.cursor,
    };
    let mut page = lists::page::<lists::Tasks>(engine, listing).await?;
    for item in &mut page.items {
        live.tasks.heard(item);
    }
    Ok(TaskListResponse {
        items: page.items,
        next_cursor: page.next_cursor,
        supported,
        asked: true,
    })
}

pub(crate) async fn get(engine: &Engine, params: TaskGetParams) -> Result<TaskItem, CommandError> {
    let (live, connection) = engine.inner.ready(&params.server_id)?;
    let answered = ask(
        &engine.inner,
        &connection,
        ("task_get", methods::TASKS_GET),
        &params.task_id,
        "The state of the task could not be read",
    )
    .await?;
    let text = answered.body_text();
    let view = TaskView::parse(live.era(), &text);
    Ok(heard(&engine.inner, &live, &view, answered.answer.seq))
}

pub(crate) async fn cancel(engine: &Engine, params: TaskCancelParams) -> Result<Done, CommandError> {
    let (_, connection) = engine.inner.ready(&params.server_id)?;
    ask(
        &engine.inner,
        &connection,
        ("task_cancel", methods::TASKS_CANCEL),
        &params.task_id,
        "The task could not be cancelled",
    )
    .await?;
    engine.inner.nudges.changed(Topic::Tasks(params.server_id));
    Ok(Done {})
}

async fn ask(
    inner: &Inner,
    connection: &Connection,
    (command, method): (&'static str, &str),
    task_id: &str,
    failed: &str,
) -> Result<Answered, CommandError> {
    if task_id.is_empty() {
        return Err(fail(ErrorCode::InvalidParams, "A task has an id."));
    }
    let operation = inner.begin(command, task_id);
    let params = Some(id_params(task_id));
    calls::ask(inner, connection, operation, method, params, failed).await
}

fn id_params(task_id: &str) -> String {
    format!("{{\"taskId\":{}}}", json::quote(task_id))
}

/// Takes in what was heard of a task.
fn heard(
    inner: &Inner,
    live: &ConnectionHandle,
    view: &TaskView<'_>,
    seq: patchbay_traffic::Seq,
) -> TaskItem {
    let mut item = item(view, Some(seq), None);
    if live.tasks.heard(&mut item) {
        inner.nudges.changed(Topic::Tasks(live.server_id.clone()));
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
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    capabilities.is_some_and(|raw| ServerCapabilities::new(raw).has("tasks"))
}
