//! The context of a frame: direction, time, HTTP exchange, operation.

use patchbay_protocol::{Direction, RequestId, Violation, checks::Carrier};

use crate::OperationId;

/// The context of a frame, besides its bytes.
#[derive(Debug, Clone)]
pub struct Crossing<'a> {
    /// The direction.
    pub direction: Direction,
    /// The time, in nanoseconds on the clock that all frames of the connection share.
    pub at_ns: u64,
    /// Whether the frame is complete. A stream that ends within a line leaves an incomplete one.
    pub terminated: bool,
    /// The HTTP exchange that carried it; `None` over pipes.
    pub http: Option<HttpContext<'a>>,
    /// The operation, if it is known without pairing.
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

    /// The request whose HTTP response carried the frame.
    pub(crate) fn reply_to(&self) -> Option<&RequestId> {
        self.http.as_ref().and_then(|http| http.reply_to)
    }

    /// What carried the frame.
    pub(crate) fn carrier(&self) -> Carrier<'_> {
        match (&self.http, self.reply_to()) {
            (None, _) => Carrier::Pipe,
            (Some(_), Some(request)) => Carrier::Response(request),
            (Some(_), None) => Carrier::Stream,
        }
    }

    /// The violations of the transport.
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
    /// The request that it carried. An error response without an id belongs to this request.
    pub reply_to: Option<&'a RequestId>,
}
