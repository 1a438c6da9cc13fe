//! A file whose content can be lost without harm, but is not overwritten unread: what could not be read at the start is read
//! before the first write.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::de::DeserializeOwned;

/// The file.
#[derive(Debug, Clone)]
pub(crate) struct LateFile {
    path: PathBuf,
    unread: Arc<AtomicBool>,
}

impl LateFile {
    /// Reads the file. What does not exist, cannot be read (now) or is not understood counts as the default.
    pub(crate) fn open<T: DeserializeOwned + Default>(path: PathBuf) -> (Self, T) {
        let content = read(&path);
        let file = Self {
            path,
            unread: Arc::new(AtomicBool::new(content.is_err())),
        };
        (file, content.unwrap_or_default())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The content, if it could not be read before; the default otherwise.
    ///
    /// # Errors
    /// It still cannot be read, and must not be overwritten.
    pub(crate) fn rest<T: DeserializeOwned + Default>(&self) -> Result<T, String> {
        if !self.unread.load(Ordering::Relaxed) {
            return Ok(T::default());
        }
        let content = read(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.unread.store(false, Ordering::Relaxed);
        Ok(content)
    }
}

fn read<T: DeserializeOwned + Default>(path: &Path) -> std::io::Result<T> {
    match std::fs::read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text).unwrap_or_default()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
