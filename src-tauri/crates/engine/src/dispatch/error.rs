//! Why an engine could not be opened, and the conversion of errors to the contract's [`CommandError`].

use std::path::PathBuf;

use patchbay_config::FileError;
use patchbay_contract::{CommandError, ErrorCode};
use patchbay_vault::VaultError;

/// Why [`Engine::open`](crate::Engine::open) failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The system has no home folder, so there is no place for files.
    #[error("No home folder was found for Patchbay's files. Choose one with `--data-dir DIR`.")]
    NoHome,
    /// Another Patchbay uses the same data folder.
    #[error(
        "{holder} is using the data folder {}. Close it, or start with a separate folder: `--data-dir DIR`.",
        folder.display()
    )]
    Locked {
        /// The holder, for example `The window (process 4711)`.
        holder: String,
        /// The folder.
        folder: PathBuf,
    },
    /// A file or folder could not be used.
    #[error("{0}. Check that the folder can be read and written, or choose another with `--data-dir DIR`.")]
    File(#[from] FileError),
    /// The traffic store could not be opened.
    #[error("The traffic store could not be opened: {0}")]
    Store(String),
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> Self {
        let code = match error {
            EngineError::Locked { .. } => ErrorCode::Locked,
            EngineError::NoHome | EngineError::File(_) | EngineError::Store(_) => ErrorCode::Storage,
        };
        fail(code, error.to_string())
    }
}

/// The error of a command, without detail.
pub(crate) fn fail(code: ErrorCode, message: impl Into<String>) -> CommandError {
    CommandError::new(code, message)
}

/// The error of a command, with the cause as its detail.
pub(crate) fn fail_with(code: ErrorCode, message: impl Into<String>, detail: impl ToString) -> CommandError {
    CommandError::with_detail(code, message, detail)
}

/// Runs `work` on a blocking thread, to its end. `interrupted`: the message of the error if it does not get there.
pub(crate) async fn blocking<T: Send + 'static>(
    interrupted: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, CommandError> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|error| fail_with(ErrorCode::Internal, interrupted, error))
}

/// A failure of the vault as a command error.
pub(crate) fn vault_failed(error: VaultError) -> CommandError {
    let code = match &error {
        VaultError::Needed(_) => ErrorCode::VaultNeeded,
        VaultError::WrongPassphrase | VaultError::NotNow(_) => ErrorCode::InvalidParams,
        VaultError::Damaged { .. } | VaultError::File { .. } => ErrorCode::Storage,
        VaultError::Internal(_) => ErrorCode::Internal,
    };
    fail(code, error.to_string())
}

/// A command, or what it started, has panicked.
pub(crate) fn internal(name: &str, cause: &str) -> CommandError {
    fail(
        ErrorCode::Internal,
        format!(
            "Patchbay could not complete `{name}` because of an internal error: {cause}. Try again; if it happens again, \
             report it together with the recorded traffic."
        ),
    )
}
