use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::{HttpHead, NewConnection, Origin, Store, StoreOptions};

/// A text that grows is not searched all the time, but what waits for the whole result gets it.
#[tokio::test]
async fn an_exchange_that_grew_is_searched_again_after_a_pause() {
    let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "one".to_owned(),
        origin: Origin::Client,
    });
    let exchange = recorder
        .http_begin(connection, HttpHead::default(), None, None)
        .await
        .unwrap();
    recorder.flush().await.unwrap();
    let mut view = View::new(Filter::default().containing("needle"));
    let advance = |view: &mut View, until| {
        let limits = SearchLimits {
            given_up: &AtomicBool::new(false),
            until,
            enough: u64::MAX,
        };
        let shared = &recorder.inner.shared;
        let changes = recorder
            .inner
            .readers
            .with(|db| view.advance(db, shared, &limits))
            .unwrap();
        (view.matches().len(), view.due().is_some(), changes.changed_missed)
    };
    let now = Instant::now();
    let (soon, later) = (
        Some(now + Duration::from_secs(60)),
        now + Duration::from_secs(3600),
    );
    let grows = async |text: &'static str| {
        recorder.http_body(exchange, Bytes::from(text)).await.unwrap();
        recorder.flush().await.unwrap();
    };
    assert_eq!(advance(&mut view, soon), (0, false, false));
    grows("hay").await;
    assert_eq!(advance(&mut view, soon), (0, false, false));
    assert!(view.rests_until.is_some_and(|until| until > now));
    view.rests_until = Some(later);
    grows("a needle").await;
    assert_eq!(advance(&mut view, soon), (0, true, false));
    assert_eq!(view.due(), Some(later));
    view.rests_until = Some(now);
    assert_eq!(advance(&mut view, soon), (1, false, true));
    view.rests_until = Some(later);
    // It matches already, and its row is as before.
    grows("another needle").await;
    assert_eq!(advance(&mut view, None), (1, false, false));
    drop(store);
}

/// The rows of a view are as before if none of them was removed.
#[tokio::test]
async fn only_the_removal_of_a_match_is_a_reset() {
    let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
    for server in ["one", "two"] {
        let connection = recorder.connection(NewConnection {
            server_id: server.to_owned(),
            server_name: server.to_owned(),
            origin: Origin::Client,
        });
        recorder.stderr(connection, Bytes::from_static(b"line"));
    }
    recorder.flush().await.unwrap();
    let mut views = ["server:two", "server:two line"].map(|text| View::new(Filter::parse(text).unwrap()));
    let mut advance = || {
        views.each_mut().map(|view| {
            let limits = SearchLimits {
                given_up: &AtomicBool::new(false),
                until: None,
                enough: u64::MAX,
            };
            let shared = &recorder.inner.shared;
            let readers = &recorder.inner.readers;
            let changes = readers.with(|db| view.advance(db, shared, &limits)).unwrap();
            (changes.reset, view.matches().len())
        })
    };
    assert_eq!(advance(), [(true, 1); 2]);
    store.clear(Some("one")).await.unwrap();
    assert_eq!(advance(), [(false, 1); 2]);
    store.clear(Some("two")).await.unwrap();
    assert_eq!(advance(), [(true, 0); 2]);
}
