//! Files that the user dropped into the window. The system tells their paths; the page may read what was dropped last, and
//! nothing else.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::{CommandError, ErrorCode};
use tauri::DragDropEvent;

/// The size of the largest file that is read, in bytes: the largest configuration of a host that is.
const LARGEST: u64 = 16 << 20;

/// The paths that were dropped last.
#[derive(Debug, Default)]
pub(crate) struct Dropped(Mutex<Vec<PathBuf>>);

impl Dropped {
    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what is dropped, in place of what was dropped before.
    pub(crate) fn note(&self, event: &DragDropEvent) {
        if let DragDropEvent::Drop { paths, .. } = event {
            self.lock().clone_from(paths);
        }
    }

    /// The bytes of a file that was dropped last.
    ///
    /// # Errors
    /// It was not, or it cannot be read.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, CommandError> {
        let name = path.file_name().unwrap_or(path.as_os_str()).display();
        if !self.lock().iter().any(|dropped| dropped == path) {
            return Err(refused(format!(
                "{name} was not dropped into the window just now."
            )));
        }
        let unreadable =
            |cause: &dyn std::fmt::Display| refused(format!("{name} could not be read: {cause}."));
        // Before it is opened: opening a pipe that nobody writes to would wait for ever.
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if metadata.is_dir() {
            return Err(refused(format!(
                "{name} is a folder. Drop the files in it instead."
            )));
        }
        if !metadata.is_file() {
            return Err(unreadable(&"it is not a file"));
        }
        let file = File::open(path).map_err(|error| unreadable(&error))?;
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(&error))?;
        let size = metadata.len().max(bytes.len() as u64);
        if size > LARGEST {
            return Err(refused(format!(
                "{name} has {:.1} MB, more than the 16 MB that are read of a dropped file. Drop a smaller one.",
                size as f64 / 1e6
            )));
        }
        Ok(bytes)
    }
}

fn refused(message: String) -> CommandError {
    CommandError {
        code: ErrorCode::InvalidParams,
        message,
        detail: None,
    }
}

#[cfg(test)]
mod tests;
