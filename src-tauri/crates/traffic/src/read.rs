//! Reading rows, records and bytes out of SQLite.

mod exchanges;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

pub(crate) use exchanges::record as http;

use crate::batch::{HEAD, one_line};
use crate::index::Index;
use crate::record::RecordedViolation;
use crate::seq_set::SeqSet;
use crate::shared::Shared;
use crate::{Direction, Kind, Operation, OperationId, Origin, Record, Row, Seq, Status};

/// How many related rows a record shows.
const RELATED: usize = 200;

const SELECT_ROW: &str = "SELECT seq, connection, kind, direction, at_ns, size, status, pair, latency_ns, batch, \
    rpc_id, method, summary, violation_count, http, operation FROM record WHERE seq = ?1";

/// The rows that are still there, in the order asked for.
pub(crate) fn rows(
    db: &Connection,
    shared: &Shared,
    seqs: impl IntoIterator<Item = Seq>,
) -> rusqlite::Result<Vec<Row>> {
    let mut select = db.prepare_cached(SELECT_ROW)?;
    let mut rows = Vec::new();
    let index = shared.index();
    for seq in seqs {
        rows.extend(
            select
                .query_row([seq as i64], |found| row(found, &index))
                .optional()?,
        );
    }
    drop(index);
    for row in rows
        .iter_mut()
        .filter(|row| row.kind == Kind::Invalid && row.summary.is_none())
    {
        row.summary = beginning(db, row.seq)?;
    }
    Ok(rows)
}

/// The summary of a stray line, made only when it is looked at: it may yet turn out to be a message.
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
    let info = index.connection(connection);
    Ok(Row {
        seq: found.get::<_, i64>(0)? as u64,
        at_ms: at_ms(index, connection, found.get(4)?),
        server_id: info.map_or_else(|| "".into(), |info| info.server_id.clone()),
        server_name: info.map_or_else(|| "".into(), |info| info.server_name.clone()),
        connection,
        origin: info.map_or(Origin::Client, |info| info.origin),
        operation: unsigned(15)?.map(OperationId),
        kind: Kind::from_code(found.get(2)?).unwrap_or(Kind::Invalid),
        direction: direction(found.get(3)?),
        method: found.get(11)?,
        rpc_id: found.get(10)?,
        summary: found.get(12)?,
        size: found.get::<_, i64>(5)? as u64,
        status: found.get::<_, Option<i64>>(6)?.and_then(Status::from_code),
        pair: unsigned(7)?,
        latency_ns: unsigned(8)?,
        violation_count: found.get(13)?,
        batch: unsigned(9)?,
        http: unsigned(14)?,
    })
}

/// In ms since the Unix epoch: whole microseconds, so that the number is exact.
pub(crate) fn at_ms(index: &Index, connection: i64, at_ns: i64) -> f64 {
    let wall_ns = index.connection(connection).map_or(0, |info| info.wall_ns);
    (wall_ns.saturating_add(at_ns) / 1000) as f64 / 1000.0
}

pub(crate) fn direction(code: Option<i64>) -> Option<Direction> {
    match code? {
        0 => Some(Direction::ClientToServer),
        _ => Some(Direction::ServerToClient),
    }
}

/// A record in full, but for its bytes.
pub(crate) fn record(db: &Connection, shared: &Shared, seq: Seq) -> rusqlite::Result<Option<Record>> {
    let mut select =
        db.prepare_cached("SELECT redactions, violations, batch, related, http FROM record WHERE seq = ?1")?;
    let rest = select.query_row([seq as i64], |found| {
        Ok((
            found.get::<_, u32>(0)?,
            found.get::<_, Option<String>>(1)?.unwrap_or_default(),
            found.get::<_, Option<i64>>(2)?,
            found.get::<_, Option<i64>>(3)?,
            found.get::<_, Option<i64>>(4)?,
        ))
    });
    let Some((own_redactions, violations, batch, request, http)) = rest.optional()? else {
        return Ok(None);
    };
    let Some(row) = rows(db, shared, [seq])?.pop() else {
        return Ok(None);
    };
    let violations: Vec<RecordedViolation> = violations
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let mut related: Vec<Seq> = [batch, request, http]
        .into_iter()
        .flatten()
        .map(|seq| seq as u64)
        .collect();
    let mut members = db.prepare_cached(
        "SELECT seq FROM (SELECT seq FROM record WHERE batch = ?1 UNION SELECT seq FROM record WHERE related = ?1) \
         ORDER BY seq LIMIT ?2",
    )?;
    for member in members.query_map((seq as i64, RELATED as i64), |found| found.get::<_, i64>(0))? {
        related.push(member? as u64);
    }
    if row.kind == Kind::Http {
        related.extend(
            exchanges::record(db, seq)?
                .map(|record| record.frames)
                .unwrap_or_default(),
        );
    }
    related.sort_unstable();
    related.dedup();
    related.truncate(RELATED);
    // What was masked in a member was counted where its bytes are.
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
    let related = rows(db, shared, related)?;
    Ok(Some(Record {
        row,
        violations,
        redactions,
        pair,
        related,
    }))
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

/// What crossed.
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
    let Some((.., blob, _)) = select.query_row([frame], place).optional()? else {
        return Ok(None);
    };
    let whole = bytes_of(db, frame, blob)?;
    let end = usize::try_from(end).unwrap_or(usize::MAX).min(whole.len());
    let start = usize::try_from(start).unwrap_or(0).min(end);
    Ok(Some(whole.slice(start..end)))
}

