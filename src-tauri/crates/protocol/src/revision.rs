//! Revisions of the specification, and version negotiation.

use std::fmt;

/// The protocol era: how a connection begins and what a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Era {
    /// Revisions up to 2025-11-25: `initialize`, then a session with state.
    Legacy,
    /// From 2026-07-28: no handshake, every request carries version and capabilities, `server/discover`.
    Modern,
}

/// A supported revision of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(u8);

const NAMES: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

impl Revision {
    /// 2024-11-05, legacy.
    pub const V2024_11_05: Self = Self(0);
    /// 2025-03-26, legacy; the only one with JSON-RPC batches.
    pub const V2025_03_26: Self = Self(1);
    /// 2025-06-18, legacy.
    pub const V2025_06_18: Self = Self(2);
    /// 2025-11-25, the last legacy one.
    pub const V2025_11_25: Self = Self(3);
    /// 2026-07-28, modern.
    pub const V2026_07_28: Self = Self(4);
    /// The revision that `initialize` offers.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;
    /// The revision of modern requests.
    pub const LATEST_MODERN: Self = Self::V2026_07_28;
    /// All supported revisions, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The revision with this name, if supported.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Its name, as on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Its place among all revisions, oldest first.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// Its era.
    #[must_use]
    pub fn era(self) -> Era {
        if self >= Self::V2026_07_28 {
            Era::Modern
        } else {
            Era::Legacy
        }
    }

    /// Whether a frame may be a JSON-RPC batch: only in 2025-03-26 (2024-11-05 leaves it open, 2025-06-18 forbids it).
    #[must_use]
    pub fn allows_batches(self) -> bool {
        self == Self::V2025_03_26
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The result of negotiating with the versions that a server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Negotiated {
    /// Use this one.
    Agreed(Revision),
    /// There is no common revision: end the connection and report it.
    Refused {
        /// The offered versions.
        offered: Vec<String>,
    },
}

/// Chooses the newest revision of `era` among the offered ones: the `protocolVersion` of an `initialize` result, the
/// `supportedVersions` of a discover result or of error -32022.
pub fn negotiate<S: AsRef<str>>(era: Era, offered: &[S]) -> Negotiated {
    let known = offered.iter().filter_map(|name| Revision::parse(name.as_ref()));
    match known.filter(|revision| revision.era() == era).max() {
        Some(revision) => Negotiated::Agreed(revision),
        None => Negotiated::Refused {
            offered: offered.iter().map(|name| name.as_ref().to_owned()).collect(),
        },
    }
}

/// The server's response to `initialize`: the requested revision if it is a supported legacy one, otherwise the latest
/// legacy one (2025-11-25 `basic/lifecycle`, version negotiation).
#[must_use]
pub fn server_answer(requested: &str) -> Revision {
    Revision::parse(requested)
        .filter(|revision| revision.era() == Era::Legacy)
        .unwrap_or(Revision::LATEST_LEGACY)
}

#[cfg(test)]
mod tests;
