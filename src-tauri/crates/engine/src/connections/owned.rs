//! Tasks that end with their owner.

use tokio::task::AbortHandle;

/// A running task. Dropping it stops the task at its next await.
#[derive(Debug)]
pub(crate) struct OwnedTask(AbortHandle);

impl OwnedTask {
    /// Starts a task.
    #[expect(clippy::disallowed_methods, reason = "this is the owner")]
    pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(task).abort_handle())
    }
}

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}
