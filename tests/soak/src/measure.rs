//! What this process holds, as the system says (Linux).

use std::fs;

/// Numbers that must not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) tasks: usize,
    pub(crate) threads: usize,
    /// Descriptors, sockets included.
    pub(crate) files: usize,
    pub(crate) sockets: usize,
    pub(crate) children: usize,
}

impl Held {
    /// The tasks are those of the current runtime.
    pub(crate) fn now() -> Self {
        Self {
            tasks: tokio::runtime::Handle::current().metrics().num_alive_tasks(),
            threads: connection_threads(),
            files: fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
            sockets: sockets(),
            children: children(),
        }
    }

    /// Whether nothing is more than it was.
    pub(crate) fn is_within(&self, before: &Self) -> bool {
        self.tasks <= before.tasks
            && self.threads <= before.threads
            && self.files <= before.files
            && self.children <= before.children
    }
}

/// Descriptors that are sockets.
fn sockets() -> usize {
    let all = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let targets = all.filter_map(|one| fs::read_link(one.path()).ok());
    targets
        .filter(|target| target.to_string_lossy().starts_with("socket:"))
        .count()
}

/// Threads with a connection.
fn connection_threads() -> usize {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "connection").count()
}

/// Processes that this one has started, without the guardian.
fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

/// The memory in use now, in kB.
pub(crate) fn memory_kb() -> usize {
    field("VmRSS:")
}

/// The memory in use now and at most so far, in MB.
pub(crate) fn memory() -> (usize, usize) {
    (field("VmRSS:") / 1024, field("VmHWM:") / 1024)
}

/// A number of kB that the system says about this process.
fn field(name: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
