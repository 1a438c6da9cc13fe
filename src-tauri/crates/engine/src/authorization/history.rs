//! The last runs of each server, stored across restarts. They contain no secrets.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use patchbay_contract::{RunItem, ServerId};

use patchbay_config::write_atomically;

/// By server, oldest first.
pub(super) type History = BTreeMap<ServerId, Vec<RunItem>>;

/// The file; none if the history is not stored.
#[derive(Debug, Clone)]
pub(super) struct HistoryFile {
    path: Option<PathBuf>,
    /// Held while writing, so that the latest content is written last.
    writing: Arc<Mutex<()>>,
}

impl HistoryFile {
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            writing: Arc::default(),
        }
    }

    /// The stored history; empty if the file cannot be read, because no user data is lost with it.
    pub(super) fn read(&self) -> History {
        let text = self
            .path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Writes the result of `now` on a blocking thread. `now` is called when it is this write's turn.
    pub(super) fn write(&self, now: impl FnOnce() -> History + Send + 'static) {
        let Some(path) = self.path.clone() else { return };
        let writing = self.writing.clone();
        tokio::task::spawn_blocking(move || {
            let _turn = writing.lock().unwrap_or_else(PoisonError::into_inner);
            let written = serde_json::to_string(&now())
                .map_err(|error| error.to_string())
                .and_then(|text| write_atomically(&path, &text).map_err(|error| error.to_string()));
            if let Err(error) = written {
                tracing::error!(%error, "the history of authorization runs was not written");
            }
        });
    }
}
