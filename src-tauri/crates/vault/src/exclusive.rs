//! Doing something alone: no other task of this program, and no other program with the same vault.

use std::{
    collections::HashMap,
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::OwnedMutexGuard;

use crate::{VaultError, file};

/// How often it is looked whether another program is done.
const PACE: Duration = Duration::from_millis(20);

/// Nobody else does the same while this is held. The system lets it go with the process, however that ends.
pub struct Exclusive {
    // Let go in this order: the file first, or a waiting task here would find it locked.
    _file: Option<File>,
    _here: OwnedMutexGuard<()>,
}

/// Who is alone at what, in this program.
#[derive(Default)]
pub(crate) struct Turns {
    here: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl Turns {
    /// Waits for the turn. Dropping the future stops the waiting.
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
        })
    }
}

/// Which file stands for a name: names may hold what file names cannot.
fn lock_file(vault: &Path, name: &str) -> PathBuf {
    // FNV-1a. Two names in one file would only wait for each other.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    file::folder_of(vault)
        .join("locks")
        .join(format!("{hash:016x}.lock"))
}

async fn locked(path: PathBuf) -> Result<File, VaultError> {
    let failed = |error: std::io::Error| file::failed("Locking", &path, &error);
    std::fs::create_dir_all(file::folder_of(&path)).map_err(failed)?;
    let opened = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(failed)?;
    loop {
        match opened.try_lock() {
            Ok(()) => return Ok(opened),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PACE).await,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests;
