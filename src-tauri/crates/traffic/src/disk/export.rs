//! The log as JSON lines: frames and stderr as recorded, not decoded.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::disk::columns::direction;
use crate::disk::read;
use crate::disk::readers::Readers;
use crate::recording::{Line, RecordedHttp};
use crate::shared::Shared;
use crate::{Direction, Kind, Seq, StoreError};

/// The number of records read at once, so that a slow destination does not hold a snapshot of the store.
const WINDOW: usize = 256;

/// A part of an export ends after a line beyond this many bytes.
const PART: usize = 1 << 20;

/// The columns of a record that make a line, in the order in which [`Frames`] reads them.
const COLUMNS: &str = "SELECT r.seq, r.at_ns, r.connection, r.kind, r.direction, coalesce(b.bytes, l.bytes), r.http, r.operation, r.redactions \
     FROM record r LEFT JOIN body b ON b.seq = r.seq LEFT JOIN blob l ON l.id = r.blob WHERE ";

/// Writes the lines of all frames and of stderr from `from` on, and returns their number.
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
            let mut select = db.prepare_cached(&format!(
                "{COLUMNS} r.seq >= ?1 AND r.batch IS NULL AND r.kind NOT IN (?2, ?3, ?4) ORDER BY r.seq LIMIT ?5"
            ))?;
            let [lifecycle, gap, http] = [Kind::Lifecycle, Kind::Gap, Kind::Http].map(Kind::code);
            let mut rows = select.query((next as i64, lifecycle, gap, http, WINDOW as i64))?;
            let mut frames = Frames::new(db, shared, false);
            let mut read = 0;
            while buffer.len() <= PART
                && let Some(row) = rows.next()?
            {
                next = frames.write(row, &mut buffer)? + 1;
                read += 1;
            }
            lines += frames.lines;
            Ok(read)
        })?;
        to.write_all(&buffer)?;
        if read == 0 {
            to.flush()?;
            return Ok(lines);
        }
    }
}

/// A part of an export of the records that a filter matches.
#[derive(Debug, Default)]
pub struct ExportPart {
    /// The lines, each with its line break.
    pub text: Vec<u8>,
    /// The number of lines: messages, stray lines and lines of stderr. A frame with several messages is one line.
    pub lines: u64,
    /// Where the next part begins; `None` after the last.
    pub next: Option<ExportCursor>,
}

/// A position within an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportCursor {
    /// The number of the first record that is not read yet.
    pub from: Seq,
    /// The frames with several messages that were written, so that their other messages do not repeat them.
    batches: BTreeSet<Seq>,
}

impl ExportCursor {
    /// The position of a record.
    #[must_use]
    pub fn at(from: Seq) -> Self {
        Self {
            from,
            batches: BTreeSet::new(),
        }
    }
}

/// Reads the lines of the next records of `matching`, which is ascending and begins at the cursor. `is_filtered`: other records of
/// their connections may not match.
pub(crate) fn part(
    db: &Connection,
    shared: &Shared,
    cursor: ExportCursor,
    is_filtered: bool,
    mut matching: impl Iterator<Item = Seq>,
) -> rusqlite::Result<ExportPart> {
    let mut select = db.prepare_cached(&format!("{COLUMNS} r.seq = ?1 AND r.kind NOT IN (?2, ?3, ?4)"))?;
    let mut batch_of = db.prepare_cached("SELECT batch FROM record WHERE seq = ?1 AND batch IS NOT NULL")?;
    let [lifecycle, gap, http] = [Kind::Lifecycle, Kind::Gap, Kind::Http].map(Kind::code);
    let mut frames = Frames::new(db, shared, is_filtered);
    let mut text = Vec::new();
    let mut batches = cursor.batches;
    for seq in matching.by_ref().take(WINDOW) {
        let batch: Option<i64> = batch_of.query_row([seq as i64], |row| row.get(0)).optional()?;
        let frame = batch.map_or(seq, |batch| batch as u64);
        if batches.contains(&frame) {
            continue;
        }
        let mut rows = select.query((frame as i64, lifecycle, gap, http))?;
        let Some(row) = rows.next()? else { continue };
        if row.get::<_, i64>(3)? == Kind::Batch.code() {
            batches.insert(frame);
        }
        frames.write(row, &mut text)?;
        if text.len() > PART {
            break;
        }
    }
    Ok(ExportPart {
        text,
        lines: frames.lines,
        next: matching.next().map(|from| ExportCursor { from, batches }),
    })
}

