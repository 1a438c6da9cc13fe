//! The published status of a connection: sent at once when its state changes, at most every 100 ms when only counts do.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use patchbay_transport::Failure;
use tokio::{sync::watch, time::Instant};

use crate::{State, Status};

const COUNTS_EVERY: Duration = Duration::from_millis(100);

pub(crate) struct StatusPublisher {
    pub(crate) status: Status,
    sender: watch::Sender<Arc<Status>>,
    /// When changed counts are to be published.
    pub(crate) due: Option<Instant>,
}

impl StatusPublisher {
    pub(crate) fn new(status: Status) -> (Self, watch::Receiver<Arc<Status>>) {
        let (sender, receiver) = watch::channel(Arc::new(status.clone()));
        (
            Self {
                status,
                sender,
                due: None,
            },
            receiver,
        )
    }

    pub(crate) fn state(&mut self, state: State) {
        self.status.state = state;
        self.status.since = SystemTime::now();
        self.publish();
    }

    pub(crate) fn fail(&mut self, failure: Failure) {
        self.status.failure = Some(failure);
        self.state(State::Failed);
    }

    pub(crate) fn publish(&mut self) {
        self.due = None;
        self.sender.send_replace(Arc::new(self.status.clone()));
    }

    pub(crate) fn problems(&mut self, count: usize) {
        if count > 0 {
            self.status.problem_count += count as u64;
            self.counts_changed();
        }
    }

    pub(crate) fn pending(&mut self, count: usize) {
        self.status.pending_count = count;
        self.counts_changed();
    }

    pub(crate) fn counts_changed(&mut self) {
        if self.due.is_none() {
            self.due = Some(Instant::now() + COUNTS_EVERY);
        }
    }
}
