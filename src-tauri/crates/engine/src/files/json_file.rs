//! A file of ours with JSON that is read once and written whole. What could not be read is read again when it is needed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patchbay_config::write_atomically;
use patchbay_contract::{CommandError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::OwnedMutexGuard;

use crate::dispatch::error::{fail, fail_with};

/// What to do about a file that cannot be read.
pub(crate) const CORRECT: &str =
    "Check the disk, or correct or move the file; Patchbay reads it again when it is needed.";

/// The file. One that cannot be read is not overwritten.
#[derive(Debug)]
pub(crate) struct JsonFile {
    path: PathBuf,
    writable: bool,
    /// What it holds, in words: `model providers`.
    what: &'static str,
    /// Why it could not be read.
    problem: Mutex<Option<String>>,
    /// Held while a change is written, so that the latest one is written last.
    writing: Arc<tokio::sync::Mutex<()>>,
}

/// A change of a file, from what it depends on to what depends on it. The next one begins when it is dropped.
pub(crate) type Change = OwnedMutexGuard<()>;

impl JsonFile {
    /// Reads the file; the default if it does not exist or cannot be read.
    pub(crate) fn open<T: DeserializeOwned + Default>(
        path: PathBuf,
        writable: bool,
        what: &'static str,
    ) -> (Self, T) {
        let (saved, problem) = match read(&path) {
            Ok(saved) => (saved, None),
            Err(problem) => (T::default(), Some(problem)),
        };
        let file = Self {
            path,
            writable,
            what,
            problem: Mutex::new(problem),
            writing: Arc::default(),
        };
        (file, saved)
    }

    /// Whether changes are written; otherwise they hold for this run only.
    pub(crate) fn is_kept(&self) -> bool {
        self.writable
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Why the file could not be read, in a sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        lock(&self.problem).as_deref().map(|why| self.words(why))
    }

    fn words(&self, why: &str) -> String {
        let (what, path) = (self.what, self.path.display());
        format!("The {what} in {path} cannot be read: {why}.")
    }

    /// Reads the file again if it could not be read so far. `put` gets the content if it was read only now: it takes the
    /// place of the default.
    ///
    /// # Errors
    /// It still cannot be read.
    pub(crate) fn check<T: DeserializeOwned + Default>(
        &self,
        put: impl FnOnce(T),
    ) -> Result<(), CommandError> {
        let mut problem = lock(&self.problem);
        if problem.is_none() {
            return Ok(());
        }
        match read(&self.path) {
            Ok(saved) => {
                put(saved);
                *problem = None;
                Ok(())
            }
            Err(why) => {
                let message = format!("{} {CORRECT}", self.words(&why));
                *problem = Some(why);
                Err(fail(ErrorCode::Storage, message))
            }
        }
    }

    /// Begins a change, after the one before it has ended. What is changed is read from here on.
    pub(crate) async fn begin(&self) -> Change {
        self.writing.clone().lock_owned().await
    }

    /// Replaces the content, and then the one in memory with `put`. Both happen, or neither, also if the caller is dropped
    /// while it waits: a page that is closed aborts its calls. The change that is returned goes on until it is dropped.
    ///
    /// # Errors
    /// The content was not written.
    pub(crate) async fn write(
        &self,
        change: Change,
        saved: impl Serialize + Send + 'static,
        put: impl FnOnce() + Send + 'static,
    ) -> Result<Change, CommandError> {
        if !self.writable {
            put();
            return Ok(change);
        }
        let path = self.path.clone();
        let what = self.what;
        let failed = move |error: &dyn std::error::Error| {
            fail_with(
                ErrorCode::Internal,
                format!("The {what} were not written."),
                error.to_string(),
            )
        };
        let write = move || {
            let text = serde_json::to_string_pretty(&saved).map_err(|error| failed(&error))?;
            write_atomically(&path, &text)?;
            put();
            Ok(change)
        };
        tokio::task::spawn_blocking(write)
            .await
            .map_err(|error| failed(&error))?
    }
}

/// The content in memory. It is consistent after every statement, so a poisoned lock is usable.
pub(crate) fn lock<T>(content: &Mutex<T>) -> MutexGuard<'_, T> {
    content.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content; the default if the file does not exist.
fn read<T: DeserializeOwned + Default>(path: &std::path::Path) -> Result<T, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
