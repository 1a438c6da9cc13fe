//! Disabled servers, and groups of servers.

use patchbay_contract::{
    CommandError, Done, GroupRemoveParams, GroupReorderParams, GroupSaveParams, ServerDisabledSetParams,
    ServerGroupsSetParams, ServerId,
};

use crate::state::Engine;

pub(crate) async fn server_disabled_set(
    engine: &Engine,
    params: ServerDisabledSetParams,
) -> Result<Done, CommandError> {
    let (ids, disabled) = (params.server_ids.clone(), params.disabled);
    engine
        .change_servers(move |servers| servers.set_disabled(&ids, disabled))
        .await?;
    Ok(Done {})
}

/// Ends what a server does that was removed or disabled: from here on nothing connects it.
pub(crate) async fn unused(engine: &Engine, id: &ServerId) {
    if disconnect(engine, id).await.is_ok() {
        return;
    }
    // It was removed.
    engine.forget_connection(id).await;
    // Now that nothing can begin another series of attempts.
    engine.taken_over(id);
    engine.state.file_watches.forget(id);
    engine.state.authorizations.removed(id);
}

/// Disconnects a server and ends what is done by itself to have it connected.
///
/// # Errors
/// There is no such server.
pub(crate) async fn disconnect(engine: &Engine, id: &ServerId) -> Result<(), CommandError> {
    engine.taken_over(id);
    engine.state.file_watches.forget(id);
    engine.close_connection(id).await?;
    // A lost connection may have been about to be opened again, and a restart may have begun it again.
    engine.taken_over(id);
    engine.state.file_watches.forget(id);
    Ok(())
}

pub(crate) async fn server_groups_set(
    engine: &Engine,
    params: ServerGroupsSetParams,
) -> Result<Done, CommandError> {
    engine
        .change_servers(move |servers| servers.set_groups_of(&params.server_id, params.groups))
        .await?;
    Ok(Done {})
}

pub(crate) async fn group_save(engine: &Engine, params: GroupSaveParams) -> Result<Done, CommandError> {
    engine
        .change_servers(move |servers| {
            servers.save_group(params.group.as_deref(), &params.name, &params.server_ids)
        })
        .await?;
    Ok(Done {})
}

pub(crate) async fn group_remove(engine: &Engine, params: GroupRemoveParams) -> Result<Done, CommandError> {
    engine
        .change_servers(move |servers| servers.remove_group(&params.group))
        .await?;
    Ok(Done {})
}

pub(crate) async fn group_reorder(engine: &Engine, params: GroupReorderParams) -> Result<Done, CommandError> {
    engine
        .change_servers(move |servers| servers.reorder_groups(&params.groups))
        .await?;
    Ok(Done {})
}

#[cfg(test)]
mod tests;
