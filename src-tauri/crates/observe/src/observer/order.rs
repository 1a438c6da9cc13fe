//! What the order of two messages says.

use patchbay_protocol::{Direction, Rule, checks::Carrier, pairing::Observation};

use super::Observer;
use crate::Crossing;

impl Observer {
    /// Drops what is wrong only if messages arrived in the order in which they were sent. Over HTTP, only those in one response
    /// certainly did.
    pub(super) fn drop_unordered(&self, crossing: &Crossing<'_>, pairing: &mut Observation) {
        let is_ordered = match crossing.carrier() {
            Carrier::Pipe => true,
            Carrier::Response(request) => {
                let carrying = self.pairing.seq_of(Direction::ClientToServer, request);
                carrying.is_some() && carrying == pairing.related
            }
            Carrier::Stream => false,
        };
        if !is_ordered {
            let needs_order = |rule| rule == Rule::ProgressAfterAnswer;
            pairing
                .violations
                .retain(|violation| !needs_order(violation.rule));
        }
    }
}
