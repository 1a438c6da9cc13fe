//! The state that the UI stores across restarts: opaque JSON text in a file.

use std::path::{Path, PathBuf};

use patchbay_config::write_atomically;
use patchbay_contract::{CommandError, ErrorCode};
use tokio::sync::Mutex;

use crate::dispatch::error::{blocking, fail, fail_with};

/// The maximum size of the stored state of the UI, in bytes.
const LARGEST: usize = 1024 * 1024;

/// The UI's state, in a file or in memory.
#[derive(Debug)]
pub(crate) struct UiState {
    file: Option<PathBuf>,
    /// None until the file was read: a state that cannot be read now is not overwritten.
    state: Mutex<Option<State>>,
}

/// What is stored: JSON text, or nothing yet.
type State = Option<String>;

impl UiState {
    /// Reads `file` if it exists. What is not JSON counts as none: the UI starts with its defaults.
    pub(crate) fn open(file: Option<PathBuf>) -> Self {
        let state = Mutex::new(read(file.as_deref()).ok());
        Self { file, state }
    }

    /// The stored state; none if there is none.
    ///
    /// # Errors
    /// The file cannot be read (now). The next call tries again.
    pub(crate) async fn get(&self) -> Result<Option<String>, CommandError> {
        let mut state = self.state.lock().await;
        Ok(self.known(&mut state)?.clone())
    }

    /// The state, which is read if that failed so far.
    fn known<'a>(&self, state: &'a mut Option<State>) -> Result<&'a mut State, CommandError> {
        let read = match state.take() {
            Some(known) => known,
            None => read(self.file.as_deref()).map_err(|error| {
                fail_with(
                    ErrorCode::Storage,
                    "The UI's state cannot be read. Check the disk; it is read again when the window is loaded again.",
                    error,
                )
            })?,
        };
        Ok(state.insert(read))
    }

    pub(crate) async fn set(&self, json: String) -> Result<(), CommandError> {
        if json.len() > LARGEST {
            return Err(fail(
                ErrorCode::InvalidParams,
                "The UI's state is larger than 1 MiB.",
            ));
        }
        if !is_json(&json) {
            return Err(fail(ErrorCode::InvalidParams, "The UI's state is not JSON."));
        }
        // Held while writing, so that the latest state is written last.
        let mut state = self.state.lock().await;
        let state = self.known(&mut state)?;
        if state.as_deref() == Some(&json) {
            return Ok(());
        }
        if let Some(path) = self.file.clone() {
            let text = json.clone();
            let write = move || write_atomically(&path, &text);
            blocking("The UI's state was not written.", write).await??;
        }
        *state = Some(json);
        Ok(())
    }
}

/// Reads the file; none if it does not exist or is not JSON.
fn read(file: Option<&Path>) -> std::io::Result<State> {
    let Some(file) = file else { return Ok(None) };
    match std::fs::read(file) {
        Ok(bytes) => Ok(String::from_utf8(bytes).ok().filter(|text| is_json(text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests;
