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
fn poll(receiver: &mut EventReceiver, wakes: &Arc<Wakes>) -> Poll<Option<ExchangeEvent>> {
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
    let wakes = Arc::default();
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
    let wakes = Arc::default();
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
    let wakes = Arc::default();
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

#[test]
fn readers_are_woken_together_when_the_sender_waits_or_goes() {
    let wakes = Arc::default();
    let deferred = DeferredWakes::default();
    deferred.defer(true);
    let mut readers = Vec::new();
    for _ in 0..3 {
        let (sender, mut receiver) = channel();
        assert!(poll(&mut receiver, &wakes).is_pending());
        sender.finish(Finished::not_sent("why"), &deferred);
        readers.push(receiver);
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
fn readers_sleep_on_until_a_third_of_the_pending_requests_is_answered_or_the_time_is_over() {
    let wakes = Arc::<Wakes>::default();
    let deferred = DeferredWakes::default();
    assert_eq!(deferred.batch_end(64), None, "nobody waits");
    deferred.defer(true);
    let mut readers = Vec::new();
    let mut answer = || {
        let (sender, mut receiver) = channel();
        assert!(poll(&mut receiver, &wakes).is_pending());
        sender.finish(Finished::not_sent("why"), &deferred);
        readers.push(receiver);
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
