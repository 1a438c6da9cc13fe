//! Removes records: those that were cleared, and those over the quota.
//!
//! Removed records are hidden at once, in one small transaction. Deleting their rows takes longer, so it is done piece by
//! piece ([`super::delete`]) while nothing else is to be written, and continues at the next start if necessary.

use std::time::{Duration, Instant};

use super::{WAL_PATIENCE, Writer};
use crate::Seq;
use crate::intake::queue::lock;
use crate::query::index::Set;

/// The maximum number of bytes copied to give space back to the disk.
const COPIED: i64 = 128 << 20;
/// How long a clear deletes before it leaves the rest for later.
const AT_ONCE: Duration = Duration::from_millis(200);
/// The interval of quota checks.
const EVERY: Duration = Duration::from_secs(1);

impl Writer {
    /// Removes all records, or those of one server.
    pub(super) fn clear(&mut self, server_id: Option<&str>) -> rusqlite::Result<()> {
        let (last, gone) = {
            let index = self.shared.index();
            let gone = server_id.map_or_else(|| index.all().clone(), |id| index.of_server(id));
            (index.last(), gone)
        };
        self.hide(server_id, last, &gone, None)?;
        if server_id.is_none() {
            lock(&self.shared.text).clear();
        }
        self.delete_within(AT_ONCE);
        Ok(())
    }

    /// Deletes hidden records for at most so long, and leaves the rest for later.
    pub(super) fn delete_within(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while self.deleting && Instant::now() < until {
            self.clean_up();
        }
    }

    /// Hides the records up to `upto`, of one server or of all, which are `gone`. If the quota removes them, `removed_ms` is the
    /// time of the newest.
    fn hide(
        &mut self,
        server_id: Option<&str>,
        upto: Seq,
        gone: &Set,
        removed_ms: Option<i64>,
    ) -> rusqlite::Result<()> {
        let last = self.shared.index().last() as i64;
        let last_operation = self.shared.queue.last_operation() as i64;
        let transaction = self.db.transaction()?;
        // Numbers are never reused, not even by the next run.
        transaction.execute(
            "UPDATE run SET last_seq = ?1, last_operation = ?2 WHERE id = ?3",
            (last, last_operation, self.run),
        )?;
        transaction.execute("DELETE FROM facet", [])?;
        transaction.execute(
            "DELETE FROM cleared WHERE (?1 IS NULL OR server_id = ?1) AND upto <= ?2",
            (server_id, upto as i64),
        )?;
        transaction.execute(
            "INSERT INTO cleared (server_id, done, upto) VALUES (?1, 0, ?2)",
            (server_id, upto as i64),
        )?;
        if let Some(removed_ms) = removed_ms {
            transaction.execute(
                "INSERT INTO removed (id, records, upto_ms) VALUES (1, ?1, ?2) \
                 ON CONFLICT (id) DO UPDATE SET records = records + ?1, upto_ms = ?2",
                (gone.len() as i64, removed_ms),
            )?;
        }
        transaction.commit()?;
        self.saved.clear();
        self.announce(|index| index.forget(gone), None);
        self.deleting = true;
        self.unchecked = true;
        Ok(())
    }

    /// Deletes a piece of the hidden records, and hides those over the quota.
    pub(super) fn clean_up(&mut self) {
        if self.wal_due.is_some_and(|due| due <= Instant::now()) {
            self.forget_wal();
            self.deleting |= self.stuck;
        }
        let tidied = match self.deleting {
            true => self.delete_piece(),
            false => self.keep_quota(),
        };
        if let Err(error) = tidied {
            // Once, not with every attempt.
            if !self.stuck {
                tracing::warn!(%error, "records cannot be removed");
            }
            self.stuck = true;
            self.deleting = false;
            // The next attempt.
            self.wal_due = Some(Instant::now() + WAL_PATIENCE);
        }
    }

    /// Hides the oldest records if the log exceeds its quota.
    fn keep_quota(&mut self) -> rusqlite::Result<()> {
        let quota = *lock(&self.shared.quota);
        if self.stuck || self.checked.is_some_and(|checked| checked.elapsed() < EVERY) {
            return Ok(());
        }
        self.checked = Some(Instant::now());
        let now = self.now();
        let all = self.shared.index().all().len();
        let used = self.used();
        let mut many = 0;
        if let Some(limit) = quota.bytes.filter(|limit| used > *limit) {
            // A tenth of the space is freed at once, so that this is rare.
            let over = used - limit / 10 * 9;
            many = (u128::from(all) * u128::from(over)).div_ceil(u128::from(used.max(1))) as u64;
        }
        if let Some(age) = quota.age
            && self.older_than(now.saturating_sub(age), all)? > 0
        {
            // A tenth of the time, for the same reason.
            let kept = age - age / 10;
            many = many.max(self.older_than(now.saturating_sub(kept), all)?);
        }
        let upto = self.shared.index().all().select(many.min(all).wrapping_sub(1));
        if let Some(upto) = upto.filter(|_| many > 0) {
            return self.forget_upto(upto);
        }
        self.expires = self.expiry(quota.age)?.filter(|expires| *expires > now);
        self.unchecked = false;
        Ok(())
    }

