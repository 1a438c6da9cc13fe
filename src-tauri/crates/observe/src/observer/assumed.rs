//! Connections whose handshake is not known.

use patchbay_protocol::Revision;

use super::Observer;

impl Observer {
    /// Takes a revision as negotiated. What both sides declared is not known.
    pub(crate) fn assume(&mut self, revision: Revision) {
        self.agreement.assume(revision, &mut self.conversation);
        self.pairing.set_era(revision.era());
    }
}
