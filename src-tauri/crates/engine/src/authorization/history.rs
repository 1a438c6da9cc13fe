//! The last runs of each server, stored across restarts. They contain no secrets.

use std::{
    collections::{BTreeMap, BTreeSet},
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
    /// Held while writing, so that the latest content is written last.
    late: Arc<Mutex<Late>>,
}

/// What the file had when it could be read late.
#[derive(Debug, Default)]
struct Late {
    history: History,
    /// Servers that were removed since the start: their runs do not come back with it.
    removed: BTreeSet<ServerId>,
}

impl Late {
    /// What is written: the late runs of each server, then those of now.
    fn before(&self, now: History) -> History {
        let mut all = self.history.clone();
        for (server, runs) in now {
            all.entry(server).or_default().extend(runs);
        }
        all.retain(|server, _| !self.removed.contains(server));
        all
    }
}

impl HistoryFile {
    /// Reads the file. What cannot be read (now) counts as empty.
    pub(super) fn open(path: Option<PathBuf>) -> (Self, History) {
        let opened = path.map(LateFile::open);
        let (file, history) = opened.map_or_else(Default::default, |(file, history)| (Some(file), history));
        let late = Arc::default();
        (Self { file, late }, history)
    }

    /// The runs of a removed server are not written any more.
    pub(super) fn remove(&self, server: &ServerId) {
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        late.removed.insert(server.clone());
    }

    /// Writes the result of `now` on a blocking thread. `now` is called when it is this write's turn.
    pub(super) fn write(&self, now: impl FnOnce() -> History + Send + 'static) {
        let Some(file) = self.file.clone() else { return };
        let late = self.late.clone();
        tokio::task::spawn_blocking(move || {
            let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
            let written = file.rest::<History>().and_then(|rest| {
                late.history.extend(rest);
                let text = serde_json::to_string(&late.before(now())).map_err(|error| error.to_string())?;
                write_atomically(file.path(), &text).map_err(|error| error.to_string())
            });
            if let Err(error) = written {
                tracing::error!(%error, "the history of authorization runs was not written");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(id: &str) -> RunItem {
        let run = json!({
            "id": id, "startedAtMs": 1.0, "endedAtMs": 2.0, "cause": "user", "state": "done", "steps": [],
            "question": null, "authorizationUrl": null, "redirectUri": null,
        });
        serde_json::from_value(run).unwrap()
    }

    #[test]
    fn late_runs_come_first_and_those_of_removed_servers_not_at_all() {
        let server = |id: &str| ServerId(id.to_owned());
        let late = Late {
            history: [(server("a"), vec![run("1")]), (server("b"), vec![run("2")])].into(),
            removed: [server("b")].into(),
        };
        let all = late.before([(server("a"), vec![run("3")])].into());
        let ids: Vec<&str> = all[&server("a")].iter().map(|run| run.id.0.as_str()).collect();
        assert_eq!((ids, all.len()), (vec!["1", "3"], 1));
    }
}
