//! The progress of requests that continue as tasks: nobody waits for their responses any more.

use std::collections::VecDeque;

use patchbay_protocol::views;

use crate::Progress;

/// The maximum number of tasks; the one that reported nothing for the longest time is dropped first.
const MOST: usize = 32;
/// The maximum size of a kept message, in bytes. A longer one of a task is not kept, that of a request is shortened.
pub(crate) const MESSAGE_BYTES: usize = 64 * 1024;

/// The latest progress of the tasks that reported some (2025-11-25, `basic/utilities/tasks`, "Task Progress
/// Notifications"). Everything that was reported is in the log.
#[derive(Debug, Default)]
pub struct TaskProgress {
    /// By task id; the latest report is last.
    latest: VecDeque<(String, Progress)>,
}

impl TaskProgress {
    /// The latest progress of a task.
    #[must_use]
    pub fn of(&self, task_id: &str) -> Option<&Progress> {
        self.all()
            .find_map(|(id, progress)| (id == task_id).then_some(progress))
    }

    /// The latest progress of each task, by id.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Progress)> {
        self.latest.iter().map(|(id, progress)| (id.as_str(), progress))
    }

    pub(crate) fn report(&mut self, task_id: String, view: views::Progress<'_>) {
        if view.progress.is_nan() {
            return;
        }
        let known = self.latest.iter().position(|(id, _)| *id == task_id);
        let before = known.and_then(|at| self.latest.remove(at));
        if self.latest.len() == MOST {
            self.latest.pop_front();
        }
        let message = view.message.filter(|message| message.len() <= MESSAGE_BYTES);
        let progress = Progress {
            progress: view.progress,
            total: view.total,
            message: message.map(std::borrow::Cow::into_owned),
            count: before.map_or(0, |(_, progress)| progress.count) + 1,
        };
        self.latest.push_back((task_id, progress));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(table: &mut TaskProgress, task: &str, params: &str) {
        table.report(task.to_owned(), views::Progress::parse(Some(params)));
    }

    #[test]
    fn the_latest_progress_of_each_task_is_kept_up_to_a_limit() {
        let mut table = TaskProgress::default();
        report(&mut table, "t0", r#"{"progress":1,"total":4,"message":"half"}"#);
        report(&mut table, "t0", r#"{"progress":2}"#);
        let progress = table.of("t0").unwrap();
        assert_eq!(
            (progress.progress, progress.total, progress.count),
            (2.0, None, 2)
        );
        assert_eq!(progress.message, None);
        for task in 1..MOST {
            report(&mut table, &format!("t{task}"), r#"{"progress":1}"#);
        }
        report(&mut table, "t0", r#"{"progress":3}"#);
        report(&mut table, "one more", r#"{"progress":1}"#);
        assert_eq!(table.latest.len(), MOST);
        assert_eq!(table.of("t0").map(|progress| progress.count), Some(3));
        assert!(
            table.of("t1").is_none(),
            "it reported nothing for the longest time"
        );
    }

    #[test]
    fn what_is_too_long_or_no_number_is_not_kept() {
        let mut table = TaskProgress::default();
        report(&mut table, "t", r#"{"message":"no progress"}"#);
        assert!(table.latest.is_empty());
        let long = "a".repeat(MESSAGE_BYTES + 1);
        report(
            &mut table,
            "t",
            &format!(r#"{{"progress":1,"message":"{long}"}}"#),
        );
        assert_eq!(table.of("t").unwrap().message, None);
    }
}