/// Writes frames as lines.
struct Frames<'a> {
    db: &'a Connection,
    shared: &'a Shared,
    exchanges: HashMap<Seq, RecordedHttp>,
    is_filtered: bool,
    lines: u64,
}

impl<'a> Frames<'a> {
    fn new(db: &'a Connection, shared: &'a Shared, is_filtered: bool) -> Self {
        Self {
            db,
            shared,
            exchanges: HashMap::new(),
            is_filtered,
            lines: 0,
        }
    }

    /// Appends the line of a row of [`COLUMNS`] and returns the number of its record.
    fn write(&mut self, row: &Row<'_>, buffer: &mut Vec<u8>) -> rusqlite::Result<Seq> {
        let seq = row.get::<_, i64>(0)? as u64;
        let connection: i64 = row.get(2)?;
        let bytes = match row.get_ref(5)? {
            ValueRef::Blob(bytes) => bytes,
            _ => &[],
        };
        let raw = std::str::from_utf8(bytes).ok();
        let direction = direction(row.get(4)?);
        let http = match row.get::<_, Option<i64>>(6)? {
            Some(exchange) => Some(carrier(
                self.db,
                &mut self.exchanges,
                seq,
                exchange as u64,
                direction,
            )?),
            None => None,
        };
        let members = match row.get::<_, i64>(3)? == Kind::Batch.code() {
            true => members(self.db, seq)?,
            false => Vec::new(),
        };
        let line = Line {
            seq,
            at_ms: read::at_ms(&self.shared.index(), connection, row.get(1)?),
            connection,
            dir: match direction {
                Some(Direction::ClientToServer) => "clientToServer".into(),
                Some(Direction::ServerToClient) => "serverToClient".into(),
                None => "stderr".into(),
            },
            raw: raw.map(Cow::Borrowed),
            raw_base64: raw.is_none().then(|| STANDARD.encode(bytes)),
            http,
            operation: row.get::<_, Option<i64>>(7)?.map(|id| id as u64),
            members,
            masked: row.get::<_, i64>(8)? > 0,
            filtered: self.is_filtered,
        };
        if serde_json::to_writer(&mut *buffer, &line).is_ok() {
            buffer.push(b'\n');
            self.lines += 1;
        }
        Ok(seq)
    }
}

/// The numbers of the messages in a frame with several.
fn members(db: &Connection, frame: Seq) -> rusqlite::Result<Vec<Seq>> {
    let mut select = db.prepare_cached("SELECT seq FROM record WHERE batch = ?1 ORDER BY seq")?;
    let members = select.query_map([frame as i64], |row| Ok(row.get::<_, i64>(0)? as u64))?;
    members.collect()
}

/// The recorded data of the exchange that carried a frame. Read once per exchange and window.
fn carrier(
    db: &Connection,
    known: &mut HashMap<Seq, RecordedHttp>,
    frame: Seq,
    exchange: Seq,
    direction: Option<Direction>,
) -> rusqlite::Result<RecordedHttp> {
    let sent = RecordedHttp {
        exchange,
        status: None,
        reply_to: None,
    };
    if direction == Some(Direction::ClientToServer) {
        return Ok(sent);
    }
    if let Some(known) = known.get(&exchange) {
        return Ok(*known);
    }
    let (status, first) = read::http_beginning(db, exchange)?;
    let mut found = RecordedHttp { status, ..sent };
    let mut is_sent = db.prepare_cached("SELECT 1 FROM record WHERE seq = ?1 AND direction = 0")?;
    if let Some(first) = first.filter(|first| *first != frame)
        && is_sent.exists([first as i64])?
    {
        found.reply_to = Some(first);
    }
    known.insert(exchange, found);
    Ok(found)
}
