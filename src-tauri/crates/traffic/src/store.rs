//! The read side.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use tokio::sync::watch;

use crate::recorder::Problem;
use crate::{Filter, Record, Recorder, Row, Seq, StoreClosed, StoreError, Tail};

/// Where the log lies.
#[derive(Debug, Clone, Default)]
pub struct StoreOptions {
    /// The file; `None`: a temporary one, removed at the end.
    pub path: Option<PathBuf>,
}

/// The read side of the store. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    problem: watch::Receiver<Problem>,
}

impl Store {
    /// Opens or makes the log. Blocks.
    pub fn open(options: StoreOptions) -> Result<(Self, Recorder), StoreError> {
        Err(StoreError::Open {
            path: options.path.unwrap_or_default(),
            cause: String::new(),
        })
    }

    /// Rows from index `offset` of the filtered log on, oldest first, at most 500.
    pub async fn rows(&self, filter: &Filter, offset: u64, limit: usize) -> Result<Vec<Row>, StoreError> {
        let _ = (filter, offset, limit);
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// How many rows the filter matches.
    pub async fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let _ = filter;
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// The index of a record in the filtered log; `None` if the filter hides it.
    pub async fn locate(&self, filter: &Filter, seq: Seq) -> Result<Option<u64>, StoreError> {
        let _ = (filter, seq);
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// One record in full, but for its bytes.
    pub async fn record(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        let _ = seq;
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// What crossed (of a member: its part of the frame; of a lifecycle record: its detail).
    pub async fn body(&self, seq: Seq) -> Result<Option<Bytes>, StoreError> {
        let _ = seq;
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// Forgets all records up to now, or those of one server.
    pub async fn clear(&self, server_id: Option<&str>) -> Result<(), StoreError> {
        let _ = server_id;
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// Waits until this record can be read.
    pub async fn flushed(&self, seq: Seq) -> Result<(), StoreClosed> {
        let _ = seq;
        std::future::ready(Err(StoreClosed)).await
    }

    /// A live view: a snapshot, then deltas.
    #[must_use]
    pub fn tail(&self, filter: Filter) -> Tail {
        let _ = filter;
        Tail::default()
    }

    /// Writes frames and stderr lines from `from` on, one JSON object a line; returns the writer and how many.
    pub async fn export_jsonl<W: Write + Send + 'static>(
        &self,
        from: Seq,
        to: W,
    ) -> Result<(W, u64), StoreError> {
        let _ = (from, to);
        std::future::ready(Err(StoreClosed.into())).await
    }

    /// Why records cannot be written at present.
    #[must_use]
    pub fn problem(&self) -> watch::Receiver<Problem> {
        self.problem.clone()
    }

    /// Lets the file grow to this many bytes and no further; `None`: as far as the disk goes.
    pub fn set_size_limit(&self, bytes: Option<u64>) {
        let _ = bytes;
    }

    /// Writes what is queued, ends the writer and, if temporary, removes the file.
    pub async fn close(&self) -> Result<(), StoreError> {
        std::future::ready(Ok(())).await
    }
}

/// Moves a damaged log (and its WAL) away, so that a new one can begin. Returns where it went.
pub fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    Ok(path.to_path_buf())
}
