//! Opens the file: pragmas, migration, recovery after a crash, the index, the writer.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rusqlite::hooks::Wal;
use rusqlite::{Connection, ErrorCode};

use crate::disk::columns::{facets, read_facets};
use crate::disk::quota::Quota;
use crate::disk::schema::{self, Unusable};
use crate::disk::writer::{Writer, forget_operations};
use crate::error::UNSYNCED;
use crate::intake::queue::{Queue, lock};
use crate::query::grams::Pages;
use crate::query::index::{ConnectionInfo, Facets, Index, SEGMENT, Set};
use crate::shared::{Anchor, Shared};
use crate::{Origin, Status, StoreError};

/// The size of the write-ahead log before a checkpoint, in pages of 4 KiB.
const CHECKPOINT: i32 = 4096;

/// Opens or creates the file. Returns the shared state and a writer that is not started yet.
pub(crate) fn open(path: &Path) -> Result<(Arc<Shared>, Writer), StoreError> {
    match attempt(path) {
        // SQLite says the same of a disk that failed to read.
        Err(StoreError::Damaged { .. }) => {
            readable(path)?;
            attempt(path)
        }
        opened => opened,
    }
}

/// Reads the files once, to their ends.
///
/// # Errors
/// They cannot be read: nobody knows whether they are damaged.
fn readable(path: &Path) -> Result<(), StoreError> {
    for ending in ["", "-wal"] {
        let file = beside(ending, path);
        let read =
            std::fs::File::open(&file).and_then(|mut file| std::io::copy(&mut file, &mut std::io::sink()));
        match read {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Open {
                    path: file,
                    cause: error.to_string(),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The path of a companion file.
fn beside(ending: &str, path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn attempt(path: &Path) -> Result<(Arc<Shared>, Writer), StoreError> {
    let unusable = |unusable| match unusable {
        Unusable::Newer(found) => StoreError::Newer {
            path: path.to_owned(),
            found,
            known: schema::VERSION,
        },
        Unusable::Foreign => StoreError::Damaged {
            path: path.to_owned(),
            cause: "it is a database of another program".to_owned(),
        },
        Unusable::Sqlite(error) => match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Damaged {
                path: path.to_owned(),
                cause: error.to_string(),
            },
            _ => StoreError::Open {
                path: path.to_owned(),
                cause: error.to_string(),
            },
        },
    };
    let (shared, writer) = begin(path).map_err(unusable)?;
    let quota = Quota::load(&writer.db).map_err(|error| unusable(error.into()))?;
    *lock(&shared.quota) = quota;
    Ok((shared, writer))
}

fn begin(path: &Path) -> Result<(Arc<Shared>, Writer), Unusable> {
    create_private(path);
    let mut db = Connection::open(path)?;
    db.set_prepared_statement_cache_capacity(64);
    // Another process may be migrating a large log.
    db.busy_timeout(std::time::Duration::from_secs(30))?;
    schema::migrate(&mut db)?;
    db.busy_timeout(std::time::Duration::from_millis(200))?;
    settings(&db)?;
    let unsynced = checkpoints(&mut db)?;

    let (mut index, mut saved) = load(&db)?;
    let anchor = Anchor::now();
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let wall_ns = i64::try_from(wall.as_nanos()).unwrap_or(i64::MAX);
    let transaction = db.transaction()?;
    end_pending(&transaction, &mut index, &mut saved)?;
    let begun = Begun::new(&transaction, wall_ns)?;
    index.reach(begun.last as u64);
    let mut text = Pages::default();
    if !index.all().is_empty() {
        text.take(&transaction, index.last())?;
    }
    let deleting = !cleared(&transaction)?.is_empty();
    transaction.commit()?;

    let queue = Queue::new(index.last() + 1, begun.connection + 1, begun.operation as u64 + 1);
    let shared = Arc::new(Shared::new(queue, index, text, anchor));
    Ok((
        Arc::clone(&shared),
        Writer {
            db,
            shared,
            run: begun.run,
            wall_ns,
            earlier_operations: begun.operation,
            clears: None,
            saved,
            deleting,
            stuck: false,
            // A killed process may have left in it what it deleted.
            wal_due: Some(Instant::now()),
            checked: None,
            unchecked: true,
            expires: None,
            unsynced,
        },
    ))
}

/// A run that has begun.
struct Begun {
    run: i64,
    /// The last numbers of earlier runs: of a cleared record, of a connection, of an operation.
    last: i64,
    connection: i64,
    operation: i64,
}

impl Begun {
    fn new(db: &Connection, wall_ns: i64) -> rusqlite::Result<Self> {
        let number = |sql| db.query_row(sql, [], |row| row.get::<_, i64>(0));
        let last = number("SELECT coalesce(max(last_seq), 0) FROM run")?;
        let connection = number("SELECT coalesce(max(id), 0) FROM connection")?;
        let operation = number(
            "SELECT max((SELECT coalesce(max(last_operation), 0) FROM run), (SELECT coalesce(max(id), 0) FROM operation))",
        )?;
        db.execute(
            "INSERT INTO run (wall_ns, last_seq, last_operation) VALUES (?1, ?2, ?3)",
            (wall_ns, last, operation),
        )?;
        let run = db.last_insert_rowid();
        // None of them is in progress any more.
        forget_operations(db, operation)?;
        Ok(Self {
            run,
            last,
            connection,
            operation,
        })
    }
}

/// Ends the requests of a process that no longer runs: they get no response.
fn end_pending(db: &Connection, index: &mut Index, saved: &mut BTreeSet<u64>) -> rusqlite::Result<()> {
    let lost: Vec<i64> = db
        .prepare("UPDATE record SET status = ?1 WHERE status = 0 RETURNING seq")?
        .query_map([Status::Lost.code()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for seq in lost {
        let seq = seq as u64;
        if let Some(is) = facets(db, seq)? {
            let was = Facets {
                status: Some(Status::Pending),
                ..is.clone()
            };
            index.change(seq, &was, &is);
        }
        if saved.remove(&(seq / SEGMENT)) {
            db.execute("DELETE FROM facet WHERE segment = ?1", [(seq / SEGMENT) as i64])?;
        }
    }
    Ok(())
}

fn settings(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "synchronous", "NORMAL")?;
    // What is deleted is overwritten: a record may hold a secret that was not known as one when it was written.
    db.pragma_update_and_check(None, "secure_delete", "ON", |_| Ok(()))?;
    db.pragma_update_and_check(None, "journal_size_limit", 64 << 20, |_| Ok(()))?;
    Ok(())
}

/// Checkpoints as SQLite does by itself, which keeps a failure for itself: the write-ahead log then grows, and nothing that was
/// recorded is sure to survive the end of the machine. The returned cell has why the last one failed.
fn checkpoints(db: &mut Connection) -> rusqlite::Result<Arc<Mutex<Option<Arc<str>>>>> {
    let cell = Arc::new(Mutex::new(None));
    let unsynced = Arc::clone(&cell);
    db.wal_hook(Some(move |wal: &mut Wal, pages: i32| {
        if pages >= CHECKPOINT {
            let failed = match wal.checkpoint() {
                // A reader holds it up; the next commit tries again.
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => return Ok(()),
                Err(error) => {
                    Some(format!("{UNSYNCED}, so they are lost if this computer stops ({error})").into())
                }
                Ok(()) => None,
            };
            *lock(&unsynced) = failed;
        }
        // The commit itself succeeded.
        Ok(())
    }))?;
    Ok(cell)
}

/// Creates the file readable by its owner only: it holds all traffic. SQLite creates its companion files with the same
/// permissions.
fn create_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::fs::{OpenOptions, Permissions};
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

        const OWNER_ONLY: u32 = 0o600;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(OWNER_ONLY);
        // A file that cannot be opened here is reported by SQLite.
        if let Ok(file) = options.open(path) {
            let _ = file.set_permissions(Permissions::from_mode(OWNER_ONLY));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

fn load(db: &Connection) -> rusqlite::Result<(Index, BTreeSet<u64>)> {
    let mut index = Index::default();
    let mut connections = db.prepare(
        "SELECT c.id, c.server_id, c.server_name, r.wall_ns, c.origin FROM connection c LEFT JOIN run r ON r.id = c.run",
    )?;
    let mut rows = connections.query([])?;
    while let Some(row) = rows.next()? {
        let server_id: String = row.get(1)?;
        let server_name: String = row.get(2)?;
        let wall_ns = row.get::<_, Option<i64>>(3)?.unwrap_or(0);
        let info = ConnectionInfo {
            server_id: server_id.into(),
            server_name: server_name.into(),
            origin: Origin::from_code(row.get(4)?).unwrap_or_default(),
            wall_ns,
        };
        index.connect(row.get(0)?, info);
    }
    drop(rows);
    drop(connections);
    let saved = load_segments(db, &mut index)?;
    for (server_id, done, upto) in cleared(db)? {
        let mut gone = Set::default();
        gone.insert_range(done as u64 + 1..=upto as u64);
        gone &= match &server_id {
            Some(server_id) => index.of_server(server_id),
            None => index.all().clone(),
        };
        index.forget(&gone);
    }
    Ok((index, saved))
}

/// Loads the segments of the index, or builds those that were not saved. Returns which were loaded.
fn load_segments(db: &Connection, index: &mut Index) -> rusqlite::Result<BTreeSet<u64>> {
    let mut saved = BTreeSet::new();
    let mut select = db.prepare("SELECT segment, sets FROM facet")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if index.load(row.get_ref(1)?.as_blob().unwrap_or_default()).is_ok() {
            saved.insert(row.get::<_, i64>(0)? as u64);
        }
    }
    let mut next: Option<i64> = Some(0);
    while let Some(from) = next {
        next = db.query_row("SELECT min(seq) FROM record WHERE seq >= ?1", [from], |row| {
            row.get(0)
        })?;
        if let Some(first) = next {
            let segment = first as u64 / SEGMENT;
            next = Some(((segment + 1) * SEGMENT) as i64);
            if !saved.contains(&segment) {
                read_segment(db, index, first, ((segment + 1) * SEGMENT) as i64)?;
            }
        }
    }
    Ok(saved)
}

fn read_segment(db: &Connection, index: &mut Index, from: i64, to: i64) -> rusqlite::Result<()> {
    let mut rules: HashMap<i64, Vec<String>> = HashMap::new();
    let mut select =
        db.prepare_cached("SELECT DISTINCT seq, rule FROM violation WHERE seq >= ?1 AND seq < ?2")?;
    let mut rows = select.query((from, to))?;
    while let Some(row) = rows.next()? {
        rules.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    let mut select = db.prepare_cached(
        "SELECT connection, kind, direction, status, latency_ns, size, method, tool, log, logger, seq FROM record \
         WHERE seq >= ?1 AND seq < ?2",
    )?;
    let mut rows = select.query((from, to))?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(10)?;
        let mut facets = read_facets(row)?;
        facets.rules = rules.remove(&seq).unwrap_or_default();
        index.insert(seq as u64, &facets);
    }
    Ok(())
}

/// The records that were cleared but not deleted yet: server, first and last number.
fn cleared(db: &Connection) -> rusqlite::Result<Vec<(Option<String>, i64, i64)>> {
    db.prepare("SELECT server_id, done, upto FROM cleared")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

/// Renames a damaged log and its companion files, so that a new one can be created. Returns the new path.
///
/// # Errors
/// It cannot be renamed.
pub fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let aside = beside(&format!(".damaged-{now}"), path);
    for ending in ["", "-wal", "-shm"] {
        match std::fs::rename(beside(ending, path), beside(ending, &aside)) {
            Err(error) if ending.is_empty() || error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Open {
                    path: path.to_owned(),
                    cause: error.to_string(),
                });
            }
            _ => {}
        }
    }
    Ok(aside)
}
