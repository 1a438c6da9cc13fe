//! Writes the stages of HTTP exchanges.

use rusqlite::Connection;

use super::changed::{Changed, changed_from};
use super::records::fits;
use crate::disk::columns::facets;
use crate::intake::batch::{Batch, RowNews};
use crate::{Seq, Status};

const FIRST: &str = "INSERT INTO http_stage (seq, stages) VALUES (?1, ?2)";
const LATER: &str = "INSERT INTO http_later (seq, stages) VALUES (?1, ?2)";

const ROW: &str = "UPDATE record SET status = coalesce(?2, status), latency_ns = coalesce(?3 - at_ns, latency_ns), \
    size = coalesce(?4, size), summary = substr(summary || ?5, 1, 300), redactions = redactions + ?6 WHERE seq = ?1";

/// Writes the news of every exchange. Exchanges of earlier batches whose row changed are added to `changed`; those that only have
/// more to search are returned.
pub(super) fn write(
    db: &Connection,
    batch: &Batch,
    changed: &mut Vec<Changed>,
) -> rusqlite::Result<Vec<Seq>> {
    let mut grown = Vec::new();
    if batch.exchanges.is_empty() {
        return Ok(grown);
    }
    let mut first = db.prepare_cached(FIRST)?;
    let mut later = db.prepare_cached(LATER)?;
    let mut body = db.prepare_cached("INSERT INTO http_body (seq, bytes) VALUES (?1, ?2)")?;
    let mut update = db.prepare_cached(ROW)?;
    for (seq, news) in &batch.exchanges {
        // Nothing would remove the rows of an exchange that was removed while it goes on.
        let Some(was) = facets(db, *seq)? else { continue };
        let key = *seq as i64;
        let stages = std::str::from_utf8(&news.stages).unwrap_or_default();
        if !stages.is_empty() {
            let insert = if news.begins { &mut first } else { &mut later };
            fits(insert.execute((key, stages)))?;
        }
        for chunk in &news.body {
            fits(body.execute((key, &chunk[..])))?;
        }
        if !news.row.is_empty() {
            let RowNews {
                status,
                ended_ns,
                size,
                suffix,
                redactions,
            } = &news.row;
            let signed = |value: &Option<u64>| value.map(|value| value as i64);
            update.execute((
                key,
                status.map(Status::code),
                signed(ended_ns),
                signed(size),
                suffix,
                redactions,
            ))?;
            changed.push(changed_from(db, *seq, was, &[])?);
        } else if news.grows && batch.held(*seq).is_none() {
            grown.push(*seq);
        }
    }
    Ok(grown)
}
