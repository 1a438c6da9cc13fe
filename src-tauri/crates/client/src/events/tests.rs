use std::{
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::Wake,
};

use super::*;
use crate::{Finished, Outcome};

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Wakes {
    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Polls `next` once.
fn poll(
    receiver: &mut EventReceiver,
    wakes: &Arc<impl Wake + Send + Sync + 'static>,
) -> Poll<Option<ExchangeEvent>> {
    let waker = Waker::from(Arc::clone(wakes));
    pin!(receiver.next())
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
}

fn end(sender: EventSender) {
    sender.finish(Finished::not_sent("why"), &DeferredWakes::default());
}

#[test]
fn events_come_in_order_and_then_the_end() {
    let (sender, mut receiver) = channel();
    let wakes = Arc::<Wakes>::default();
    assert!(poll(&mut receiver, &wakes).is_pending());
    sender.send(ExchangeEvent::Sent { seq: 7 });
    end(sender);
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Some(ExchangeEvent::Sent { seq: 7 })) = poll(&mut receiver, &wakes) else {
        panic!("nothing sent");
    };
    let Poll::Ready(Some(ExchangeEvent::Finished(finished))) = poll(&mut receiver, &wakes) else {
        panic!("no end");
    };
    assert_eq!(finished.outcome, Outcome::NotSent("why".to_owned()));
    assert!(matches!(poll(&mut receiver, &wakes), Poll::Ready(None)));
}

#[test]
fn a_reader_of_the_end_alone_is_woken_by_nothing_else() {
    let (sender, mut receiver) = channel();
    let wakes = Arc::<Wakes>::default();
    let waker = Waker::from(Arc::clone(&wakes));
    let mut context = Context::from_waker(&waker);
    sender.send(ExchangeEvent::Sent { seq: 1 });
    let mut finished = pin!(receiver.finished());
    assert!(finished.as_mut().poll(&mut context).is_pending());
    sender.send(ExchangeEvent::Sent { seq: 2 });
    assert_eq!(wakes.count(), 0);
    end(sender);
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Some(_)) = finished.as_mut().poll(&mut context) else {
        panic!("no end");
    };
}

#[test]
fn a_slow_reader_misses_events_without_room_but_never_the_end() {
    let (sender, mut receiver) = channel();
    for seq in 0..100 {
        sender.send(ExchangeEvent::Sent { seq });
    }
    assert_eq!(sender.room(), 0);
    end(sender);
    let wakes = Arc::<Wakes>::default();
    for expected in 0..ROOM as u64 {
        let Poll::Ready(Some(ExchangeEvent::Sent { seq })) = poll(&mut receiver, &wakes) else {
            panic!("event {expected} is missing");
        };
        assert_eq!(seq, expected);
    }
    let Poll::Ready(Some(ExchangeEvent::Finished(_))) = poll(&mut receiver, &wakes) else {
        panic!("no end");
    };
}

#[test]
fn a_dropped_sender_wakes_its_reader_and_a_dropped_reader_receives_nothing() {
    let (sender, mut receiver) = channel();
    let wakes = Arc::<Wakes>::default();
    assert!(poll(&mut receiver, &wakes).is_pending());
    drop(sender);
    assert_eq!(wakes.count(), 1);
    assert!(matches!(poll(&mut receiver, &wakes), Poll::Ready(None)));

    let (sender, receiver) = channel();
    drop(receiver);
    sender.send(ExchangeEvent::Sent { seq: 1 });
    assert_eq!(sender.room(), ROOM);
    end(sender);
}

/// The reader of an exchange that ended while it waited.
fn finished(wakes: &Arc<impl Wake + Send + Sync + 'static>, deferred: &DeferredWakes) -> EventReceiver {
    let (sender, mut receiver) = channel();
    assert!(poll(&mut receiver, wakes).is_pending());
    sender.finish(Finished::not_sent("why"), deferred);
    receiver
}

