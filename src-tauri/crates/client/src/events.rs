//! What the reader of an exchange is told: a queue with a bound, between the actor and the caller.
//!
//! Most readers wait for the end alone. A channel of Tokio's wakes its reader for every event, theirs too; this one is
//! told that only the end matters, and then wakes once an exchange.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use crate::ExchangeEvent;

/// How many events may wait for their reader.
const ROOM: usize = 32;

/// The end that tells. Dropping it ends the queue.
#[derive(Debug)]
pub(crate) struct EventSender(Arc<Mutex<State>>);

/// The end that is told.
#[derive(Debug)]
pub(crate) struct EventReceiver(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    events: VecDeque<ExchangeEvent>,
    reader: Option<Waker>,
    wants: Wants,
    /// Whether more may come.
    open: bool,
}

/// What the reader wants to know.
#[derive(Debug, PartialEq, Eq)]
enum Wants {
    All,
    End,
    Nothing,
}

/// A queue of its own for an exchange.
pub(crate) fn channel() -> (EventSender, EventReceiver) {
    let state = Arc::new(Mutex::new(State {
        events: VecDeque::new(),
        reader: None,
        wants: Wants::All,
        open: true,
    }));
    (EventSender(Arc::clone(&state)), EventReceiver(state))
}

/// Nothing of others runs while it is held, so a poisoned one is as good as new.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl EventSender {
    /// For how many events there is room.
    pub(crate) fn room(&self) -> usize {
        ROOM.saturating_sub(lock(&self.0).events.len())
    }

    /// Tells of an event, if the reader wants to know. Without room the event is skipped, unless it is the end.
    pub(crate) fn tell(&self, event: ExchangeEvent) {
        let is_end = matches!(event, ExchangeEvent::Finished(_));
        let mut state = lock(&self.0);
        let wanted = match state.wants {
            Wants::All => is_end || state.events.len() < ROOM,
            Wants::End => is_end,
            Wants::Nothing => false,
        };
        if !wanted {
            return;
        }
        state.events.push_back(event);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.open = false;
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

impl EventReceiver {
    /// What comes next; none after the end. Cancel safe.
    pub(crate) async fn next(&mut self) -> Option<ExchangeEvent> {
        poll_fn(|context| self.poll_next(context)).await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<ExchangeEvent>> {
        let mut state = lock(&self.0);
        if let Some(event) = state.events.pop_front() {
            return Poll::Ready(Some(event));
        }
        if !state.open {
            return Poll::Ready(None);
        }
        state.reader = Some(context.waker().clone());
        Poll::Pending
    }

    /// From now on only the end matters.
    pub(crate) fn only_end(&mut self) {
        let mut state = lock(&self.0);
        state.wants = Wants::End;
        state
            .events
            .retain(|event| matches!(event, ExchangeEvent::Finished(_)));
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.wants = Wants::Nothing;
        state.reader = None;
        let events = std::mem::take(&mut state.events);
        drop(state);
        drop(events);
    }
}

#[cfg(test)]
mod tests;
