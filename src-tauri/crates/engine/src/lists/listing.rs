//! The state of one list of one connection: fetched, refused, or changed since.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patchbay_contract::CommandError;
use tokio::sync::watch;

use super::{list::List, primitive::Primitive};
use crate::calls::Ended;

/// The maximum number of silent refreshes per connection. A server that reports a change with every response would
/// otherwise be queried for ever.
const MOST_SILENT: u32 = 3;

/// The last fetched state of a list.
#[derive(Debug)]
pub(crate) struct Listing<P: Primitive> {
    /// Held while fetching, so that concurrent callers send one request.
    pub(super) turn: tokio::sync::Mutex<()>,
    state: Mutex<State<P>>,
    /// Whether the user wants what is being fetched to end.
    stop: watch::Sender<bool>,
}

/// Tells a fetch that the user wants it to end.
#[derive(Debug)]
pub(super) struct Stop(watch::Receiver<bool>);

impl Stop {
    pub(super) fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Ends when it is stopped.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stop = self.0.clone();
        async move {
            if stop.wait_for(|stop| *stop).await.is_err() {
                // Nobody can stop it any more.
                std::future::pending().await
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct State<P: Primitive> {
    /// How often the list was fetched completely.
    pub(super) rounds: u64,
    list: Option<Arc<List<P>>>,
    /// Why the last fetch failed, if it did. The server is not queried again without a request, as with an outdated list.
    refused: Option<Refusal>,
    /// The number of silent refreshes.
    silent: u32,
    /// Whether the user works with the rows, which then do not change without a request.
    in_use: bool,
}

/// Why there is no list.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) error: CommandError,
    pub(super) ended: Ended,
    /// How often the list may have changed when fetching began.
    pub(super) changes: u64,
}

impl<P: Primitive> Default for Listing<P> {
    fn default() -> Self {
        Self {
            turn: tokio::sync::Mutex::default(),
            state: Mutex::new(State {
                rounds: 0,
                list: None,
                refused: None,
                silent: 0,
                in_use: false,
            }),
            stop: watch::Sender::new(false),
        }
    }
}

impl<P: Primitive> State<P> {
    /// The result of the last fetch; none before the first.
    pub(super) fn outcome(&self) -> Option<Result<Arc<List<P>>, Refusal>> {
        match &self.refused {
            Some(refusal) => Some(Err(refusal.clone())),
            None => self.list.clone().map(Ok),
        }
    }

    /// The known list. A failed refresh keeps the previous list. None before the first fetch, and if the list changed
    /// before it was used.
    pub(super) fn known(&self, changes: u64) -> Option<Result<Arc<List<P>>, Refusal>> {
        match &self.list {
            Some(list) if self.may_relist() && changes > list.changes && self.refused.is_none() => None,
            Some(list) => Some(Ok(list.clone())),
            None => Some(Err(self.refused.clone()?)),
        }
    }

    pub(super) fn may_relist(&self) -> bool {
        !self.in_use && self.silent < MOST_SILENT
    }
}

impl Refusal {
    /// The error as reported now.
    pub(super) fn reported(mut self, changes: u64) -> CommandError {
        if changes > self.changes {
            let message = &mut self.error.message;
            message.push_str(" Since then its list may have changed: refresh the list.");
        }
        self.error
    }
}

impl<P: Primitive> Listing<P> {
    pub(super) fn current(&self) -> Option<Arc<List<P>>> {
        self.lock().list.clone()
    }

    /// For a fetch that begins: an earlier [`Listing::stop`] does not concern it.
    pub(super) fn stoppable(&self) -> Stop {
        self.stop.send_replace(false);
        Stop(self.stop.subscribe())
    }

    /// Ends what is being fetched. What was received is kept.
    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Its memory.
    pub(super) fn bytes(&self) -> usize {
        self.lock().list.as_ref().map_or(0, |list| list.bytes)
    }

    /// The user works with the rows from now on.
    pub(super) fn used(&self) {
        self.lock().in_use = true;
    }

    /// Stores a newly fetched list and announces it, which sets its revision. Every receiver of the nudge finds this list.
    pub(super) fn put(&self, mut list: List<P>, announce: impl FnOnce() -> u32) -> Arc<List<P>> {
        let mut state = self.lock();
        list.revision = announce();
        let list = Arc::new(list);
        state.rounds += 1;
        state.refused = None;
        state.list = Some(list.clone());
        list
    }

    /// Stores why the list could not be fetched.
    pub(super) fn refuse(&self, refusal: Refusal) {
        let mut state = self.lock();
        state.rounds += 1;
        state.refused = Some(refusal);
    }

    /// Whether one more silent refresh is allowed; counts it.
    pub(super) fn relist(&self) -> bool {
        let mut state = self.lock();
        let may = state.silent < MOST_SILENT;
        state.silent += u32::from(may);
        may
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
