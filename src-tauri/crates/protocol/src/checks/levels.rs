//! Which log levels the pending requests asked for.

use std::collections::HashMap;

use crate::RequestId;
use crate::views::LogLevel;

/// The maximum number of pending requests whose log level is remembered.
const MOST_REQUESTS: usize = 4096;

/// The log level of each pending request: the one it asked for (modern era), or the lowest one in force since it was sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    by_request: HashMap<RequestId, LogLevel>,
    /// Whether the level of a pending request is not remembered.
    incomplete: bool,
    /// The requests that were cancelled since the latest request.
    cancelled: Vec<RequestId>,
    /// A request that was sent after the cancellation of others. With its answer the server has read the cancellations, so that
    /// it sends no more for those.
    fence: Option<(RequestId, Vec<RequestId>)>,
}

impl Levels {
    /// A request was sent. The id may be that of an earlier one that was cancelled.
    pub(super) fn sent(&mut self, id: &RequestId, level: Option<LogLevel>) {
        self.forget(id);
        if self.fence.is_none() && !self.cancelled.is_empty() {
            self.fence = Some((id.clone(), std::mem::take(&mut self.cancelled)));
        }
        let Some(level) = level else {
            return;
        };
        if self.by_request.len() < MOST_REQUESTS {
            self.by_request.insert(id.clone(), level);
        } else {
            self.incomplete = true;
        }
    }

    /// A request was cancelled. What the server sent for it before it knew may still arrive.
    pub(super) fn cancelled(&mut self, id: &RequestId) {
        if let Some((_, earlier)) = self.fence.take_if(|(fence, _)| fence == id) {
            self.cancelled.extend(earlier);
        }
        if self.by_request.contains_key(id) && !self.cancelled.contains(id) {
            self.cancelled.push(id.clone());
        }
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, id: &RequestId) {
        if let Some((_, cancelled)) = self.fence.take_if(|(fence, _)| fence == id) {
            for earlier in cancelled {
                self.by_request.remove(&earlier);
            }
        }
        self.forget(id);
    }

    fn forget(&mut self, id: &RequestId) {
        self.by_request.remove(id);
        self.incomplete &= !self.by_request.is_empty();
        self.cancelled.retain(|cancelled| cancelled != id);
        if let Some((_, cancelled)) = &mut self.fence {
            cancelled.retain(|cancelled| cancelled != id);
        }
    }

    /// What the server sent for a request that is pending may be of this level too.
    pub(super) fn lower(&mut self, level: LogLevel) {
        for of_request in self.by_request.values_mut() {
            *of_request = level.min(*of_request);
        }
    }

    /// Whether all of them are remembered.
    pub(super) fn is_complete(&self) -> bool {
        !self.incomplete
    }

    pub(super) fn of(&self, id: &RequestId) -> Option<LogLevel> {
        self.by_request.get(id).copied()
    }

    pub(super) fn lowest(&self) -> Option<LogLevel> {
        self.by_request.values().min().copied()
    }
}
