//! Masks a body that arrives in pieces, so that a secret is found wherever it is cut.

use bytes::{Bytes, BytesMut};

use super::{Found, LEAST, Redactor, mask};

/// How much compressed data is held until its end, in bytes of the body. More is masked, with the rest of the body.
const HELD: usize = 1 << 20;

/// The bytes of a body that may still begin a secret.
#[derive(Default)]
pub(crate) struct BodyMask {
    /// As they arrived.
    held: BytesMut,
    /// The number of held bytes that belong to a secret whose beginning was handed out. [`usize::MAX`]: all that follows.
    covered: usize,
    /// The number of held bytes when compressed data last held them back.
    held_back: usize,
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
    pub(crate) fn ready(&mut self, redactor: &Redactor, end: bool) -> Option<Ready> {
        let mut length = match end || !redactor.masks() {
            true => self.held.len(),
            false => {
                let reach = redactor.reach();
                match self.held.len().saturating_sub(reach) {
                    // Not for each small piece: what is held is searched each time.
                    ready if ready < reach / 4 => 0,
                    _ if self.held.len() < self.held_back / 4 * 5 => 0,
                    ready => ready,
                }
            }
        };
        if length == 0 {
            return None;
        }
        let Found {
            ranges: mut found,
            unfinished,
        } = redactor.search(&self.held);
        let mut covered = self.covered;
        self.held_back = 0;
        if let Some(from) = unfinished.filter(|from| !end && *from < length) {
            if self.held.len() - from <= HELD {
                self.held_back = self.held.len();
                length = from;
            } else {
                found.push(from..self.held.len());
                covered = usize::MAX;
            }
        }
        if length == 0 {
            return None;
        }
        found.push(0..self.covered.min(self.held.len()));
        if end {
            // A body that was cut off may end within a secret.
            redactor.begun(&self.held, LEAST, &mut found);
        }
        let over = found
            .iter()
            .filter(|range| range.start < length && range.end > length);
        if covered != usize::MAX {
            covered = over.map(|range| range.end - length).max().unwrap_or(0);
        }
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
