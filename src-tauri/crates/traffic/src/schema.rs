//! The tables, and the way from any older version of them.
//!
//! `record` holds what a row shows, `body` what crossed (so that completing a request never rewrites its bytes), `blob`
//! bodies over 1 MiB once by SHA-256. `http_stage` holds what happened in an HTTP exchange (`[at_ns, stage]`, one a line)
//! up to when it was first written, which for the usual one is all; `http_later` has a row for each later transaction with
//! news of it, `http_body` the bytes of its body in the order they came. Time is monotonic, in ns since the anchor of the
//! run; the run holds the wall clock of that anchor. Counting and finding by server and kind needs no index here: see
//! [`crate::index`].

use rusqlite::Connection;

/// "PTCH": that the file is ours.
const APPLICATION: i64 = 0x5054_4348;

/// One step a version. A released step never changes; a new one is added at the end.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        wall_ns INTEGER NOT NULL,
        last_seq INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE connection (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        server_id TEXT NOT NULL,
        server_name TEXT NOT NULL
    );
    CREATE TABLE record (
        seq INTEGER PRIMARY KEY,
        connection INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        direction INTEGER,
        at_ns INTEGER NOT NULL,
        size INTEGER NOT NULL,
        status INTEGER,
        pair INTEGER,
        latency_ns INTEGER,
        batch INTEGER,
        span_start INTEGER,
        span_end INTEGER,
        related INTEGER,
        redactions INTEGER NOT NULL,
        violation_count INTEGER NOT NULL,
        blob INTEGER,
        rpc_id TEXT,
        method TEXT,
        summary TEXT,
        violations TEXT
    );
    CREATE INDEX record_pending ON record (status) WHERE status = 0;
    CREATE INDEX record_batch ON record (batch) WHERE batch IS NOT NULL;
    CREATE INDEX record_related ON record (related) WHERE related IS NOT NULL;
    CREATE INDEX record_blob ON record (blob) WHERE blob IS NOT NULL;
    CREATE TABLE body (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    CREATE TABLE blob (id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL);
",
    "
    ALTER TABLE record ADD COLUMN http INTEGER;
    CREATE TABLE http_stage (seq INTEGER PRIMARY KEY, stages TEXT NOT NULL);
    CREATE TABLE http_later (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, stages TEXT NOT NULL);
    CREATE INDEX http_later_seq ON http_later (seq);
    CREATE TABLE http_body (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, bytes BLOB NOT NULL);
    CREATE INDEX http_body_seq ON http_body (seq);
",
    "
    ALTER TABLE connection ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
    UPDATE connection SET origin = 3, server_id = '' WHERE server_id = 'doctor';
    ALTER TABLE run ADD COLUMN last_operation INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE record ADD COLUMN operation INTEGER;
    CREATE INDEX record_operation ON record (operation) WHERE operation IS NOT NULL;
    CREATE TABLE operation (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL);
",
];

/// The schema version of this program.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Why a file cannot be used.
pub(crate) enum Unusable {
    Sqlite(rusqlite::Error),
    Newer(i64),
    Foreign,
}

impl From<rusqlite::Error> for Unusable {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Brings the file to this version.
pub(crate) fn migrate(db: &mut Connection) -> Result<(), Unusable> {
    migrate_to(db, MIGRATIONS.len())
}

/// Brings the file to a version.
pub(crate) fn migrate_to(db: &mut Connection, to: usize) -> Result<(), Unusable> {
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    if tables > 0 && application != APPLICATION {
        return Err(Unusable::Foreign);
    }
    if version > VERSION {
        return Err(Unusable::Newer(version));
    }
    db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    for (from, step) in (0..)
        .zip(&MIGRATIONS[..to])
        .skip(usize::try_from(version).unwrap_or(0))
    {
        let transaction = db.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", from + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
