//! When a change leads to a restart, and when it is the doing of a build or of the server itself.

use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
    time::{Duration, SystemTime},
};

use patchbay_client::{State, Status};

/// How long files may change without a pause before that is said.
pub(super) const LONGEST_UNREST: Duration = Duration::from_secs(10);
/// How long after the end of a build its last changes may be reported.
pub(super) const LATE: Duration = Duration::from_millis(200);
/// How long changes after a build are taken for its own at most, if there is no pause.
pub(super) const LONGEST_AFTER_BUILD: Duration = Duration::from_secs(5);
/// How long a restart waits for pending requests.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// A change within this time after a restart is perhaps the doing of the server.
const AFTER_START: Duration = Duration::from_secs(2);
/// The most restarts in a row that each led to the next change.
const MOST_IN_A_ROW: u32 = 5;
/// The most files that are known to be edited.
const MOST_SOURCES: usize = 10_000;

/// Tells what a build writes from what the user edits meanwhile: a file that once changed while no build ran is edited by the
/// user; any other file that changes during a build, or right after it, was written by it.
///
/// So that a file of both kinds causes no loop, a build that was run because of such an edit is never followed by another.
#[derive(Debug, Default)]
pub(super) struct Sources(HashSet<PathBuf>);

impl Sources {
    /// These files changed while no build ran.
    pub(super) fn add(&mut self, paths: &BTreeSet<PathBuf>) {
        for path in paths {
            if self.0.len() < MOST_SOURCES {
                self.0.insert(path.clone());
            }
        }
    }

    /// Which of the files that changed during a build were edited, and which it wrote.
    pub(super) fn sort(&self, during: BTreeSet<PathBuf>) -> (Vec<PathBuf>, Vec<PathBuf>) {
        during.into_iter().partition(|path| self.0.contains(path))
    }
}

/// Restarts in a row that each led to the next change: a server that writes into a folder that is watched.
#[derive(Debug, Default)]
pub(super) struct Series(u32);

impl Series {
    /// Another change; `follows` if the restart before it may have caused it. Returns whether that is a loop.
    pub(super) fn is_loop(&mut self, follows: bool) -> bool {
        self.0 = if follows { self.0 + 1 } else { 0 };
        self.0 >= MOST_IN_A_ROW
    }

    /// The user has restarted it.
    pub(super) fn reset(&mut self) {
        self.0 = 0;
    }
}

/// Whether a change may be the doing of a server that was restarted, given its connection.
pub(super) fn follows(status: &Status, changed_at: SystemTime) -> bool {
    match status.state {
        State::Connecting | State::Authorizing | State::Negotiating => true,
        _ => changed_at < status.since + AFTER_START,
    }
}

#[cfg(test)]
mod tests;
