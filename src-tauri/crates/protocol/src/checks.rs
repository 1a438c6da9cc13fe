//! Checks that need more than one message: the revision, the handshake, the capabilities.

use crate::{Revision, Rule, Violation};

/// Whether a batch was legal in the revision that was negotiated (before that: none).
#[must_use]
pub fn batch(revision: Option<Revision>) -> Option<Violation> {
    match revision {
        Some(revision) if !revision.allows_batches() => Some(Violation::new(
            Rule::BatchNotAllowed,
            format!("a batch, which revision {revision} does not have (only 2025-03-26 does)"),
        )),
        _ => None,
    }
}
