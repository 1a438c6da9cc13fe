//! The read side, which also opens and closes the log.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use crate::disk::export::{ExportCursor, ExportPart};
use crate::disk::quota::{Quota, Usage};
use crate::disk::readers::Readers;
use crate::disk::{export, open, read};
use crate::intake::queue::Item;
use crate::opened::OpenLog;
use crate::query::search::SearchLimits;
use crate::query::view::View;
use crate::shared::Problem;
use crate::{
    Filter, HttpRecord, Operation, OperationId, Record, Recorder, Row, Seq, StoreClosed, StoreError, Tail,
};

/// The maximum number of rows per page.
const PAGE: usize = 500;

/// The location of the log.
#[derive(Debug, Clone, Default)]
pub struct StoreOptions {
    /// The file; `None`: a temporary one, removed at the end.
    pub path: Option<PathBuf>,
}

/// The read side of the store. Cheap to clone; the store stays open as long as a clone exists, or until it is closed.
#[derive(Clone)]
pub struct Store {
    inner: Arc<OpenLog>,
}

impl Store {
    /// Opens or creates the log, recovers earlier runs (their unanswered requests become [`crate::Status::Lost`]) and
    /// starts the writer. Blocks. The caller must ensure that only one process opens a file.
    ///
    /// # Errors
    /// The file cannot be opened, is damaged or from a newer version; the error says what to do.
    #[expect(
        clippy::disallowed_methods,
        reason = "`OpenLog` keeps the handle; closing the store ends the writer and joins it"
    )]
    pub fn open(options: StoreOptions) -> Result<(Self, Recorder), StoreError> {
        let failed = |path: PathBuf| {
            move |error: std::io::Error| StoreError::Open {
                path,
                cause: error.to_string(),
            }
        };
        let (path, temporary) = match options.path {
            Some(path) => (path, None),
            None => {
                let folder = tempfile::Builder::new().prefix("patchbay-").tempdir();
                let folder = folder.map_err(failed(std::env::temp_dir()))?;
                (folder.path().join("traffic.sqlite"), Some(folder))
            }
        };
        if let Some(folder) = path.parent() {
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder
                .recursive(true)
                .create(folder)
                .map_err(failed(path.clone()))?;
        }
        let (shared, writer) = open::open(&path)?;
        let writer = std::thread::Builder::new()
            .name("traffic-writer".to_owned())
            .spawn(move || writer.live())
            .map_err(failed(path.clone()))?;
        let inner = Arc::new(OpenLog {
            shared,
            readers: Readers::new(path),
            writer: Mutex::new(Some(writer)),
            temporary: Mutex::new(temporary),
            views: Mutex::new(Vec::new()),
        });
        Ok((
            Self {
                inner: Arc::clone(&inner),
            },
            Recorder { inner },
        ))
    }

    /// Rows of the filtered log starting at index `offset`, oldest first, at most 500.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn rows(&self, filter: &Filter, offset: u64, limit: usize) -> Result<Vec<Row>, StoreError> {
        self.viewed(filter, move |inner, view, db| {
            let Some(first) = view.matches().select(offset) else {
                return Ok(Vec::new());
            };
            let mut seqs = view.matches().iter();
            seqs.advance_to(first);
            read::rows(db, &inner.shared, seqs.take(limit.min(PAGE)))
        })
        .await
    }

    /// The number of rows that the filter matches.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        self.viewed(filter, |_, view, _| Ok(view.matches().len())).await
    }

    /// The index of a record in the filtered log; `None` if the filter hides it.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn locate(&self, filter: &Filter, seq: Seq) -> Result<Option<u64>, StoreError> {
        self.viewed(filter, move |_, view, _| {
            Ok(view.matches().contains(seq).then(|| view.matches().rank(seq) - 1))
        })
        .await
    }

    /// One record except for its bytes.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn record(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        self.known(seq, move |inner, db| read::record(db, &inner.shared, seq))
            .await
    }

    /// An operation, by its number.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn operation(&self, id: OperationId) -> Result<Option<Operation>, StoreError> {
        self.blocking(move |inner| inner.readers.with(|db| read::operation(db, id)))
            .await
    }

    /// An HTTP exchange except for the bytes of its body; `None` if there is none with this number.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn http(&self, exchange: Seq) -> Result<Option<HttpRecord>, StoreError> {
        self.known(exchange, move |_, db| read::http(db, exchange)).await
    }

    /// The recorded bytes, with secrets masked (for a member: its part of the frame; for a lifecycle record: its detail;
    /// for an HTTP exchange: its body as received, unless it consists of frames). `None` if there is no such record.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn body(&self, seq: Seq) -> Result<Option<Bytes>, StoreError> {
        self.known(seq, move |_, db| read::body(db, seq)).await
    }

    /// Removes all records up to now, or those of one server. They are hidden at once. Deleting many from the file takes longer,
    /// and continues when the file is opened again if necessary. Tails are reset.
    ///
    /// # Errors
    /// The store is closed.
    pub async fn clear(&self, server_id: Option<&str>) -> Result<(), StoreError> {
        let (done, cleared) = oneshot::channel();
        if !self.inner.shared.queue.send(Item::Clear {
            server_id: server_id.map(str::to_owned),
            done,
        }) {
            return Err(StoreClosed.into());
        }
        Ok(cleared.await.map_err(|_| StoreClosed)?)
    }

    /// Waits until this record can be read. Does not wait for a number that no record has yet.
    ///
    /// # Errors
    /// The store was closed before.
    pub async fn flushed(&self, seq: Seq) -> Result<(), StoreClosed> {
        let shared = &self.inner.shared;
        let mut committed = shared.committed.subscribe();
        if committed.borrow_and_update().seq < seq && seq <= shared.queue.last_seq() {
            shared.queue.hurry();
            committed
                .wait_for(|committed| committed.seq >= seq || shared.is_dead())
                .await
                .map_err(|_| StoreClosed)?;
            if committed.borrow().seq < seq {
                return Err(StoreClosed);
            }
        }
        Ok(())
    }

    /// Waits until everything recorded before can be read.
    ///
    /// # Errors
    /// The store was closed before.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.inner.flush().await
    }

    /// A live view: a snapshot, then deltas.
    #[must_use]
    pub fn tail(&self, filter: Filter) -> Tail {
        Tail::new(&self.inner, filter)
    }

    /// Writes frames and lines of stderr from `from` on, one JSON object per line. Returns the writer and the number of
    /// lines.
    ///
    /// # Errors
    /// The file cannot be read, the destination cannot be written, or the store is closed.
    pub async fn export_jsonl<W: Write + Send + 'static>(
        &self,
        from: Seq,
        mut to: W,
    ) -> Result<(W, u64), StoreError> {
        self.inner.flush().await?;
        self.blocking(move |inner| {
            let lines = export::jsonl(&inner.readers, &inner.shared, from, &mut to)?;
            Ok((to, lines))
        })
        .await
    }

    /// The number of records up to `last` that the filter matches.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn count_to(&self, filter: &Filter, last: Seq) -> Result<u64, StoreError> {
        self.viewed(filter, move |_, view, _| Ok(view.matches().rank(last)))
            .await
    }

    /// The next lines of an export of the records up to `last` that the filter matches: their frames, in the format of
    /// [`Self::export_jsonl`]. HTTP exchanges and events of connections are not frames and are left out.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn export_part(
        &self,
        filter: &Filter,
        cursor: ExportCursor,
        last: Seq,
    ) -> Result<ExportPart, StoreError> {
        let is_filtered = filter.may_leave_gaps();
        self.viewed(filter, move |inner, view, db| {
            let mut seqs = view.matches().iter();
            seqs.advance_to(cursor.from);
            export::part(
                db,
                &inner.shared,
                cursor,
                is_filtered,
                seqs.take_while(move |seq| *seq <= last),
            )
        })
        .await
    }

    /// Why records cannot be written at present. Meanwhile queued records stay in memory.
    #[must_use]
    pub fn problem(&self) -> watch::Receiver<Problem> {
        self.inner.shared.problem.subscribe()
    }

    /// Limits the file to this many bytes; `None`: limited by the disk. At the limit the store behaves as on a full disk.
    pub fn set_size_limit(&self, bytes: Option<u64>) {
        self.inner.shared.set_size_limit(bytes);
    }

    /// Writes queued records, ends the writer and removes a temporary file. Later calls fail.
    ///
    /// # Errors
    /// What was queued could not be written, or the disk did not confirm it.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.blocking(|inner| inner.close()).await
    }

    /// The size of the log, its limits, and what the quota has removed.
    ///
    /// # Errors
    /// The file cannot be read, or the store is closed.
    pub async fn usage(&self) -> Result<Usage, StoreError> {
        self.blocking(|inner| inner.readers.with(|db| read::usage(db, &inner.shared)))
            .await
    }

    /// Sets and stores the quota. Records over it are removed soon.
    ///
    /// # Errors
    /// The quota cannot be written, and the previous one stays in effect; or the store is closed.
    pub async fn set_quota(&self, quota: Quota) -> Result<(), StoreError> {
        let (done, saved) = oneshot::channel();
        if !self.inner.shared.queue.send(Item::Quota { quota, done }) {
            return Err(StoreClosed.into());
        }
        let saved = saved.await.map_err(|_| StoreClosed)?;
        saved.map_err(|error| StoreError::Quota(error.to_string()))
    }

    /// Reads a record that was not removed.
    async fn known<T: Send + 'static>(
        &self,
        seq: Seq,
        read: impl FnOnce(&OpenLog, &Connection) -> rusqlite::Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>, StoreError> {
        self.blocking(move |inner| {
            let known = inner.shared.index().all().contains(seq);
            inner.readers.with(|db| match known {
                true => read(inner, db),
                false => Ok(None),
            })
        })
        .await
    }

    async fn viewed<T: Send + 'static>(
        &self,
        filter: &Filter,
        look: impl FnOnce(&OpenLog, &View, &Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let filter = filter.clone();
        self.blocking(move |inner| {
            let mut view = inner.take_view(filter);
            inner.readers.with(|db| {
                view.advance(
                    db,
                    &inner.shared,
                    &SearchLimits {
                        given_up: &AtomicBool::new(false),
                        until: None,
                        enough: u64::MAX,
                    },
                )?;
                let seen = look(inner, &view, db)?;
                inner.keep_view(view);
                Ok(seen)
            })
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&OpenLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || work(&inner))
            .await
            .unwrap_or_else(|ended| Err(self.inner.unfinished(&ended)))
    }
}

#[cfg(test)]
mod tests;
