//! The one thread that writes.
//!
//! Takes what the queue gathered, writes it in one transaction, then tells the index and whoever waits. When it cannot
//! write (full disk) it keeps the batch, says why, and tries again until it can: nothing taken from the queue is lost.

mod exchanges;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use crate::batch::{Batch, Body, NewRecord};
use crate::index::ConnectionInfo;
use crate::queue::Item;
use crate::shared::{Committed, Shared};
use crate::{Direction, Kind, Seq};

/// How long between attempts while it cannot write.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a clear copies at most to give room back, in bytes.
const COPIED: i64 = 128 << 20;

const INSERT: &str = "INSERT INTO record (seq, connection, kind, direction, at_ns, size, status, pair, latency_ns, \
    batch, span_start, span_end, related, redactions, violation_count, blob, rpc_id, method, summary, violations, http, operation) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)";

const COMPLETE: &str = "UPDATE record SET status = CASE WHEN ?2 = 0 THEN coalesce(status, 0) ELSE coalesce(?2, status) END, \
    pair = coalesce(?3, pair), latency_ns = coalesce(?4, latency_ns) WHERE seq = ?1";

const UPDATE: &str = "UPDATE record SET \
    status = CASE WHEN ?2 = 0 THEN coalesce(status, 0) ELSE coalesce(?2, status) END, \
    pair = coalesce(?3, pair), latency_ns = coalesce(?4, latency_ns), kind = coalesce(?5, kind), \
    method = coalesce(?6, method), rpc_id = coalesce(?7, rpc_id), summary = coalesce(?8, summary), \
    related = coalesce(?9, related), http = coalesce(?12, http), operation = coalesce(?13, operation), violation_count = violation_count + ?10, \
    violations = CASE WHEN ?11 IS NULL THEN violations ELSE coalesce(violations, '') || ?11 END WHERE seq = ?1";

/// Why the last records could not be written, at the end.
pub(crate) struct Unwritten {
    pub(crate) records: usize,
    pub(crate) cause: String,
}

/// The writer's own state.
pub(crate) struct Writer {
    pub(crate) db: Connection,
    pub(crate) shared: Arc<Shared>,
    pub(crate) run: i64,
    /// The wall clock of the run's anchor.
    pub(crate) wall_ns: i64,
    /// A clear among what was taken from the queue, not yet done: of this server, or of all.
    pub(crate) clears: Option<Option<String>>,
}

