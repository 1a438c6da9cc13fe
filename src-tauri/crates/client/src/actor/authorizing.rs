//! Requests that wait for an authorization: their timeouts are paused, because a person may be involved.

use patchbay_protocol::RequestId;

use super::{Actor, Phase};
use crate::State;

impl Actor {
    /// A request starts or stops waiting for an authorization. Without an id it is a stream on which a handshake may depend.
    pub(super) fn authorizing(&mut self, id: Option<&RequestId>, on: bool) {
        let in_handshake = matches!(self.phase, Phase::Probing | Phase::Initializing);
        let ids = match id {
            Some(RequestId::Int(id)) => vec![*id],
            None if in_handshake => self.pending.ids(),
            _ => return,
        };
        if on {
            self.pending.pause(&ids);
        } else {
            self.pending.release(&ids);
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
