//! How large and how old the log may become.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

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

impl Quota {
    /// The quota that was set last, in this run or an earlier one; the default if none was.
    pub(crate) fn load(db: &Connection) -> rusqlite::Result<Self> {
        let saved = db
            .query_row("SELECT bytes, age_ms FROM quota WHERE id = 1", [], |row| {
                Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?))
            })
            .optional()?;
        Ok(saved.map_or_else(Self::default, |(bytes, age_ms)| Self {
            bytes: bytes.map(i64::unsigned_abs),
            age: age_ms.map(|ms| Duration::from_millis(ms.unsigned_abs())),
        }))
    }

    /// Writes the quota for later runs.
    pub(crate) fn save(self, db: &Connection) -> rusqlite::Result<()> {
        let bytes = self.bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
        let age = self
            .age
            .map(|age| i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
        db.execute(
            "INSERT OR REPLACE INTO quota (id, bytes, age_ms) VALUES (1, ?1, ?2)",
            (bytes, age),
        )?;
        Ok(())
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