impl Writer {
    /// Works until the queue is closed and empty.
    pub(crate) fn run(mut self) -> Result<(), Unwritten> {
        let mut items = VecDeque::new();
        let mut batch = Batch::default();
        while self.shared.queue.take(&mut items) {
            if let Err(cause) = self.work(&mut items, &mut batch) {
                let left = items
                    .iter()
                    .filter(|item| matches!(item, Item::Record(_)))
                    .count();
                let records = batch.records.len() + left + self.shared.queue.queued_records();
                return Err(Unwritten { records, cause });
            }
        }
        // A clean end leaves one file.
        let _ = self.db.pragma_query(None, "wal_checkpoint(TRUNCATE)", |_| Ok(()));
        Ok(())
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
                Item::Http(seq, at_ns, stage) => batch.http_stage(seq, at_ns, &stage),
                Item::HttpBody(seq, bytes) => batch.http_body(seq, bytes),
                Item::Flush(done) => waiting.push(done),
                Item::Clear { server_id, done } => {
                    self.write(batch)?;
                    self.persist(|writer| writer.clear(server_id.as_deref()))?;
                    self.announce(|index| index.clear(server_id.as_deref()), None);
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

    /// Writes the batch, however long it takes, then empties it.
    fn write(&mut self, batch: &mut Batch) -> Result<(), String> {
        if batch.is_empty() {
            return Ok(());
        }
        let changed = self.persist(|writer| writer.transact(batch))?;
        let last = batch.last();
        self.announce(
            |index| {
                for (id, info) in batch.connections.drain(..) {
                    index.connect(id, info);
                }
                for record in &batch.records {
                    index.insert(record.seq, record.connection, record.kind());
                }
                for (seq, kind) in changed {
                    index.change(seq, kind);
                }
            },
            last,
        );
        batch.clear();
        Ok(())
    }

    /// Lets the index and then whoever waits know.
    fn announce(&self, update: impl FnOnce(&mut crate::index::Index), last: Option<Seq>) {
        update(&mut self.shared.index_mut());
        self.shared.committed.send_modify(|committed| {
            let Committed { version, seq } = *committed;
            *committed = Committed {
                version: version + 1,
                seq: last.unwrap_or(seq),
            };
        });
    }

    /// Does it until it succeeds. While it does not, the problem is visible, and a clear that waits in the queue is done
    /// first, as it may make room. Gives up only when the store is closed.
    fn persist<T>(&mut self, mut attempt: impl FnMut(&mut Self) -> rusqlite::Result<T>) -> Result<T, String> {
        loop {
            self.apply_size_limit();
            let cause = match attempt(self) {
                Ok(done) => {
                    self.shared
                        .problem
                        .send_if_modified(|problem| problem.take().is_some());
                    return Ok(done);
                }
                Err(error) => error.to_string(),
            };
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
                self.announce(|index| index.clear(server_id.as_deref()), None);
                continue;
            }
            if stall.closed {
                self.apply_size_limit();
                return attempt(self).map_err(|_| cause);
            }
        }
    }

    /// SQLite refuses to grow the file past the limit as it would on a full disk.
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

    /// One transaction. Returns the records of earlier batches that changed.
    fn transact(&mut self, batch: &Batch) -> rusqlite::Result<Vec<(Seq, Option<Kind>)>> {
        let transaction = self.db.transaction()?;
        for (id, info) in &batch.connections {
            let (server_id, server_name) = (&info.server_id, &info.server_name);
            transaction
                .prepare_cached(
                    "INSERT INTO connection (id, run, server_id, server_name, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute((id, self.run, server_id, server_name, info.origin.code()))?;
        }
        for (id, kind, label) in &batch.operations {
            transaction
                .prepare_cached("INSERT INTO operation (id, kind, label) VALUES (?1, ?2, ?3)")?
                .execute((*id as i64, kind, label))?;
        }
        let mut changed = Vec::with_capacity(batch.updates.len());
        {
            let mut insert = transaction.prepare_cached(INSERT)?;
            let mut body = transaction.prepare_cached("INSERT INTO body (seq, bytes) VALUES (?1, ?2)")?;
            for record in &batch.records {
                let blob = match &record.body {
                    Body::None => None,
                    Body::Inline(bytes) => {
                        body.execute((record.seq as i64, &bytes[..]))?;
                        None
                    }
                    Body::Hashed(hash, bytes) => Some(blob(&transaction, hash, bytes)?),
                };
                let direction = match (record.direction, record.member_of) {
                    (None, Some((frame, ..))) => direction_of(&transaction, frame)?,
                    (direction, _) => direction.map(direction_code),
                };
                insert_record(&mut insert, record, direction, blob)?;
            }
            let mut complete = transaction.prepare_cached(COMPLETE)?;
            let mut update = transaction.prepare_cached(UPDATE)?;
            for (seq, about) in &batch.updates {
                let status = about.status.map(crate::Status::code);
                let pair = about.pair.map(|seq| seq as i64);
                let latency = about.latency_ns.map(|ns| ns as i64);
                let done = if about.is_answer() {
                    complete.execute((*seq as i64, status, pair, latency))?
                } else {
                    update.execute((
                        *seq as i64,
                        status,
                        pair,
                        latency,
                        about.kind.map(Kind::code),
                        &about.method,
                        &about.rpc_id,
                        &about.summary,
                        about.related.map(|seq| seq as i64),
                        about.violations.len() as i64,
                        about.violation_lines(),
                        about.http.map(|seq| seq as i64),
                        about.operation.map(|operation| operation.0 as i64),
                    ))?
                };
                if done > 0 {
                    changed.push((*seq, about.kind));
                }
            }
        }
        exchanges::write(&transaction, batch, &mut changed)?;
        transaction.commit()?;
        Ok(changed)
    }

    /// Forgets all records, or those of one server, and gives their room back to the disk.
    fn clear(&mut self, server_id: Option<&str>) -> rusqlite::Result<()> {
        let last = self.shared.index().last() as i64;
        let last_operation = self.shared.queue.last_operation() as i64;
        let transaction = self.db.transaction()?;
        // Numbers are never used again, not even by the next run.
        transaction.execute(
            "UPDATE run SET last_seq = ?1, last_operation = ?2 WHERE id = ?3",
            (last, last_operation, self.run),
        )?;
        match server_id {
            None => {
                transaction.execute_batch(
                    "DELETE FROM record; DELETE FROM body; DELETE FROM blob; DELETE FROM http_stage; \
                     DELETE FROM http_later; DELETE FROM http_body; DELETE FROM operation;",
                )?;
                transaction.execute("DELETE FROM connection WHERE run <> ?1", [self.run])?;
                transaction.execute("DELETE FROM run WHERE id <> ?1", [self.run])?;
            }
            Some(server_id) => {
                let of_server = "connection IN (SELECT id FROM connection WHERE server_id = ?1)";
                for table in ["body", "http_stage", "http_later", "http_body"] {
                    transaction.execute(
                        &format!(
                            "DELETE FROM {table} WHERE seq IN (SELECT seq FROM record WHERE {of_server})"
                        ),
                        [server_id],
                    )?;
                }
                transaction.execute(&format!("DELETE FROM record WHERE {of_server}"), [server_id])?;
                transaction.execute(
                    "DELETE FROM blob WHERE id NOT IN (SELECT blob FROM record WHERE blob IS NOT NULL)",
                    [],
                )?;
                transaction.execute(
                    "DELETE FROM connection WHERE server_id = ?1 AND run <> ?2",
                    (server_id, self.run),
                )?;
            }
        }
        transaction.commit()?;
        self.give_back();
        Ok(())
    }

    /// Gives the room of what was deleted back to the disk, if what is left is quickly copied; if not, later records use it.
    fn give_back(&self) {
        let of = |name| {
            self.db
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .unwrap_or(0)
        };
        let (pages, free) = (of("page_count"), of("freelist_count"));
        if free > pages / 2 && (pages - free) * of("page_size") < COPIED {
            // Best effort: on a full disk there may be no room to make room.
            let _ = self.db.execute_batch("VACUUM");
        }
        let _ = self.db.pragma_query(None, "wal_checkpoint(TRUNCATE)", |_| Ok(()));
    }
}

pub(crate) fn direction_code(direction: Direction) -> i64 {
    match direction {
        Direction::ClientToServer => 0,
        Direction::ServerToClient => 1,
    }
}

fn direction_of(db: &Connection, frame: Seq) -> rusqlite::Result<Option<i64>> {
    use rusqlite::OptionalExtension;
    let mut select = db.prepare_cached("SELECT direction FROM record WHERE seq = ?1")?;
    Ok(select
        .query_row([frame as i64], |row| row.get(0))
        .optional()?
        .flatten())
}

/// The row of these bytes among the large ones.
fn blob(db: &Connection, hash: &[u8; 32], bytes: &[u8]) -> rusqlite::Result<i64> {
    db.prepare_cached("INSERT INTO blob (sha256, bytes) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING")?
        .execute((hash, bytes))?;
    db.prepare_cached("SELECT id FROM blob WHERE sha256 = ?1")?
        .query_row([hash], |row| row.get(0))
}

fn insert_record(
    insert: &mut rusqlite::CachedStatement<'_>,
    record: &NewRecord,
    direction: Option<i64>,
    blob: Option<i64>,
) -> rusqlite::Result<()> {
    let about = &record.about;
    let signed = |value: Option<u64>| value.map(|value| value as i64);
    insert.raw_bind_parameter(1, record.seq as i64)?;
    insert.raw_bind_parameter(2, record.connection)?;
    insert.raw_bind_parameter(3, record.kind().code())?;
    insert.raw_bind_parameter(4, direction)?;
    insert.raw_bind_parameter(5, record.at_ns as i64)?;
    insert.raw_bind_parameter(6, record.size as i64)?;
    insert.raw_bind_parameter(7, about.status.map(crate::Status::code))?;
    insert.raw_bind_parameter(8, signed(about.pair))?;
    insert.raw_bind_parameter(9, signed(about.latency_ns))?;
    insert.raw_bind_parameter(10, signed(record.member_of.map(|member| member.0)))?;
    insert.raw_bind_parameter(11, signed(record.member_of.map(|member| member.1)))?;
    insert.raw_bind_parameter(12, signed(record.member_of.map(|member| member.2)))?;
    insert.raw_bind_parameter(13, signed(about.related))?;
    insert.raw_bind_parameter(14, record.redactions)?;
    insert.raw_bind_parameter(15, about.violations.len() as i64)?;
    insert.raw_bind_parameter(16, blob)?;
    insert.raw_bind_parameter(17, about.rpc_id.as_deref())?;
    insert.raw_bind_parameter(18, about.method.as_deref())?;
    insert.raw_bind_parameter(19, about.summary.as_deref())?;
    insert.raw_bind_parameter(20, about.violation_lines())?;
    insert.raw_bind_parameter(21, signed(about.http))?;
    insert.raw_bind_parameter(22, signed(about.operation.map(|operation| operation.0)))?;
    insert.raw_execute()?;
    Ok(())
}
