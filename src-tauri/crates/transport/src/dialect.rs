//! The dialects of the protocol.

use patchbay_protocol::Era;

/// How to communicate with a server. Over pipes only the era matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// From 2026-07-28; over HTTP: POST only, no session.
    Modern,
    /// Up to 2025-11-25; over HTTP: Streamable HTTP with session and GET stream.
    Legacy,
    /// HTTP+SSE of 2024-11-05: all messages of the server arrive over one stream. HTTP only.
    HttpSse,
}

impl Dialect {
    /// The era.
    #[must_use]
    pub fn era(self) -> Era {
        match self {
            Self::Modern => Era::Modern,
            Self::Legacy | Self::HttpSse => Era::Legacy,
        }
    }
}
