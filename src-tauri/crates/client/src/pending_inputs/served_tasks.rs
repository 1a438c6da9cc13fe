//! The tasks that a server created here (2025-11-25, `basic/utilities/tasks`): requests for sampling and elicitation that it
//! wanted answered as tasks. They belong to one connection and end with it.

mod timestamp;

use std::time::{Duration, SystemTime};

use patchbay_protocol::{
    RequestId,
    json::{self, Object},
    views::TaskStatus,
};
use patchbay_traffic::Seq;
use tokio::time::Instant;

use timestamp::rfc3339;

/// The maximum number of tasks that are kept; further ones are refused.
const MOST: usize = 256;
/// The maximum total size of the kept results, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// The maximum number of `tasks/result` requests that wait.
const MOST_WAITING: usize = 256;
/// How many tasks a page of `tasks/list` has.
const PAGE: usize = 50;
/// How long a task is kept if the server does not say.
const USUAL_TTL: Duration = Duration::from_secs(60 * 60);
/// How long a task is kept at least, whatever the server says.
const SHORTEST_TTL: Duration = Duration::from_secs(1);
/// How long a task is kept at most, whatever the server says.
const LONGEST_TTL: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a server is asked to poll, in ms.
const POLL_MS: u32 = 1_000;

/// All of them, oldest first. Dropping it forgets them.
#[derive(Debug, Default)]
pub(crate) struct ServedTasks {
    tasks: Vec<ServedTask>,
    /// How many there ever were.
    count: u64,
}

/// A task.
#[derive(Debug)]
pub(crate) struct ServedTask {
    pub(crate) id: String,
    /// The progress token of its request, as JSON text.
    pub(crate) token: Option<String>,
    /// The requests of ours whose timeouts are paused meanwhile.
    pub(crate) held: Vec<i64>,
    /// The `tasks/result` requests that wait for its end, and their records.
    pub(crate) waiting: Vec<(RequestId, Seq)>,
    number: u64,
    status: TaskStatus,
    message: String,
    created: SystemTime,
    updated: SystemTime,
    ttl: Duration,
    expires: Instant,
    outcome: Option<TaskOutcome>,
    /// Whether the server has its outcome.
    fetched: bool,
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TaskOutcome {
    /// With a result: JSON text.
    Completed(String),
    /// With a JSON-RPC error.
    Failed {
        code: i64,
        message: String,
        data: Option<String>,
    },
    /// The server cancelled it.
    Cancelled,
}

impl TaskOutcome {
    fn len(&self) -> usize {
        match self {
            Self::Completed(result) => result.len(),
            Self::Failed { message, data, .. } => message.len() + data.as_ref().map_or(0, String::len),
            Self::Cancelled => 0,
        }
    }
}

/// What is known of a task when it is created.
#[derive(Debug, Default)]
pub(crate) struct NewTask {
    /// The connection, which makes the id unique in the log.
    pub(crate) connection: i64,
    /// How long the server wants it to be kept, in ms.
    pub(crate) ttl_ms: Option<f64>,
    pub(crate) token: Option<String>,
    pub(crate) held: Vec<i64>,
}

impl ServedTasks {
    /// Creates a task; the new task back if there are too many.
    pub(crate) fn create(&mut self, new: NewTask) -> Result<&ServedTask, NewTask> {
        if self.tasks.len() >= MOST || self.kept_bytes() >= MOST_BYTES {
            return Err(new);
        }
        self.count += 1;
        let ttl = match new.ttl_ms {
            Some(ms) if ms.is_finite() => Duration::from_millis(ms.max(0.0) as u64),
            _ => USUAL_TTL,
        }
        .clamp(SHORTEST_TTL, LONGEST_TTL);
        let now = SystemTime::now();
        self.tasks.push(ServedTask {
            id: format!("patchbay-{}-{}", new.connection, self.count),
            token: new.token,
            held: new.held,
            waiting: Vec::new(),
            number: self.count,
            status: TaskStatus::Working,
            message: "Waiting for an answer.".to_owned(),
            created: now,
            updated: now,
            ttl,
            expires: Instant::now() + ttl,
            outcome: None,
            fetched: false,
        });
        Ok(&self.tasks[self.tasks.len() - 1])
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut ServedTask> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }

