//! The connections of browsers: their maximum number, their time limits and their shutdown.
//!
//! Any program on this machine can connect, so a connection that sends or reads nothing must not lock out a browser.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{Extension, Router, serve::Listener};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
};

use super::unread::Unread;

/// The limits of all connections together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of concurrent connections; further ones wait to be accepted. A browser opens about seven per
    /// page.
    pub(super) connections: usize,
    /// How long a connection may take to send the head of its first or next request, and may read nothing of a response.
    pub(super) head: Duration,
    /// How long a request may take until its response begins; reading its body is part of that.
    pub(super) response: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head: Duration::from_secs(30),
            response: Duration::from_secs(30),
        }
    }
}

/// A slot among the [`Limits`]. A request carries it as an extension, so that a WebSocket, which outlives its HTTP
/// connection, can keep it.
pub(super) type Place = Arc<OwnedSemaphorePermit>;

/// Serves connections as tasks of `connections` until it is dropped. Dropping `connections` ends them.
pub(super) async fn serve(
    mut listener: TcpListener,
    router: &Router,
    limits: Limits,
    connections: &mut JoinSet<()>,
) -> Infallible {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        // The semaphore is never closed.
        let Ok(place) = places.clone().acquire_owned().await else {
            continue;
        };
        // axum's accept survives client errors and waits while no file descriptor is free.
        let (stream, _) = Listener::accept(&mut listener).await;
        while connections.try_join_next().is_some() {}
        // Without this, Nagle's algorithm delays small frames by up to 40 ms.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(Extension(Place::new(place))));
        connections.spawn(async move {
            let http = Arc::new(());
            let stream = Unread::new(stream, limits.head, Arc::downgrade(&http));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // An error means that the browser is gone or was too slow: there is nobody to notify.
            let _ = connection.await;
            // A WebSocket is of a page that was opened with the link, and its page may be suspended.
            drop(http);
        });
    }
}
