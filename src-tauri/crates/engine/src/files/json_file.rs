//! A file of ours with JSON that is read once and written whole.

use std::path::{Path, PathBuf};

use patchbay_config::write_atomically;
use patchbay_contract::{CommandError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};

use crate::dispatch::error::{fail, fail_with};

/// What to do about a file that cannot be read.
pub(crate) const CORRECT: &str = "Correct or move the file, then restart Patchbay.";

/// The file. One that cannot be read is never overwritten.
#[derive(Debug)]
pub(crate) struct JsonFile {
    path: PathBuf,
    writable: bool,
    /// What it holds, in words: `model providers`.
    what: &'static str,
    /// Why it cannot be read.
    problem: Option<String>,
}

impl JsonFile {
    /// Reads the file; the default if it does not exist or cannot be read.
    pub(crate) fn open<T: DeserializeOwned + Default>(
        path: PathBuf,
        writable: bool,
        what: &'static str,
    ) -> (Self, T) {
        let (saved, problem) = match std::fs::read_to_string(&path) {
            Ok(text) => match serde_json::from_str(&text) {
                Ok(saved) => (saved, None),
                Err(error) => (T::default(), Some(error.to_string())),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (T::default(), None),
            Err(error) => (T::default(), Some(error.to_string())),
        };
        let file = Self {
            path,
            writable,
            what,
            problem,
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

    /// Why the file cannot be read, in a sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        let (what, path) = (self.what, self.path.display());
        let problem = self.problem.as_ref()?;
        Some(format!("The {what} in {path} cannot be read: {problem}."))
    }

    /// Fails if the file cannot be read.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        match self.problem() {
            None => Ok(()),
            Some(problem) => Err(fail(ErrorCode::Storage, format!("{problem} {CORRECT}"))),
        }
    }

    /// Replaces the content.
    pub(crate) async fn write(&self, saved: impl Serialize + Send + 'static) -> Result<(), CommandError> {
        if !self.writable {
            return Ok(());
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
            Ok(write_atomically(&path, &text)?)
        };
        tokio::task::spawn_blocking(write)
            .await
            .map_err(|error| failed(&error))?
    }
}
