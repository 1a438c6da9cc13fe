//! Handlers of the vault.

use patchbay_contract::*;

use crate::{servers::vault, state::Engine};

pub(crate) async fn vault_get(engine: &Engine, _: VaultGetParams) -> Result<VaultGetResponse, CommandError> {
    vault::get(engine).await
}

pub(crate) async fn vault_choose(engine: &Engine, params: VaultChooseParams) -> Result<Done, CommandError> {
    vault::choose(engine, params.choice).await
}

pub(crate) async fn vault_unlock(engine: &Engine, params: VaultUnlockParams) -> Result<Done, CommandError> {
    vault::unlock(engine, params.passphrase).await
}
