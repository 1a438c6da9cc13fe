//! The tasks of one connection, with their last known state.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use patchbay_client::TaskProgress;
use patchbay_contract::{RequestProgress, TaskItem};
use patchbay_protocol::{json, views::TaskView};
use patchbay_traffic::Seq;

use crate::{calls::Subject, convert};

/// The maximum number of known tasks per connection; those only reported are dropped first, then those that ended.
const MOST: usize = 1_000;
/// The maximum bytes of their texts. The newest one is kept, whatever its size: it is in memory as a record as well.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The tasks created or reported on a connection, with their last known state.
#[derive(Debug, Default)]
pub(crate) struct TaskTable {
    known: Mutex<Vec<Known>>,
    /// The ids of the tasks whose cancellation was requested here.
    cancelled: Mutex<HashSet<String>>,
}

#[derive(Debug)]
struct Known {
    item: TaskItem,
    /// The record of this state.
    seq: Seq,
    /// The request that created it; none if only the server reported it.
    subject: Option<Subject>,
}

impl Known {
    /// The bytes of the texts that a server chooses.
    fn bytes(&self) -> usize {
        let TaskItem {
            task_id,
            status,
            status_message,
            created_at,
            last_updated_at,
            progress,
            ..
        } = &self.item;
        let told = progress.as_ref().and_then(|progress| progress.message.as_ref());
        let optional = [
            status_message.as_ref(),
            created_at.as_ref(),
            last_updated_at.as_ref(),
            told,
        ];
        let lengths = optional.into_iter().flatten().map(String::len);
        task_id.len() + status.len() + lengths.sum::<usize>()
    }
}

