//! One JSON-RPC message, as slices of its frame.

mod decode;
mod encode;
pub mod limits;

use std::borrow::Cow;
use std::ops::Range;

use crate::{RequestId, Violation};

pub use decode::{Text, decode};
pub use encode::{notification, request, response_error, response_result};

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client.
    ClientToServer,
    /// To the client.
    ServerToClient,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::ClientToServer => Self::ServerToClient,
            Self::ServerToClient => Self::ClientToServer,
        }
    }
}

/// The content of a frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decoded<'a> {
    /// The messages, in order. Empty for a blank line; several for a batch, or for several on one line.
    pub messages: Vec<Located<'a>>,
    /// Whether the frame is a JSON array.
    pub batch: bool,
    /// Violations of the frame as a whole.
    pub violations: Vec<Violation>,
}

/// A message and its location in the frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<'a> {
    /// Bytes of the frame.
    pub span: Range<usize>,
    /// The message.
    pub message: Message<'a>,
    /// Its violations. Pointers are into the message.
    pub violations: Vec<Violation>,
}

/// A JSON-RPC message. All text is as received; raw members are JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<'a> {
    /// Expects a response.
    Request {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: Cow<'a, str>,
        /// `params`, raw.
        params: Option<&'a str>,
    },
    /// Expects no response.
    Notification {
        /// Its method.
        method: Cow<'a, str>,
        /// `params`, raw.
        params: Option<&'a str>,
    },
    /// A response.
    Response {
        /// The id of the request; none if missing or `null`.
        id: Option<RequestId>,
        /// Its outcome.
        outcome: Outcome<'a>,
    },
    /// Anything else.
    Invalid {
        /// The reason, in a sentence.
        reason: String,
    },
}

/// The outcome in a response.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<'a> {
    /// `result`, raw.
    Result(&'a str),
    /// `error`.
    Error(RpcError<'a>),
}

/// A JSON-RPC error, as far as it is readable.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError<'a> {
    /// `error`, raw.
    pub raw: &'a str,
    /// `code` as written (with quotes if it is a string); empty if missing.
    pub code_text: Cow<'a, str>,
    /// `code`, if it is an integer or a string that contains one.
    pub code: Option<i64>,
    /// `message`; empty if missing.
    pub message: Cow<'a, str>,
    /// `data`, raw.
    pub data: Option<&'a str>,
}

#[cfg(test)]
mod tests;
