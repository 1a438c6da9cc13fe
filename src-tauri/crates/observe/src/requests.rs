//! The remembered data of requests, for the messages that belong to them: the tool, the operation.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use patchbay_protocol::{Direction, methods, views::ClientCapabilities};

use crate::{OperationId, Seq};

/// The number of answered requests that are remembered, for later messages.
const ANSWERED: usize = 1024;
/// The total number of requests that are remembered, which limits the memory used by a peer that never responds.
const ALL: usize = 65_536;

/// The remembered data of one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) tool: Option<String>,
    pub(crate) operation: Option<OperationId>,
    /// Whether it asked to be run as a task.
    pub(crate) asked_for_task: bool,
    /// The task whose result it asks for.
    pub(crate) task: Option<String>,
    /// Whether the server may send requests because of it.
    pub(crate) may_nest: bool,
    /// The capabilities that the client declared in it, until it is answered (modern era).
    pub(crate) client: Option<Arc<ClientCapabilities>>,
}

/// Whether the server may send requests because of this one.
pub(crate) fn may_nest(method: &str) -> bool {
    matches!(
        method,
        methods::TOOLS_CALL | methods::PROMPTS_GET | methods::RESOURCES_READ | methods::TASKS_RESULT
    )
}

/// The requests of a connection, by their record.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    by_seq: HashMap<Seq, Request>,
    /// The open requests of the client that may nest, oldest first.
    nesting: Vec<Seq>,
    order: VecDeque<Seq>,
    answered: VecDeque<Seq>,
}

impl Requests {
    pub(crate) fn sent(&mut self, direction: Direction, seq: Seq, request: Request) {
        if direction == Direction::ClientToServer && request.may_nest {
            self.nesting.push(seq);
        }
        self.by_seq.insert(seq, request);
        self.order.push_back(seq);
        if self.order.len() > ALL
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_seq.remove(&oldest);
        }
    }

    pub(crate) fn get(&self, seq: Seq) -> Option<&Request> {
        self.by_seq.get(&seq)
    }

    /// The data of the request that a response answers, if it is known.
    pub(crate) fn of(&self, seq: Option<Seq>) -> Request {
        seq.and_then(|seq| self.get(seq)).cloned().unwrap_or_default()
    }

    /// Records that a request was answered or abandoned. It is remembered for a while.
    pub(crate) fn ended(&mut self, seq: Seq) {
        self.nesting.retain(|open| *open != seq);
        if let Some(request) = self.by_seq.get_mut(&seq) {
            request.client = None;
        }
        self.answered.push_back(seq);
        if self.answered.len() > ANSWERED
            && let Some(oldest) = self.answered.pop_front()
        {
            self.by_seq.remove(&oldest);
        }
    }

    /// The operation of a request that the server sends on a separate channel: certain only if a single call is open.
    pub(crate) fn only_nesting(&self) -> Option<OperationId> {
        match self.nesting[..] {
            [only] => self.get(only)?.operation,
            _ => None,
        }
    }
}
