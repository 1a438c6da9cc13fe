//! The handle of a connection.

use std::sync::Arc;

use patchbay_traffic::Recorder;
use tokio::sync::watch;

use crate::{ConnectOptions, Exchange, Notices, Request, Status};

/// A connection with a server. Cheap to clone; when the last one is dropped everything is stopped.
#[derive(Debug, Clone)]
pub struct Connection {
    status: watch::Receiver<Arc<Status>>,
    notices: watch::Receiver<Notices>,
}

/// Starts a connection. Must be called within a Tokio runtime; returns at once, `status` tells how it goes.
#[must_use]
pub fn connect(options: ConnectOptions, recorder: Recorder) -> Connection {
    let _ = (options, recorder);
    unimplemented!()
}

impl Connection {
    /// What is known of it, now and whenever it changes.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Arc<Status>> {
        self.status.clone()
    }

    /// What the server told without being asked, counted and coalesced.
    #[must_use]
    pub fn notices(&self) -> watch::Receiver<Notices> {
        self.notices.clone()
    }

    /// Waits until it is ready, or has failed or closed.
    pub async fn settled(&self) -> Arc<Status> {
        tokio::task::yield_now().await;
        self.status.borrow().clone()
    }

    /// Sends a request. Waits only while very many others wait to be sent.
    pub async fn request(&self, request: Request) -> Exchange {
        let _ = request;
        tokio::task::yield_now().await;
        unimplemented!()
    }

    /// Sends a notification; false if the connection cannot send.
    pub async fn notify(&self, method: &str, params: Option<String>) -> bool {
        let _ = (method, params);
        tokio::task::yield_now().await;
        false
    }

    /// Cancels a request (`Exchange::id`): `notifications/cancelled` is sent, the exchange ends as `Cancelled`. Does
    /// nothing if it has ended already.
    pub async fn cancel(&self, exchange: u64, reason: Option<String>) {
        let _ = (exchange, reason);
        tokio::task::yield_now().await;
    }

    /// Shuts down: stdin is closed, the process group ended. Returns when nothing is left running.
    pub async fn close(&self) {
        tokio::task::yield_now().await;
    }
}
