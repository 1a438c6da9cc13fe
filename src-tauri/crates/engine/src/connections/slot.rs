//! The slots of the connections, one per server.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::ServerId;

use super::handle::ConnectionHandle;

/// One slot per server that was connected since the start.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    slots: Mutex<HashMap<ServerId, Arc<Slot>>>,
}

impl Connections {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn slot(&self, id: &ServerId) -> Arc<Slot> {
        self.lock().entry(id.clone()).or_default().clone()
    }

    /// The connections on which requests can be sent, now or once connecting succeeds.
    pub(crate) fn open(&self) -> Vec<ConnectionHandle> {
        let slots: Vec<Arc<Slot>> = self.lock().values().cloned().collect();
        let live = slots.iter().filter_map(|slot| slot.live());
        live.filter(ConnectionHandle::is_open).collect()
    }

    pub(super) fn find(&self, id: &ServerId) -> Option<ConnectionHandle> {
        self.lock().get(id)?.live()
    }
}

/// Serializes the connections of one server.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// Held while opening and closing.
    pub(super) gate: Arc<tokio::sync::Mutex<()>>,
    live: Mutex<Option<ConnectionHandle>>,
}

impl Slot {
    pub(super) fn live(&self) -> Option<ConnectionHandle> {
        self.lock().clone()
    }

    /// Starts a connection in place of the previous one. What it does at once finds it here.
    pub(super) fn start(&self, start: impl FnOnce() -> ConnectionHandle) -> ConnectionHandle {
        self.lock().insert(start()).clone()
    }

    /// Closes the connection and drops its handle; the details are kept.
    pub(super) async fn close(&self) {
        let connection = self.lock().as_ref().and_then(|live| live.connection.clone());
        if let Some(connection) = connection {
            connection.close().await;
        }
        if let Some(live) = self.lock().as_mut() {
            live.connection = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ConnectionHandle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
