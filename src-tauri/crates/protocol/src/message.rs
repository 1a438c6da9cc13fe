//! One JSON-RPC message, as slices of the frame it came in.

mod decode;
mod encode;

use std::borrow::Cow;
use std::ops::Range;

use crate::{RequestId, Violation};

pub use decode::{Text, decode};
pub use encode::{notification, request, response_error, response_result};

/// Which way a message went.
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

/// What a frame holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decoded<'a> {
    /// The messages, in order. Empty for a blank line; more than one for a batch, or several on one line.
    pub messages: Vec<Located<'a>>,
    /// Whether the frame is a JSON array.
    pub batch: bool,
    /// What is wrong with the frame as a whole.
    pub violations: Vec<Violation>,
}

/// A message and where in the frame it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<'a> {
    /// Bytes of the frame.
    pub span: Range<usize>,
    /// The message.
    pub message: Message<'a>,
    /// What is wrong with it. Pointers are into the message.
    pub violations: Vec<Violation>,
}

/// A JSON-RPC message. All text is as received; a raw member is its JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<'a> {
    /// Wants an answer.
    Request {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: Cow<'a, str>,
        /// `params`, raw.
        params: Option<&'a str>,
    },
    /// Wants none.
    Notification {
        /// Its method.
        method: Cow<'a, str>,
        /// `params`, raw.
        params: Option<&'a str>,
    },
    /// An answer.
    Response {
        /// The id of what it answers; none if missing or `null`.
        id: Option<RequestId>,
        /// What it says.
        outcome: Outcome<'a>,
    },
    /// None of these.
    Invalid {
        /// Why not, in a sentence.
        reason: String,
    },
}

/// What a response says.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<'a> {
    /// `result`, raw.
    Result(&'a str),
    /// `error`.
    Error(RpcError<'a>),
}

/// A JSON-RPC error, as far as it could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError<'a> {
    /// `error`, raw.
    pub raw: &'a str,
    /// `code` as it is written (with its quotes, if the peer sent a string); empty if missing.
    pub code_text: Cow<'a, str>,
    /// `code`, if it is an integer or a string that holds one.
    pub code: Option<i64>,
    /// `message`; empty if missing.
    pub message: Cow<'a, str>,
    /// `data`, raw.
    pub data: Option<&'a str>,
}

#[cfg(test)]
mod tests;
