//! Handlers of authorizations.

use patchbay_contract::*;

use crate::{authorization, state::Engine};

pub(crate) async fn authorization_cancel(
    engine: &Engine,
    params: AuthorizationCancelParams,
) -> Result<Done, CommandError> {
    authorization::cancel(engine, &params.server_id).await
}

pub(crate) async fn authorization_refresh(
    engine: &Engine,
    params: AuthorizationRefreshParams,
) -> Result<Done, CommandError> {
    authorization::refresh(engine, &params.server_id).await
}

pub(crate) async fn authorization_expire(
    engine: &Engine,
    params: AuthorizationExpireParams,
) -> Result<Done, CommandError> {
    authorization::expire(engine, &params.server_id).await
}

pub(crate) async fn authorization_forget(
    engine: &Engine,
    params: AuthorizationForgetParams,
) -> Result<Done, CommandError> {
    authorization::forget(engine, &params.server_id).await
}
