//! Which response answers which request: one table per direction, ids with their JSON type.

use std::borrow::Cow;

use crate::message::Message;
use crate::{Direction, RequestId, Violation};

/// What is known of a request that waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// Its record.
    pub seq: u64,
    /// When it crossed, in ns of the recorder's clock.
    pub at_ns: u64,
    /// Who asked.
    pub direction: Direction,
    /// Its id.
    pub id: RequestId,
    /// Its method.
    pub method: Cow<'static, str>,
    /// Whether its sender cancelled it.
    pub cancelled: bool,
}

/// What pairing found out about one message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    /// Of a response: the record of its request, where there is one.
    pub request_seq: Option<u64>,
    /// Of a response: the method of its request.
    pub method: Option<Cow<'static, str>>,
    /// Of a response: the time since its request, in ns.
    pub latency_ns: Option<u64>,
    /// Of a response: it came after its request was cancelled or already answered, so nobody waits for it.
    pub late: bool,
    /// Of progress, a cancellation or a subscription's notification: the record of the request it belongs to.
    pub related: Option<u64>,
    /// What is wrong with the message in the light of those before it.
    pub violations: Vec<Violation>,
}

/// The pairing of one connection.
#[derive(Debug, Default)]
pub struct Pairing {}

impl Pairing {
    /// For a new connection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes note of a message, in the order of the wire.
    pub fn observe(
        &mut self,
        direction: Direction,
        seq: u64,
        at_ns: u64,
        message: &Message<'_>,
    ) -> Observation {
        let _ = (direction, seq, at_ns, message);
        Observation::default()
    }

    /// The requests that wait for an answer (cancelled ones too, until it comes), oldest first.
    #[must_use]
    pub fn pending(&self) -> Vec<&Pending> {
        Vec::new()
    }

    /// Takes all requests that wait: the connection has ended.
    pub fn drain(&mut self) -> Vec<Pending> {
        Vec::new()
    }
}
