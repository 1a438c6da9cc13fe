//! Reads rows, records and bytes from SQLite.

mod exchanges;

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension};

pub(crate) use exchanges::{beginning as http_beginning, hold as stages_hold, record as http};

use crate::disk::columns::{WARNING, direction, log_class};
use crate::intake::batch::{HEAD, VIOLATIONS, one_line};
use crate::query::index::Index;
use crate::record::RecordedViolation;
use crate::shared::Shared;
use crate::{Kind, Operation, OperationId, Origin, Record, Row, Seq, Severity, Status, Usage};

/// The maximum number of related rows of a record.
const RELATED: usize = 200;
/// The maximum number of rules of a row: more than those whose violation is of no consequence here.
const RULES: usize = 20;

const SELECT_ROW: &str = "SELECT seq, connection, kind, direction, at_ns, size, status, pair, latency_ns, batch, \
    rpc_id, method, summary, violation_count, http, operation, tool, log, logger FROM record WHERE seq = ?1";

/// The rows that still exist, in the requested order.
pub(crate) fn rows(
    db: &Connection,
    shared: &Shared,
    seqs: impl IntoIterator<Item = Seq>,
) -> rusqlite::Result<Vec<Row>> {
    let mut select = db.prepare_cached(SELECT_ROW)?;
    let mut rows = Vec::new();
    let index = shared.index();
    for seq in seqs {
        if !index.all().contains(seq) {
            continue;
        }
        rows.extend(
            select
                .query_row([seq as i64], |found| row(found, &index))
                .optional()?,
        );
    }
    drop(index);
    for row in &mut rows {
        if row.kind == Kind::Invalid && row.summary.is_none() {
            row.summary = beginning(db, row.seq)?;
        }
        if row.violation_count > 0 {
            row.rules = rules(db, row.seq)?;
        }
    }
    Ok(rows)
}

/// The rules that a record violates.
fn rules(db: &Connection, seq: Seq) -> rusqlite::Result<Vec<String>> {
    let mut select =
        db.prepare_cached("SELECT DISTINCT rule FROM violation WHERE seq = ?1 ORDER BY rule LIMIT ?2")?;
    let found = select.query_map((seq as i64, RULES as i64), |found| found.get(0))?;
    found.collect()
}

/// The summary of a stray line. It is made when the row is read, because the line may yet turn out to be a message.
fn beginning(db: &Connection, seq: Seq) -> rusqlite::Result<Option<String>> {
    let mut select = db.prepare_cached(
        "SELECT substr(coalesce(b.bytes, l.bytes), 1, ?2) FROM record r LEFT JOIN body b ON b.seq = r.seq \
         LEFT JOIN blob l ON l.id = r.blob WHERE r.seq = ?1",
    )?;
    let head: Option<Vec<u8>> = select
        .query_row((seq as i64, HEAD as i64), |found| found.get(0))
        .optional()?
        .flatten();
    Ok(head.map(|head| one_line(&head)))
}

fn row(found: &rusqlite::Row<'_>, index: &Index) -> rusqlite::Result<Row> {
    let unsigned = |at| Ok::<_, rusqlite::Error>(found.get::<_, Option<i64>>(at)?.map(|value| value as u64));
    let connection: i64 = found.get(1)?;
    let kind = Kind::from_code(found.get(2)?);
    let info = index.connection(connection);
    Ok(Row {
        seq: found.get::<_, i64>(0)? as u64,
        at_ms: at_ms(index, connection, found.get(4)?),
        server_id: info.map_or_else(|| "".into(), |info| info.server_id.clone()),
        server_name: info.map_or_else(|| "".into(), |info| info.server_name.clone()),
        connection,
        origin: info.map_or(Origin::Client, |info| info.origin),
        operation: unsigned(15)?.map(OperationId),
        kind: kind.unwrap_or(Kind::Invalid),
        direction: direction(found.get(3)?),
        method: found.get(11)?,
        tool: found.get(16)?,
        log: log_class(kind, found.get(17)?),
        logger: found.get(18)?,
        rpc_id: found.get(10)?,
        summary: found.get(12)?,
        size: found.get::<_, i64>(5)? as u64,
        status: found.get::<_, Option<i64>>(6)?.and_then(Status::from_code),
        pair: unsigned(7)?,
        latency_ns: unsigned(8)?,
        violation_count: found.get(13)?,
        rules: Vec::new(),
        batch: unsigned(9)?,
        http: unsigned(14)?,
    })
}

