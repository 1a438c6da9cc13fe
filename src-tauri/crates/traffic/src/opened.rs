//! The open log, shared by recorder, store and tails.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tempfile::TempDir;
use tokio::task::JoinError;

use crate::disk::readers::Readers;
use crate::disk::writer::Loss;
use crate::intake::queue::lock;
use crate::query::view::View;
use crate::shared::Shared;
use crate::{Filter, StoreClosed, StoreError};

/// The number of filters that are cached with their matches.
const VIEWS: usize = 8;

/// A log that is open until the last owner is dropped, or until it is closed.
pub(crate) struct OpenLog {
    pub(crate) shared: Arc<Shared>,
    pub(crate) readers: Readers,
    pub(crate) writer: Mutex<Option<JoinHandle<Result<(), Loss>>>>,
    pub(crate) temporary: Mutex<Option<TempDir>>,
    /// The most recently used one is last.
    pub(crate) views: Mutex<Vec<View>>,
}

impl OpenLog {
    /// A copy, so that a long search blocks nobody else, and several readers of a filter all begin with what is known.
    pub(crate) fn take_view(&self, filter: Filter) -> View {
        let mut views = lock(&self.views);
        match views.iter().position(|view| *view.filter() == filter) {
            Some(at) => {
                let view = views.remove(at);
                views.push(view.clone());
                view
            }
            None => View::new(filter),
        }
    }

    /// Keeps what has become of a copy.
    pub(crate) fn keep_view(&self, view: View) {
        let mut views = lock(&self.views);
        views.retain(|other| other.filter() != view.filter());
        if views.len() == VIEWS {
            views.remove(0);
        }
        views.push(view);
    }

    /// The error of a read whose task did not finish: it panicked, or the runtime ends.
    pub(crate) fn unfinished(&self, ended: &JoinError) -> StoreError {
        match ended.is_panic() {
            true => StoreError::Read {
                path: self.readers.path().to_owned(),
                cause: "an internal error".to_owned(),
            },
            false => StoreClosed.into(),
        }
    }

    pub(crate) fn close(&self) -> Result<(), StoreError> {
        self.shared.queue.close();
        let writer = lock(&self.writer).take();
        let written = match writer.map(JoinHandle::join) {
            Some(Ok(Err(Loss::Unwritten { records, cause }))) => Err(StoreError::Unwritten {
                path: self.readers.path().to_owned(),
                records,
                cause,
            }),
            Some(Ok(Err(Loss::Unsynced { cause }))) => Err(StoreError::Unsynced {
                path: self.readers.path().to_owned(),
                cause,
            }),
            _ => Ok(()),
        };
        self.readers.close();
        lock(&self.views).clear();
        self.shared.writer_ended();
        if let Some(folder) = lock(&self.temporary).take() {
            folder.close().map_err(|error| StoreError::Open {
                path: self.readers.path().to_owned(),
                cause: error.to_string(),
            })?;
        }
        written
    }
}

impl Drop for OpenLog {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!(%error, "the traffic log did not close cleanly");
        }
    }
}
