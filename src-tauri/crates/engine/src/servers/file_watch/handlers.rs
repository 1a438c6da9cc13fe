//! Handlers of restarting servers when files change.

use patchbay_contract::{
    CommandError, Done, ErrorCode, FileWatchGetParams, FileWatchGetResponse, FileWatchRestartParams,
    FileWatchStartParams, FileWatchStopParams,
};

use super::begin;
use crate::{dispatch::error::fail, state::Engine};

pub(crate) async fn file_watch_start(
    engine: &Engine,
    params: FileWatchStartParams,
) -> Result<Done, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    engine.state.file_watches.resume(&params.server_id);
    match begin(&engine.state, &params.server_id) {
        true => Ok(Done {}),
        false => Err(not_watched()),
    }
}

pub(crate) async fn file_watch_stop(
    engine: &Engine,
    params: FileWatchStopParams,
) -> Result<Done, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    if engine.state.file_watches.stop(&params.server_id) {
        engine.state.nudges.connection_changed(&params.server_id);
    }
    Ok(Done {})
}

pub(crate) async fn file_watch_restart(
    engine: &Engine,
    params: FileWatchRestartParams,
) -> Result<Done, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    let all = engine.state.file_watches.lock();
    let watch = all.get(&params.server_id).filter(|watch| watch.task.is_some());
    let watch = watch.ok_or_else(not_watched)?;
    // One that is not taken yet is enough.
    let _ = watch.now.try_send(());
    Ok(Done {})
}

pub(crate) async fn file_watch_get(
    engine: &Engine,
    params: FileWatchGetParams,
) -> Result<FileWatchGetResponse, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    let state = &engine.state;
    Ok(state
        .file_watches
        .details(&params.server_id, |text| state.masked(text)))
}

fn not_watched() -> CommandError {
    fail(
        ErrorCode::InvalidParams,
        "The files of this server are not watched. Switch on \"Restart when files change\" in its settings, and connect.",
    )
}
