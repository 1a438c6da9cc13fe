//! The last runs of each server, stored across restarts. They contain no secrets.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use patchbay_contract::{RunItem, ServerId};

use patchbay_config::write_atomically;

use crate::files::late_file::LateFile;

/// By server, oldest first.
pub(super) type History = BTreeMap<ServerId, Vec<RunItem>>;

/// The file; none if the history is not stored.
#[derive(Debug, Clone)]
pub(super) struct HistoryFile {
    file: Option<LateFile>,
    /// What the file had when it could be read late. Held while writing, so that the latest content is written last.
    late: Arc<Mutex<History>>,
}

impl HistoryFile {
    /// Reads the file. What cannot be read (now) counts as empty.
    pub(super) fn open(path: Option<PathBuf>) -> (Self, History) {
        let opened = path.map(LateFile::open);
        let (file, history) = opened.map_or_else(Default::default, |(file, history)| (Some(file), history));
        let late = Arc::default();
        (Self { file, late }, history)
    }

    /// Writes the result of `now` on a blocking thread. `now` is called when it is this write's turn.
    pub(super) fn write(&self, now: impl FnOnce() -> History + Send + 'static) {
        let Some(file) = self.file.clone() else { return };
        let late = self.late.clone();
        tokio::task::spawn_blocking(move || {
            let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
            let written = file.rest::<History>().and_then(|rest| {
                late.extend(rest);
                let mut all = late.clone();
                all.extend(now());
                let text = serde_json::to_string(&all).map_err(|error| error.to_string())?;
                write_atomically(file.path(), &text).map_err(|error| error.to_string())
            });
            if let Err(error) = written {
                tracing::error!(%error, "the history of authorization runs was not written");
            }
        });
    }
}
