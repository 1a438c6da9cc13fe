//! The circumstances in which a frame crossed: direction, time, HTTP exchange, operation.

use patchbay_protocol::{Direction, RequestId, Violation};

use crate::{OperationId, Seq};

/// How a frame crossed, as far as its bytes do not say it.
#[derive(Debug, Clone)]
pub struct Crossing<'a> {
    /// Which way it went.
    pub direction: Direction,
    /// When, in nanoseconds on the clock that all frames of the connection share.
    pub at_ns: u64,
    /// Whether the frame is complete. A stream that ends in the middle of a line leaves one that is not.
    pub terminated: bool,
    /// The HTTP exchange that carried it; `None` over pipes.
    pub http: Option<HttpContext<'a>>,
    /// The operation it belongs to, if that is known without pairing.
    pub operation: Option<OperationId>,
}

impl Crossing<'_> {
    /// A complete frame over a pipe.
    #[must_use]
    pub fn new(direction: Direction, at_ns: u64) -> Self {
        Self {
            direction,
            at_ns,
            terminated: true,
            http: None,
            operation: None,
        }
    }

    /// The request in whose HTTP response the frame came.
    pub(crate) fn reply_to(&self) -> Option<&RequestId> {
        self.http.as_ref().and_then(|http| http.reply_to)
    }

    /// What the way it crossed violates.
    pub(crate) fn violations(&self) -> Option<Violation> {
        (!self.terminated && self.http.is_none()).then(|| {
            Violation::new(
                patchbay_protocol::Rule::LineUnterminated,
                "stdout ended in the middle of this line",
            )
        })
    }
}

/// The HTTP exchange that carried a frame.
#[derive(Debug, Clone, Copy)]
pub struct HttpContext<'a> {
    /// Its record.
    pub exchange: Seq,
    /// The status of its response, if one came.
    pub status: Option<u16>,
    /// The request of ours that it carried. An error response without an id answers this request.
    pub reply_to: Option<&'a RequestId>,
}
