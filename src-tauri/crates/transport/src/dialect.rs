//! The dialects in which a server may be spoken to.

use patchbay_protocol::Era;

/// How to speak to a server. Over pipes only the era matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 2026-07-28 on; over HTTP: POST only, no session.
    Modern,
    /// Up to 2025-11-25; over HTTP: Streamable HTTP with session and GET stream.
    Legacy,
    /// HTTP+SSE of 2024-11-05: everything the server says comes over one stream. Only over HTTP.
    HttpSse,
}

impl Dialect {
    /// Its era.
    #[must_use]
    pub fn era(self) -> Era {
        match self {
            Self::Modern => Era::Modern,
            Self::Legacy | Self::HttpSse => Era::Legacy,
        }
    }
}
