//! The writer thread.
//!
//! It writes the queued records in one transaction, then updates the index and notifies waiters. If writing fails (disk
//! full), it keeps the batch, reports the problem, and retries until it succeeds: no queued record is lost.

mod changed;
mod delete;
mod exchanges;
mod forget;
mod indexes;
mod records;

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rusqlite::Connection;

pub(crate) use delete::forget_operations;

use crate::Seq;
use crate::error::STOPPED;
use crate::intake::batch::Batch;
use crate::intake::queue::{Item, lock};
use crate::query::index::ConnectionInfo;
use crate::shared::{Committed, Shared};
use changed::Changed;

/// The delay between attempts after a failure.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long the close of the log deletes hidden records before it leaves the rest to the next start.
const AT_CLOSE: Duration = Duration::from_secs(2);
/// The delay between attempts to empty the write-ahead log while a reader holds it. Each may take 200 ms.
const WAL_PATIENCE: Duration = Duration::from_secs(2);

/// What is lost at the end, or may be.
pub(crate) enum Loss {
    /// Records that could not be written, and why.
    Unwritten { records: usize, cause: String },
    /// What was written is not sure to be on the disk; why.
    Unsynced { cause: String },
}

/// The state of the writer.
pub(crate) struct Writer {
    pub(crate) db: Connection,
    pub(crate) shared: Arc<Shared>,
    pub(crate) run: i64,
    /// The wall clock of the run's anchor.
    pub(crate) wall_ns: i64,
    /// The newest operation of earlier runs.
    pub(crate) earlier_operations: i64,
    /// A queued clear that is not done yet: of this server, or of all.
    pub(crate) clears: Option<Option<String>>,
    /// The segments of the index whose saved form is up to date.
    pub(crate) saved: BTreeSet<u64>,
    /// Whether hidden records have yet to be deleted.
    pub(crate) deleting: bool,
    /// Whether the last attempt to hide or delete records failed. The next one is when `wal_due` is.
    pub(crate) stuck: bool,
    /// When to remove from the write-ahead log what was deleted; none if nothing of it is left there.
    pub(crate) wal_due: Option<Instant>,
    /// When the quota was last checked.
    pub(crate) checked: Option<Instant>,
    /// Whether something was written or removed since.
    pub(crate) unchecked: bool,
    /// When the oldest record will be over the maximum age, on the clock that records have; none if there is no need to wake up
    /// for it.
    pub(crate) expires: Option<Duration>,
    /// Why what is committed is not sure to be on the disk; none if it is, or will be with the next checkpoint.
    pub(crate) unsynced: Arc<Mutex<Option<Arc<str>>>>,
}

impl Writer {
    /// Runs to the end. A panic closes the log: what cannot be recorded must not cross, so connections end with this as their
    /// cause. (What it said may quote a record, so it is in no message; `patchbay.log` has its place.)
    pub(crate) fn live(self) -> Result<(), Loss> {
        let shared = Arc::clone(&self.shared);
        match catch_unwind(AssertUnwindSafe(|| self.run())) {
            Ok(ended) => ended,
            Err(_) => Err(Loss::Unwritten {
                records: shared.writer_died(STOPPED),
                cause: STOPPED.to_owned(),
            }),
        }
    }

    /// Runs until the queue is closed and empty.
    fn run(mut self) -> Result<(), Loss> {
        let mut items = VecDeque::new();
        let mut batch = Batch::default();
        while self.shared.queue.take(&mut items, self.patience()) {
            if let Err(cause) = self.work(&mut items, &mut batch) {
                let left = items
                    .iter()
                    .filter(|item| matches!(item, Item::Record(_)))
                    .count();
                let records = batch.records.len() + left + self.shared.queue.queued_records();
                return Err(Loss::Unwritten { records, cause });
            }
            self.clean_up();
        }
        self.delete_within(AT_CLOSE);
        self.save_indexes(true);
        // A clean shutdown leaves a single file.
        let emptied = self.empty_wal();
        emptied.map(|_| ()).map_err(|error| Loss::Unsynced {
            cause: error.to_string(),
        })
    }

    /// How long to wait for something to write before there is something else to do.
    fn patience(&self) -> Option<Duration> {
        if self.deleting {
            return Some(Duration::ZERO);
        }
        let wal = self
            .wal_due
            .map(|due| due.saturating_duration_since(Instant::now()));
        wal.into_iter().chain(self.until_check()).min()
    }

