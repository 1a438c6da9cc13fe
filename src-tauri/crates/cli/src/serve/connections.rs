//! The connections of browsers: how many there may be, how long each may take to send a request, and who ends them.
//!
//! Any program on this machine can connect, so a connection that sends nothing must not keep a browser out.

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

/// The limits of all connections together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The most connections at the same time; further ones wait to be accepted. A browser opens about seven per page.
    pub(super) connections: usize,
    /// How long a connection may take to send the head of its first or next request.
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

/// The place of one connection among the [`Limits`]. A request carries it as an extension, so that a socket, which outlives
/// its HTTP connection, can keep it.
pub(super) type Place = Arc<OwnedSemaphorePermit>;

/// Serves connections, as tasks of `connections`, until it is dropped. Dropping `connections` ends them.
pub(super) async fn serve(
    mut listener: TcpListener,
    router: &Router,
    limits: Limits,
    connections: &mut JoinSet<()>,
) -> Infallible {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        // Nothing closes the semaphore: there is always a place, sooner or later.
        let Ok(place) = places.clone().acquire_owned().await else {
            continue;
        };
        // axum's way of accepting, which survives failures of a client and waits while no more files can be opened.
        let (stream, _) = Listener::accept(&mut listener).await;
        while connections.try_join_next().is_some() {}
        // Without this, Nagle's algorithm delays small frames by up to 40 ms.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(Extension(Place::new(place))));
        connections.spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // The browser is gone, or was too slow: nobody is left to be told.
            let _ = connection.await;
        });
    }
}
