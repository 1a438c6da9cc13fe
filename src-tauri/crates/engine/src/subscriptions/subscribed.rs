//! The subscribed resources of a connection, with counts.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The number of streams per subscribed resource of a connection. The server only needs the first and the last.
#[derive(Debug, Default)]
pub(crate) struct Subscribed {
    uris: Mutex<HashMap<String, usize>>,
    /// The streams of the modern era that are open: each is a pending request.
    streams: AtomicUsize,
}

/// A stream of the modern era, counted until this is dropped.
#[derive(Debug)]
pub(super) struct Stream(Arc<Subscribed>);

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Subscribed {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a stream of the modern era.
    pub(super) fn stream(self: &Arc<Self>) -> Stream {
        self.streams.fetch_add(1, Ordering::Relaxed);
        Stream(self.clone())
    }

    /// How many pending requests are streams, which have no end.
    pub(crate) fn streams(&self) -> usize {
        self.streams.load(Ordering::Relaxed)
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
