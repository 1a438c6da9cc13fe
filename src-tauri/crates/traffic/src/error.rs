//! Errors of the store, each with its file, cause and next action.

use std::path::PathBuf;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened or created.
    #[error("cannot open the traffic log {path}: {cause}. {next}", path = path.display(), next = open_action(.cause))]
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The file is not a database, or is damaged. [`crate::set_aside`] renames it.
    #[error("the traffic log {path} is damaged: {cause}. Set it aside (rename it) to create a new one.", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The file was written by a newer version of this program.
    #[error("the traffic log {path} was written by a newer version (schema {found}; this version knows {known}). Update this program, or choose another folder with --data-dir.", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest supported version.
        known: i64,
    },
    /// A read failed.
    #[error("cannot read the traffic log {path}: {cause}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The store was closed while records could not be written.
    #[error("{records} records could not be written to the traffic log {path} before it was closed: {cause}. Free some space on the disk.", path = path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The number of records.
        records: usize,
        /// The cause.
        cause: String,
    },
    /// The store was closed, and the disk did not confirm the last records.
    #[error("the disk did not confirm what was written to the traffic log {path}: {cause}. The last records are lost if this computer stops before the disk works again.", path = path.display())]
    Unsynced {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The destination of an export cannot be written.
    #[error("cannot write the export: {0}")]
    Export(#[from] std::io::Error),
    /// The quota cannot be stored; the cause.
    #[error("cannot save the limits of the traffic log: {0}")]
    Quota(String),
    /// Nothing can be written at present; the cause. What is recorded stays in memory until it can.
    #[error("the traffic log cannot be written: {0}. {next}", next = next_action(.0))]
    Stalled(String),
    /// The store is closed.
    #[error(transparent)]
    Closed(#[from] StoreClosed),
}

/// How the cause begins when the disk does not confirm what was written.
pub(crate) const UNSYNCED: &str = "the disk does not confirm them";
/// The cause when the writer stopped.
pub(crate) const STOPPED: &str = "the task that writes the log stopped because of an internal error";

/// Why records cannot be written at present ([`crate::Problem`]), as sentences that end with the next action.
#[must_use]
pub fn problem_words(cause: &str) -> String {
    if let Some(more) = cause.strip_prefix(UNSYNCED) {
        return format!(
            "The disk does not confirm the new records of the traffic log{more}. Check the disk; Patchbay tries again by itself."
        );
    }
    // A failed read is a sentence already.
    if cause.starts_with("cannot read ") {
        return format!("New records cannot be shown: {cause}.");
    }
    format!(
        "The traffic log cannot be written: {cause}. {}",
        next_action(cause)
    )
}

/// What to do when the file cannot be opened.
fn open_action(cause: &str) -> &'static str {
    match is_full(cause) {
        true => "Free some space on the disk, or choose another folder with --data-dir.",
        false => "Check that the folder exists and is writable, or choose another with --data-dir.",
    }
}

/// Whether the disk is full, as SQLite, Unix and Windows put it. The cause may have a path in it.
fn is_full(cause: &str) -> bool {
    ["disk is full", "No space left", "not enough space"]
        .iter()
        .any(|words| cause.contains(words))
}

/// What to do when nothing can be written.
fn next_action(cause: &str) -> &'static str {
    if cause == STOPPED {
        "Restart Patchbay."
    } else if cause.contains("malformed") || cause.contains("not a database") {
        "Its file is damaged: quit Patchbay and rename traffic.sqlite in the data folder, so that a new log is begun. New records wait in memory, and connections wait when that is full."
    } else if is_full(cause) {
        "Free some space on the disk, or clear the log; new records wait in memory, and connections wait when that is full."
    } else {
        "Free some space on the disk, or check it; Patchbay tries again by itself. New records wait in memory, and connections wait when that is full."
    }
}

/// The store is closed. Nothing can be recorded any more, so nothing may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the traffic log is closed")]
pub struct StoreClosed;
