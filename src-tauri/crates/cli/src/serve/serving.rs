//! The state that all requests share.

use patchbay_engine::Engine;
use tokio::sync::watch;

use super::{connections::Limits, session_auth::SessionAuth};

/// The state that all requests share.
pub(super) struct Serving {
    pub(super) engine: Engine,
    pub(super) auth: SessionAuth,
    pub(super) limits: Limits,
    /// True once Patchbay is shutting down.
    pub(super) closing: watch::Sender<bool>,
}
