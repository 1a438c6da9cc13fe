//! Exclusive locks: between the tasks of this program, and between programs with the same vault.

use std::{
    collections::HashMap,
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OwnedMutexGuard, watch},
    time::Instant,
};

use crate::{VaultError, file};

/// The polling interval of the lock file while another program holds it.
const PACE: Duration = Duration::from_millis(20);
/// The time limit for waiting. The other program may be waiting for a slow authorization server or for the keychain's
/// prompt.
const LONGEST_WAIT: Duration = Duration::from_secs(180);

/// Holds a lock. The operating system releases it when the process exits in any way.
pub struct Exclusive {
    // Dropped in this order: the file first, or a waiting task of this program would find it locked.
    _file: Option<File>,
    _here: OwnedMutexGuard<()>,
    _held: Held,
}

/// Counts a lock while it is held.
struct Held(watch::Sender<usize>);

impl Held {
    fn new(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// The locks of this program by name.
#[derive(Default)]
pub(crate) struct Turns {
    here: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    /// How many are held.
    held: watch::Sender<usize>,
}

impl Turns {
    /// Waits for the lock. Dropping the future stops waiting.
    pub(crate) async fn take(&self, vault: Option<&Path>, name: &str) -> Result<Exclusive, VaultError> {
        let mine = self
            .here
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(name.to_owned())
            .or_default()
            .clone();
        let here = mine.lock_owned().await;
        let file = match vault {
            Some(vault) => Some(locked(lock_file(vault, name)).await?),
            None => None,
        };
        Ok(Exclusive {
            _file: file,
            _here: here,
            _held: Held::new(&self.held),
        })
    }

    /// Waits until this program holds no lock.
    pub(crate) async fn released(&self) {
        // The sender is in `self`, so there is always a value to wait for.
        let _ = self.held.subscribe().wait_for(|count| *count == 0).await;
    }
}

/// The lock file of a name, hashed because names may contain characters that file names cannot.
fn lock_file(vault: &Path, name: &str) -> PathBuf {
    // FNV-1a. On a collision two names only wait for each other.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    file::folder_of(vault)
        .join("locks")
        .join(format!("{hash:016x}.lock"))
}

async fn locked(path: PathBuf) -> Result<File, VaultError> {
    let failed = |error: std::io::Error| file::failed("Locking", &path, &error);
    file::make_folder(&file::folder_of(&path)).map_err(failed)?;
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(&path).map_err(failed)?;
    let give_up = Instant::now() + LONGEST_WAIT;
    loop {
        match opened.try_lock() {
            Ok(()) => return Ok(opened),
            Err(TryLockError::WouldBlock) if Instant::now() >= give_up => {
                let seconds = LONGEST_WAIT.as_secs();
                let cause = format!("another program has held it for {seconds} s");
                return Err(failed(std::io::Error::other(cause)));
            }
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PACE).await,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests;
