//! Requests that wait for an authorization: their timeouts are paused, because a person may be involved.

use patchbay_protocol::RequestId;

use super::{Actor, Phase};
use crate::State;

impl Actor {
    /// A request starts or stops waiting for an authorization. Without an id, all of them do.
    pub(super) fn authorizing(&mut self, id: Option<&RequestId>, on: bool) {
        let in_handshake = matches!(self.phase, Phase::Probing | Phase::Initializing);
        match (id, on) {
            (Some(RequestId::Int(id)), true) => self.pending.pause(&[*id]),
            (Some(RequestId::Int(id)), false) => self.pending.release(&[*id]),
            (None, true) => self.pending.pause_all(),
            (None, false) => self.pending.release_all(),
            (Some(_), _) => return,
        }
        if in_handshake {
            if on {
                self.deadline.pause();
            } else {
                self.deadline.resume();
            }
            self.publisher.state(if on {
                State::Authorizing
            } else {
                State::Negotiating
            });
        }
    }
}
