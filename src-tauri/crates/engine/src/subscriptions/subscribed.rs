//! The subscribed resources of a connection, with counts.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The number of streams per subscribed resource of a connection. The server only needs the first and the last.
#[derive(Debug, Default)]
pub(crate) struct Subscribed {
    uris: Mutex<HashMap<String, usize>>,
}

impl Subscribed {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one; returns whether it is the first.
    pub(super) fn enter(&self, uri: &str) -> bool {
        let mut uris = self.lock();
        let count = uris.entry(uri.to_owned()).or_default();
        *count += 1;
        *count == 1
    }

    /// Removes one; returns whether it was the last.
    pub(super) fn leave(&self, uri: &str) -> bool {
        let mut uris = self.lock();
        let Some(count) = uris.get_mut(uri) else {
            return false;
        };
        *count -= 1;
        let last = *count == 0;
        if last {
            uris.remove(uri);
        }
        last
    }
}
