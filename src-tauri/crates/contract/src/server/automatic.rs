//! What Patchbay does by itself to have a server connected.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// What Patchbay does by itself for a server. Pasted and imported settings never say so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct AutomaticDraft {
    /// Connects when Patchbay starts.
    pub connect: bool,
    /// Connects again after the connection was lost: at most 10 times in a row, after pauses of 1 s to 1 min. Not if the server
    /// needs the user, for an authorization or a certificate.
    pub reconnect: bool,
}

/// What Patchbay does by itself for a server at present, or why it no longer does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomaticItem {
    /// It connects after a pause.
    Waiting {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// How many there are at most.
        of: u32,
        /// When it begins, in ms since the Unix epoch.
        at_ms: f64,
    },
    /// It connects.
    Connecting {
        /// The number of the attempt, from 1.
        attempt: u32,
        /// How many there are at most.
        of: u32,
    },
    /// It connects as soon as the vault is open.
    NeedsVault {},
    /// It does not connect by itself any more.
    Ended {
        /// Why, in a sentence.
        because: String,
        /// What the user can do, in a sentence.
        next: String,
    },
}

/// Parameters of `automatic_stop`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AutomaticStopParams {
    /// The server.
    pub server_id: ServerId,
}