fn bytes_of(db: &Connection, seq: i64, blob: Option<i64>) -> rusqlite::Result<Bytes> {
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

/// How many records a scan reads at once, so that it never holds a snapshot for long.
const WINDOW: u64 = 4096;
/// With fewer candidates in a window, each is looked up by itself.
const SPARSE: usize = 64;

/// Finds a text in records; case-insensitive for ASCII.
#[derive(Clone)]
pub(crate) struct Search(aho_corasick::AhoCorasick);

impl Search {
    /// `None`: the text cannot be searched for (it is gigantic).
    pub(crate) fn new(text: &str) -> Option<Self> {
        aho_corasick::AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build([text])
            .ok()
            .map(Self)
    }

    /// Those of the candidates that hold the text in method, summary, id or body. Once `given_up`, it stops at what it has.
    pub(crate) fn among(
        &self,
        db: &Connection,
        candidates: &SeqSet,
        given_up: &AtomicBool,
    ) -> rusqlite::Result<SeqSet> {
        let mut found = SeqSet::default();
        let mut blobs = HashMap::new();
        let mut next = candidates.iter_from(0).next();
        while let Some(first) = next.filter(|_| !given_up.load(Ordering::Relaxed)) {
            let end = first + WINDOW;
            let few: Vec<Seq> = candidates
                .iter_from(first)
                .take_while(|seq| *seq < end)
                .take(SPARSE)
                .collect();
            if few.len() < SPARSE {
                for seq in few {
                    self.scan(db, seq, seq, &mut blobs, |seq| {
                        found.insert(seq);
                    })?;
                }
            } else {
                self.scan(db, first, end - 1, &mut blobs, |seq| {
                    if candidates.contains(seq) {
                        found.insert(seq);
                    }
                })?;
            }
            next = candidates.iter_from(end).next();
        }
        Ok(found)
    }

    fn scan(
        &self,
        db: &Connection,
        first: Seq,
        last: Seq,
        blobs: &mut HashMap<i64, bool>,
        mut hit: impl FnMut(Seq),
    ) -> rusqlite::Result<()> {
        let mut select = db.prepare_cached(
            "SELECT r.seq, r.method, r.summary, r.rpc_id, b.bytes, r.blob, r.batch, r.kind FROM record r \
             LEFT JOIN body b ON b.seq = r.seq WHERE r.seq BETWEEN ?1 AND ?2",
        )?;
        let mut rows = select.query((first as i64, last as i64))?;
        while let Some(row) = rows.next()? {
            let seq = row.get::<_, i64>(0)? as u64;
            let mut holds = false;
            for at in 1..=4 {
                holds = holds
                    || match row.get_ref(at)? {
                        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => self.0.is_match(bytes),
                        _ => false,
                    };
            }
            if let (false, Some(blob)) = (holds, row.get::<_, Option<i64>>(5)?) {
                holds = match blobs.get(&blob) {
                    Some(known) => *known,
                    None => {
                        let holds = self.0.is_match(&bytes_of(db, 0, Some(blob))?);
                        blobs.insert(blob, holds);
                        holds
                    }
                };
            }
            if !holds && row.get::<_, Option<i64>>(6)?.is_some() {
                holds = body(db, seq)?.is_some_and(|bytes| self.0.is_match(&bytes));
            }
            if !holds && row.get::<_, i64>(7)? == Kind::Http.code() {
                holds = exchanges::hold(db, seq as i64, |bytes| self.0.is_match(bytes))?;
            }
            if holds {
                hit(seq);
            }
        }
        Ok(())
    }
}
