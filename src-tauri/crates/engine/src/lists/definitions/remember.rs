//! Compares every listing with what is remembered, as soon as it is complete.

use std::{sync::Arc, time::SystemTime};

use patchbay_contract::{CommandError, DefinitionTrust, ServerId};

use patchbay_protocol::json;

use super::{
    super::{list::List, primitive::Primitive},
    compare::Remembered,
    snapshot::Snapshot,
    store::{DefinitionStore, StoredDefinitions},
};
use crate::{
    connections::ConnectionHandle,
    convert,
    dispatch::{error, nudges::Topic},
    state::{Engine, EngineState},
};

/// Remembers what was listed at first sight, and later what is new. The connection keeps the snapshot for the comparison.
pub(crate) async fn remember<P: Primitive>(engine: &Engine, live: &ConnectionHandle, list: &List<P>) {
    let rows: Vec<String> = list
        .rows()
        .iter()
        .map(|row| list.definition(row).into_owned())
        .collect();
    let (complete, changes) = (list.is_complete(), list.changes);
    let (state, server) = (engine.state.clone(), live.server_id.clone());
    let read = blocking(move || {
        let masked = rows.into_iter().map(|text| {
            let object = json::Object::parse(&text).ok();
            let name = object.and_then(|object| Some(object.string("name")?.into_owned()));
            (name.unwrap_or_default(), state.masked(text))
        });
        let snapshot = Snapshot::new(masked.collect(), complete, changes);
        let trust = trust_of(&state, &server);
        if state.definitions.automatic
            && let Err(error) = observe(&state.definitions, &server, &snapshot, trust)
        {
            tracing::warn!(message = %error.message, detail = ?error.detail, "definitions were not remembered");
        }
        state.definitions.note_unreviewed(&server, &snapshot);
        snapshot
    });
    match read.await {
        Ok(snapshot) => live.lists.put_definitions(Arc::new(snapshot)),
        Err(error) => tracing::error!(message = %error.message, "definitions were not compared"),
    }
    engine
        .state
        .nudges
        .changed(Topic::ToolDefinitions(live.server_id.clone()));
}

pub(super) fn observe(
    store: &DefinitionStore,
    server: &ServerId,
    listed: &Snapshot,
    trust: DefinitionTrust,
) -> Result<(), CommandError> {
    let next = |stored: &StoredDefinitions| match stored {
        StoredDefinitions::Nothing => Some(Remembered::first(listed, now_ms())),
        StoredDefinitions::Remembered(known) => known.observed(listed, trust),
        // Only the user ends this state.
        StoredDefinitions::Damaged(_) => None,
    };
    // Mostly nothing changed, and then no lock is needed.
    match next(&store.get(server)) {
        None => Ok(()),
        Some(_) => store.change(server, next),
    }
}

/// Forgets a removed server.
pub(crate) async fn forget(engine: &Engine, server: &ServerId) {
    if engine.state.definitions.automatic {
        let (state, server) = (engine.state.clone(), server.clone());
        // It fails only while the program ends.
        let _ = blocking(move || state.definitions.remove(&server)).await;
    }
}

/// What is stored for a server.
pub(super) async fn stored(engine: &Engine, server: &ServerId) -> Result<StoredDefinitions, CommandError> {
    let (state, server) = (engine.state.clone(), server.clone());
    blocking(move || state.definitions.get(&server)).await
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, CommandError> {
    error::blocking("The tools' definitions were not read.", work).await
}

/// The setting of a server.
pub(super) fn trust_of(state: &EngineState, server: &ServerId) -> DefinitionTrust {
    let server = state.servers.get(server).ok();
    server
        .and_then(|server| server.draft.definition_trust)
        .unwrap_or_default()
}

pub(super) fn now_ms() -> f64 {
    convert::at_ms(SystemTime::now())
}
