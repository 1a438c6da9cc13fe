//! A call that waits for the inputs that a server asked for (2026-07-28, `basic/patterns/mrtr`).

use tokio::time::Instant;

use crate::{Answer, call::Call};

/// A call that waits for input.
pub(crate) struct Round {
    pub(crate) call: Box<Call>,
    /// What asked for it.
    pub(crate) answer: Answer,
    pub(crate) state: Option<String>,
    pub(crate) wanted: Vec<Part>,
    pub(crate) since: Instant,
    /// When it is over, if the wait for people counts.
    pub(crate) deadline: Option<Instant>,
}

/// One of the inputs of a round.
pub(crate) struct Part {
    pub(crate) method: String,
    pub(crate) key_text: String,
    pub(crate) result: Option<String>,
}
