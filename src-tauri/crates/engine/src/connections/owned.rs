//! The owners of tasks: one task, or a set of tasks that end by themselves.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use patchbay_client::{Supervisor, caught};
use tokio::task::{AbortHandle, JoinSet};

/// The pause before a task that died begins again.
const AGAIN: Duration = Duration::from_secs(1);
/// How long the tasks of connections are waited for when Patchbay is closed. They end with their connections, which are closed by
/// then.
const FINISH_TIMEOUT: Duration = Duration::from_secs(1);

/// A running task. Dropping it stops the task at its next await.
#[derive(Debug)]
pub(crate) struct OwnedTask(AbortHandle);

impl OwnedTask {
    /// Starts a task.
    #[expect(clippy::disallowed_methods, reason = "this is the owner")]
    pub(crate) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(task).abort_handle())
    }

    /// Starts a task of a connection; see [`supervised`].
    pub(crate) fn supervised(
        supervisor: &Supervisor,
        kind: TaskKind,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        Self::spawn(supervised(supervisor.clone(), kind, work))
    }
}

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Running tasks, of which nobody keeps a handle. Dropping the set stops them at their next await.
#[derive(Debug, Default)]
pub(crate) struct TaskSet(Mutex<JoinSet<()>>);

impl TaskSet {
    /// Starts a task.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.lock();
        // Those that have ended need no place.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Starts a task of a connection; see [`supervised`].
    pub(crate) fn supervised(
        &self,
        supervisor: &Supervisor,
        kind: TaskKind,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        self.spawn(supervised(supervisor.clone(), kind, work));
    }

    /// Stops the tasks at their next await.
    pub(crate) fn abort(&self) {
        self.lock().abort_all();
    }

    /// Waits for the tasks, and stops those that take longer than [`FINISH_TIMEOUT`].
    pub(crate) async fn finish(&self) {
        let mut tasks = std::mem::take(&mut *self.lock());
        let ended = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(FINISH_TIMEOUT, ended).await.is_err() {
            tracing::warn!(count = tasks.len(), "tasks are stopped that did not end");
            tasks.shutdown().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What runs for a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskKind {
    AnswerQuestions,
    CancelExchange,
    CompareDefinitions,
    EndSubscription,
    FirstListing,
    RememberEra,
    Unsubscribe,
    WatchStatus,
}

impl TaskKind {
    #[cfg(test)]
    const ALL: &[Self] = &[
        Self::AnswerQuestions,
        Self::CancelExchange,
        Self::CompareDefinitions,
        Self::EndSubscription,
        Self::FirstListing,
        Self::RememberEra,
        Self::Unsubscribe,
        Self::WatchStatus,
    ];

    /// The subject of "… stopped".
    fn words(self) -> &'static str {
        match self {
            Self::AnswerQuestions => "the task that answers the server's requests",
            Self::CancelExchange => "the task that cancels a request",
            Self::CompareDefinitions => "the task that compares definitions",
            Self::EndSubscription => "the task that ends a subscription",
            Self::FirstListing => "the task that lists the tools",
            Self::RememberEra => "the task that remembers the server's era",
            Self::Unsubscribe => "the task that unsubscribes from resources",
            Self::WatchStatus => "the task that reports changes of the connection",
        }
    }
}

/// Runs a task of the whole engine to its end. One that panics says so in the log and begins again after a second: without it,
/// the window would go on with what is no longer true.
pub(crate) async fn kept_up<F: Future<Output = ()>>(what: &'static str, begin: impl Fn() -> F) {
    while let Err(cause) = caught(begin()).await {
        tracing::error!(cause, "{what} stopped, and begins again");
        tokio::time::sleep(AGAIN).await;
    }
}

/// `work` as a task of a connection: if it panics, the connection ends as failed, with the cause.
async fn supervised(supervisor: Supervisor, kind: TaskKind, work: impl Future<Output = ()>) {
    let work = async move {
        #[cfg(test)]
        tests::strike(kind);
        work.await;
    };
    supervisor.run(kind.words(), work).await;
}

#[cfg(test)]
mod tests;
