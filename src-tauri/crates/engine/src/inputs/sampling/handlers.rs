//! Handlers of sampling.

use patchbay_contract::*;
use patchbay_traffic::ConnectionRef;

use crate::{convert, state::Engine};

pub(crate) async fn sampling_choose(
    engine: &Engine,
    params: SamplingChooseParams,
) -> Result<SamplingChooseResponse, CommandError> {
    let choice = engine.state.models.choose(&params.params_json);
    Ok(SamplingChooseResponse { choice })
}

pub(crate) async fn sampling_rules_get(
    engine: &Engine,
    params: SamplingRulesGetParams,
) -> Result<SamplingRulesGetResponse, CommandError> {
    let state = &engine.state;
    let server = state.servers.get(&params.server_id)?;
    let connection = connection_of(engine, &server.id);
    let (rules, used) = state.sampling.get(&server.id.0, connection);
    Ok(SamplingRulesGetResponse {
        rules,
        used_tokens: convert::count(used),
    })
}

pub(crate) async fn sampling_rules_set(
    engine: &Engine,
    params: SamplingRulesSetParams,
) -> Result<Done, CommandError> {
    let state = &engine.state;
    let server = state.servers.get(&params.server_id)?;
    let connection = connection_of(engine, &server.id);
    state.sampling.set(&server.id, connection, params.rules).await?;
    Ok(Done {})
}

/// The open connection of a server.
fn connection_of(engine: &Engine, server: &ServerId) -> Option<ConnectionRef> {
    let live = engine.state.live(server).filter(|live| live.is_open())?;
    live.status().connection
}
