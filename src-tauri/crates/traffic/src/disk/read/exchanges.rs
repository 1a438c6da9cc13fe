//! Reads HTTP exchanges.

use bytes::{Bytes, BytesMut};
use rusqlite::{Connection, OptionalExtension};

use crate::intake::batch::Carried;
use crate::{HttpMoment, HttpRecord, HttpStage, Kind, Seq};

/// The maximum number of stages of a record: a stream may have an id for each of a million events.
const MOST: usize = 2000;
/// The maximum number of bytes of these stages as JSON, beyond which no more are read after the one that exceeds it: a comment of
/// a stream may be as long as a message.
const MOST_BYTES: usize = 1 << 20;
/// The maximum number of frames of a record.
const FRAMES: usize = 200;

const STAGES: &str = "SELECT stages FROM http_stage WHERE seq = ?1 UNION ALL \
    SELECT stages FROM (SELECT stages FROM http_later WHERE seq = ?1 ORDER BY id)";

/// An exchange except for its bytes; `None` if there is none with this number.
pub(crate) fn record(db: &Connection, exchange: Seq) -> rusqlite::Result<Option<HttpRecord>> {
    let key = exchange as i64;
    let begun: Option<i64> = db
        .prepare_cached("SELECT at_ns FROM record WHERE seq = ?1 AND kind = ?2")?
        .query_row((key, Kind::Http.code()), |row| row.get(0))
        .optional()?;
    let Some(begun) = begun.map(|at| at as u64) else {
        return Ok(None);
    };
    let mut record = HttpRecord {
        exchange,
        stages: Vec::new(),
        omitted: 0,
        frames: Vec::new(),
    };
    let mut select = db.prepare_cached(STAGES)?;
    let mut rows = select.query([key])?;
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let lines = row.get_ref(0)?.as_str().unwrap_or_default();
        for line in lines.lines() {
            if let Some(frame) = carried(line) {
                if record.frames.len() < FRAMES {
                    record.frames.push(frame);
                }
            } else if let Ok((at_ns, stage)) = serde_json::from_str::<(u64, HttpStage)>(line) {
                let is_full = record.stages.len() == MOST || bytes > MOST_BYTES;
                // Without its end an exchange would seem to be running.
                if is_full && !stage.is_end() {
                    record.omitted += 1;
                    continue;
                }
                if record.stages.len() == MOST {
                    record.stages.pop();
                    record.omitted += 1;
                }
                let after_ns = at_ns.saturating_sub(begun);
                record.stages.push(HttpMoment { after_ns, stage });
                bytes += line.len();
            }
        }
    }
    Ok(Some(record))
}

/// The status of an exchange's response, and the first frame that the exchange carried. Reads no further than these.
pub(crate) fn beginning(db: &Connection, exchange: Seq) -> rusqlite::Result<(Option<u16>, Option<Seq>)> {
    let mut select = db.prepare_cached(STAGES)?;
    let mut rows = select.query([exchange as i64])?;
    let (mut answered, mut first) = (None, None);
    while let Some(row) = rows.next()? {
        let lines = row.get_ref(0)?.as_str().unwrap_or_default();
        for line in lines.lines() {
            if let Some(frame) = carried(line) {
                first = first.or(Some(frame));
            } else if let Ok((_, HttpStage::Head { status, .. })) =
                serde_json::from_str::<(u64, HttpStage)>(line)
            {
                answered = answered.or(Some(status));
            }
            if answered.is_some() && first.is_some() {
                return Ok((answered, first));
            }
        }
    }
    Ok((answered, first))
}

/// The frame that an exchange carried, if this is what the line says.
fn carried(line: &str) -> Option<Seq> {
    let (_, Carried { frame }) = serde_json::from_str::<(u64, Carried)>(line).ok()?;
    Some(frame)
}

/// The frames of [`record`].
pub(super) fn frames(db: &Connection, exchange: Seq) -> rusqlite::Result<Vec<Seq>> {
    let mut select = db.prepare_cached(STAGES)?;
    let mut rows = select.query([exchange as i64])?;
    let mut frames = Vec::new();
    while frames.len() < FRAMES
        && let Some(row) = rows.next()?
    {
        let lines = row.get_ref(0)?.as_str().unwrap_or_default();
        frames.extend(lines.lines().filter_map(carried));
    }
    frames.truncate(FRAMES);
    Ok(frames)
}

/// The bytes of an exchange's body.
pub(super) fn body(db: &Connection, exchange: i64) -> rusqlite::Result<Bytes> {
    let mut select = db.prepare_cached("SELECT bytes FROM http_body WHERE seq = ?1 ORDER BY id")?;
    let mut rows = select.query([exchange])?;
    let mut body = BytesMut::new();
    while let Some(row) = rows.next()? {
        body.extend_from_slice(row.get_ref(0)?.as_blob().unwrap_or_default());
    }
    Ok(body.freeze())
}

/// Whether the stages or the body contain the text.
pub(crate) fn hold(db: &Connection, exchange: i64, found: impl Fn(&[u8]) -> bool) -> rusqlite::Result<bool> {
    let mut select = db.prepare_cached(STAGES)?;
    let mut rows = select.query([exchange])?;
    while let Some(row) = rows.next()? {
        if found(row.get_ref(0)?.as_bytes().unwrap_or_default()) {
            return Ok(true);
        }
    }
    Ok(found(&body(db, exchange)?))
}
