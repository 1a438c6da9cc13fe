//! How large and how old the log may become.

use std::time::Duration;

/// What the log may hold at most. Beyond it the oldest records are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Bytes of the file that hold something; `None`: as many as the disk has.
    pub bytes: Option<u64>,
    /// The age of a record; `None`: any.
    pub age: Option<Duration>,
}

impl Default for Quota {
    /// 4 GiB, of any age.
    fn default() -> Self {
        Self {
            bytes: Some(4 << 30),
            age: None,
        }
    }
}

/// How much the log holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usage {
    /// Bytes of the file that hold something.
    pub bytes: u64,
    /// How many records.
    pub records: u64,
    /// The time of the oldest, in ms since the Unix epoch.
    pub oldest_ms: Option<f64>,
    /// How many records the quota has removed since the log was made.
    pub removed: u64,
    /// The time of the newest of those, in ms since the Unix epoch.
    pub removed_upto_ms: Option<f64>,
    /// What it may hold.
    pub quota: Quota,
}
