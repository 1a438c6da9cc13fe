//! The tasks of the window that need the engine. They are stopped before it is closed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

/// Running tasks. Dropping it stops them.
#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<JoinSet<()>>);

impl Tasks {
    /// Starts a task on the runtime of the window, from any thread.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.lock();
        // Those that have ended need no place.
        while tasks.try_join_next().is_some() {}
        tasks.spawn_on(task, tauri::async_runtime::handle().inner());
    }

    /// Stops all tasks, and waits until they have stopped.
    pub(super) async fn shutdown(&self) {
        let mut tasks = std::mem::take(&mut *self.lock());
        tasks.shutdown().await;
    }

    fn lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
