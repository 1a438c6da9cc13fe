//! The subscribed resources of a connection: who uses them, and what the server knows of it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The subscribed resources of a connection, each with the number of its streams. The server only needs the first and the
/// last.
#[derive(Debug, Default)]
pub(crate) struct Subscribed {
    uris: Mutex<HashMap<String, Resource>>,
    /// The streams of the modern era that are open: each is a pending request.
    streams: AtomicUsize,
}

/// A subscribed resource.
#[derive(Debug, Default)]
struct Resource {
    streams: usize,
    session: Arc<SubscribedSession>,
}

/// The session in which the server was asked to subscribe, and not yet to unsubscribe, by the number of sessions that were lost
/// before. Locked while it is asked the one or the other: what it is asked for a new stream must not arrive before what it is
/// asked for an earlier one.
pub(super) type SubscribedSession = tokio::sync::Mutex<Option<u64>>;

/// A stream of the modern era, counted until this is dropped.
#[derive(Debug)]
pub(super) struct Stream(Arc<Subscribed>);

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Subscribed {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Resource>> {
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

    /// Adds a stream of a resource.
    pub(super) fn enter(&self, uri: &str) -> Arc<SubscribedSession> {
        let mut uris = self.lock();
        let resource = uris.entry(uri.to_owned()).or_default();
        resource.streams += 1;
        resource.session.clone()
    }

    /// Removes a stream of a resource. Returns what the server was told if it was the last.
    pub(super) fn leave(&self, uri: &str) -> Option<Arc<SubscribedSession>> {
        let mut uris = self.lock();
        let resource = uris.get_mut(uri)?;
        resource.streams = resource.streams.saturating_sub(1);
        (resource.streams == 0).then(|| resource.session.clone())
    }

    /// Whether the resource has a stream.
    pub(super) fn is_used(&self, uri: &str) -> bool {
        self.lock().get(uri).is_some_and(|resource| resource.streams > 0)
    }

    /// Forgets the resource, unless it has a stream or was forgotten already: what the server was told since is another's.
    pub(super) fn forget(&self, uri: &str, session: &Arc<SubscribedSession>) {
        let mut uris = self.lock();
        let is_over = |resource: &Resource| resource.streams == 0 && Arc::ptr_eq(&resource.session, session);
        if uris.get(uri).is_some_and(is_over) {
            uris.remove(uri);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_task_does_not_forget_what_a_later_stream_told_the_server() {
        let subscribed = Subscribed::default();
        let earlier = subscribed.enter("demo://a");
        subscribed.leave("demo://a");
        subscribed.forget("demo://a", &earlier);
        let later = subscribed.enter("demo://a");
        subscribed.leave("demo://a");
        subscribed.forget("demo://a", &earlier);
        assert!(Arc::ptr_eq(&subscribed.enter("demo://a"), &later));
        subscribed.leave("demo://a");
        subscribed.forget("demo://a", &later);
        assert!(!Arc::ptr_eq(&subscribed.enter("demo://a"), &later));
    }
}
