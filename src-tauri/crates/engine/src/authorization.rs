//! The authorization of servers at an address: one keeper per server, its runs, and the commands that show and steer
//! them.

use std::future::ready;

use patchbay_contract::*;

use crate::{engine::Engine, error::fail};

/// `authorization_get`.
pub(crate) fn get(
    engine: &Engine,
    params: &AuthorizationGetParams,
) -> impl Future<Output = Result<AuthorizationGetResponse, CommandError>> + Send {
    ready(none(engine, &params.server_id).map(|()| AuthorizationGetResponse::default()))
}

/// `authorization_start`.
pub(crate) fn start(
    engine: &Engine,
    params: AuthorizationStartParams,
) -> impl Future<Output = Result<AuthorizationStartResponse, CommandError>> + Send {
    ready(none(engine, &params.server_id).and_then(|()| Err(nothing())))
}

/// `authorization_answer`.
pub(crate) fn answer(
    engine: &Engine,
    params: AuthorizationAnswerParams,
) -> impl Future<Output = Result<Done, CommandError>> + Send {
    cancel(engine, &params.server_id)
}

/// `authorization_cancel`.
pub(crate) fn cancel(
    engine: &Engine,
    server: &ServerId,
) -> impl Future<Output = Result<Done, CommandError>> + Send + use<> {
    ready(none(engine, server).and_then(|()| Err(nothing())))
}

/// `authorization_refresh`.
pub(crate) fn refresh(
    engine: &Engine,
    server: &ServerId,
) -> impl Future<Output = Result<Done, CommandError>> + Send + use<> {
    cancel(engine, server)
}

/// `authorization_expire`.
pub(crate) fn expire(
    engine: &Engine,
    server: &ServerId,
) -> impl Future<Output = Result<Done, CommandError>> + Send + use<> {
    cancel(engine, server)
}

/// `authorization_forget`.
pub(crate) fn forget(
    engine: &Engine,
    server: &ServerId,
) -> impl Future<Output = Result<Done, CommandError>> + Send + use<> {
    cancel(engine, server)
}

fn none(engine: &Engine, server: &ServerId) -> Result<(), CommandError> {
    engine.inner.servers.get(server).map(|_| ())
}

fn nothing() -> CommandError {
    fail(ErrorCode::NotFound, "This server has no authorization.")
}
