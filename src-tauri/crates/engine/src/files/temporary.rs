//! The folder of a temporary log. It is deleted with the engine; folders of killed processes are deleted by the next
//! engine.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

#[cfg(unix)]
use nix::fcntl::OFlag;
use patchbay_config::open_private;

/// The name prefix of the folders.
const PREFIX: &str = "patchbay-log-";
/// Locked as long as the folder is in use.
const LOCK: &str = "in-use";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that is deleted when this is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    // Closed before the folder is deleted: not every platform can delete open files.
    lock: Option<File>,
    folder: tempfile::TempDir,
}

impl TemporaryFolder {
    /// Creates a folder below `parent`, and deletes the abandoned ones.
    pub(crate) fn new(parent: &Path) -> io::Result<Self> {
        sweep(parent, YOUNG);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let mut options = File::options();
        let lock = open_private(&folder.path().join(LOCK), options.create_new(true).write(true))?;
        // Where files cannot be locked, nothing is deleted.
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

/// Deletes the folders of processes that no longer run. Undeletable ones are left.
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
    // Anybody may put anything into the temporary folder. Opening a pipe that nobody writes to would wait for ever.
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW).bits(),
    );
    let Ok(file) = options.open(lock) else {
        return false;
    };
    let Some(metadata) = file.metadata().ok().filter(std::fs::Metadata::is_file) else {
        return false;
    };
    let age = metadata.modified().ok().and_then(|made| made.elapsed().ok());
    // The kernel releases a lock when its process ends in any way.
    age.is_some_and(|age| age >= young) && file.try_lock().is_ok()
}

#[cfg(test)]
mod tests;
