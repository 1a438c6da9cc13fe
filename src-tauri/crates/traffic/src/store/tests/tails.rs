//! Snapshot and deltas.

use std::time::Duration;

use tokio::time::Instant;

use super::*;

/// The state of a client that only receives the deltas of a tail.
#[derive(Default)]
pub(super) struct Listener {
    pub(super) total: u64,
    /// Rows by number, as last received.
    pub(super) rows: std::collections::BTreeMap<Seq, Row>,
    pub(super) deltas: usize,
    pub(super) missed: bool,
}

impl Listener {
    pub(super) fn apply(&mut self, delta: Delta) {
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
async fn a_burst_is_reported_at_a_limited_rate_with_the_right_count() {
    let harness = Harness::new();
    let mut tail = harness.store.tail(Filter::default());
    let mut narrow = harness.store.tail(Filter::default().containing("7777"));
    let (recorder, one) = (harness.recorder.clone(), harness.one);
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
        listener.apply(delta);
        if let Some(newest) = newest {
            let place = harness.store.locate(&Filter::default(), newest).await.unwrap();
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
async fn changes_are_reported_once_and_omitted_ones_are_flagged() {
    let harness = Harness::new();
    let mut seqs = Vec::new();
    for _ in 0..300 {
        seqs.push(harness.sent("{}").await);
    }
    harness.flush().await;
    let requests = Filter::default().kinds(&[Kind::Request]);
    let mut tail = harness.store.tail(Filter::default());
    let mut narrow = harness.store.tail(requests);
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

    harness.recorder.describe(5, request("5", "ping"));
    harness.flush().await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.reset, delta.total, delta.added.len(), delta.changed_missed),
        (false, 300, 0, false)
    );
    assert_eq!(script(&delta.changed), "5 one -> Request #5 ping Pending 2 B\n");
    // For a filter on requests, the row started matching, perhaps in the middle.
    let delta = narrow.next().await.unwrap();
    assert_eq!((delta.total, delta.changed_missed), (1, true));

    for seq in &seqs {
        harness.recorder.answer(
            *seq,
            Answer {
                response: None,
                status: Status::Lost,
                latency_ns: None,
            },
        );
    }
    harness.flush().await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.total, delta.changed.len(), delta.changed_missed),
        (300, 200, true)
    );
    let delta = narrow.next().await.unwrap();
    assert_eq!(script(&delta.changed), "5 one -> Request #5 ping Lost 2 B\n");
}

#[tokio::test(start_paused = true)]
async fn a_clear_resets_tails() {
    let harness = Harness::new();
    harness.sent("a").await;
    harness.recorder.stderr(harness.two, Bytes::from_static(b"b"));
    harness.flush().await;
    let mut tail = harness.store.tail(Filter::default());
    let mut text = harness.store.tail(Filter::default().containing("B"));
    assert_eq!(tail.next().await.unwrap().total, 2);
    assert_eq!(text.next().await.unwrap().total, 1);
    harness.store.clear(Some("one")).await.unwrap();
    let delta = tail.next().await.unwrap();
    assert!(delta.reset);
    assert_eq!(
        (delta.total, script(&delta.added).as_str()),
        (1, "2 two Stderr \"b\" 1 B\n")
    );
    // Its only row is still there.
    let patience = Duration::from_millis(200);
    assert!(tokio::time::timeout(patience, text.next()).await.is_err());
    harness.store.clear(None).await.unwrap();
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
    harness.sent("c").await;
    let delta = tail.next().await.unwrap();
    assert_eq!(
        (delta.reset, script(&delta.added).as_str()),
        (false, "3 one -> Invalid \"c\" 1 B\n")
    );
}

#[tokio::test(start_paused = true)]
async fn a_delta_survives_a_dropped_next() {
    let harness = Harness::new();
    let mut tail = harness.store.tail(Filter::default());
    let mut listener = Listener::default();
    for n in 1..=50u64 {
        harness.sent("x").await;
        let wake = Duration::from_millis(n % 60);
        while let Ok(delta) = tokio::time::timeout(wake, tail.next()).await {
            listener.apply(delta.unwrap());
        }
    }
    harness.flush().await;
    while listener.total < 50 {
        listener.apply(tail.next().await.unwrap());
    }
    assert_eq!(
        listener.rows.keys().copied().collect::<Vec<_>>(),
        (1..=50).collect::<Vec<_>>()
    );
    assert!(!listener.missed);
}