    /// Ends a task that has not ended. Returns it.
    pub(crate) fn end(&mut self, id: &str, outcome: TaskOutcome) -> Option<&mut ServedTask> {
        let outcome = self.make_room(outcome);
        let task = self.get_mut(id).filter(|task| task.outcome.is_none())?;
        (task.status, task.message) = match &outcome {
            TaskOutcome::Completed(_) => (TaskStatus::Completed, "Answered.".to_owned()),
            TaskOutcome::Failed { message, .. } => (TaskStatus::Failed, message.clone()),
            TaskOutcome::Cancelled => (TaskStatus::Cancelled, "Cancelled by the server.".to_owned()),
        };
        task.updated = SystemTime::now();
        task.outcome = Some(outcome);
        Some(task)
    }

    /// Forgets what the server has already, if there is no room for one more outcome. Otherwise that outcome is an error.
    fn make_room(&mut self, outcome: TaskOutcome) -> TaskOutcome {
        while self.kept_bytes() + outcome.len() > MOST_BYTES {
            let Some(at) = self.tasks.iter().position(|task| task.fetched) else {
                return TaskOutcome::Failed {
                    code: patchbay_protocol::error_codes::INTERNAL_ERROR,
                    message: "too many results of tasks are kept already".to_owned(),
                    data: None,
                };
            };
            self.tasks.remove(at);
        }
        outcome
    }

    fn kept_bytes(&self) -> usize {
        let outcomes = self.tasks.iter().filter_map(|task| task.outcome.as_ref());
        outcomes.map(TaskOutcome::len).sum()
    }

    /// Whether one more `tasks/result` may wait.
    pub(crate) fn may_wait(&self) -> bool {
        self.tasks.iter().map(|task| task.waiting.len()).sum::<usize>() < MOST_WAITING
    }

    /// The server no longer waits for this `tasks/result`. Returns its record.
    pub(crate) fn stop_waiting(&mut self, request: &RequestId) -> Option<Seq> {
        for task in &mut self.tasks {
            if let Some(at) = task.waiting.iter().position(|(id, _)| id == request) {
                return Some(task.waiting.remove(at).1);
            }
        }
        None
    }

    /// A page of `tasks/list`, as JSON text; none if the cursor is not one of ours.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Option<String> {
        let after = match cursor {
            None => 0,
            Some(cursor) => cursor
                .strip_prefix("after-")?
                .parse::<u64>()
                .ok()
                .filter(|number| *number <= self.count)?,
        };
        let mut rest = self.tasks.iter().filter(|task| task.number > after).peekable();
        let mut page = Vec::new();
        let mut last = after;
        while let Some(task) = rest.next_if(|_| page.len() < PAGE) {
            page.push(task.to_json());
            last = task.number;
        }
        let next = match rest.peek() {
            Some(_) => format!(",\"nextCursor\":\"after-{last}\""),
            None => String::new(),
        };
        Some(format!("{{\"tasks\":[{}]{next}}}", page.join(",")))
    }

    /// When the next task is no longer kept.
    pub(crate) fn next_expiry(&self) -> Option<Instant> {
        self.tasks.iter().map(|task| task.expires).min()
    }

    /// Removes all of them.
    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, ServedTask> {
        self.tasks.drain(..)
    }

    /// Removes the tasks that are no longer kept.
    pub(crate) fn take_expired(&mut self, now: Instant) -> Vec<ServedTask> {
        self.tasks.extract_if(.., |task| task.expires <= now).collect()
    }
}

impl ServedTask {
    /// The task, as JSON text.
    pub(crate) fn to_json(&self) -> String {
        format!(
            "{{\"taskId\":{},\"status\":\"{}\",\"statusMessage\":{},\"createdAt\":\"{}\",\"lastUpdatedAt\":\"{}\",\"ttl\":{},\"pollInterval\":{POLL_MS}}}",
            json::quote(&self.id),
            self.status.as_str(),
            json::quote(&self.message),
            rfc3339(self.created),
            rfc3339(self.updated),
            self.ttl.as_millis()
        )
    }

    /// Its status.
    pub(crate) fn status(&self) -> TaskStatus {
        self.status
    }

    /// How it ended, for the server; none while it has not.
    pub(crate) fn outcome(&mut self) -> Option<&TaskOutcome> {
        self.fetched |= self.outcome.is_some();
        self.outcome.as_ref()
    }
}

/// `task` of a request, if it is to be answered as a task: the wanted time to live, in ms.
pub(crate) fn wanted_ttl(params: Option<&str>) -> Option<Option<f64>> {
    let params = Object::parse(params?).ok()?;
    let task = Object::parse(params.get("task")?).ok()?;
    Some(task.get("ttl").and_then(|ttl| ttl.parse().ok()))
}

#[cfg(test)]
mod tests;
