//! Snapshot and deltas.

use std::time::Duration;

use tokio::time::Instant;

use super::*;

/// What somebody who only listens to a tail knows.
#[derive(Default)]
pub(super) struct Listener {
    pub(super) total: u64,
    /// Rows by their number, as last told.
    pub(super) rows: std::collections::BTreeMap<Seq, Row>,
    pub(super) deltas: usize,
    pub(super) missed: bool,
}

impl Listener {
    pub(super) fn hear(&mut self, delta: Delta) {
        assert_eq!(
            delta.reset,
            delta.reset || self.deltas == 0,
            "the first is the snapshot"
        );
        assert!(delta.added.len() <= 200 && delta.changed.len() <= 200);
        assert!(delta.added.is_sorted_by_key(|row| row.seq));
        if delta.reset {
            *self = Self {
                deltas: self.deltas,
                ..Self::default()
            };
        }
        self.missed |= delta.changed_missed || delta.total != self.total + delta.added.len() as u64;
        self.total = delta.total;
        self.deltas += 1;
        self.rows.extend(
            delta
                .added
                .into_iter()
                .chain(delta.changed)
                .map(|row| (row.seq, row)),
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_burst_is_told_at_a_steady_pace_with_the_right_count() {
    let desk = Desk::new();
    let mut tail = desk.store.tail(Filter::default());
    let mut narrow = desk.store.tail(Filter::default().containing("7777"));
    let (recorder, one) = (desk.recorder.clone(), desk.one);
    let burst = tokio::spawn(async move {
        for n in 0..10_000 {
            let frame = Bytes::from(format!("{{\"log\":{n}}}"));
            let seq = recorder.frame(one, ServerToClient, frame).await.unwrap();
            recorder.describe(seq, Description::new(Kind::Notification));
        }
    });
    let mut listener = Listener::default();
    let mut last: Option<Instant> = None;
    while listener.total < 10_000 {
        let delta = tail.next().await.unwrap();
        let now = Instant::now();
        assert!(last.is_none_or(|last| now - last >= Duration::from_millis(50)));
        last = Some(now);
        let newest = delta.added.last().map(|row| row.seq);
        listener.hear(delta);
        if let Some(newest) = newest {
            let place = desk.store.locate(&Filter::default(), newest).await.unwrap();
            assert_eq!(place, Some(listener.total - 1));
        }
    }
    burst.await.unwrap();
    assert_eq!(listener.total, 10_000);
    assert_eq!(listener.rows.last_key_value().unwrap().0, &10_000);
    let mut matched = 0;
    while matched < 1 {
        matched = narrow.next().await.unwrap().total;
    }
    assert_eq!(matched, 1);
}

#[tokio::test(start_paused = true)]
async fn changes_are_told_once_and_those_that_do_not_fit_are_admitted() {
    let desk = Desk::new();
    let mut seqs = Vec::new();
    for _ in 0..300 {
        seqs.push(desk.sent("{}").await);
    }
    desk.flush().await;
    let requests = Filter::default().kinds(&[Kind::Request]);
    let mut tail = desk.store.tail(Filter::default());
    let mut narrow = desk.store.tail(requests);
    let first = tail.next().await.unwrap();
    assert_eq!(
        (first.reset, first.total, first.added.len(), first.added[0].seq),
        (true, 300, 200, 101)
    );
    assert_eq!(
        narrow.next().await.unwrap(),
        Delta {
            reset: true,
            ..Delta::default()
        }
    );

    desk.recorder.describe(5, request("5", "ping"));
    desk.flush().await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.reset, delta.total, delta.added.len(), delta.changed_missed),
        (false, 300, 0, false)
    );
    assert_eq!(script(&delta.changed), "5 one -> Request #5 ping Pending 2 B\n");
    // For a filter on requests the row came in, perhaps in the middle.
    let delta = narrow.next().await.unwrap();
    assert_eq!((delta.total, delta.changed_missed), (1, true));

    for seq in &seqs {
        desk.recorder.answer(
            *seq,
            Answer {
                response: None,
                status: Status::Lost,
                latency_ns: None,
            },
        );
    }
    desk.flush().await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.total, delta.changed.len(), delta.changed_missed),
        (300, 200, true)
    );
    let delta = narrow.next().await.unwrap();
    assert_eq!(script(&delta.changed), "5 one -> Request #5 ping Lost 2 B\n");
}

#[tokio::test(start_paused = true)]
async fn a_clear_begins_tails_again() {
    let desk = Desk::new();
    desk.sent("a").await;
    desk.recorder.stderr(desk.two, Bytes::from_static(b"b"));
    desk.flush().await;
    let mut tail = desk.store.tail(Filter::default());
    let mut text = desk.store.tail(Filter::default().containing("B"));
    assert_eq!(tail.next().await.unwrap().total, 2);
    assert_eq!(text.next().await.unwrap().total, 1);
    desk.store.clear(Some("one")).await.unwrap();
    let delta = tail.next().await.unwrap();
    assert!(delta.reset);
    assert_eq!(
        (delta.total, script(&delta.added).as_str()),
        (1, "2 two Stderr \"b\" 1 B\n")
    );
    assert_eq!(text.next().await.unwrap().total, 1);
    desk.store.clear(None).await.unwrap();
    assert_eq!(
        tail.next().await.unwrap(),
        Delta {
            reset: true,
            ..Delta::default()
        }
    );
    assert_eq!(
        text.next().await.unwrap(),
        Delta {
            reset: true,
            ..Delta::default()
        }
    );
    desk.sent("c").await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.reset, script(&delta.added).as_str()),
        (false, "3 one -> Invalid \"c\" 1 B\n")
    );
}

#[tokio::test(start_paused = true)]
async fn a_delta_survives_a_listener_that_gave_up_waiting() {
    let desk = Desk::new();
    let mut tail = desk.store.tail(Filter::default());
    let mut listener = Listener::default();
    for n in 1..=50u64 {
        desk.sent("x").await;
        let wake = Duration::from_millis(n % 60);
        while let Ok(delta) = tokio::time::timeout(wake, tail.next()).await {
            listener.hear(delta.unwrap());
        }
    }
    desk.flush().await;
    while listener.total < 50 {
        listener.hear(tail.next().await.unwrap());
    }
    assert_eq!(
        listener.rows.keys().copied().collect::<Vec<_>>(),
        (1..=50).collect::<Vec<_>>()
    );
    assert!(!listener.missed);
}

#[tokio::test]
async fn a_search_is_given_up_with_its_tail_and_leaves_no_half_answer() {
    let desk = Desk::new();
    for n in 0..20_000 {
        desk.sent(&format!("needle {n}")).await;
    }
    desk.flush().await;
    let filter = Filter::default().containing("needle");
    for _ in 0..5 {
        let mut tail = desk.store.tail(filter.clone());
        let mut next = Box::pin(tail.next());
        let polled =
            std::future::poll_fn(|context| std::task::Poll::Ready(next.as_mut().poll(context).is_pending()));
        // The search may have reported already; it is given up either way.
        polled.await;
        drop(next);
        drop(tail);
        assert_eq!(desk.store.count(&filter).await.unwrap(), 20_000);
    }
}
