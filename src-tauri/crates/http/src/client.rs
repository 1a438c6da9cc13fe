//! The client.

use std::sync::Arc;

use patchbay_traffic::{ConnectionRef, Recorder};

use crate::{Failed, Request, Response, Settings, SettingsError, Step};

/// Sends requests, keeps connections, records everything. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    _inner: Arc<(Settings, Recorder)>,
}

impl Client {
    /// With these settings. Reads the files they name.
    ///
    /// # Errors
    /// A setting cannot be used.
    pub fn new(settings: Settings, recorder: Recorder) -> Result<Self, SettingsError> {
        Ok(Self {
            _inner: Arc::new((settings, recorder)),
        })
    }

    /// Sends a request; answers with the head of the response. Dropped before that, the exchange is aborted.
    ///
    /// # Errors
    /// No response came: the step, the cause, what to do.
    #[allow(clippy::unused_async)]
    pub async fn send(&self, _connection: ConnectionRef, _request: Request) -> Result<Response, Failed> {
        Err(Failed {
            exchange: None,
            step: Step::Send,
            cause: "this part is being built".to_owned(),
            next: String::new(),
            tls: None,
            timed_out: false,
            may_have_been_sent: false,
        })
    }
}
