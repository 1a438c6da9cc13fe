//! The tasks of one connection, with their last known state.

use std::sync::{Mutex, MutexGuard, PoisonError};

use patchbay_contract::TaskItem;
use patchbay_protocol::{json, views::TaskView};
use patchbay_traffic::Seq;

use crate::{calls::Subject, convert};

/// The maximum number of known tasks per connection; the oldest ended ones are dropped first.
const MOST: usize = 1_000;

/// The tasks created or reported on a connection, with their last known state.
#[derive(Debug, Default)]
pub(crate) struct TaskTable {
    known: Mutex<Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    item: TaskItem,
    /// The record of this state.
    seq: Seq,
    /// The request that created it; none if only the server reported it.
    subject: Option<Subject>,
}

impl TaskTable {
    fn lock(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task that a call created. Record `seq` is the response that said so.
    pub(crate) fn put(&self, item: TaskItem, seq: Seq, subject: Subject) {
        let mut known = self.lock();
        known.retain(|other| other.item.task_id != item.task_id);
        add(&mut known, item, seq, Some(subject));
    }

    /// Merges a state, as record `seq` has it, with the known one: the newer of both is then in `item`. Returns whether the
    /// known one changed.
    pub(super) fn heard(&self, item: &mut TaskItem, seq: Seq) -> bool {
        let mut known = self.lock();
        let Some(before) = known
            .iter_mut()
            .find(|before| before.item.task_id == item.task_id)
        else {
            return false;
        };
        if seq < before.seq {
            *item = before.item.clone();
            return false;
        }
        item.tool.clone_from(&before.item.tool);
        let news = before.item.status != item.status || before.item.status_message != item.status_message;
        before.item = item.clone();
        before.seq = seq;
        news
    }

    /// Stores a state that the server reported by itself, also of a task that was not created here.
    pub(super) fn reported(&self, mut item: TaskItem, seq: Seq) {
        let mut known = self.lock();
        if known.iter().any(|known| known.item.task_id == item.task_id) {
            drop(known);
            self.heard(&mut item, seq);
        } else {
            add(&mut known, item, seq, None);
        }
    }

    /// The request that created a task.
    pub(crate) fn subject(&self, task_id: &str) -> Option<Subject> {
        let known = self.lock();
        let found = known.iter().find(|known| known.item.task_id == task_id);
        found.and_then(|known| known.subject.clone())
    }

    /// The tasks with a state that is newer than record `seq`.
    pub(super) fn newer_than(&self, seq: Seq) -> Vec<TaskItem> {
        let known = self.lock();
        let newer = known.iter().filter(|known| known.seq > seq);
        newer.map(|known| known.item.clone()).collect()
    }
}

fn add(known: &mut Vec<Known>, item: TaskItem, seq: Seq, subject: Option<Subject>) {
    if known.len() >= MOST {
        let over = known.iter().position(|known| known.item.is_final).unwrap_or(0);
        known.remove(over);
    }
    known.push(Known { item, seq, subject });
}

/// A task in the contract's form. Its texts are masked already.
pub(crate) fn task_item(view: &TaskView<'_>, seq: Option<Seq>, tool: Option<String>) -> TaskItem {
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
