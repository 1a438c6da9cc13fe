//! The last answered requests: enough to explain stray responses, with a limit.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::RequestId;

/// The number of answered requests that are remembered per direction.
const ROOM: usize = 1024;

/// An answered request.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) seq: u64,
    pub(super) method: Cow<'static, str>,
    pub(super) token: Option<RequestId>,
}

#[derive(Debug, Default)]
pub(super) struct Memory {
    by_id: HashMap<RequestId, Finished>,
    by_token: HashMap<RequestId, RequestId>,
    order: VecDeque<RequestId>,
}

impl Memory {
    pub(super) fn get(&self, id: &RequestId) -> Option<&Finished> {
        self.by_id.get(id)
    }

    pub(super) fn by_token(&self, token: &RequestId) -> Option<&Finished> {
        self.by_id.get(self.by_token.get(token)?)
    }

    pub(super) fn remember(&mut self, id: RequestId, finished: Finished) {
        if let Some(token) = &finished.token {
            self.by_token.insert(token.clone(), id.clone());
        }
        if let Some(earlier) = self.by_id.insert(id.clone(), finished) {
            // A reused id keeps its old position in the queue.
            if let Some(token) = earlier.token
                && self
                    .by_id
                    .get(&id)
                    .is_some_and(|now| now.token.as_ref() != Some(&token))
            {
                self.by_token.remove(&token);
            }
            return;
        }
        self.order.push_back(id);
        if self.order.len() > ROOM
            && let Some(oldest) = self.order.pop_front()
            && let Some(forgotten) = self.by_id.remove(&oldest)
            && let Some(token) = forgotten.token
            && self.by_token.get(&token) == Some(&oldest)
        {
            self.by_token.remove(&token);
        }
    }
}
