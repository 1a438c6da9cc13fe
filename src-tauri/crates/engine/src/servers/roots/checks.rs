//! Looks at folders without waiting for a file system that does not answer.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use patchbay_contract::{FolderFacts, FolderState};
use tokio::task::JoinHandle;

use super::folders;

/// How long the first folder that does not answer is waited for. Those that answer take what they need: on a busy machine a
/// thousand folders take longer than this.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long each further folder is waited for, after one did not answer.
const LESS: Duration = Duration::from_millis(50);
/// How many threads may hang. As long as that many do, no other folder is looked at: the threads are needed elsewhere.
const HANGING: usize = 16;

/// Checks folders, one after the other. A folder whose file system hangs occupies one thread, however often it is checked,
/// and is not waited for again until that thread returns. So a check waits at most `PATIENCE` and `HANGING` times `LESS` for
/// nothing, if no other check does at the same time.
///
/// `T` is what is found out about each.
#[derive(Debug)]
pub(crate) struct FolderChecks<T = FolderState> {
    /// The checks that have not returned, by path.
    hanging: tokio::sync::Mutex<HashMap<PathBuf, JoinHandle<T>>>,
    /// [`LESS`], but in tests.
    less: Duration,
    look: fn(&Path) -> T,
    /// What is said of a folder that does not answer.
    unknown: fn(&Path) -> T,
}

impl Default for FolderChecks {
    fn default() -> Self {
        Self::with(folders::state_of, |_| FolderState::NotAnswering)
    }
}

impl Default for FolderChecks<FolderFacts> {
    fn default() -> Self {
        Self::with(folders::facts, folders::unknown)
    }
}

impl<T: Send + 'static> FolderChecks<T> {
    fn with(look: fn(&Path) -> T, unknown: fn(&Path) -> T) -> Self {
        Self {
            hanging: tokio::sync::Mutex::default(),
            less: LESS,
            look,
            unknown,
        }
    }

    /// What is found out about these folders, in their order.
    pub(crate) async fn states(&self, paths: Vec<PathBuf>) -> Vec<T> {
        let mut patience = PATIENCE;
        let mut states = Vec::new();
        for path in paths {
            // For one folder only, so that another check goes on in between.
            let mut hanging = self.hanging.lock().await;
            // Nobody may ask again about a folder that has answered by now.
            hanging.retain(|known, task| known == &path || !task.is_finished());
            let (mut task, wait) = match hanging.remove(&path) {
                Some(task) => (task, Duration::ZERO),
                None if hanging.len() >= HANGING => {
                    states.push((self.unknown)(&path));
                    continue;
                }
                None => {
                    let (path, look) = (path.clone(), self.look);
                    (tokio::task::spawn_blocking(move || look(&path)), patience)
                }
            };
            let state = match tokio::time::timeout(wait, &mut task).await {
                Ok(found) => found.unwrap_or_else(|_| (self.unknown)(&path)),
                Err(_) => {
                    patience = self.less;
                    let unknown = (self.unknown)(&path);
                    hanging.insert(path, task);
                    unknown
                }
            };
            states.push(state);
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Instant;

    use super::*;

    /// Whether the file systems of `/slow…` answer.
    static ANSWERS: AtomicBool = AtomicBool::new(false);
    /// How often a folder was looked at.
    static LOOKS: AtomicUsize = AtomicUsize::new(0);

    fn look(path: &Path) -> FolderState {
        LOOKS.fetch_add(1, Ordering::SeqCst);
        while path.starts_with("/slow") && !ANSWERS.load(Ordering::SeqCst) {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        FolderState::Ready
    }

    #[tokio::test]
    async fn file_systems_that_hang_are_waited_for_once_and_take_few_threads() {
        use FolderState::{NotAnswering, Ready};
        let mut checks = FolderChecks::with(look, |_| NotAnswering);
        // What answers does so before this, also on a busy machine.
        checks.less = Duration::from_secs(30);
        let begun = Instant::now();
        let states = checks
            .states(["/slow/0", "/quick"].map(PathBuf::from).to_vec())
            .await;
        // What comes after a folder that hangs is looked at too.
        assert_eq!(states, [NotAnswering, Ready]);
        assert!(begun.elapsed() >= PATIENCE);
        // The others are found although it comes first, and no second thread hangs for it.
        let again = ["/slow/0", "/quick"].map(PathBuf::from).to_vec();
        assert_eq!(checks.states(again).await, [NotAnswering, Ready]);
        assert_eq!(checks.hanging.lock().await.len(), 1);

        checks.less = LESS;
        let many: Vec<PathBuf> = (0..1_000).map(|at| format!("/slow/{at}").into()).collect();
        let before = LOOKS.load(Ordering::SeqCst);
        assert_eq!(checks.states(many.clone()).await, [NotAnswering; 1_000]);
        assert_eq!(checks.hanging.lock().await.len(), HANGING);

        ANSWERS.store(true, Ordering::SeqCst);
        for (_, task) in checks.hanging.lock().await.drain() {
            task.await.unwrap();
        }
        // A thread that began to hang may do so later than it was waited for. Now each has looked.
        assert_eq!(LOOKS.load(Ordering::SeqCst) - before, HANGING - 1);
        assert_eq!(checks.states(many).await, [Ready; 1_000]);
    }

    /// Answers for `/late…` only after [`LATE`].
    static LATE: AtomicBool = AtomicBool::new(false);

    fn late(path: &Path) -> FolderState {
        while path.starts_with("/late") && !LATE.load(Ordering::SeqCst) {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        FolderState::Ready
    }

    #[tokio::test]
    async fn folders_that_answer_later_do_not_hold_up_others() {
        use FolderState::{NotAnswering, Ready};
        let checks = FolderChecks::with(late, |_| NotAnswering);
        let typed = (0..HANGING).map(|at| format!("/late/{at}").into()).collect();
        assert_eq!(checks.states(typed).await, [NotAnswering; HANGING]);
        let other = vec![PathBuf::from("/other")];
        assert_eq!(checks.states(other.clone()).await, [NotAnswering]);
        LATE.store(true, Ordering::SeqCst);
        while !checks.hanging.lock().await.values().all(JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        // None of them is asked about again.
        assert_eq!(checks.states(other).await, [Ready]);
    }

    #[tokio::test]
    async fn a_check_goes_on_between_the_folders_of_another() {
        let checks = FolderChecks::with(|_| FolderState::Ready, |_| FolderState::NotAnswering);
        let (mut long, mut short) = (
            Box::pin(checks.states(vec![PathBuf::from("/long"); 1_000])),
            Box::pin(checks.states(vec![PathBuf::from("/short")])),
        );
        tokio::select! {
            biased;
            _ = &mut long => panic!("the short check waited for all folders of the long one"),
            states = &mut short => assert_eq!(states, [FolderState::Ready]),
        }
    }

    /// Takes longer for all folders than one may take.
    fn busy(_: &Path) -> FolderState {
        std::thread::park_timeout(PATIENCE / 10);
        FolderState::Ready
    }

    #[tokio::test]
    async fn folders_that_answer_slowly_are_all_waited_for() {
        let checks = FolderChecks::with(busy, |_| FolderState::NotAnswering);
        let paths = vec![PathBuf::from("/quick"); 15];
        assert_eq!(checks.states(paths).await, [FolderState::Ready; 15]);
    }
}