impl TaskTable {
    fn lock(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a task that a call created. Record `seq` is the response that said so. A newer state may be known already: what the
    /// server reports right after the response can be read before it.
    pub(crate) fn put(&self, item: TaskItem, seq: Seq, subject: Subject) {
        let mut known = self.lock();
        let before = known.iter().position(|other| other.item.task_id == item.task_id);
        let before = before.map(|at| known.remove(at));
        let (item, seq) = match before {
            Some(before) if before.seq > seq => {
                let tool = item.tool;
                (TaskItem { tool, ..before.item }, before.seq)
            }
            _ => (item, seq),
        };
        add(&mut known, item, seq, Some(subject));
    }

    /// Merges a state, as record `seq` has it, with the known one: the newer of both is then in `item`. Returns whether the
    /// known one changed.
    pub(super) fn heard(&self, item: &mut TaskItem, seq: Seq) -> bool {
        merge(&mut self.lock(), item, seq).unwrap_or(false)
    }

    /// Stores a state that the server reported by itself, also of a task that was not created here.
    pub(super) fn reported(&self, mut item: TaskItem, seq: Seq) {
        let mut known = self.lock();
        if merge(&mut known, &mut item, seq).is_none() {
            add(&mut known, item, seq, None);
        }
    }

    /// Stores the progress of tasks as the server reported it, with their messages masked. Returns whether any is new.
    pub(crate) fn take_progress(&self, latest: &TaskProgress, masked: impl Fn(String) -> String) -> bool {
        let mut is_new = false;
        for (task_id, progress) in latest.all() {
            let progress = RequestProgress {
                progress: progress.progress,
                total: progress.total,
                message: progress.message.clone().map(&masked),
            };
            is_new |= self.progressed(task_id, progress);
        }
        is_new
    }

    /// Stores the progress of a task that has not ended. Returns whether that is new.
    fn progressed(&self, task_id: &str, progress: RequestProgress) -> bool {
        let mut known = self.lock();
        let running = known
            .iter_mut()
            .find(|known| known.item.task_id == task_id && !known.item.is_final);
        let Some(task) = running.filter(|task| task.item.progress.as_ref() != Some(&progress)) else {
            return false;
        };
        task.item.progress = Some(progress);
        trim(&mut known);
        true
    }

    /// The server is asked to cancel a task.
    pub(super) fn cancel(&self, task_id: &str) {
        let mut cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        if cancelled.len() >= MOST {
            cancelled.clear();
        }
        cancelled.insert(task_id.to_owned());
    }

    /// The server did not accept to cancel a task.
    pub(super) fn cancel_refused(&self, task_id: &str) {
        let mut cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        cancelled.remove(task_id);
    }

    /// Whether the server was asked from here to cancel a task, not by somebody else or by itself.
    pub(super) fn is_cancelled_here(&self, task_id: &str) -> bool {
        let cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        cancelled.contains(task_id)
    }

    /// The request that created a task.
    pub(crate) fn subject(&self, task_id: &str) -> Option<Subject> {
        let known = self.lock();
        let found = known.iter().find(|known| known.item.task_id == task_id);
        found.and_then(|known| known.subject.clone())
    }

    /// The tasks with a state that is newer than record `seq`.
    pub(crate) fn newer_than(&self, seq: Seq) -> Vec<TaskItem> {
        let known = self.lock();
        let newer = known.iter().filter(|known| known.seq > seq);
        newer.map(|known| known.item.clone()).collect()
    }
}

/// Merges a state with the known one of the same task. Returns whether that changed; none if the task is not known.
fn merge(known: &mut Vec<Known>, item: &mut TaskItem, seq: Seq) -> Option<bool> {
    let before = known
        .iter_mut()
        .find(|before| before.item.task_id == item.task_id)?;
    if seq < before.seq {
        *item = before.item.clone();
        return Some(false);
    }
    item.tool.clone_from(&before.item.tool);
    item.progress = before.item.progress.take().filter(|_| !item.is_final);
    let news = before.item.status != item.status || before.item.status_message != item.status_message;
    before.item = item.clone();
    before.seq = seq;
    trim(known);
    Some(news)
}

fn add(known: &mut Vec<Known>, item: TaskItem, seq: Seq, subject: Option<Subject>) {
    known.push(Known { item, seq, subject });
    trim(known);
}

/// Drops tasks until both limits hold.
fn trim(known: &mut Vec<Known>) {
    let mut bytes: usize = known.iter().map(Known::bytes).sum();
    while known.len() > 1 && (known.len() > MOST || bytes > MOST_BYTES) {
        let older = known.split_last().map_or(&[][..], |(_, older)| older);
        // A server that reports tasks of its own invention does not push out those that were created here.
        let reported = older.iter().position(|known| known.subject.is_none());
        let ended = || older.iter().position(|known| known.item.is_final);
        let over = reported.or_else(ended).unwrap_or(0);
        bytes -= known.remove(over).bytes();
    }
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
        progress: None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use patchbay_protocol::Era;

    fn task(id: usize, status: &str, message: &str) -> TaskItem {
        let raw = format!(r#"{{"taskId":"t{id}","status":"{status}","statusMessage":"{message}"}}"#);
        task_item(&TaskView::parse(Era::Legacy, &raw), None, None)
    }

    fn ids(table: &TaskTable) -> Vec<String> {
        let known = table.newer_than(0).into_iter();
        known.map(|item| item.task_id).collect()
    }

    #[test]
    fn progress_stays_with_a_task_until_it_ends() {
        let table = TaskTable::default();
        let half = RequestProgress {
            progress: 1.0,
            total: Some(2.0),
            message: None,
        };
        assert!(!table.progressed("t1", half.clone()), "a task that is not known");
        table.reported(task(1, "working", ""), 1);
        assert!(table.progressed("t1", half.clone()));
        assert!(!table.progressed("t1", half.clone()), "nothing new");
        let mut polled = task(1, "working", "polled");
        table.heard(&mut polled, 2);
        assert_eq!(polled.progress, Some(half.clone()));
        assert_eq!(table.newer_than(0)[0].progress, Some(half.clone()));
        let mut ended = task(1, "completed", "");
        table.heard(&mut ended, 3);
        assert_eq!(ended.progress, None);
        assert!(!table.progressed("t1", half), "it has ended");
        assert_eq!(table.newer_than(0)[0].progress, None);
    }

    #[test]
    fn a_state_that_was_reported_before_the_creation_was_read_stays() {
        let table = TaskTable::default();
        table.reported(task(1, "completed", "done"), 2);
        let created = TaskItem {
            tool: Some("slow".to_owned()),
            ..task(1, "working", "")
        };
        table.put(created, 1, Subject::default());
        let known = table.newer_than(1);
        let states: Vec<_> = known
            .iter()
            .map(|task| (&*task.status, task.tool.as_deref(), task.is_final))
            .collect();
        assert_eq!(states, [("completed", Some("slow"), true)]);
        assert!(table.subject("t1").is_some(), "it was created here");
        // An older one is replaced.
        table.put(task(1, "working", ""), 3, Subject::default());
        assert_eq!(table.newer_than(2)[0].status, "working");
    }

    #[test]
    fn known_tasks_are_bounded_in_number_and_bytes_and_those_created_here_stay_longest() {
        let table = TaskTable::default();
        let created = |id, status| table.put(task(id, status, ""), 1, Subject::default());
        created(0, "working");
        created(1, "completed");
        for id in 2..=MOST {
            table.reported(task(id, "working", ""), 2);
        }
        assert_eq!(
            ids(&table)[..3],
            ["t0", "t1", "t3"],
            "of those reported, the oldest"
        );
        for id in 2 * MOST..3 * MOST {
            created(id, "working");
        }
        let kept = ids(&table);
        assert_eq!(
            (kept.len(), kept[0].as_str()),
            (MOST, "t2000"),
            "t1 had ended, t0 was the oldest"
        );

        let table = TaskTable::default();
        let large = "x".repeat(MOST_BYTES / 2);
        for id in 0..4 {
            table.reported(task(id, "working", &large), 1);
        }
        assert_eq!(
            ids(&table),
            ["t3"],
            "two of them and their ids are over the limit"
        );
        table.reported(task(4, "working", ""), 2);
        table.reported(task(3, "working", &"x".repeat(MOST_BYTES)), 3);
        assert_eq!(ids(&table), ["t4"]);
    }
}
