//! The maximum size and age of the log.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

/// The limits of the log. Beyond them the oldest records are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// The maximum size in use, in bytes; `None`: limited by the disk.
    pub bytes: Option<u64>,
    /// The maximum age of a record; `None`: unlimited. When one is older, so are those older than nine tenths of it: at any
    /// time the log has at least the records of the last nine tenths.
    pub age: Option<Duration>,
}

impl Default for Quota {
    /// 4 GiB, unlimited age.
    fn default() -> Self {
        Self {
            bytes: Some(4 << 30),
            age: None,
        }
    }
}

impl Quota {
    /// The stored quota, or the default.
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

    /// Stores the quota for later runs.
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

/// The size of the log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usage {
    /// Bytes in use.
    pub bytes: u64,
    /// The number of records.
    pub records: u64,
    /// The time of the oldest record, in ms since the Unix epoch.
    pub oldest_ms: Option<f64>,
    /// The number of records that the quota has removed since the log was created.
    pub removed: u64,
    /// The time of the newest removed record, in ms since the Unix epoch.
    pub removed_upto_ms: Option<f64>,
    /// The limits.
    pub quota: Quota,
}