#[test]
fn readers_are_woken_together_when_the_sender_waits_or_goes() {
    let wakes = Arc::<Wakes>::default();
    let deferred = DeferredWakes::default();
    deferred.defer(true);
    let mut readers = Vec::new();
    for _ in 0..3 {
        readers.push(finished(&wakes, &deferred));
    }
    assert_eq!(wakes.count(), 0);
    deferred.wake_all();
    assert_eq!(wakes.count(), 3);
    let (sender, mut receiver) = channel();
    assert!(poll(&mut receiver, &wakes).is_pending());
    sender.finish(Finished::not_sent("why"), &deferred);
    drop(deferred);
    assert_eq!(wakes.count(), 4);
    let (sender, mut receiver) = channel();
    assert!(poll(&mut receiver, &wakes).is_pending());
    end(sender);
    assert_eq!(wakes.count(), 5, "nothing follows: at once");
}

#[test]
fn the_last_of_a_burst_waits_with_those_before_it() {
    let wakes = Arc::<Wakes>::default();
    let deferred = DeferredWakes::default();
    let mut readers = Vec::new();
    for is_burst in [true, true, false] {
        deferred.defer(is_burst);
        readers.push(finished(&wakes, &deferred));
    }
    assert_eq!(wakes.count(), 0);
    deferred.wake_all();
    assert_eq!(wakes.count(), 3);
}

/// Notes whether another queue can be read when it is woken.
struct Watching {
    other: Arc<Mutex<State>>,
    could_read: AtomicUsize,
}

impl Wake for Watching {
    fn wake(self: Arc<Self>) {
        let read = usize::from(self.other.try_lock().is_ok());
        self.could_read.fetch_add(1 + read, Ordering::Relaxed);
    }
}

#[test]
fn the_first_reads_when_all_are_woken() {
    let deferred = DeferredWakes::default();
    deferred.defer(true);
    let (first, mut first_reader) = channel();
    let (second, mut second_reader) = channel();
    let watching = Arc::new(Watching {
        other: Arc::clone(&first.0),
        could_read: AtomicUsize::new(0),
    });
    assert!(poll(&mut first_reader, &Arc::<Wakes>::default()).is_pending());
    assert!(poll(&mut second_reader, &watching).is_pending());
    first.finish(Finished::not_sent("why"), &deferred);
    second.finish(Finished::not_sent("why"), &deferred);
    deferred.wake_all();
    assert_eq!(
        watching.could_read.load(Ordering::Relaxed),
        1,
        "woken, and locked"
    );
    assert!(matches!(
        poll(&mut first_reader, &Arc::<Wakes>::default()),
        Poll::Ready(Some(_))
    ));
}

/// Holds a reader, as the last waker of a task that was given up holds the task.
struct Holding(Mutex<Option<EventReceiver>>);

impl Wake for Holding {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_waker_may_drop_its_reader() {
    let deferred = DeferredWakes::default();
    deferred.defer(true);
    for _ in 0..2 {
        let (sender, mut receiver) = channel();
        let holding = Arc::new(Holding(Mutex::new(None)));
        assert!(poll(&mut receiver, &holding).is_pending());
        *holding.0.lock().unwrap() = Some(receiver);
        sender.finish(Finished::not_sent("why"), &deferred);
    }
    deferred.wake_all();
}

#[test]
fn readers_sleep_on_until_a_third_of_the_pending_requests_is_answered_or_the_time_is_over() {
    let wakes = Arc::<Wakes>::default();
    let deferred = DeferredWakes::default();
    assert_eq!(deferred.batch_end(64), None, "nobody waits");
    deferred.defer(true);
    let mut readers = Vec::new();
    let mut answer = || {
        readers.push(finished(&wakes, &deferred));
    };
    answer();
    let end = deferred.batch_end(30).expect("one of thirty is not enough");
    assert!(end <= Instant::now() + BATCH_WINDOW);
    deferred.hold(true);
    deferred.actor_waits();
    assert_eq!(wakes.count(), 0, "held while the actor looks for more");
    (1..10).for_each(|_| answer());
    assert_eq!(
        deferred.batch_end(31),
        Some(end),
        "the time counts from the first reader"
    );
    assert_eq!(deferred.batch_end(30), None, "a third");
    deferred.hold(false);
    deferred.actor_waits();
    assert_eq!(wakes.count(), 10);
    assert_eq!(deferred.batch_end(30), None, "nobody waits any more");
}
