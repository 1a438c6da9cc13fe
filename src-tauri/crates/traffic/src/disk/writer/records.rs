//! Writes one batch.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::{Connection, ErrorCode};

use super::changed::{Changed, changed_from};
use super::indexes::text_changed;
use super::{Writer, exchanges};
use crate::disk::columns::{WARNING, direction_code, facets};
use crate::intake::batch::{About, Batch, Body, NewRecord, VIOLATIONS};
use crate::query::index::SEGMENT;
use crate::shared::Shared;
use crate::{Kind, LogClass, Seq, Severity, Violation};

/// The maximum stored size of a violation's message, in bytes.
const MESSAGE: usize = 4096;

const INSERT: &str = "INSERT INTO record (seq, connection, kind, direction, at_ns, size, status, pair, latency_ns, \
    batch, span_start, span_end, related, redactions, violation_count, blob, rpc_id, method, summary, http, operation, tool, log, logger) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)";

const COMPLETE: &str = "UPDATE record SET status = CASE WHEN ?2 = 0 THEN coalesce(status, 0) ELSE coalesce(?2, status) END, \
    pair = coalesce(?3, pair), latency_ns = coalesce(?4, latency_ns) WHERE seq = ?1";

const UPDATE: &str = "UPDATE record SET \
    status = CASE WHEN ?2 = 0 THEN coalesce(status, 0) ELSE coalesce(?2, status) END, \
    pair = coalesce(?3, pair), latency_ns = coalesce(?4, latency_ns), kind = coalesce(?5, kind), \
    method = coalesce(?6, method), rpc_id = coalesce(?7, rpc_id), summary = coalesce(?8, summary), \
    related = coalesce(?9, related), http = coalesce(?12, http), operation = coalesce(?13, operation), tool = coalesce(?11, tool), log = coalesce(?14, log), logger = coalesce(?15, logger), violation_count = violation_count + ?10 WHERE seq = ?1";

impl Writer {
    /// Writes a batch in one transaction. Returns the changed records of earlier batches, and exchanges of which there is only
    /// more to search.
    pub(super) fn transact(&mut self, batch: &Batch) -> rusqlite::Result<(Vec<Changed>, Vec<Seq>)> {
        let shared = Arc::clone(&self.shared);
        let transaction = self.db.transaction()?;
        for (id, info) in &batch.connections {
            let (server_id, server_name) = (&info.server_id, &info.server_name);
            let inserted = transaction
                .prepare_cached(
                    "INSERT INTO connection (id, run, server_id, server_name, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute((id, self.run, server_id, server_name, info.origin.code()));
            fits(inserted)?;
        }
        for (id, kind, label) in &batch.operations {
            let inserted = transaction
                .prepare_cached("INSERT INTO operation (id, kind, label) VALUES (?1, ?2, ?3)")?
                .execute((*id as i64, kind, label));
            fits(inserted)?;
        }
        let mut changed = Vec::with_capacity(batch.updates.len());
        {
            let mut insert = transaction.prepare_cached(INSERT)?;
            let mut body = transaction.prepare_cached("INSERT INTO body (seq, bytes) VALUES (?1, ?2)")?;
            for record in &batch.records {
                let blob = match &record.body {
                    Body::None => None,
                    Body::Inline(bytes) => {
                        fits(body.execute((record.seq as i64, &bytes[..])))?;
                        None
                    }
                    Body::Hashed(hash, bytes) => blob(&transaction, hash, bytes)?,
                };
                if !fits(insert_record(&mut insert, record, blob))? {
                    let stub = stub(record);
                    insert_record(&mut insert, &stub, None)?;
                    changed.push((record.seq, record.facets(), stub.facets()));
                }
                violations(&transaction, record.seq, &record.about.violations)?;
            }
        }
        updates(&transaction, &shared, batch, &mut changed)?;
        let grown = exchanges::write(&transaction, batch, &mut changed)?;
        for seq in batch.exchanges.keys() {
            text_changed(&transaction, &shared, *seq)?;
        }
        let records = batch.records.iter().map(|record| record.seq);
        let segments = records.chain(changed.iter().map(|changed| changed.0));
        let stale: BTreeSet<u64> = segments.map(|seq| seq / SEGMENT).collect();
        for segment in stale.intersection(&self.saved) {
            transaction
                .prepare_cached("DELETE FROM facet WHERE segment = ?1")?
                .execute([*segment as i64])?;
        }
        transaction.commit()?;
        self.saved.retain(|segment| !stale.contains(segment));
        Ok((changed, grown))
    }
}

/// Writes what was said about records of earlier batches, which are added to `changed`.
fn updates(
    db: &Connection,
    shared: &Shared,
    batch: &Batch,
    changed: &mut Vec<Changed>,
) -> rusqlite::Result<()> {
    let mut complete = db.prepare_cached(COMPLETE)?;
    let mut update = db.prepare_cached(UPDATE)?;
    for (seq, about) in &batch.updates {
        let Some(was) = facets(db, *seq)? else {
            continue;
        };
        if about.is_answer() {
            let (status, pair, latency) = answer_columns(about);
            complete.execute((*seq as i64, status, pair, latency))?;
            changed.push(changed_from(db, *seq, was, &[])?);
            continue;
        }
        let found = kept(db, *seq, &about.violations)?;
        if fits(update_record(&mut update, *seq, about))? {
            violations(db, *seq, found)?;
            text_changed(db, shared, *seq)?;
            changed.push(changed_from(db, *seq, was, found)?);
        }
    }
    Ok(())
}

/// What completes a request: status, pair and latency.
fn answer_columns(about: &About) -> (Option<i64>, Option<i64>, Option<i64>) {
    (
        about.status.map(crate::Status::code),
        about.pair.map(|seq| seq as i64),
        about.latency_ns.map(|ns| ns as i64),
    )
}

fn update_record(
    update: &mut rusqlite::CachedStatement<'_>,
    seq: Seq,
    about: &About,
) -> rusqlite::Result<usize> {
    let (status, pair, latency) = answer_columns(about);
    update.execute((
        seq as i64,
        status,
        pair,
        latency,
        about.kind.map(Kind::code),
        &about.method,
        &about.rpc_id,
        &about.summary,
        about.related.map(|seq| seq as i64),
        about.violation_count() as i64,
        &about.tool,
        about.http.map(|seq| seq as i64),
        about.operation.map(|operation| operation.0 as i64),
        about.log.map(LogClass::code),
        &about.logger,
    ))
}

/// Whether SQLite accepted it. `false` if it never will, because it is too large or has the wrong form.
pub(super) fn fits<T>(done: rusqlite::Result<T>) -> rusqlite::Result<bool> {
    match done {
        Ok(_) => Ok(true),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::TooBig | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => {
                tracing::warn!(%error, "a part of a record cannot be stored");
                Ok(false)
            }
            _ => Err(error),
        },
    }
}

