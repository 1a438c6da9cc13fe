//! What is remembered of a request, for the messages that belong to it: the tool, the operation.

use std::collections::{HashMap, VecDeque};

use patchbay_protocol::Direction;

use crate::{OperationId, Seq};

/// How many answered requests are remembered, for what still comes after the answer.
const ANSWERED: usize = 1024;
/// How many requests are remembered at all. A peer that never answers must not fill the memory.
const ALL: usize = 65_536;

/// What is remembered of one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) tool: Option<String>,
    pub(crate) operation: Option<OperationId>,
    /// Whether it asked to be run as a task.
    pub(crate) asked_for_task: bool,
    /// Whether the server may send requests of its own because of it.
    pub(crate) may_nest: bool,
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

    /// A request was answered or given up. It is remembered for a while longer.
    pub(crate) fn ended(&mut self, seq: Seq) {
        self.nesting.retain(|open| *open != seq);
        self.answered.push_back(seq);
        if self.answered.len() > ANSWERED
            && let Some(oldest) = self.answered.pop_front()
        {
            self.by_seq.remove(&oldest);
        }
    }

    /// The operation of a request that the server sends on its own channel: certain only if one call is open.
    pub(crate) fn only_nesting(&self) -> Option<OperationId> {
        match self.nesting[..] {
            [only] => self.get(only)?.operation,
            _ => None,
        }
    }
}
