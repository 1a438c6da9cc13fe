//! How values are stored in columns, and the columns that filters use.

use rusqlite::{Connection, OptionalExtension};

use crate::query::index::Facets;
use crate::{Direction, Kind, LogClass, Seq, Status};

/// [`Severity::Warning`] in the store; an error is 1.
pub(crate) const WARNING: i64 = 0;

/// The direction of a column value.
pub(crate) fn direction(code: Option<i64>) -> Option<Direction> {
    match code? {
        0 => Some(Direction::ClientToServer),
        _ => Some(Direction::ServerToClient),
    }
}

/// The column value of a direction.
pub(crate) fn direction_code(direction: Direction) -> i64 {
    match direction {
        Direction::ClientToServer => 0,
        Direction::ServerToClient => 1,
    }
}

/// The class of a log line; the column has it for log messages only.
pub(crate) fn log_class(kind: Option<Kind>, code: Option<i64>) -> Option<LogClass> {
    code.and_then(LogClass::from_code)
        .or_else(|| LogClass::of_kind(kind?))
}

/// The direction of a frame, in the column's type.
pub(crate) fn direction_of(db: &Connection, frame: Seq) -> rusqlite::Result<Option<i64>> {
    let mut select = db.prepare_cached("SELECT direction FROM record WHERE seq = ?1")?;
    Ok(select
        .query_row([frame as i64], |row| row.get(0))
        .optional()?
        .flatten())
}

/// The filterable values of a record, except for its rules; `None` if there is no such record.
pub(crate) fn facets(db: &Connection, seq: Seq) -> rusqlite::Result<Option<Facets>> {
    let mut select = db.prepare_cached(
        "SELECT connection, kind, direction, status, latency_ns, size, method, tool, log, logger FROM record WHERE seq = ?1",
    )?;
    select.query_row([seq as i64], read_facets).optional()
}

/// Reads them from the first columns of a row, in this order.
pub(crate) fn read_facets(row: &rusqlite::Row<'_>) -> rusqlite::Result<Facets> {
    let kind = Kind::from_code(row.get(1)?);
    Ok(Facets {
        connection: row.get(0)?,
        kind,
        direction: direction(row.get(2)?),
        status: row.get::<_, Option<i64>>(3)?.and_then(Status::from_code),
        latency_ns: row.get::<_, Option<i64>>(4)?.map(|ns| ns as u64),
        size: row.get::<_, i64>(5)? as u64,
        method: row.get(6)?,
        tool: row.get(7)?,
        log: log_class(kind, row.get(8)?),
        logger: row.get(9)?,
        rules: Vec::new(),
    })
}