/// In ms since the Unix epoch, in whole microseconds, so that the number is exact.
pub(crate) fn at_ms(index: &Index, connection: i64, at_ns: i64) -> f64 {
    let wall_ns = index.connection(connection).map_or(0, |info| info.wall_ns);
    (wall_ns.saturating_add(at_ns) / 1000) as f64 / 1000.0
}

/// A record except for its bytes.
pub(crate) fn record(db: &Connection, shared: &Shared, seq: Seq) -> rusqlite::Result<Option<Record>> {
    let mut select =
        db.prepare_cached("SELECT redactions, batch, related, http FROM record WHERE seq = ?1")?;
    let rest = select.query_row([seq as i64], |found| {
        Ok((
            found.get::<_, u32>(0)?,
            found.get::<_, Option<i64>>(1)?,
            found.get::<_, Option<i64>>(2)?,
            found.get::<_, Option<i64>>(3)?,
        ))
    });
    let Some((own_redactions, batch, request, http)) = rest.optional()? else {
        return Ok(None);
    };
    let Some(row) = rows(db, shared, [seq])?.pop() else {
        return Ok(None);
    };
    let violations = violations(db, seq)?;
    // Masked values of a member are counted in the record with its bytes.
    let redactions = match batch {
        Some(batch) => select
            .query_row([batch], |found| found.get(0))
            .optional()?
            .unwrap_or(own_redactions),
        None => own_redactions,
    };
    let pair = match row.pair {
        Some(pair) => rows(db, shared, [pair])?.pop(),
        None => None,
    };
    let related = related(db, &row, [batch, request, http])?;
    let related = rows(db, shared, related)?;
    Ok(Some(Record {
        row,
        violations,
        redactions,
        pair,
        related,
    }))
}

/// The related records: its batch, request and exchange, and those that refer to it.
fn related(db: &Connection, row: &Row, own: [Option<i64>; 3]) -> rusqlite::Result<Vec<Seq>> {
    let mut related: Vec<Seq> = own.into_iter().flatten().map(|seq| seq as u64).collect();
    let mut members = db.prepare_cached(
        "SELECT seq FROM (SELECT seq FROM record WHERE batch = ?1 UNION SELECT seq FROM record WHERE related = ?1) \
         ORDER BY seq LIMIT ?2",
    )?;
    for member in members.query_map((row.seq as i64, RELATED as i64), |found| found.get::<_, i64>(0))? {
        related.push(member? as u64);
    }
    if row.kind == Kind::Http {
        related.extend(exchanges::frames(db, row.seq)?);
    }
    related.sort_unstable();
    related.dedup();
    related.truncate(RELATED);
    Ok(related)
}

/// The violations of a record, in order of detection.
fn violations(db: &Connection, seq: Seq) -> rusqlite::Result<Vec<RecordedViolation>> {
    let mut select = db.prepare_cached(
        "SELECT rule, severity, message, pointer, spec FROM violation WHERE seq = ?1 ORDER BY rowid LIMIT ?2",
    )?;
    let found = select.query_map((seq as i64, VIOLATIONS as i64), |found| {
        Ok(RecordedViolation {
            rule: found.get(0)?,
            severity: match found.get(1)? {
                WARNING => Severity::Warning,
                _ => Severity::Error,
            },
            message: found.get(2)?,
            pointer: found.get(3)?,
            spec: found.get(4)?,
        })
    })?;
    found.collect()
}

