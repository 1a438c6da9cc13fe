//! The state that the UI stores across restarts: opaque JSON text in a file.

use std::path::PathBuf;

use patchbay_config::write_atomically;
use patchbay_contract::{CommandError, ErrorCode};
use tokio::sync::Mutex;

use crate::dispatch::error::{fail, fail_with};

/// The maximum size of the stored state of the UI, in bytes.
const LARGEST: usize = 1024 * 1024;

/// The UI's state, in a file or in memory.
#[derive(Debug)]
pub(crate) struct UiState {
    file: Option<PathBuf>,
    state: Mutex<Option<String>>,
}

impl UiState {
    /// Reads `file` if it exists. Unreadable state counts as none: the UI starts with its defaults.
    pub(crate) fn open(file: Option<PathBuf>) -> Self {
        let state = file
            .as_deref()
            .and_then(|path| std::fs::read_to_string(path).ok())
            .filter(|text| is_json(text));
        Self {
            file,
            state: Mutex::new(state),
        }
    }

    pub(crate) async fn get(&self) -> Option<String> {
        self.state.lock().await.clone()
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
        if state.as_deref() == Some(&json) {
            return Ok(());
        }
        if let Some(path) = self.file.clone() {
            let text = json.clone();
            tokio::task::spawn_blocking(move || write_atomically(&path, &text))
                .await
                .map_err(|error| {
                    fail_with(ErrorCode::Internal, "The UI's state was not written.", error)
                })??;
        }
        *state = Some(json);
        Ok(())
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests;
