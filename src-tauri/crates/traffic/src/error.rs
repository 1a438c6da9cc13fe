//! What can go wrong with the store, each with its file, cause and next action.

use std::path::PathBuf;

/// The store cannot do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("cannot open the traffic log {path}: {cause}. Check that the folder exists and is writable, or choose another with --data-dir.", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The file is no database, or a damaged one. [`crate::set_aside`] moves it away.
    #[error("the traffic log {path} is damaged: {cause}. Set it aside (rename it) to begin a new one.", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The file was written by a newer version of this program.
    #[error("the traffic log {path} was written by a newer version (schema {found}; this version knows {known}). Update this program, or choose another folder with --data-dir.", path = path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// A read failed.
    #[error("cannot read the traffic log {path}: {cause}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The store was closed while records could not be written.
    #[error("{records} records could not be written to the traffic log {path} before it was closed: {cause}. Free some space on the disk.", path = path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// How many.
        records: usize,
        /// Why.
        cause: String,
    },
    /// An export's destination cannot be written.
    #[error("cannot write the export: {0}")]
    Export(#[from] std::io::Error),
    /// The quota cannot be written. Carries the cause.
    #[error("cannot save the limits of the traffic log: {0}")]
    Quota(String),
    /// The store is closed.
    #[error(transparent)]
    Closed(#[from] StoreClosed),
}

/// The store is closed: nothing is recorded any more, so nothing may cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the traffic log is closed")]
pub struct StoreClosed;
