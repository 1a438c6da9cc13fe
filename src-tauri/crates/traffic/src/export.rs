//! The log as JSON lines: frames and stderr as they crossed, nothing decoded.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusqlite::types::ValueRef;
use serde::Serialize;

use crate::readers::Readers;
use crate::shared::Shared;
use crate::{Direction, Kind, Seq, StoreError, read};

/// Records read at once, so that a slow destination holds no snapshot of the store.
const WINDOW: usize = 256;

/// One line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    seq: Seq,
    at_ms: f64,
    connection: i64,
    dir: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_base64: Option<String>,
}

/// Writes them, and says how many.
pub(crate) fn jsonl(
    readers: &Readers,
    shared: &Shared,
    from: Seq,
    to: &mut impl Write,
) -> Result<u64, StoreError> {
    let mut lines = 0;
    let mut next = from;
    loop {
        let mut buffer = Vec::new();
        let read = readers.with(|db| {
            let mut select = db.prepare_cached(
                "SELECT r.seq, r.at_ns, r.connection, r.kind, r.direction, coalesce(b.bytes, l.bytes) FROM record r \
                 LEFT JOIN body b ON b.seq = r.seq LEFT JOIN blob l ON l.id = r.blob \
                 WHERE r.seq >= ?1 AND r.batch IS NULL AND r.kind NOT IN (?2, ?3, ?4) ORDER BY r.seq LIMIT ?5",
            )?;
            let [lifecycle, gap, http] = [Kind::Lifecycle, Kind::Gap, Kind::Http].map(Kind::code);
            let mut rows = select.query((next as i64, lifecycle, gap, http, WINDOW as i64))?;
            let mut read = 0;
            while let Some(row) = rows.next()? {
                let seq = row.get::<_, i64>(0)? as u64;
                let connection: i64 = row.get(2)?;
                let bytes = match row.get_ref(5)? {
                    ValueRef::Blob(bytes) => bytes,
                    _ => &[],
                };
                let raw = std::str::from_utf8(bytes).ok();
                let line = Line {
                    seq,
                    at_ms: read::at_ms(&shared.index(), connection, row.get(1)?),
                    connection,
                    dir: match read::direction(row.get(4)?) {
                        Some(Direction::ClientToServer) => "clientToServer",
                        Some(Direction::ServerToClient) => "serverToClient",
                        None => "stderr",
                    },
                    raw,
                    raw_base64: raw.is_none().then(|| STANDARD.encode(bytes)),
                };
                if serde_json::to_writer(&mut buffer, &line).is_ok() {
                    buffer.push(b'\n');
                    lines += 1;
                }
                read += 1;
                next = seq + 1;
            }
            Ok(read)
        })?;
        to.write_all(&buffer)?;
        if read < WINDOW {
            to.flush()?;
            return Ok(lines);
        }
    }
}
