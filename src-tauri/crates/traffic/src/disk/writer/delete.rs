//! Deletes the rows of hidden records, piece by piece.
//!
//! What is deleted is overwritten, so a piece needs as much space in the write-ahead log as its rows have bytes. Each piece is
//! one transaction of a bounded size: the next checkpoint makes room for the next piece, also on a full disk, and what is
//! recorded meanwhile is written in between.

use rusqlite::{Connection, OptionalExtension, Params};

use super::Writer;
use crate::query::grams::{PAGE, SLICES};

/// The number of records deleted per piece.
const RECORDS: i64 = 4096;
/// A piece ends after the row beyond this size.
const PIECE: i64 = 8 << 20;
/// What a row costs beside its text or bytes.
const ROW: i64 = 128;
/// The number of this run's newest operations that may still be in progress: later records refer to them.
const IN_PROGRESS: i64 = 10_000;

/// The tables with rows of a record, by its number, each with the column that has most of their size. The record itself is
/// last: until then, an exchange gets more rows.
const TABLES: [(&str, &str); 6] = [
    ("body", "bytes"),
    ("http_stage", "stages"),
    ("http_later", "stages"),
    ("http_body", "bytes"),
    ("violation", "message"),
    ("record", "summary"),
];

/// All rows, or those that are not of another server's record. A row without a record is of an exchange that went on after its
/// record was deleted, which earlier versions recorded.
const HIDDEN: &str = "(?3 IS NULL OR seq NOT IN (SELECT seq FROM record WHERE seq BETWEEN ?1 AND ?2 \
    AND connection NOT IN (SELECT id FROM connection WHERE server_id = ?3)))";

/// The run of the oldest record: nothing refers to earlier runs. Without records, this run.
const OLDEST_RUN: &str = "coalesce((SELECT coalesce(connection.run, 0) FROM record \
    LEFT JOIN connection ON connection.id = record.connection ORDER BY seq LIMIT 1), ?1)";

/// Records that are hidden and not deleted yet: those of a server, or all, after `done`.
struct Cleared {
    id: i64,
    server_id: Option<String>,
    done: i64,
    upto: i64,
}

impl Writer {
    /// Deletes a piece of the hidden records.
    pub(super) fn delete_piece(&mut self) -> rusqlite::Result<()> {
        let newest = self.shared.queue.last_operation() as i64;
        let over = self.earlier_operations.max(newest - IN_PROGRESS);
        let transaction = self.db.transaction()?;
        let select = "SELECT id, server_id, done, upto FROM cleared ORDER BY id LIMIT 1";
        let next = transaction.query_row(select, [], |row| {
            Ok(Cleared {
                id: row.get(0)?,
                server_id: row.get(1)?,
                done: row.get(2)?,
                upto: row.get(3)?,
            })
        });
        match next.optional()? {
            Some(cleared) if cleared.done < cleared.upto => records(&transaction, &cleared)?,
            Some(cleared) => rest(&transaction, &cleared, self.run, over)?,
            None => {
                drop(transaction);
                (self.deleting, self.stuck) = (false, false);
                self.release_space();
                return Ok(());
            }
        }
        transaction.commit()
    }
}

/// Deletes the next records and their rows.
fn records(db: &Connection, cleared: &Cleared) -> rusqlite::Result<()> {
    let (done, upto) = (cleared.done, cleared.upto);
    let first: Option<i64> = db.query_row(
        "SELECT min(seq) FROM record WHERE seq > ?1 AND seq <= ?2",
        (done, upto),
        |row| row.get(0),
    )?;
    let last = first.map_or(upto, |first| (first + RECORDS - 1).min(upto));
    let mut left = PIECE;
    for (table, column) in TABLES {
        let select = format!(
            "SELECT rowid, octet_length({column}) FROM {table} WHERE seq BETWEEN ?1 AND ?2 AND {HIDDEN}"
        );
        rows(
            db,
            table,
            &select,
            (done + 1, last, &cleared.server_id),
            &mut left,
        )?;
        if left <= 0 {
            return Ok(());
        }
    }
    db.execute("UPDATE cleared SET done = ?2 WHERE id = ?1", (cleared.id, last))?;
    Ok(())
}

/// Deletes what belonged to the records: texts of the index, large bodies, connections, operations.
fn rest(db: &Connection, cleared: &Cleared, run: i64, operations: i64) -> rusqlite::Result<()> {
    let mut left = PIECE;
    if cleared.server_id.is_none() {
        let select = "SELECT id, octet_length(words) FROM text_page \
            WHERE id < coalesce((SELECT min(seq) FROM record) / ?1 * ?2, ?3)";
        let pages = (PAGE as i64, SLICES as i64, i64::MAX);
        rows(db, "text_page", select, pages, &mut left)?;
    }
    let select = "SELECT id, octet_length(bytes) FROM blob \
        WHERE id NOT IN (SELECT blob FROM record WHERE blob IS NOT NULL)";
    rows(db, "blob", select, [], &mut left)?;
    if left <= 0 {
        return Ok(());
    }
    match &cleared.server_id {
        Some(server_id) => {
            db.execute(
                "DELETE FROM connection WHERE server_id = ?1 AND run <> ?2 \
                 AND id NOT IN (SELECT connection FROM record WHERE seq > ?3)",
                (server_id, run, cleared.upto),
            )?;
        }
        None => {
            db.execute(&format!("DELETE FROM connection WHERE run < {OLDEST_RUN}"), [run])?;
            db.execute(&format!("DELETE FROM run WHERE id < {OLDEST_RUN}"), [run])?;
        }
    }
    forget_operations(db, operations)?;
    db.execute("DELETE FROM cleared WHERE id = ?1", [cleared.id])?;
    Ok(())
}

/// Deletes the rows that `select` finds (number and size), until nothing is left of this piece.
fn rows(
    db: &Connection,
    table: &str,
    select: &str,
    which: impl Params,
    left: &mut i64,
) -> rusqlite::Result<()> {
    let mut found = Vec::new();
    let mut select = db.prepare_cached(select)?;
    let mut rows = select.query(which)?;
    while *left > 0
        && let Some(row) = rows.next()?
    {
        found.push(row.get::<_, i64>(0)?);
        *left -= ROW + row.get::<_, Option<i64>>(1)?.unwrap_or(0);
    }
    drop(rows);
    let mut delete = db.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?;
    for row in found {
        delete.execute([row])?;
    }
    Ok(())
}

/// Deletes the operations up to this one that are older than those of all records.
pub(crate) fn forget_operations(db: &Connection, upto: i64) -> rusqlite::Result<()> {
    db.execute(
        "DELETE FROM operation WHERE id <= ?1 \
         AND id < coalesce((SELECT min(operation) FROM record WHERE operation IS NOT NULL), ?2)",
        (upto, i64::MAX),
    )?;
    Ok(())
}
