//! What all requests share.

use patchbay_engine::Engine;
use tokio::sync::watch;

use super::session_auth::SessionAuth;

/// What all requests share.
pub(super) struct Serving {
    pub(super) engine: Engine,
    pub(super) auth: SessionAuth,
    /// True once Patchbay is shutting down.
    pub(super) closing: watch::Sender<bool>,
}
