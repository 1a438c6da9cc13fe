//! The events of an exchange: a queue with a bound, between the actor and the caller.
//!
//! Most readers wait for the end alone. A channel of Tokio's would wake them for every event; this one knows that only the
//! end matters, and then wakes its reader once an exchange. The actor wakes the readers of several exchanges together
//! ([`DeferredWakes`]), so that a caller with many requests is woken once for all responses that one read brought.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use crate::{ExchangeEvent, Finished};

/// How many events may wait for their reader.
const ROOM: usize = 32;

/// The sending end. Dropping it ends the queue.
#[derive(Debug)]
pub(crate) struct EventSender(Arc<Mutex<State>>);

/// The receiving end.
#[derive(Debug)]
pub(crate) struct EventReceiver(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    events: VecDeque<ExchangeEvent>,
    /// The end, beside the queue: most exchanges have nothing else, and then need no allocation for it.
    finished: Option<Finished>,
    reader: Option<Waker>,
    interest: Interest,
    /// Whether more may come.
    open: bool,
}

/// What the reader waits for.
#[derive(Debug, PartialEq, Eq)]
enum Interest {
    All,
    End,
    Nothing,
}

/// The queue of one exchange.
pub(crate) fn channel() -> (EventSender, EventReceiver) {
    let state = Arc::new(Mutex::new(State {
        events: VecDeque::new(),
        finished: None,
        reader: None,
        interest: Interest::All,
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

    /// Sends an event if the reader waits for it. Without room the event is skipped.
    pub(crate) fn send(&self, event: ExchangeEvent) {
        let mut state = lock(&self.0);
        if state.interest != Interest::All || state.events.len() >= ROOM {
            return;
        }
        state.events.push_back(event);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Sends the end. The reader is woken now, or soon together with others.
    pub(crate) fn finish(self, finished: Finished, wakes: &DeferredWakes) {
        let mut state = lock(&self.0);
        if state.interest != Interest::Nothing {
            state.finished = Some(finished);
        }
        state.open = false;
        let reader = state.reader.take();
        drop(state);
        if let Some(waker) = reader {
            let queue = Arc::clone(&self.0);
            wakes.add(Reader { waker, queue });
        }
    }
}

/// How many readers wait for their wake at most.
const MOST_DEFERRED: usize = 32;

/// The longest time that a reader waits for others, so that all are woken together.
const BATCH_WINDOW: Duration = Duration::from_micros(200);

/// Readers that have something to read and are not woken yet, while more of what one read brought is handled. The actor wakes
/// them with the last of it and whenever it waits itself, unless they [wait for others](Self::batch_end); dropping this wakes them
/// too.
#[derive(Debug, Default)]
pub(crate) struct DeferredWakes(Mutex<Deferred>);

#[derive(Debug, Default)]
struct Deferred {
    readers: Vec<Reader>,
    /// Whether a reader is added without being woken where no other waits.
    on: bool,
    /// Whether readers sleep on while the actor waits for the next event.
    held: bool,
    /// When the first of `readers` came.
    since: Option<Instant>,
}

/// A reader that has something to read.
#[derive(Debug)]
struct Reader {
    waker: Waker,
    queue: Arc<Mutex<State>>,
}

impl Deferred {
    /// Wakes all of them. The first does not read before all are woken: its thread would handle one exchange, sleep again, and have
    /// to be woken for the next one, with a system call each time.
    fn wake(&mut self) {
        self.since = None;
        let first = self.readers.first().filter(|_| self.readers.len() > 1);
        let first = first.map(|reader| lock(&reader.queue));
        for reader in &self.readers {
            reader.waker.wake_by_ref();
        }
        drop(first);
        // Not before: the last waker of a task drops the task, and with it the receiving end of a queue.
        self.readers.clear();
    }
}

impl DeferredWakes {
    /// Whether readers are to wait for others from now on.
    pub(crate) fn defer(&self, on: bool) {
        self.lock().on = on;
    }

    fn add(&self, reader: Reader) {
        let mut deferred = self.lock();
        deferred.readers.push(reader);
        // Where others wait, one more joins them, also the last of a burst: each wake of a thread that sleeps is a system call.
        let waits = deferred.on || deferred.readers.len() > 1;
        if !waits || deferred.readers.len() >= MOST_DEFERRED {
            deferred.wake();
        }
    }

    /// Until when readers wait for others, with so many requests pending; none if nobody waits. Readers wait while there are
    /// fewer of them than a third of the requests still pending: the server has enough to do meanwhile, and gets the requests
    /// that follow with one write. A wake of either side costs more time than a short call.
    pub(crate) fn batch_end(&self, pending: usize) -> Option<Instant> {
        let mut deferred = self.lock();
        let waiting = deferred.readers.len();
        if waiting == 0 || waiting * 3 >= pending {
            return None;
        }
        Some(*deferred.since.get_or_insert_with(Instant::now) + BATCH_WINDOW)
    }

    /// Whether readers sleep on while the actor waits. A caller that says so makes sure that the actor runs again soon.
    pub(crate) fn hold(&self, held: bool) {
        self.lock().held = held;
    }

    /// The actor waits: wakes all, unless they are held.
    pub(crate) fn actor_waits(&self) {
        let mut deferred = self.lock();
        if !deferred.held {
            deferred.wake();
        }
    }

    /// Wakes all of them.
    pub(crate) fn wake_all(&self) {
        let mut deferred = self.lock();
        deferred.held = false;
        deferred.wake();
    }

    fn lock(&self) -> MutexGuard<'_, Deferred> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeferredWakes {
    fn drop(&mut self) {
        self.wake_all();
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
        if let Some(finished) = state.finished.take() {
            return Poll::Ready(Some(ExchangeEvent::Finished(Box::new(finished))));
        }
        if !state.open {
            return Poll::Ready(None);
        }
        state.reader = Some(context.waker().clone());
        Poll::Pending
    }

    /// How it ended, skipping all other events; none if the other end went without saying so. Cancel safe.
    pub(crate) async fn finished(&mut self) -> Option<Finished> {
        {
            let mut state = lock(&self.0);
            state.interest = Interest::End;
            state.events = VecDeque::new();
        }
        poll_fn(|context| {
            let mut state = lock(&self.0);
            if state.finished.is_none() && state.open {
                state.reader = Some(context.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(state.finished.take())
        })
        .await
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.interest = Interest::Nothing;
        state.reader = None;
        let unread = (std::mem::take(&mut state.events), state.finished.take());
        drop(state);
        drop(unread);
    }
}

#[cfg(test)]
mod tests;
