//! Asks for the passphrase of a locked vault at a terminal, without echo.

use std::io::{ErrorKind, IsTerminal as _};

use patchbay_contract::{
    CommandError, Done, ErrorCode, VaultGetParams, VaultGetResponse, VaultState, VaultStored,
    VaultUnlockParams,
};
use patchbay_engine::Engine;
use serde::{Serialize, de::DeserializeOwned};

use super::server::call;
use crate::{exit::Problem, output};

/// The maximum number of attempts.
const TRIES: usize = 3;

/// Runs a command that needs secrets. A locked vault is opened first, if there is somebody to ask.
pub(crate) async fn with_vault<P: Serialize, R: DeserializeOwned>(
    engine: &Engine,
    command: &str,
    params: &P,
) -> Result<R, Problem> {
    let unreadable = |error: serde_json::Error| Problem::internal("A command could not be run.", &error);
    let text = serde_json::to_string(params).map_err(unreadable)?;
    let answer = match engine.call(command, &text).await {
        Err(error) if opened(engine, &error).await => engine.call(command, &text).await?,
        answer => answer?,
    };
    serde_json::from_str(&answer).map_err(unreadable)
}

/// Opens the vault. Returns whether the operation that failed with `error` can be tried again.
pub(crate) async fn opened(engine: &Engine, error: &CommandError) -> bool {
    error.code == ErrorCode::VaultNeeded && is_locked(engine).await && unlock(engine).await
}

/// Opens a vault that has a passphrase, for what cannot be tried again once it failed. Without it that fails then, with the reason.
pub(crate) async fn open_early(engine: &Engine) {
    if is_locked(engine).await {
        unlock(engine).await;
    }
}

/// Asks for the passphrase, if there is somebody to ask, and opens the vault. Returns whether it is open.
async fn unlock(engine: &Engine) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    for _ in 0..TRIES {
        let Some(passphrase) = typed().await else {
            return false;
        };
        let unlocked: Result<Done, Problem> =
            call(engine, "vault_unlock", &VaultUnlockParams { passphrase }).await;
        match unlocked {
            Ok(_) => return true,
            Err(problem) => problem.say(false),
        }
    }
    false
}

/// Whether there are secrets that need the passphrase.
async fn is_locked(engine: &Engine) -> bool {
    let vault: Result<VaultGetResponse, Problem> = call(engine, "vault_get", &VaultGetParams {}).await;
    vault.is_ok_and(|vault| match vault.state {
        VaultState::Locked => true,
        VaultState::Unopened => vault.stored == Some(VaultStored::Passphrase) && vault.count > 0,
        _ => false,
    })
}

/// The entered passphrase; none if it is empty.
async fn typed() -> Option<String> {
    hidden("The passphrase of Patchbay's vault: ").await
}

/// What is entered after a question, without echo; none if it is empty.
pub(crate) async fn hidden(question: &str) -> Option<String> {
    let question = question.to_owned();
    match tokio::task::spawn_blocking(move || rpassword::prompt_password(question)).await {
        Ok(Ok(text)) if !text.is_empty() => Some(text),
        Ok(Ok(_)) => None,
        // Ctrl-C, which is a character while nothing is echoed, was passed on as a signal: that ends the run.
        Ok(Err(error)) if error.kind() == ErrorKind::Interrupted => std::future::pending().await,
        Ok(Err(error)) => {
            output::words(&format!("The input could not be read: {error}"));
            None
        }
        Err(_) => None,
    }
}
