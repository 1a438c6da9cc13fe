//! The application itself: its version, opening links, and the state that the UI stores.

pub(crate) mod deep_links;
pub(crate) mod links;
pub(crate) mod oneshot;

use patchbay_contract::*;

use crate::{dispatch::streams::Events, state::Engine};

pub(crate) async fn app_info(engine: &Engine, _: AppInfoParams) -> Result<AppInfoResponse, CommandError> {
    Ok(engine.state.app_info().await)
}

pub(crate) async fn ui_state_get(
    engine: &Engine,
    _: UiStateGetParams,
) -> Result<UiStateGetResponse, CommandError> {
    Ok(UiStateGetResponse {
        state_json: engine.state.ui_state.get().await?,
    })
}

pub(crate) async fn ui_state_set(engine: &Engine, params: UiStateSetParams) -> Result<Done, CommandError> {
    engine.state.ui_state.set(params.state_json).await?;
    Ok(Done {})
}

pub(crate) async fn link_open(_: &Engine, params: LinkOpenParams) -> Result<Done, CommandError> {
    links::open(params.url).await?;
    Ok(Done {})
}

pub(crate) async fn deep_link_take(
    engine: &Engine,
    _: DeepLinkTakeParams,
) -> Result<DeepLinkTakeResponse, CommandError> {
    Ok(DeepLinkTakeResponse {
        links: engine.state.deep_links.take(),
    })
}

pub(crate) async fn app_watch(
    engine: Engine,
    _: AppWatchParams,
    events: Events<AppEvent>,
) -> Result<(), CommandError> {
    let nudges = engine.state.nudges.clone();
    // A listener does not keep the engine alive.
    drop(engine);
    nudges.notify(events).await
}
