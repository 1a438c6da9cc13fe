//! The probe that `initialize` overtook: in the same process its answer may still come.

use patchbay_protocol::{
    Direction, Era,
    message::Message,
    methods,
    pairing::{Observation, Pairing, Pending},
};

use super::Observer;
use crate::Seq;

/// The `server/discover` that was not answered before the latest `initialize`, and that `initialize`.
#[derive(Debug, Default)]
pub(super) struct Overtaken {
    probe: Option<Pending>,
    by: Seq,
}

impl Overtaken {
    /// The probe that is not answered when `initialize` is sent, as record `by`.
    pub(super) fn new(pairing: &Pairing, by: Seq) -> Self {
        let probe = pairing.unanswered(methods::SERVER_DISCOVER);
        Self { probe, by }
    }
}

impl Observer {
    /// Begins again with an `initialize`, as record `by`. What was sent before may still be answered.
    pub(super) fn restart(&mut self, by: Seq) {
        let kept = (Overtaken::new(&self.pairing, by), self.unread);
        *self = Self::within(self.limits);
        (self.overtaken, self.unread) = kept;
    }

    /// A response to the overtaken probe is paired with it. The id may be used again in a new process: then its responses
    /// belong to the new request.
    pub(super) fn recall_probe(&mut self, direction: Direction, message: &Message<'_>) {
        let about = match (direction, message) {
            (Direction::ClientToServer, Message::Request { id, .. })
            | (Direction::ServerToClient, Message::Response { id: Some(id), .. }) => id,
            _ => return,
        };
        if let Some(probe) = self.overtaken.probe.take_if(|probe| probe.id == *about)
            && direction == Direction::ServerToClient
        {
            self.pairing.recall(probe);
        }
    }

    /// Whether a response changes what was negotiated. After `initialize` was answered, the answer to an earlier probe does not.
    pub(super) fn may_agree(&self, pairing: &Observation) -> bool {
        let by = self.overtaken.by;
        let is_overtaken = pairing.request_seq.is_some_and(|request| request < by);
        !(pairing.repeated || is_overtaken && self.agreement.era == Some(Era::Legacy))
    }
}
