//! Masks a body that arrives in pieces, so that a secret is found wherever it is cut.

use bytes::{Bytes, BytesMut};

use super::{Redactor, mask};

/// So much of a secret at the end of a body is masked.
const LEAST: usize = 6;

/// The bytes of a body that may still begin a secret.
#[derive(Default)]
pub(crate) struct BodyMask {
    /// As they arrived.
    held: BytesMut,
    /// The number of held bytes that belong to a secret whose beginning was handed out.
    covered: usize,
}

/// Bytes whose form in the log is certain.
pub(crate) struct Ready {
    /// Masked.
    pub(crate) bytes: Bytes,
    /// The number of secrets in them.
    pub(crate) redactions: u32,
    covered: usize,
}

impl BodyMask {
    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// All but the bytes that may begin a secret, or at the `end` all. [`BodyMask::take`] removes them.
    pub(crate) fn ready(&self, redactor: &Redactor, end: bool) -> Option<Ready> {
        let length = match end || !redactor.masks() {
            true => self.held.len(),
            false => {
                let reach = redactor.reach();
                match self.held.len().saturating_sub(reach) {
                    // Not for each small piece: what is held is searched each time.
                    ready if ready < reach / 4 => 0,
                    ready => ready,
                }
            }
        };
        if length == 0 {
            return None;
        }
        let mut found = redactor.find(&self.held);
        found.push(0..self.covered.min(self.held.len()));
        if end {
            // A body that was cut off may end within a secret.
            redactor.begun(&self.held, LEAST, &mut found);
        }
        let over = found
            .iter()
            .filter(|range| range.start < length && range.end > length);
        let covered = over.map(|range| range.end - length).max().unwrap_or(0);
        let within = found
            .into_iter()
            .map(|range| range.start.min(length)..range.end.min(length))
            .filter(|range| !range.is_empty());
        let mut copy = BytesMut::from(&self.held[..length]);
        let redactions = mask(&mut copy, within.collect());
        Some(Ready {
            redactions,
            bytes: copy.freeze(),
            covered,
        })
    }

    /// Removes what is ready.
    pub(crate) fn take(&mut self, ready: &Ready) {
        self.covered = ready.covered;
        let _ = self.held.split_to(ready.bytes.len().min(self.held.len()));
    }
}
