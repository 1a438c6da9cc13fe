//! Progress tokens of requests that continue as tasks.

use std::collections::VecDeque;

use crate::{RequestId, json};

/// The maximum number of tasks whose tokens are kept; the oldest are dropped first.
const LIMIT: usize = 1024;

/// The progress of one task.
#[derive(Debug)]
pub(super) struct Task {
    token: RequestId,
    /// Its `taskId`, which is as long as the server wants: kept as ids of requests are.
    id: RequestId,
    /// The record of the request that was answered with the task.
    pub(super) seq: u64,
    /// The latest progress.
    pub(super) progress: Option<f64>,
}

/// The tasks that have not ended.
#[derive(Debug, Default)]
pub(super) struct TaskProgress {
    tasks: VecDeque<Task>,
}

impl TaskProgress {
    pub(super) fn insert(&mut self, token: RequestId, seq: u64, task_id: &str) {
        if self.tasks.len() == LIMIT {
            self.tasks.pop_front();
        }
        self.tasks.push_back(Task {
            token,
            id: kept(task_id),
            seq,
            progress: None,
        });
    }

    pub(super) fn get_mut(&mut self, token: &RequestId) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.token == *token)
    }

    pub(super) fn remove(&mut self, task_id: &str) {
        let id = kept(task_id);
        self.tasks.retain(|task| task.id != id);
    }
}

impl Task {
    /// Its `taskId`; none if it is too long to be kept.
    pub(super) fn id(&self) -> Option<&str> {
        match &self.id {
            RequestId::Text(id) => Some(id),
            RequestId::Int(_) | RequestId::Other(_) => None,
        }
    }
}

fn kept(task_id: &str) -> RequestId {
    RequestId::parse(&json::quote(task_id))
}