/// The pause between two deltas is 50 ms.
#[tokio::test(start_paused = true)]
async fn a_change_survives_a_next_that_is_dropped_in_the_pause() {
    let harness = Harness::new();
    let mut tail = harness.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 0);
    harness.sent("x").await;
    harness.flush().await;
    let dropped = tokio::time::timeout(Duration::from_millis(10), tail.next()).await;
    assert!(dropped.is_err());
    let next = tokio::time::timeout(Duration::from_secs(10), tail.next()).await;
    assert_eq!(next.expect("the change is lost").unwrap().total, 1);
}

#[tokio::test]
async fn dropping_a_tail_cancels_its_search() {
    let harness = Harness::new();
    for n in 0..20_000 {
        harness.sent(&format!("needle {n}")).await;
    }
    harness.flush().await;
    let filter = Filter::default().containing("needle");
    for _ in 0..5 {
        let mut tail = harness.store.tail(filter.clone());
        let mut next = Box::pin(tail.next());
        let polled =
            std::future::poll_fn(|context| std::task::Poll::Ready(next.as_mut().poll(context).is_pending()));
        // The search may have finished already; it is given up in both cases.
        polled.await;
        drop(next);
        drop(tail);
        assert_eq!(harness.store.count(&filter).await.unwrap(), 20_000);
    }
}

/// What is added to an exchange is found by a filter that is open already, though its row does not change.
#[tokio::test]
async fn a_running_exchange_is_searched_as_it_grows() {
    let harness = Harness::new();
    let mut everything = harness.store.tail(Filter::default());
    let begun = harness
        .recorder
        .http_begin(harness.one, crate::HttpHead::default(), None, None);
    let exchange = begun.await.unwrap();
    harness.flush().await;
    assert_eq!(everything.next().await.unwrap().total, 1);
    let mut tails = Vec::new();
    for text in ["in a comment", "in the body", "in both"] {
        let mut tail = harness.store.tail(Filter::default().containing(text));
        assert_eq!(tail.next().await.unwrap().total, 0);
        tails.push(tail);
    }
    let comment = |text: &str| crate::HttpStage::SseComment {
        text: text.to_owned(),
    };
    let grows = harness.recorder.http_event(exchange, comment("in a comment"));
    grows.await.unwrap();
    harness.flush().await;
    let body = Bytes::from_static(b"in the body, in ");
    harness.recorder.http_body(exchange, body).await.unwrap();
    harness.flush().await;
    let body = Bytes::from_static(b"both");
    harness.recorder.http_body(exchange, body).await.unwrap();
    harness.flush().await;
    for tail in &mut tails {
        let found = async { while tail.next().await.unwrap().total == 0 {} };
        let found = tokio::time::timeout(Duration::from_secs(30), found).await;
        assert!(found.is_ok(), "what was added is not found");
    }
    // Without a text there is no news of it.
    let next = harness.sent("next").await;
    let delta = everything.next().await.unwrap();
    let added: Vec<Seq> = delta.added.iter().map(|row| row.seq).collect();
    assert_eq!(
        (added, delta.changed, delta.changed_missed),
        (vec![next], vec![], false)
    );
}

#[tokio::test]
async fn several_readers_of_a_filter_begin_with_what_one_has_found() {
    let harness = Harness::new();
    for text in ["found", "other", "found again"] {
        harness.sent(text).await;
    }
    harness.flush().await;
    let filter = Filter::default().containing("found");
    assert_eq!(harness.store.count(&filter).await.unwrap(), 2);
    let inner = &harness.store.inner;
    let (first, second) = (inner.take_view(filter.clone()), inner.take_view(filter));
    for view in [&first, &second] {
        assert_eq!(view.matches().iter().collect::<Vec<_>>(), [1, 3]);
    }
    inner.keep_view(first);
    inner.keep_view(second);
    assert_eq!(inner.views.lock().unwrap().len(), 1);
}
