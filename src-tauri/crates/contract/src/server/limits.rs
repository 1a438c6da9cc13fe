//! The limits of what a server may cost.

use serde::{Deserialize, Serialize};

/// What the number of a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LimitUnit {
    /// Things.
    Count,
    /// Bytes.
    Bytes,
    /// Milliseconds.
    Milliseconds,
}

/// A limit that the settings of a server can change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LimitItem {
    /// Its name, as in `ServerDraft.limits`.
    pub name: String,
    /// What it limits, and what happens beyond: whole sentences.
    pub meaning: String,
    /// What it counts.
    pub unit: LimitUnit,
    /// Its default.
    pub default: u32,
    /// The least that can be set.
    pub least: u32,
    /// The most that can be set.
    pub most: u32,
}

/// Parameters of `limit_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct LimitListParams {}

/// Response of `limit_list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LimitListResponse {
    /// In the order in which they are shown.
    pub items: Vec<LimitItem>,
}
