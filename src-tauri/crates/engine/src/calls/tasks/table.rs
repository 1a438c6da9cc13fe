//! The tasks of one connection, as last heard of.

use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::TaskItem;
use patchbay_protocol::{json, views::TaskView};

use crate::{calls::Subject, convert};

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
    pub(super) fn heard(&self, item: &mut TaskItem) -> bool {
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

    pub(super) fn all(&self) -> Vec<TaskItem> {
        self.lock().iter().map(|(item, _)| item.clone()).collect()
    }
}

/// A task as the contract shows it. What it quotes is masked already.
pub(crate) fn task_item(
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