/// The size of the log.
pub(crate) fn usage(db: &Connection, shared: &Shared) -> rusqlite::Result<Usage> {
    let of = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let removed: Option<(i64, i64)> = db
        .query_row("SELECT records, upto_ms FROM removed", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let (records, oldest) = {
        let index = shared.index();
        (index.all().len(), index.all().min())
    };
    let oldest = rows(db, shared, oldest)?.pop();
    Ok(Usage {
        bytes: ((of("page_count")? - of("freelist_count")?) * of("page_size")?) as u64,
        records,
        oldest_ms: oldest.map(|row| row.at_ms),
        removed: removed.map_or(0, |(records, _)| records as u64),
        removed_upto_ms: removed.map(|(_, upto)| upto as f64),
        quota: *crate::intake::queue::lock(&shared.quota),
    })
}

/// An operation.
pub(crate) fn operation(db: &Connection, id: OperationId) -> rusqlite::Result<Option<Operation>> {
    db.prepare_cached("SELECT kind, label FROM operation WHERE id = ?1")?
        .query_row([id.0 as i64], |found| {
            Ok(Operation {
                id,
                kind: found.get(0)?,
                label: found.get(1)?,
            })
        })
        .optional()
}

/// The recorded bytes.
pub(crate) fn body(db: &Connection, seq: Seq) -> rusqlite::Result<Option<Bytes>> {
    let mut select =
        db.prepare_cached("SELECT batch, span_start, span_end, blob, kind FROM record WHERE seq = ?1")?;
    let place = |found: &rusqlite::Row<'_>| {
        Ok((
            found.get::<_, Option<i64>>(0)?,
            found.get::<_, Option<i64>>(1)?,
            found.get::<_, Option<i64>>(2)?,
            found.get::<_, Option<i64>>(3)?,
            found.get::<_, i64>(4)?,
        ))
    };
    let Some((batch, start, end, blob, kind)) = select.query_row([seq as i64], place).optional()? else {
        return Ok(None);
    };
    if kind == Kind::Http.code() {
        return exchanges::body(db, seq as i64).map(Some);
    }
    let Some((frame, (start, end))) = batch.zip(start.zip(end)) else {
        return bytes_of(db, seq as i64, blob).map(Some);
    };
    member_bytes(db, frame, (Some(start), Some(end)), &mut None).map(Some)
}

/// The bytes of a member within its frame. `read` caches the frame for the next member of the same frame.
pub(crate) fn member_bytes(
    db: &Connection,
    frame: i64,
    span: (Option<i64>, Option<i64>),
    read: &mut Option<(i64, Bytes)>,
) -> rusqlite::Result<Bytes> {
    let whole = match read {
        Some((known, bytes)) if *known == frame => bytes,
        read => {
            let blob: Option<i64> = db
                .prepare_cached("SELECT blob FROM record WHERE seq = ?1")?
                .query_row([frame], |found| found.get(0))
                .optional()?
                .flatten();
            &mut read.insert((frame, bytes_of(db, frame, blob)?)).1
        }
    };
    let offset = |at: Option<i64>| at.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
    let end = offset(span.1).min(whole.len());
    Ok(whole.slice(offset(span.0).min(end)..end))
}

pub(crate) fn bytes_of(db: &Connection, seq: i64, blob: Option<i64>) -> rusqlite::Result<Bytes> {
    let (sql, key) = match blob {
        Some(blob) => ("SELECT bytes FROM blob WHERE id = ?1", blob),
        None => ("SELECT bytes FROM body WHERE seq = ?1", seq),
    };
    let bytes: Option<Vec<u8>> = db
        .prepare_cached(sql)?
        .query_row([key], |found| found.get(0))
        .optional()?;
    Ok(bytes.unwrap_or_default().into())
}
