//! What the command line needs besides the commands: drafts from its arguments, and the recording as a file.

use std::io::{BufWriter, Write};

use patchbay_contract::{CommandError, ErrorCode, ServerDraft};

use crate::{
    calls::object,
    dispatch::error::{fail, fail_with},
    state::Engine,
};

/// Checks the params of a request, or the arguments of a call, before anything is started.
///
/// # Errors
/// `InvalidParams`, with line and column, if they are not a JSON object.
pub fn check_object(what: &str, text: &str) -> Result<(), CommandError> {
    object(what, text).map(drop)
}

impl Engine {
    /// Messages for the user since the start (for example: an unreadable `servers.json` was set aside).
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        self.state.notices()
    }

    /// Those of them that say what is wrong with `servers.json`.
    #[must_use]
    pub fn server_notices(&self) -> Vec<String> {
        self.state.servers.notices()
    }

    /// Closes all connections and returns when all servers have ended. The recording can still be exported.
    pub async fn disconnect(&self) {
        self.close_connections().await;
    }

    /// A command line as a draft, for one-shot commands.
    ///
    /// # Errors
    /// `InvalidParams` with the reason.
    pub fn draft_of_command(&self, line: &str) -> Result<ServerDraft, CommandError> {
        patchbay_config::one_command(line).map_err(|why| fail(ErrorCode::InvalidParams, why))
    }

    /// An address as a draft, for one-shot commands.
    #[must_use]
    pub fn draft_of_url(&self, url: &str) -> ServerDraft {
        patchbay_config::one_url(url)
    }

    /// Checks the name of a model for sampling, before anything is sent.
    ///
    /// # Errors
    /// There is no such model provider, or it has no default model.
    pub fn check_model(&self, name: &str) -> Result<(), CommandError> {
        self.state.models.named(name).map(drop)
    }

    /// Cancels everything in progress: `notifications/cancelled` is sent for each request.
    pub async fn cancel_all(&self) {
        self.state.exchanges.cancel_all().await;
    }

    /// Writes everything recorded so far (frames and stderr, as JSON lines) to a file.
    ///
    /// # Errors
    /// `Storage` with the cause.
    pub async fn export_recording(&self, file: impl Write + Send + 'static) -> Result<(), CommandError> {
        let failed = |error: &dyn std::fmt::Display| {
            fail_with(ErrorCode::Storage, "The recording could not be written.", error)
        };
        self.state
            .recorder
            .flush()
            .await
            .map_err(|error| failed(&error))?;
        let (mut writer, _) = self
            .state
            .store
            .export_jsonl(0, BufWriter::new(file))
            .await
            .map_err(|error| failed(&error))?;
        writer.flush().map_err(|error| failed(&error))
    }
}
