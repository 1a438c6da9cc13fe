//! Compares lists with those of an earlier connection, as soon as they are read.

use std::sync::Arc;

use super::super::{definitions, list::List, primitive::Primitive};
use crate::{
    connections::{
        ConnectionHandle,
        owned::{OwnedTask, TaskKind},
    },
    servers::changes::{self, ListRead},
    state::Engine,
};

/// Compares a list in a task of its connection. `reserved` is held until definitions that can be refused are compared.
pub(super) fn compare<P: Primitive>(
    engine: &Engine,
    live: &ConnectionHandle,
    list: &Arc<List<P>>,
    reserved: Option<tokio::sync::OwnedMutexGuard<()>>,
) {
    let Some(kind) = P::COMPARED else { return };
    let (engine, owner, list) = (engine.clone(), live.clone(), list.clone());
    let comparing = async move {
        if P::REMEMBERED {
            definitions::remember(&engine, &owner, &list).await;
        }
        drop(reserved);
        begin(&engine, &owner).await;
        let definitions = list.rows().iter().map(|row| list.definition(row).into_owned());
        let read = ListRead {
            list: kind,
            identity: P::DUPLICATE.member,
            rows: definitions.collect(),
            complete: list.is_complete(),
            revision: list.revision,
        };
        changes::listed(&engine, &owner.server_id, read).await;
    };
    let task = OwnedTask::supervised(&live.supervisor, TaskKind::CompareDefinitions, comparing);
    live.lists.compare(kind, task);
}

/// Compares what the server says about itself, before any of its lists; once for each connection.
pub(crate) async fn begin(engine: &Engine, live: &ConnectionHandle) {
    let status = live.status();
    let connected = || changes::connected(engine, &live.server_id, &status);
    live.lists.compared_once().get_or_init(connected).await;
}
