//! What is going on by itself, by server.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use patchbay_contract::{AutomaticItem, ServerId};

use crate::connections::owned::OwnedTask;

/// The servers for which something is done, or was done without success.
#[derive(Debug, Default)]
pub(crate) struct Automatic {
    servers: Mutex<HashMap<ServerId, Series>>,
}

/// Attempts to connect in a row.
#[derive(Debug, Default)]
pub(super) struct Series {
    /// How many were begun.
    pub(super) attempts: u32,
    pub(super) shown: Option<AutomaticItem>,
    /// The pause, and the attempt after it.
    pub(super) task: Option<OwnedTask>,
}

impl Automatic {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<ServerId, Series>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is shown for a server.
    pub(crate) fn item(&self, server: &ServerId) -> Option<AutomaticItem> {
        self.lock().get(server)?.shown.clone()
    }

    /// Whether a server is being connected without a user who asked for it: nobody may be asked anything.
    pub(crate) fn is_connecting(&self, server: &ServerId) -> bool {
        matches!(self.item(server), Some(AutomaticItem::Connecting { .. }))
    }

    /// The user has taken over, or everything ends: nothing more happens by itself. Returns whether anything was shown.
    pub(crate) fn forget(&self, server: &ServerId) -> bool {
        let series = self.lock().remove(server);
        series.is_some_and(|series| series.shown.is_some())
    }

    /// Ends everything.
    pub(crate) fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        drop(all);
    }
}
