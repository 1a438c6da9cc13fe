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
fn poll(told: &mut EventReceiver, wakes: &Arc<Wakes>) -> Poll<Option<ExchangeEvent>> {
    let waker = Waker::from(Arc::clone(wakes));
    pin!(told.next()).as_mut().poll(&mut Context::from_waker(&waker))
}

fn end() -> ExchangeEvent {
    ExchangeEvent::Finished(Box::new(Finished::not_sent("why")))
}

#[test]
fn events_come_in_order_and_then_the_end() {
    let (teller, mut told) = channel();
    let wakes = Arc::default();
    assert!(poll(&mut told, &wakes).is_pending());
    teller.tell(ExchangeEvent::Sent { seq: 7 });
    teller.tell(end());
    drop(teller);
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Some(ExchangeEvent::Sent { seq: 7 })) = poll(&mut told, &wakes) else {
        panic!("nothing sent");
    };
    let Poll::Ready(Some(ExchangeEvent::Finished(finished))) = poll(&mut told, &wakes) else {
        panic!("no end");
    };
    assert_eq!(finished.outcome, Outcome::NotSent("why".to_owned()));
    assert!(matches!(poll(&mut told, &wakes), Poll::Ready(None)));
}

#[test]
fn who_waits_for_the_end_alone_is_woken_by_nothing_else() {
    let (teller, mut told) = channel();
    let wakes = Arc::default();
    teller.tell(ExchangeEvent::Sent { seq: 1 });
    told.only_end();
    assert!(poll(&mut told, &wakes).is_pending());
    teller.tell(ExchangeEvent::Sent { seq: 2 });
    assert_eq!(wakes.count(), 0);
    teller.tell(end());
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Some(ExchangeEvent::Finished(_))) = poll(&mut told, &wakes) else {
        panic!("no end");
    };
}

#[test]
fn a_slow_reader_misses_what_there_is_no_room_for_but_never_the_end() {
    let (teller, mut told) = channel();
    for seq in 0..100 {
        teller.tell(ExchangeEvent::Sent { seq });
    }
    assert_eq!(teller.room(), 0);
    teller.tell(end());
    let wakes = Arc::default();
    for expected in 0..ROOM as u64 {
        let Poll::Ready(Some(ExchangeEvent::Sent { seq })) = poll(&mut told, &wakes) else {
            panic!("event {expected} is missing");
        };
        assert_eq!(seq, expected);
    }
    let Poll::Ready(Some(ExchangeEvent::Finished(_))) = poll(&mut told, &wakes) else {
        panic!("no end");
    };
}

#[test]
fn a_teller_that_goes_wakes_the_reader_and_a_reader_that_goes_is_told_nothing() {
    let (teller, mut told) = channel();
    let wakes = Arc::default();
    assert!(poll(&mut told, &wakes).is_pending());
    drop(teller);
    assert_eq!(wakes.count(), 1);
    assert!(matches!(poll(&mut told, &wakes), Poll::Ready(None)));

    let (teller, told) = channel();
    drop(told);
    teller.tell(end());
    assert_eq!(teller.room(), ROOM);
}
