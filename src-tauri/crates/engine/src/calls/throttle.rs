//! Progress events, limited to the rate that a person can see.

use std::time::Duration;

use patchbay_client as client;
use patchbay_contract::ExchangeEvent;
use patchbay_traffic::Recorder;
use tokio::time::Instant;

use crate::{
    convert,
    dispatch::streams::{Closed, Events},
};

/// The minimum time between progress events.
const INTERVAL: Duration = Duration::from_millis(50);

/// The newest progress, sent at most once per [`INTERVAL`]. Its message is text from a server, so it is masked.
pub(super) struct Throttled {
    recorder: Recorder,
    waiting: Option<client::Progress>,
    last: Option<Instant>,
}

impl Throttled {
    pub(super) fn new(recorder: Recorder) -> Self {
        Self {
            recorder,
            waiting: None,
            last: None,
        }
    }

    pub(super) fn put(&mut self, progress: client::Progress) {
        self.waiting = Some(progress);
    }

    /// Completes when the waiting progress may be sent; pending while none waits.
    pub(super) async fn due(&self) {
        match (&self.waiting, self.last) {
            (Some(_), Some(last)) => tokio::time::sleep_until(last + INTERVAL).await,
            (Some(_), None) => {}
            (None, _) => std::future::pending().await,
        }
    }

    pub(super) async fn send(&mut self, events: &Events<ExchangeEvent>) -> Result<(), Closed> {
        let Some(progress) = self.waiting.take() else {
            return Ok(());
        };
        self.last = Some(Instant::now());
        let event = ExchangeEvent::Progress {
            progress: progress.progress,
            total: progress.total,
            message: progress
                .message
                .map(|message| convert::masked_text(&self.recorder, message)),
            count: convert::count(progress.count),
        };
        events.send(event).await
    }
}