/// What is written instead of a record that cannot be stored, so that its number is not missing.
fn stub(record: &NewRecord) -> NewRecord {
    let mut stub = NewRecord::empty(record.seq, record.connection, record.at_ns);
    stub.direction = record.direction;
    stub.size = record.size;
    stub.about.summary =
        Some("This record could not be stored: it is too large for the traffic log.".to_owned());
    stub.about.uncounted = record.about.violation_count();
    stub
}

/// Those of the newly found violations of a record for which it has room.
fn kept<'a>(db: &Connection, seq: Seq, found: &'a [Violation]) -> rusqlite::Result<&'a [Violation]> {
    if found.is_empty() {
        return Ok(found);
    }
    let mut select = db.prepare_cached("SELECT violation_count FROM record WHERE seq = ?1")?;
    let counted: i64 = select.query_row([seq as i64], |row| row.get(0))?;
    let room = VIOLATIONS.saturating_sub(counted as usize);
    Ok(&found[..found.len().min(room)])
}

/// Writes the violations of a record.
fn violations(db: &Connection, seq: Seq, violations: &[Violation]) -> rusqlite::Result<()> {
    for violation in violations {
        let end = violation.message.floor_char_boundary(MESSAGE);
        let severity = match violation.rule.severity() {
            Severity::Warning => WARNING,
            Severity::Error => 1,
        };
        let written = db
            .prepare_cached(
                "INSERT INTO violation (seq, rule, severity, message, pointer, spec) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute((
                seq as i64,
                violation.rule.id(),
                severity,
                &violation.message[..end],
                &violation.pointer,
                violation.spec(),
            ));
        fits(written)?;
    }
    Ok(())
}

/// The row of these bytes in the blob table; `None` if they are too large.
fn blob(db: &Connection, hash: &[u8; 32], bytes: &[u8]) -> rusqlite::Result<Option<i64>> {
    let mut insert = db
        .prepare_cached("INSERT INTO blob (sha256, bytes) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING")?;
    if !fits(insert.execute((hash, bytes)))? {
        return Ok(None);
    }
    db.prepare_cached("SELECT id FROM blob WHERE sha256 = ?1")?
        .query_row([hash], |row| row.get(0))
        .map(Some)
}

fn insert_record(
    insert: &mut rusqlite::CachedStatement<'_>,
    record: &NewRecord,
    blob: Option<i64>,
) -> rusqlite::Result<()> {
    let about = &record.about;
    let signed = |value: Option<u64>| value.map(|value| value as i64);
    insert.raw_bind_parameter(1, record.seq as i64)?;
    insert.raw_bind_parameter(2, record.connection)?;
    insert.raw_bind_parameter(3, record.kind().code())?;
    insert.raw_bind_parameter(4, record.direction.map(direction_code))?;
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
    insert.raw_bind_parameter(15, about.violation_count() as i64)?;
    insert.raw_bind_parameter(16, blob)?;
    insert.raw_bind_parameter(17, about.rpc_id.as_deref())?;
    insert.raw_bind_parameter(18, about.method.as_deref())?;
    insert.raw_bind_parameter(19, about.summary.as_deref())?;
    insert.raw_bind_parameter(20, signed(about.http))?;
    insert.raw_bind_parameter(21, signed(about.operation.map(|operation| operation.0)))?;
    insert.raw_bind_parameter(22, about.tool.as_deref())?;
    insert.raw_bind_parameter(23, about.log.map(LogClass::code))?;
    insert.raw_bind_parameter(24, about.logger.as_deref())?;
    insert.raw_execute()?;
    Ok(())
}
