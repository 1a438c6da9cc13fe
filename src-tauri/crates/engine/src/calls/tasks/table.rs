//! The tasks of one connection, with their last known state.

use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::TaskItem;
use patchbay_protocol::{json, views::TaskView};

use crate::{calls::Subject, convert};

/// The maximum number of known tasks per connection; the oldest ended ones are dropped first.
const MOST: usize = 1_000;

/// The tasks created on a connection, with their last known state.
#[derive(Debug, Default)]
pub(crate) struct TaskTable {
    known: Mutex<Vec<(TaskItem, Subject)>>,
}

impl TaskTable {
    fn lock(&self) -> MutexGuard<'_, Vec<(TaskItem, Subject)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task that a call created.
    pub(crate) fn put(&self, item: TaskItem, subject: Subject) {
        let mut known = self.lock();
        known.retain(|(other, _)| other.task_id != item.task_id);
        if known.len() >= MOST {
            let over = known.iter().position(|(item, _)| item.is_final).unwrap_or(0);
            known.remove(over);
        }
        known.push((item, subject));
    }

    /// Merges a reported state with the known one. Returns whether it changed.
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

    /// The request that created a task.
    pub(crate) fn subject(&self, task_id: &str) -> Option<Subject> {
        let known = self.lock();
        let found = known.iter().find(|(item, _)| item.task_id == task_id);
        found.map(|(_, subject)| subject.clone())
    }

    pub(super) fn all(&self) -> Vec<TaskItem> {
        self.lock().iter().map(|(item, _)| item.clone()).collect()
    }
}

/// A task in the contract's form. Its texts are masked already.
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
