//! Why an engine could not be opened, and how errors become the contract's [`CommandError`].

use std::path::PathBuf;

use patchbay_contract::{CommandError, ErrorCode};

/// Why [`Engine::open`](crate::Engine::open) failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The system names no home folder, so there is no place for files.
    #[error("No home folder was found for Patchbay's files. Choose one with `--data-dir DIR`.")]
    NoHome,
    /// Another Patchbay uses the same data folder.
    #[error(
        "{holder} is using the data folder {}. Close it, or start with a separate folder: `--data-dir DIR`.",
        folder.display()
    )]
    Locked {
        /// Who holds it, e.g. `The window (process 4711)`.
        holder: String,
        /// The folder.
        folder: PathBuf,
    },
    /// A file or folder of ours could not be used.
    #[error("{step} failed for {}: {source}", path.display())]
    File {
        /// What was tried.
        step: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The traffic store could not be opened.
    #[error("The traffic store could not be opened: {0}")]
    Store(String),
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> Self {
        let code = match error {
            EngineError::Locked { .. } => ErrorCode::Locked,
            EngineError::NoHome | EngineError::File { .. } | EngineError::Store(_) => ErrorCode::Storage,
        };
        fail(code, error.to_string())
    }
}

/// An error of a command, without detail.
pub(crate) fn fail(code: ErrorCode, message: impl Into<String>) -> CommandError {
    CommandError {
        code,
        message: message.into(),
        detail: None,
    }
}

/// An error of a command, with the cause in full.
pub(crate) fn fail_with(
    code: ErrorCode,
    message: impl Into<String>,
    detail: impl std::fmt::Display,
) -> CommandError {
    CommandError {
        code,
        message: message.into(),
        detail: Some(detail.to_string()),
    }
}
