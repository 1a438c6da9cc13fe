//! The vault as the fronts see it, and the secrets of `servers.json` that lie in it.

use std::{path::Path, sync::Arc, time::Duration};

use patchbay_contract::{
    CommandError, Done, ErrorCode, SecretFindResponse, SecretMoveResponse, ServerId, VaultChoice,
    VaultGetResponse, VaultKept, VaultOffer, VaultState,
};
use patchbay_traffic::{Recorder, Secret};
use patchbay_vault::{Choice, Cost, Kept, NoKeychain, Offer, State, Vault, VaultError, VaultOptions};

use crate::{
    engine::Engine,
    error::{fail, fail_with},
    nudges::Topic,
    options::SecretsChoice,
};

/// How long the keychain may take: a person may have to type a password first.
const PATIENCE: Duration = Duration::from_secs(60);

/// The vault of a data folder. Nothing is opened yet. All it holds is masked in the log from when it is known.
pub(crate) fn open(_file: &Path, _: &SecretsChoice, recorder: &Recorder) -> Vault {
    let recorder = recorder.clone();
    Vault::open(VaultOptions {
        file: None,
        keychain: Arc::new(NoKeychain),
        patience: PATIENCE,
        cost: Cost::default(),
        told: Arc::new(move |values| recorder.redact(values)),
    })
}

pub(crate) async fn get(engine: &Engine) -> Result<VaultGetResponse, CommandError> {
    let vault = &engine.inner.vault;
    // Whether it can be read is what the state says.
    let count = vault.ids().await.map_or(0, |ids| ids.len());
    Ok(VaultGetResponse {
        state: state(vault.state()),
        file: vault
            .file()
            .map(|file| file.display().to_string())
            .unwrap_or_default(),
        count: u32::try_from(count).unwrap_or(u32::MAX),
    })
}

pub(crate) async fn choose(engine: &Engine, choice: VaultChoice) -> Result<Done, CommandError> {
    let choice = match choice {
        VaultChoice::Keychain => Choice::Keychain,
        VaultChoice::Passphrase { text } => Choice::Passphrase(Secret::new(text)),
        VaultChoice::Memory => Choice::Memory,
        VaultChoice::SetAside => Choice::SetAside,
    };
    let chosen = engine.inner.vault.choose(choice).await;
    engine.inner.nudges.changed(Topic::Vault);
    chosen.map(|()| Done {}).map_err(failed)
}

pub(crate) async fn unlock(engine: &Engine, passphrase: String) -> Result<Done, CommandError> {
    let unlocked = engine.inner.vault.unlock(Secret::new(passphrase)).await;
    engine.inner.nudges.changed(Topic::Vault);
    unlocked.map(|()| Done {}).map_err(failed)
}

pub(crate) fn find(_: &Engine) -> SecretFindResponse {
    SecretFindResponse { items: Vec::new() }
}

#[expect(clippy::unused_async, reason = "the vault comes next")]
pub(crate) async fn move_secrets(_: &Engine, _: Vec<ServerId>) -> Result<SecretMoveResponse, CommandError> {
    Ok(SecretMoveResponse { moved: 0 })
}

/// A failure of the vault as a command answers it.
pub(crate) fn failed(error: VaultError) -> CommandError {
    match error {
        VaultError::Needed(state) => fail_with(
            ErrorCode::VaultNeeded,
            "The vault has to be opened first.",
            state.words(),
        ),
        VaultError::WrongPassphrase | VaultError::NotNow(_) => {
            fail(ErrorCode::InvalidParams, error.to_string())
        }
        VaultError::Damaged { .. } | VaultError::File { .. } => fail(ErrorCode::Storage, error.to_string()),
        VaultError::Internal(_) => fail(ErrorCode::Internal, error.to_string()),
    }
}

fn state(state: State) -> VaultState {
    match state {
        State::Unopened => VaultState::Unopened,
        State::Opening => VaultState::Opening,
        State::Ready(kept) => VaultState::Ready {
            kept: match kept {
                Kept::Keychain => VaultKept::Keychain,
                Kept::Passphrase => VaultKept::Passphrase,
                Kept::Memory => VaultKept::Memory,
            },
        },
        State::Locked => VaultState::Locked,
        State::Choice { cause, next, offers } => VaultState::Choice {
            cause,
            next,
            offers: offered(offers),
        },
        State::Broken {
            cause,
            next,
            file,
            offers,
        } => VaultState::Broken {
            cause,
            next,
            file: file.display().to_string(),
            offers: offered(offers),
        },
    }
}

fn offered(offers: Vec<Offer>) -> Vec<VaultOffer> {
    offers
        .into_iter()
        .map(|offer| match offer {
            Offer::Keychain => VaultOffer::Keychain,
            Offer::Passphrase => VaultOffer::Passphrase,
            Offer::Memory => VaultOffer::Memory,
            Offer::SetAside => VaultOffer::SetAside,
        })
        .collect()
}
