//! The folder of a temporary log. It goes with the engine; what a killed one left behind is swept away by the next.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// How the folders of temporary logs are called.
const PREFIX: &str = "patchbay-log-";
/// Held as long as the folder is in use.
const LOCK: &str = "in-use";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that goes when this is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    // Released before the folder goes: not every platform removes open files.
    lock: Option<File>,
    folder: tempfile::TempDir,
}

impl TemporaryFolder {
    /// Makes one below `parent`, and sweeps away those that nobody uses any more.
    pub(crate) fn new(parent: &Path) -> io::Result<Self> {
        sweep(parent, YOUNG);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        // Where files cannot be locked, nothing is swept either.
        let lock = lock.try_lock().is_ok().then_some(lock);
        Ok(Self { lock, folder })
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        self.lock.take();
    }
}

/// Removes the folders of temporary logs whose process is gone. What cannot be removed stays.
fn sweep(parent: &Path, young: Duration) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ours && is_abandoned(&entry.path().join(LOCK), young) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(lock: &Path, young: Duration) -> bool {
    let Ok(file) = File::open(lock) else {
        return false;
    };
    let age = file
        .metadata()
        .and_then(|data| data.modified())
        .ok()
        .and_then(|made| made.elapsed().ok());
    // The kernel lets a lock go with the process that held it, however that ended.
    age.is_some_and(|age| age >= young) && file.try_lock().is_ok()
}

#[cfg(test)]
mod tests;
