//! Which resources of a connection are subscribed to, and how often.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How many streams want to hear of each resource of a connection: the server knows only whether anybody does.
#[derive(Debug, Default)]
pub(crate) struct Subscribed {
    uris: Mutex<HashMap<String, usize>>,
}

impl Subscribed {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more; whether it is the first.
    pub(super) fn enter(&self, uri: &str) -> bool {
        let mut uris = self.lock();
        let count = uris.entry(uri.to_owned()).or_default();
        *count += 1;
        *count == 1
    }

    /// One less; whether it was the last.
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
