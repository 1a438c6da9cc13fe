//! Kills a task of a link in a test.

use std::cell::Cell;

/// The tasks of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Stderr,
    Watcher,
}

thread_local! {
    /// Tasks of tests run on the test's own thread.
    static DOOMED: Cell<Option<Task>> = const { Cell::new(None) };
}

/// From now on, such a task panics when it begins.
pub(crate) fn doom(task: Task) {
    DOOMED.set(Some(task));
}

/// Where a task may die.
pub(crate) fn strike(task: Task) {
    assert_ne!(DOOMED.get(), Some(task), "the task is killed");
}
