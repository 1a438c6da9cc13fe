//! One list of one connection, as it was listed last: kept, refused, or changed since.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patchbay_contract::CommandError;

use super::{list::List, primitive::Primitive};
use crate::calls::Ended;

/// How often a list that changed is listed again without being asked, on one connection. A server that says so with every
/// answer would be asked for ever.
const MOST_SILENT: u32 = 3;

/// A list of one connection, as listed last.
#[derive(Debug)]
pub(crate) struct Listing<P: Primitive> {
    /// Held while listing, so that two who ask at the same time ask the server once.
    pub(super) turn: tokio::sync::Mutex<()>,
    state: Mutex<State<P>>,
}

#[derive(Debug)]
pub(super) struct State<P: Primitive> {
    /// How often the server was asked to the end.
    pub(super) rounds: u64,
    list: Option<Arc<List<P>>>,
    /// Why the last listing failed, if it did. The server is not asked again until somebody wants it, as with a stale list.
    refused: Option<Refusal>,
    /// How often it was listed again silently.
    silent: u32,
    /// Whether the user works with the rows: then they do not change by themselves.
    in_use: bool,
}

/// Why there is no list.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) error: CommandError,
    pub(super) ended: Ended,
    /// How often the server had said that the list changed when the listing began.
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
        }
    }
}

impl<P: Primitive> State<P> {
    /// The result of the last listing; none before the first.
    pub(super) fn outcome(&self) -> Option<Result<Arc<List<P>>, Refusal>> {
        match &self.refused {
            Some(refusal) => Some(Err(refusal.clone())),
            None => self.list.clone().map(Ok),
        }
    }

    /// What is known; a list that could not be listed again is still the list. None before the first listing, and when the
    /// list changed before anybody used it.
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
    /// The error as it is reported now.
    pub(super) fn reported(mut self, changes: u64) -> CommandError {
        if changes > self.changes {
            let message = &mut self.error.message;
            message.push_str(" Since then the server has said that its list changed: refresh the list.");
        }
        self.error
    }
}

impl<P: Primitive> Listing<P> {
    pub(super) fn current(&self) -> Option<Arc<List<P>>> {
        self.lock().list.clone()
    }

    /// What the list holds.
    pub(super) fn bytes(&self) -> usize {
        self.lock().list.as_ref().map_or(0, |list| list.bytes)
    }

    /// The user works with the rows from now on.
    pub(super) fn used(&self) {
        self.lock().in_use = true;
    }

    /// Keeps a list that was made just now and announces it, which gives it its revision. Anyone who hears of it finds it here.
    pub(super) fn put(&self, mut list: List<P>, announce: impl FnOnce() -> u32) -> Arc<List<P>> {
        let mut state = self.lock();
        list.revision = announce();
        let list = Arc::new(list);
        state.rounds += 1;
        state.refused = None;
        state.list = Some(list.clone());
        list
    }

    /// Keeps why there is no list, or none newer than the one that is here.
    pub(super) fn refuse(&self, refusal: Refusal) {
        let mut state = self.lock();
        state.rounds += 1;
        state.refused = Some(refusal);
    }

    /// Whether one more silent listing is allowed; counts it.
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