    /// How long until the quota is to be checked, even if nothing is written; none if it then has nothing to remove.
    pub(super) fn until_check(&self) -> Option<Duration> {
        // The next attempt to remove records comes first.
        if self.stuck {
            return None;
        }
        let Some(checked) = self.checked else {
            return Some(Duration::ZERO);
        };
        let due = match self.unchecked {
            true => Duration::ZERO,
            false => self.expires?.saturating_sub(self.now()),
        };
        Some(due.max(EVERY.saturating_sub(checked.elapsed())))
    }

    /// When the oldest record will be older than the quota allows.
    fn expiry(&self, age: Option<Duration>) -> rusqlite::Result<Option<Duration>> {
        let oldest = self.shared.index().all().min();
        let Some((age, oldest)) = age.zip(oldest) else {
            return Ok(None);
        };
        let recorded = u64::try_from(self.wall_ns_of(oldest)?).unwrap_or_default();
        // As old as that is not older.
        let age = age.saturating_add(Duration::from_nanos(1));
        Ok(Some(Duration::from_nanos(recorded).saturating_add(age)))
    }

    /// The time on the clock that records have. The system's may jump, and everything would be too old.
    fn now(&self) -> Duration {
        let run = Duration::from_nanos(u64::try_from(self.wall_ns).unwrap_or_default());
        run + self.shared.anchor.elapsed()
    }

    /// Bytes in use.
    fn used(&self) -> u64 {
        let of = |name| {
            let value = self.db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            value.unwrap_or(0) as u64
        };
        (of("page_count") - of("freelist_count").min(of("page_count"))) * of("page_size")
    }

    /// The number of records before this time.
    fn older_than(&self, time: Duration, all: u64) -> rusqlite::Result<u64> {
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        let (mut from, mut to) = (0, all);
        while from < to {
            let middle = from + (to - from) / 2;
            let seq = self.shared.index().all().select(middle);
            if seq.map_or(Ok(false), |seq| {
                Ok::<_, rusqlite::Error>(self.wall_ns_of(seq)? < time)
            })? {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Ok(from)
    }

    fn wall_ns_of(&self, seq: Seq) -> rusqlite::Result<i64> {
        let (connection, at_ns): (i64, i64) = self
            .db
            .prepare_cached("SELECT connection, at_ns FROM record WHERE seq = ?1")?
            .query_row([seq as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let index = self.shared.index();
        let wall_ns = index.connection(connection).map_or(i64::MAX, |info| info.wall_ns);
        Ok(wall_ns.saturating_add(at_ns))
    }

    fn forget_upto(&mut self, upto: Seq) -> rusqlite::Result<()> {
        let mut gone = Set::default();
        gone.insert_range(0..=upto);
        gone &= self.shared.index().all();
        let upto_ms = self.wall_ns_of(upto)? / 1_000_000;
        self.hide(None, upto, &gone, Some(upto_ms))?;
        tracing::info!(
            records = gone.len(),
            "the oldest records of the traffic log were removed: its quota is reached"
        );
        Ok(())
    }

    /// Gives the freed space back to the disk if that needs little copying. Otherwise later records reuse it.
    pub(super) fn release_space(&mut self) {
        let of = |name| {
            self.db
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .unwrap_or(0)
        };
        let (pages, free) = (of("page_count"), of("freelist_count"));
        if free > pages / 2 && (pages - free) * of("page_size") < COPIED {
            // Best effort: on a full disk there may be no space for it.
            let _ = self.db.execute_batch("VACUUM");
        }
        self.forget_wal();
    }

    /// Removes what was deleted from the write-ahead log, or plans another attempt.
    fn forget_wal(&mut self) {
        let emptied = self.empty_wal().unwrap_or_else(|error| {
            // Once, not with every attempt.
            if self.wal_due.is_none() {
                tracing::warn!(%error, "the write-ahead log cannot be emptied");
            }
            false
        });
        self.wal_due = (!emptied).then(|| Instant::now() + WAL_PATIENCE);
    }
}

#[cfg(test)]
mod tests;
