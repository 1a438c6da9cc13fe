//! The tables, and the migrations from older versions.
//!
//! `record` holds the columns of a row, `body` the recorded bytes (so that completing a request never rewrites them),
//! `blob` bodies over 1 MiB once per SHA-256, `violation` the violations (the column `record.violations` of older versions
//! is unused). `http_stage` holds the stages of an HTTP exchange (`[at_ns, stage]`, one per line) up to its first write,
//! which for most exchanges is all; `http_later` has a row for each later transaction with more stages, `http_body` the
//! bytes of its body in order of arrival. Time is monotonic, in ns since the anchor of the run; the run holds the wall
//! clock of that anchor. `facet` and `text_page` hold the indexes that answer filters ([`crate::query::index`],
//! [`crate::query::grams`]); both can be rebuilt from the records. `cleared` names records that are hidden but not deleted
//! yet, `removed` counts what the quota removed, `quota` holds the limits once they have been set.

use rusqlite::{Connection, TransactionBehavior};

/// "PTCH": marks the file as ours.
const APPLICATION: i64 = 0x5054_4348;

/// One step per version. A released step never changes; a new one is appended.
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
    "
    ALTER TABLE record ADD COLUMN tool TEXT;
    UPDATE record SET tool = summary WHERE method = 'tools/call' AND kind = 0;
    UPDATE record SET tool = (SELECT request.tool FROM record request WHERE request.seq = record.pair)
        WHERE method = 'tools/call' AND kind = 2;
    CREATE TABLE violation (
        seq INTEGER NOT NULL,
        rule TEXT NOT NULL,
        severity INTEGER NOT NULL,
        message TEXT NOT NULL,
        pointer TEXT,
        spec TEXT
    );
    CREATE INDEX violation_seq ON violation (seq);
    INSERT INTO violation SELECT old.seq, each.value ->> 'rule', coalesce(each.value ->> 'severity', '') <> 'warning',
            coalesce(each.value ->> 'message', ''), each.value ->> 'pointer', each.value ->> 'spec'
        FROM (SELECT seq, '[' || rtrim(replace(violations, char(10), ','), ',') || ']' AS list FROM record
            WHERE violations IS NOT NULL) old, json_each(CASE WHEN json_valid(old.list) THEN old.list ELSE '[]' END) each
        WHERE each.value ->> 'rule' IS NOT NULL ORDER BY old.seq, each.key;
    UPDATE record SET violations = NULL WHERE seq IN (SELECT seq FROM violation);
    CREATE TABLE facet (segment INTEGER PRIMARY KEY, sets BLOB NOT NULL);
    CREATE TABLE text_page (id INTEGER PRIMARY KEY, words BLOB NOT NULL);
    CREATE TABLE cleared (
        id INTEGER PRIMARY KEY,
        server_id TEXT,
        done INTEGER NOT NULL,
        upto INTEGER NOT NULL
    );
    CREATE TABLE removed (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, upto_ms INTEGER NOT NULL);
",
    "
    CREATE TABLE quota (id INTEGER PRIMARY KEY, bytes INTEGER, age_ms INTEGER);
",
    "
    ALTER TABLE record ADD COLUMN log INTEGER;
    ALTER TABLE record ADD COLUMN logger TEXT;
    UPDATE record SET log = CASE WHEN summary LIKE 'debug%' THEN 0 WHEN summary LIKE 'info%' THEN 1
            WHEN summary LIKE 'notice%' THEN 2 WHEN summary LIKE 'warning%' THEN 3 WHEN summary LIKE 'error%' THEN 4
            WHEN summary LIKE 'critical%' THEN 5 WHEN summary LIKE 'alert%' THEN 6 WHEN summary LIKE 'emergency%' THEN 7
            ELSE 8 END,
        logger = CASE WHEN instr(summary, ' ') < instr(summary, ': ') THEN
            substr(summary, instr(summary, ' ') + 1, instr(summary, ': ') - instr(summary, ' ') - 1) END
        WHERE method = 'notifications/message' AND kind = 1 AND direction = 1;
    DELETE FROM facet;
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

/// Migrates the file to this version.
pub(crate) fn migrate(db: &mut Connection) -> Result<(), Unusable> {
    migrate_to(db, MIGRATIONS.len())
}

/// Migrates the file to a version.
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
    for (from, step) in (0_i64..).zip(&MIGRATIONS[..to]) {
        let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read under the lock: another process may just have migrated this step.
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > from {
            continue;
        }
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", from + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
