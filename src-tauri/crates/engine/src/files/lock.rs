//! One Patchbay per data folder: an advisory lock on a file; another file beside it names the holder.
//!
//! The system releases the lock when its holder exits in any way, so there is never a stale lock.

use std::{
    fs::{File, TryLockError},
    io::Write as _,
    path::{Path, PathBuf},
};

use patchbay_config::{FileError, make_parent, open_private};

use crate::dispatch::error::EngineError;

/// Holds the lock until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    holder: PathBuf,
}

impl Lock {
    /// Locks the folder of `store` for `front` (`The window`, `patchbay serve`).
    pub(crate) fn take(store: &Path, front: &str) -> Result<Self, EngineError> {
        make_parent(store)?;
        let path = store.with_extension("lock");
        let holder = store.with_extension("holder");
        let failed = |source| FileError {
            step: "Opening the lock",
            path: path.clone(),
            source,
        };
        let mut options = File::options();
        let file = open_private(&path, options.create(true).truncate(false).write(true)).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(EngineError::Locked {
                    holder: read_holder(&holder),
                    folder: store.parent().unwrap_or(store).to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source).into()),
        }
        // Not in the lock file itself: some systems do not allow reading a locked file. It is only used for messages.
        if let Err(error) = write_holder(&holder, front) {
            tracing::warn!(%error, "the lock's holder could not be written down");
        }
        Ok(Self { file, holder })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that is being started holds a copy until it executes its program.
        let _ = self.file.unlock();
        let _ = std::fs::remove_file(&self.holder);
    }
}

fn write_holder(path: &Path, front: &str) -> std::io::Result<()> {
    let mut file = open_private(path, File::options().create(true).truncate(true).write(true))?;
    writeln!(file, "{front} (process {})", std::process::id())
}

fn read_holder(path: &Path) -> String {
    std::fs::read_to_string(path)
        .ok()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "Another Patchbay".to_owned())
}

#[cfg(test)]
mod tests;
