//! Tasks: the core ones of 2025-11-25 (`basic/utilities/tasks`) and the extension of the modern era (SEP-2663).

use std::borrow::Cow;

use super::inputs::{InputAsked, input_requests};
use super::reader::Reader;
use crate::json::{self, Kind, Object};
use crate::{Era, Rule, Violation};

/// The extension's name in both capability objects.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// The `_meta` member that names the task of a message (2025-11-25).
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskStatus {
    /// In progress.
    Working,
    /// It waits for input.
    InputRequired,
    /// Completed; its result is available.
    Completed,
    /// Failed with a JSON-RPC error.
    Failed,
    /// Cancelled.
    Cancelled,
}

impl TaskStatus {
    /// Parses the name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "working" => Self::Working,
            "input_required" => Self::InputRequired,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            _ => return None,
        })
    }

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the status is final.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A task in a result or a notification.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskView<'a> {
    /// All of it, raw.
    pub raw: &'a str,
    /// Its id; empty if missing.
    pub id: Cow<'a, str>,
    /// Its status; none if missing or unknown.
    pub status: Option<TaskStatus>,
    /// The status message.
    pub message: Option<Cow<'a, str>>,
    /// When it was created, as the server writes it.
    pub created_at: Option<Cow<'a, str>>,
    /// When its status last changed.
    pub updated_at: Option<Cow<'a, str>>,
    /// How long it is kept after its creation, in ms; none if it is unlimited or not given.
    pub ttl_ms: Option<f64>,
    /// The polling interval, in ms.
    pub poll_interval_ms: Option<f64>,
    /// The input that it waits for (extension).
    pub input_requests: Vec<InputAsked<'a>>,
    /// Its result, raw (extension).
    pub result: Option<&'a str>,
    /// Its JSON-RPC error, raw (extension).
    pub error: Option<&'a str>,
    /// Its violations. Pointers are into the task.
    pub violations: Vec<Violation>,
}

impl<'a> TaskView<'a> {
    /// Parses a task: the result of `tasks/get`, the params of `notifications/tasks/status` or `notifications/tasks`.
    #[must_use]
    pub fn parse(era: Era, raw: &'a str) -> Self {
        let (ttl, poll) = match era {
            Era::Legacy => ("ttl", "pollInterval"),
            Era::Modern => ("ttlMs", "pollIntervalMs"),
        };
        let mut reader = Reader::new(raw);
        for name in ["taskId", "status", "createdAt", "lastUpdatedAt", ttl] {
            reader.require(name);
        }
        let named = reader.string("status");
        let status = named.as_deref().and_then(TaskStatus::parse);
        if let (Some(named), None) = (&named, status) {
            let message = format!("{named:?} is not a task status");
            reader.push(Rule::MemberType, "status", message);
        }
        let ttl_ms = match reader.raw(ttl) {
            Some(value) if json::kind(value) != Kind::Null => reader.number(ttl),
            _ => None,
        };
        let mut view = Self {
            raw,
            id: reader.string("taskId").unwrap_or_default(),
            status,
            message: reader.string("statusMessage"),
            created_at: reader.string("createdAt"),
            updated_at: reader.string("lastUpdatedAt"),
            ttl_ms,
            poll_interval_ms: reader.number(poll),
            ..Self::default()
        };
        if era == Era::Modern {
            let needed = match status {
                Some(TaskStatus::InputRequired) => Some("inputRequests"),
                Some(TaskStatus::Completed) => Some("result"),
                Some(TaskStatus::Failed) => Some("error"),
                _ => None,
            };
            if let Some(needed) = needed {
                reader.require(needed);
            }
            view.result = reader.object("result");
            view.error = reader.object("error");
            if let Some(asked) = reader.raw("inputRequests") {
                view.input_requests = input_requests(asked, "/inputRequests", &mut reader.violations).0;
            }
        }
        view.violations = reader.violations;
        view
    }

    /// The task in a result: `result.task` in the legacy era, the result itself in the modern one.
    ///
    /// None if it is not a `CreateTaskResult`.
    #[must_use]
    pub fn created(era: Era, result: &'a str) -> Option<Self> {
        match era {
            Era::Legacy => {
                let task = json::member(result, "task")?;
                let mut view = Self::parse(era, task);
                for violation in &mut view.violations {
                    violation.pointer =
                        Some(format!("/task{}", violation.pointer.take().unwrap_or_default()));
                }
                Some(view)
            }
            Era::Modern => {
                let kind = Object::parse(result).ok()?.string("resultType")?;
                (kind == "task").then(|| {
                    // Only the initial state: the members of a status come with `tasks/get`.
                    let mut view = Self::parse(era, result);
                    view.violations.retain(|violation| {
                        violation.rule != Rule::MemberMissing || is_of_every_task(violation)
                    });
                    view
                })
            }
        }
    }
}

fn is_of_every_task(violation: &Violation) -> bool {
    !matches!(
        violation.pointer.as_deref(),
        Some("/inputRequests" | "/result" | "/error")
    )
}

#[cfg(test)]
mod tests;
