//! Handlers of what Patchbay does by itself.

use patchbay_contract::{AutomaticStopParams, CommandError, Done};

use crate::state::Engine;

pub(crate) async fn automatic_stop(
    engine: &Engine,
    params: AutomaticStopParams,
) -> Result<Done, CommandError> {
    engine.state.servers.get(&params.server_id)?;
    // An attempt that has begun goes on as if the user had asked for it.
    engine.taken_over(&params.server_id);
    Ok(Done {})
}
