//! Asks for the passphrase of a locked vault at a terminal, without echo.

use std::io::{ErrorKind, IsTerminal as _};

use patchbay_contract::{
    CommandError, Done, ErrorCode, VaultGetParams, VaultGetResponse, VaultState, VaultUnlockParams,
};
use patchbay_engine::Engine;

use super::server::call;
use crate::{exit::Problem, output};

/// The maximum number of attempts.
const TRIES: usize = 3;

/// Opens the vault. Returns whether the operation that failed with `error` can be tried again.
pub(crate) async fn opened(engine: &Engine, error: &CommandError) -> bool {
    if error.code != ErrorCode::VaultNeeded || !is_locked(engine).await {
        return false;
    }
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

async fn is_locked(engine: &Engine) -> bool {
    let vault: Result<VaultGetResponse, Problem> = call(engine, "vault_get", &VaultGetParams {}).await;
    vault.is_ok_and(|vault| vault.state == VaultState::Locked)
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
