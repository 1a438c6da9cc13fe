//! The vault for the fronts.

pub(crate) mod handlers;
mod known;

pub(crate) use self::known::{KnownSecrets, SecretSource};

use std::{
    path::Path,
    sync::{Arc, Weak},
    time::Duration,
};

use patchbay_contract::{
    CommandError, Done, VaultChoice, VaultGetResponse, VaultKept, VaultOffer, VaultState, VaultStored,
};
use patchbay_secret::Secret;
use patchbay_traffic::Recorder;
use patchbay_vault::{
    Choice, Cost, KeyLocation, Keychain, NoKeychain, Offer, SecretId, State, Stored, SystemKeychain, Vault,
    VaultOptions,
};
use tokio::sync::watch;

use crate::{
    authorization,
    dispatch::error::vault_failed as failed,
    dispatch::nudges::Topic,
    engine::options::SecretsChoice,
    state::{Engine, EngineState},
};

/// The time limit of the keychain: the user may have to type a password first.
const PATIENCE: Duration = Duration::from_secs(60);

/// The vault of a data folder. It is not opened yet. Its content is masked in the log as soon as it is known.
pub(crate) fn open(
    file: &Path,
    choice: &SecretsChoice,
    recorder: &Recorder,
    known: &Arc<KnownSecrets>,
) -> Vault {
    let (file, keychain): (_, Arc<dyn Keychain>) = match choice {
        SecretsChoice::Vault => (Some(file.to_owned()), Arc::new(SystemKeychain::new())),
        SecretsChoice::Keychain(keychain) => (Some(file.to_owned()), keychain.clone()),
        SecretsChoice::Memory => (None, Arc::new(NoKeychain)),
    };
    let (recorder, known) = (recorder.clone(), known.clone());
    Vault::open(VaultOptions {
        file,
        keychain,
        patience: PATIENCE,
        cost: Cost::default(),
        observer: Arc::new(move |values| {
            let secrets: Vec<(SecretId, Secret)> = values.into_iter().flat_map(parts).collect();
            recorder.redact(secrets.iter().map(|(_, secret)| secret.clone()).collect());
            known.add(
                secrets
                    .into_iter()
                    .map(|(id, secret)| (SecretSource::Vault(id), secret)),
            );
        }),
    })
}

/// The secrets in a stored value: tokens and clients are stored together.
fn parts((id, value): (SecretId, Secret)) -> Vec<(SecretId, Secret)> {
    let parts = authorization::secrets_in(&id, &value).unwrap_or_else(|| vec![value]);
    parts.into_iter().map(|part| (id.clone(), part)).collect()
}

/// Notifies the fronts whenever its state changes. Once it is open, the tokens in it can be shown.
pub(crate) async fn watch(state: Weak<EngineState>, mut states: watch::Receiver<State>) {
    while states.changed().await.is_ok() {
        let Some(state) = state.upgrade() else { return };
        state.nudges.changed(Topic::Vault);
        if matches!(*states.borrow_and_update(), State::Ready(_)) {
            for server in state.authorizations.servers() {
                state.nudges.changed(Topic::Authorization(server));
            }
        }
    }
}

pub(crate) async fn get(engine: &Engine) -> Result<VaultGetResponse, CommandError> {
    let vault = &engine.state.vault;
    // The state says whether it can be read.
    let count = vault.ids().await.map_or(0, |ids| ids.len());
    let stored = vault.stored().await.map(|stored| match stored {
        Stored::Keychain => VaultStored::Keychain,
        Stored::Passphrase => VaultStored::Passphrase,
        Stored::Unreadable => VaultStored::Unreadable,
    });
    Ok(VaultGetResponse {
        state: state(vault.state()),
        file: vault
            .file()
            .map(|file| file.display().to_string())
            .unwrap_or_default(),
        count: u32::try_from(count).unwrap_or(u32::MAX),
        stored,
    })
}

pub(crate) async fn choose(engine: &Engine, choice: VaultChoice) -> Result<Done, CommandError> {
    let choice = match choice {
        VaultChoice::Keychain => Choice::Keychain,
        VaultChoice::Passphrase { text } => Choice::Passphrase(Secret::new(text)),
        VaultChoice::Memory => Choice::Memory,
        VaultChoice::SetAside => Choice::SetAside,
    };
    engine.state.vault.choose(choice).await.map_err(failed)?;
    engine.state.authorizations.save_pending().await;
    Ok(Done {})
}

pub(crate) async fn unlock(engine: &Engine, passphrase: String) -> Result<Done, CommandError> {
    let passphrase = Secret::new(passphrase);
    engine.state.vault.unlock(passphrase).await.map_err(failed)?;
    engine.state.authorizations.save_pending().await;
    Ok(Done {})
}

fn state(state: State) -> VaultState {
    match state {
        State::Unopened => VaultState::Unopened,
        State::Opening => VaultState::Opening,
        State::Ready(kept) => VaultState::Ready {
            kept: match kept {
                KeyLocation::Keychain => VaultKept::Keychain,
                KeyLocation::Passphrase => VaultKept::Passphrase,
                KeyLocation::Memory => VaultKept::Memory,
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
