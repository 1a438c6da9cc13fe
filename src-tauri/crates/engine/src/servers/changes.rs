//! What changed on a server since an earlier connection: what it says about itself when it is connected, and its lists.
//!
//! What is kept is what the user has seen: it is replaced when the user marks the changes as seen, or when there are none. A
//! list that was refused is not compared; in one that was not read to its end, nothing counts as removed. Trust in tools is
//! decided elsewhere (`lists/definitions`).

mod compare;
mod files;
pub(crate) mod handlers;
mod store;
#[cfg(test)]
mod tests;

use patchbay_client::Status;
use patchbay_contract::{ListKind, ServerId};

use crate::{convert, dispatch::nudges::Topic, state::Engine};
use compare::Facts;
pub(crate) use store::ChangeStore;

/// A list that was read.
#[derive(Debug)]
pub(crate) struct ListRead {
    pub(crate) list: ListKind,
    /// The member of a definition that identifies it: `name`, `uri`.
    pub(crate) identity: &'static str,
    /// The definitions, in the order of the list.
    pub(crate) rows: Vec<String>,
    /// Whether it was read to its end.
    pub(crate) complete: bool,
    /// The revision of the list: a later one counts.
    pub(crate) revision: u32,
}

/// Compares what a server says about itself, as soon as its connection is ready. Begins another comparison of its lists.
pub(crate) async fn connected(engine: &Engine, server: &ServerId, status: &Status) {
    let facts = facts(status);
    let now_ms = convert::at_ms(std::time::SystemTime::now());
    observe(engine, server, move |state, server| {
        let facts = facts.map(|text| state.masked(text));
        state.changes.connected(server, facts, now_ms)
    })
    .await;
}

/// Compares a list.
pub(crate) async fn listed(engine: &Engine, server: &ServerId, read: ListRead) {
    observe(engine, server, move |state, server| {
        let rows = read.rows.into_iter().map(|text| state.masked(text)).collect();
        state.changes.listed(server, ListRead { rows, ..read })
    })
    .await;
}

/// Forgets a removed server.
pub(crate) async fn forget(engine: &Engine, server: &ServerId) {
    observe(engine, server, |state, server| {
        state.changes.forget(server);
        Ok(false)
    })
    .await;
}

/// Works with the files, and reports whether the changes are others now.
async fn observe(
    engine: &Engine,
    server: &ServerId,
    work: impl FnOnce(&crate::state::EngineState, &ServerId) -> Result<bool, String> + Send + 'static,
) {
    // One-shot commands keep nothing.
    if !engine.state.changes.automatic {
        return;
    }
    let (state, id) = (engine.state.clone(), server.clone());
    let done = tokio::task::spawn_blocking(move || work(&state, &id)).await;
    match done.map_err(|error| error.to_string()).and_then(|done| done) {
        Ok(false) => {}
        Ok(true) => {
            engine.state.nudges.changed(Topic::ServerChanges(server.clone()));
        }
        Err(error) => tracing::warn!(error, "a server was not compared with its earlier connection"),
    }
}

fn facts(status: &Status) -> Facts {
    let handshake = status.handshake.as_deref();
    let server = handshake.and_then(|handshake| handshake.server.as_ref());
    Facts {
        name: server.map(|server| server.name.clone()),
        title: server.and_then(|server| server.title.clone()),
        version: server.and_then(|server| server.version.clone()),
        revision: status.revision_name().map(str::to_owned),
        capabilities: handshake.and_then(|handshake| handshake.capabilities_json.clone()),
        instructions: handshake.and_then(|handshake| handshake.instructions.clone()),
    }
}
