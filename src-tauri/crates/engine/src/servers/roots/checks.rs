//! Looks at folders without waiting for a file system that does not answer.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use patchbay_contract::FolderState;
use tokio::{task::JoinHandle, time::Instant};

use super::folders;

/// How long a check of folders waits for file systems at most.
const PATIENCE: Duration = Duration::from_millis(500);

/// Checks folders, one after the other. A folder whose file system hangs occupies one thread, however often it is checked,
/// and is not waited for again until that thread returns.
#[derive(Debug)]
pub(crate) struct FolderChecks {
    /// The checks that have not returned, by path.
    hanging: tokio::sync::Mutex<HashMap<PathBuf, JoinHandle<FolderState>>>,
    look: fn(&Path) -> FolderState,
}

impl Default for FolderChecks {
    fn default() -> Self {
        Self::with(folders::state_of)
    }
}

impl FolderChecks {
    fn with(look: fn(&Path) -> FolderState) -> Self {
        Self {
            hanging: tokio::sync::Mutex::default(),
            look,
        }
    }

    /// The states of these folders, in their order.
    pub(crate) async fn states(&self, paths: Vec<PathBuf>) -> Vec<FolderState> {
        let mut hanging = self.hanging.lock().await;
        let until = Instant::now() + PATIENCE;
        let mut states = Vec::new();
        for path in paths {
            let (mut task, until) = match hanging.remove(&path) {
                Some(task) => (task, Instant::now()),
                None => {
                    let (path, look) = (path.clone(), self.look);
                    (tokio::task::spawn_blocking(move || look(&path)), until)
                }
            };
            let state = match tokio::time::timeout_at(until, &mut task).await {
                Ok(found) => found.unwrap_or(FolderState::NotAnswering),
                Err(_) => {
                    hanging.insert(path, task);
                    FolderState::NotAnswering
                }
            };
            states.push(state);
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Whether the file system of `/slow` answers.
    static ANSWERS: AtomicBool = AtomicBool::new(false);

    fn look(path: &Path) -> FolderState {
        while path == Path::new("/slow") && !ANSWERS.load(Ordering::SeqCst) {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        FolderState::Ready
    }

    #[tokio::test]
    async fn a_file_system_that_hangs_is_waited_for_once() {
        use FolderState::{NotAnswering, Ready};
        let checks = FolderChecks::with(look);
        let paths = || ["/slow", "/quick"].map(PathBuf::from).to_vec();
        let begun = Instant::now();
        let states = checks
            .states(["/quick", "/slow"].map(PathBuf::from).to_vec())
            .await;
        assert_eq!(states, [Ready, NotAnswering]);
        assert!(begun.elapsed() >= PATIENCE);
        // The others are found although it comes first, and no second thread hangs.
        assert_eq!(checks.states(paths()).await, [NotAnswering, Ready]);
        assert_eq!(checks.hanging.lock().await.len(), 1);
        ANSWERS.store(true, Ordering::SeqCst);
        let task = checks.hanging.lock().await.remove(Path::new("/slow")).unwrap();
        task.await.unwrap();
        assert_eq!(checks.states(paths()).await, [Ready, Ready]);
    }
}
