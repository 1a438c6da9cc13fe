//! Read-only connections, opened on demand and reused.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::{Connection, OpenFlags};

use crate::intake::queue::lock;
use crate::{StoreClosed, StoreError};

/// The number of idle connections that stay open.
const KEPT: usize = 4;

pub(crate) struct Readers {
    path: PathBuf,
    /// `None`: closed.
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            idle: Mutex::new(Some(Vec::new())),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a read. Blocks.
    pub(crate) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let idle = lock(&self.idle).as_mut().ok_or(StoreClosed)?.pop();
        let failed = |error: rusqlite::Error| StoreError::Read {
            path: self.path.clone(),
            cause: error.to_string(),
        };
        let db = match idle {
            Some(db) => db,
            None => self.open().map_err(failed)?,
        };
        let done = read(&db).map_err(failed)?;
        if let Some(idle) = &mut *lock(&self.idle)
            && idle.len() < KEPT
        {
            idle.push(db);
        }
        Ok(done)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&self.path, flags)?;
        db.pragma_update(None, "query_only", true)?;
        db.set_prepared_statement_cache_capacity(64);
        Ok(db)
    }

    pub(crate) fn close(&self) {
        *lock(&self.idle) = None;
    }
}
