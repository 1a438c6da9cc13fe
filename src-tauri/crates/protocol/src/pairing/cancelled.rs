//! Cancelled requests: nothing waits for them, but a response may have crossed the cancellation.

use super::{Observation, Pairing, Table};
use crate::{Direction, RequestId, Rule, methods};

impl Pairing {
    /// The method of the latest pending request with this id, sent in `direction`.
    #[must_use]
    pub fn open_method(&self, direction: Direction, id: &RequestId) -> Option<&str> {
        let table = match direction {
            Direction::ClientToServer => &self.by_client,
            Direction::ServerToClient => &self.by_server,
        };
        let latest = table.waiting.get(id).and_then(|all| all.last());
        latest.map(|pending| &*pending.method)
    }
}

impl Table {
    /// `own`: cancelled by the sender of the request. The other side may end a subscription only; otherwise the response is
    /// still due. `most`: how many cancelled requests are kept.
    pub(super) fn cancel(
        &mut self,
        id: &RequestId,
        (own, most): (bool, usize),
        observation: &mut Observation,
    ) {
        if let Some(pending) = self.waiting.get_mut(id).and_then(|all| all.last_mut()) {
            observation.related = Some(pending.seq);
            pending.withdrawn |= own;
            if !pending.cancelled && (own || pending.method == methods::SUBSCRIPTIONS_LISTEN) {
                pending.cancelled = true;
                self.open = self.open.saturating_sub(1);
                self.cancelled.push_back((id.clone(), pending.seq));
            }
            if pending.method == methods::INITIALIZE {
                observation.wrong(
                    Rule::CancelInitialize,
                    "`initialize` must not be cancelled".to_owned(),
                );
            }
        } else if let Some(earlier) = self.finished.get(id) {
            // It crossed the response, which is not a violation.
            observation.related = Some(earlier.seq);
        } else {
            observation.wrong(Rule::CancelUnknown, format!("no request has the id {id}"));
        }
        while self.cancelled.len() > most {
            self.forget_cancelled();
        }
    }

    /// Forgets the oldest of the cancelled requests, if it was not answered.
    fn forget_cancelled(&mut self) {
        let Some((id, seq)) = self.cancelled.pop_front() else {
            return;
        };
        let Some(all) = self.waiting.get_mut(&id) else {
            return;
        };
        let found = all.iter().position(|pending| pending.seq == seq);
        let token = found.and_then(|at| all.remove(at).token);
        if all.is_empty() {
            self.waiting.remove(&id);
        }
        if let Some(token) = token
            && self.tokens.get(&token) == Some(&id)
        {
            self.tokens.remove(&token);
        }
    }
}
