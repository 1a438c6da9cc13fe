//! Collects notifications for the UI: repeated ones are sent once, with a count.

use std::time::Duration;

use patchbay_client::{CountedNotification, NotificationQueue};
use patchbay_contract::SubscriptionEvent;
use patchbay_traffic::Recorder;
use tokio::time::Instant;

use crate::{
    convert,
    dispatch::streams::{Closed, Events},
};

/// How long notifications are collected before they are sent.
const INTERVAL: Duration = Duration::from_millis(50);

/// Collected notifications. None is lost. What they are about is text from a server, so it is masked.
pub(super) struct Batch {
    recorder: Recorder,
    queue: NotificationQueue,
    due: Option<Instant>,
}

impl Batch {
    pub(super) fn new(recorder: Recorder) -> Self {
        Self {
            recorder,
            queue: NotificationQueue::default(),
            due: None,
        }
    }

    pub(super) fn add(&mut self, one: &CountedNotification) {
        self.due.get_or_insert_with(|| Instant::now() + INTERVAL);
        self.queue
            .add(&one.method, one.subject.as_deref(), one.seq, one.count);
    }

    /// Completes when it is time to send; pending while there is nothing to send. Cancel safe.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => tokio::time::sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    pub(super) async fn send(&mut self, events: &Events<SubscriptionEvent>) -> Result<(), Closed> {
        self.due = None;
        for one in self.queue.take() {
            let event = SubscriptionEvent::Notified {
                method: one.method.into(),
                subject: one
                    .subject
                    .map(|subject| convert::masked_text(&self.recorder, subject.into())),
                count: convert::count(one.count),
                seq: convert::seq(one.seq),
            };
            events.send(event).await?;
        }
        Ok(())
    }
}