    /// Moves what is in the write-ahead log into the file, and empties it. Whether it is empty: not while a reader holds it.
    fn empty_wal(&self) -> rusqlite::Result<bool> {
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            row.get(0).map(|busy: i64| busy == 0)
        })
    }

    fn work(&mut self, items: &mut VecDeque<Item>, batch: &mut Batch) -> Result<(), String> {
        self.clears = items.iter().find_map(Item::clears);
        let mut waiting = Vec::new();
        while let Some(item) = items.pop_front() {
            match item {
                Item::Connection {
                    id,
                    server_id,
                    server_name,
                    origin,
                } => {
                    let info = ConnectionInfo {
                        server_id,
                        server_name,
                        origin,
                        wall_ns: self.wall_ns,
                    };
                    batch.connections.push((id, info));
                }
                Item::Operation { id, kind, label } => batch.operations.push((id, kind, label)),
                Item::Record(entry) => batch.record(entry),
                Item::Describe(seq, description) => batch.say(seq, description.into()),
                Item::Violations(seq, violations) => batch.say(seq, violations.into()),
                Item::Answer(seq, answer) => batch.say(seq, answer.into()),
                Item::Http(seq, at_ns, stage, redactions) => {
                    batch.http_stage(seq, at_ns, &stage);
                    batch.masked(seq, redactions);
                }
                Item::HttpBody(seq, bytes, redactions) => {
                    batch.http_body(seq, bytes);
                    batch.masked(seq, redactions);
                }
                Item::Flush(done) => waiting.push(done),
                #[cfg(test)]
                Item::Trial(by) => self.wall_ns += by.expect("the writer is killed"),
                Item::Quota { quota, done } => {
                    let saved = quota.save(&self.db);
                    if saved.is_ok() {
                        *lock(&self.shared.quota) = quota;
                        self.checked = None;
                    }
                    let _ = done.send(saved);
                }
                Item::Clear { server_id, done } => {
                    self.write(batch)?;
                    self.persist(|writer| writer.clear(server_id.as_deref()))?;
                    self.clears = items.iter().find_map(Item::clears);
                    waiting.push(done);
                }
            }
        }
        self.write(batch)?;
        for done in waiting {
            let _ = done.send(());
        }
        Ok(())
    }

    /// Writes the batch, retrying as long as necessary, then empties it.
    fn write(&mut self, batch: &mut Batch) -> Result<(), String> {
        if batch.is_empty() {
            return Ok(());
        }
        let (changed, grown) = self.write_and_index(batch)?;
        self.unchecked = true;
        let last = batch.last();
        self.announce(
            |index| {
                for (id, info) in batch.connections.drain(..) {
                    index.connect(id, info);
                }
                for record in &batch.records {
                    index.insert(record.seq, &record.facets());
                }
                for (seq, was, is) in &changed {
                    index.change(*seq, was, is);
                }
                for seq in &grown {
                    index.grow(*seq);
                }
            },
            last,
        );
        batch.clear();
        self.save_indexes(false);
        Ok(())
    }

    /// Adds the texts of the batch to the text index, and writes it.
    fn write_and_index(&mut self, batch: &mut Batch) -> Result<(Vec<Changed>, Vec<Seq>), String> {
        let members = self.complete(batch);
        indexes::add(&self.shared, &self.texts(batch, &members));
        self.persist(|writer| writer.transact(batch))
    }

    /// Updates the index, then notifies waiters.
    fn announce(&self, update: impl FnOnce(&mut crate::query::index::Index), last: Option<Seq>) {
        update(&mut self.shared.index_mut());
        self.shared.committed.send_modify(|committed| {
            let Committed { version, seq } = *committed;
            *committed = Committed {
                version: version + 1,
                seq: last.unwrap_or(seq),
            };
        });
    }

    /// Retries until it succeeds. Meanwhile the problem is visible, and a queued clear is done first, because it may free
    /// space. Gives up only when the store is closed.
    fn persist<T>(&mut self, mut attempt: impl FnMut(&mut Self) -> rusqlite::Result<T>) -> Result<T, String> {
        loop {
            self.apply_size_limit();
            let cause = match attempt(self) {
                Ok(done) => {
                    let unsynced = lock(&self.unsynced).clone();
                    self.shared.problem.send_if_modified(|problem| {
                        let new = *problem != unsynced;
                        if let Some(cause) = unsynced.as_ref().filter(|_| new) {
                            tracing::warn!(%cause, "the log cannot be synchronized");
                        }
                        *problem = unsynced;
                        new
                    });
                    return Ok(done);
                }
                Err(error) => error.to_string(),
            };
            if (self.deleting || self.stuck) && self.delete_piece().is_ok() {
                // That may have made room.
                continue;
            }
            self.shared.problem.send_if_modified(|problem| {
                let new = problem.as_deref() != Some(&*cause);
                if new {
                    tracing::warn!(%cause, "records cannot be written");
                    *problem = Some(cause.as_str().into());
                }
                new
            });
            let stall = self.shared.queue.stall(PATIENCE);
            if let Some(server_id) = self.clears.clone().or(stall.clears)
                && self.clear(server_id.as_deref()).is_ok()
            {
                continue;
            }
            if stall.closed {
                self.apply_size_limit();
                return attempt(self).map_err(|_| cause);
            }
        }
    }

    /// Limits the size of the file: SQLite then fails as on a full disk.
    fn apply_size_limit(&self) {
        let limit = self.shared.size_limit();
        let page: i64 = self
            .db
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .unwrap_or(4096);
        // 2^32 - 2 pages is SQLite's own limit.
        let pages = limit.map_or(4_294_967_294, |bytes| (bytes as i64 / page.max(1)).max(1));
        let _ = self
            .db
            .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()));
    }
}
