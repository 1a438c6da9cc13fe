//! Handlers of connections.

use std::time::Instant;

use patchbay_contract::*;
use patchbay_protocol::{methods, views::LogLevel as LevelOnTheWire};

use crate::{
    calls::{self, Query},
    connections, convert,
    dispatch::error::fail,
    servers::groups,
    state::Engine,
};

pub(crate) async fn connection_open(
    engine: &Engine,
    params: ConnectionOpenParams,
) -> Result<Done, CommandError> {
    engine.taken_over(&params.server_id);
    engine.state.file_watches.resume(&params.server_id);
    engine.open_connection(&params.server_id).await?;
    Ok(Done {})
}

pub(crate) async fn connection_close(
    engine: &Engine,
    params: ConnectionCloseParams,
) -> Result<Done, CommandError> {
    groups::disconnect(engine, &params.server_id).await?;
    Ok(Done {})
}

pub(crate) async fn connection_restart(
    engine: &Engine,
    params: ConnectionRestartParams,
) -> Result<Done, CommandError> {
    engine.taken_over(&params.server_id);
    engine.state.file_watches.resume(&params.server_id);
    engine.restart_connection(&params.server_id).await?;
    Ok(Done {})
}

pub(crate) async fn connection_get(
    engine: &Engine,
    params: ConnectionGetParams,
) -> Result<ConnectionGetResponse, CommandError> {
    let state = &engine.state;
    state.servers.get(&params.server_id)?;
    let live = state.live(&params.server_id);
    let is_outdated = live.as_ref().is_some_and(|live| state.has_old_environment(live));
    Ok(connections::details(live.as_ref(), is_outdated, |text| {
        state.masked(text)
    }))
}

pub(crate) async fn connection_ping(
    engine: &Engine,
    params: ConnectionPingParams,
) -> Result<ConnectionPingResponse, CommandError> {
    let (live, connection) = engine.state.ready(&params.server_id)?;
    if live.era() == patchbay_protocol::Era::Modern {
        return Err(fail(
            ErrorCode::InvalidParams,
            "The 2026-07-28 revision has no `ping`; send another request.",
        ));
    }
    let begun = Instant::now();
    let query = Query {
        state: &engine.state,
        connection: &connection,
        operation: engine.state.begin("connection_ping", methods::PING),
        method: methods::PING,
        params: None,
        failed: "The server did not answer the ping",
    };
    query.result().await?;
    Ok(ConnectionPingResponse {
        duration_ms: convert::ms(begun.elapsed()),
    })
}

pub(crate) async fn log_level_set(engine: &Engine, params: LogLevelSetParams) -> Result<Done, CommandError> {
    let (live, connection) = engine.state.ready(&params.server_id)?;
    if params.level.is_none() && live.era() == patchbay_protocol::Era::Legacy {
        return Err(fail(
            ErrorCode::InvalidParams,
            "Before 2026-07-28 a server cannot be asked for no log messages. Choose `emergency`.",
        ));
    }
    let level = params.level.map(convert::inner_log_level);
    let label = level.map_or("off", LevelOnTheWire::as_str);
    let operation = engine.state.begin("log_level_set", label);
    let asked = connection.set_log_level(level, Some(operation)).await;
    if let Some(exchange) = asked {
        let finished = exchange.finished().await;
        calls::checked(&engine.state.recorder, finished, "The log level could not be set")?;
    }
    Ok(Done {})
}
