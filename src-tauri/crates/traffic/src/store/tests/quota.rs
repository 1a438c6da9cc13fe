//! What the quota removes, and how long it is stored.

use std::time::Duration;

use super::files::folder;
use super::*;
use crate::Quota;

#[tokio::test]
async fn the_oldest_records_are_removed_at_the_quota() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    for _ in 0..300 {
        harness.sent(&"x".repeat(20_000)).await;
    }
    harness.flush().await;
    let mut tail = harness.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 300);
    let used = harness.store.usage().await.unwrap();
    assert_eq!((used.records, used.removed), (300, 0));
    let bytes = Some(used.bytes / 2);
    harness.store.set_quota(Quota { bytes, age: None }).await.unwrap();
    // Removal by the quota resets every tail.
    let mut total = 300;
    while total >= 300 {
        harness.sent("new").await;
        let delta = tail.next().await.unwrap();
        total = if delta.reset { delta.total } else { 300 };
    }
    let now = harness.store.usage().await.unwrap();
    assert!(now.removed > 100 && now.records < 200, "{now:?}");
    assert!(now.removed_upto_ms.is_some() && now.oldest_ms >= now.removed_upto_ms.map(f64::floor));
    assert_eq!(harness.store.body(1).await.unwrap(), None);
    harness.store.close().await.unwrap();
    // Records that were not deleted yet are hidden in the next run, too.
    let harness = Harness::at(Some(path));
    assert!(harness.store.count(&Filter::default()).await.unwrap() <= now.records + 1);
}

#[tokio::test]
async fn records_over_the_maximum_age_are_removed() {
    let harness = Harness::new();
    harness.sent("old").await;
    harness.flush().await;
    let mut tail = harness.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 1);
    let quota = Quota {
        bytes: None,
        age: Some(Duration::ZERO),
    };
    harness.store.set_quota(quota).await.unwrap();
    loop {
        harness.sent("new").await;
        let delta = tail.next().await.unwrap();
        if delta.reset {
            break;
        }
    }
    assert_eq!(harness.store.body(1).await.unwrap(), None);
}

/// Nothing is recorded any more when the log turns out to be over its quota.
#[tokio::test]
async fn a_quota_acts_while_nothing_is_recorded() {
    let harness = Harness::new();
    let used = harness.store.usage().await.unwrap().bytes;
    let (bytes, age) = (Some(used + 500_000), None);
    harness.store.set_quota(Quota { bytes, age }).await.unwrap();
    for _ in 0..100 {
        harness.sent(&"x".repeat(20_000)).await;
    }
    harness.flush().await;
    until_fewer(&harness, 100).await;
    assert!(harness.store.usage().await.unwrap().removed > 0);

    let harness = Harness::new();
    let (bytes, age) = (None, Some(Duration::from_millis(1500)));
    harness.store.set_quota(Quota { bytes, age }).await.unwrap();
    harness.sent("a record that expires").await;
    harness.flush().await;
    until_fewer(&harness, 1).await;
}

/// Waits until there are fewer records than that.
async fn until_fewer(harness: &Harness, than: u64) {
    let mut tail = harness.store.tail(Filter::default());
    let fewer = async { while tail.next().await.unwrap().total >= than {} };
    let removed = tokio::time::timeout(Duration::from_secs(30), fewer).await;
    assert!(removed.is_ok(), "no record is removed");
}

/// The system's clock is two days ahead of where it was when the log was opened, or two days behind.
#[tokio::test]
async fn a_clock_that_jumps_makes_no_record_too_old() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let days = |count: i64| Some(count * DAY.as_nanos() as i64);
    for jump in [days(-2), days(2)] {
        let harness = Harness::new();
        assert!(harness.store.inner.shared.queue.send(Item::Trial(jump)));
        let connection = harness.recorder.connection(NewConnection {
            server_id: "later".to_owned(),
            server_name: "later".to_owned(),
            origin: Origin::Client,
        });
        let frame = async |text: &'static [u8]| {
            let frame = Bytes::from_static(text);
            harness
                .recorder
                .frame(connection, ClientToServer, frame)
                .await
                .unwrap()
        };
        let first = frame(b"first").await;
        let age = Some(DAY);
        harness.store.set_quota(Quota { bytes: None, age }).await.unwrap();
        // The quota is checked after each write.
        frame(b"second").await;
        harness.store.flush().await.unwrap();
        frame(b"third").await;
        harness.store.flush().await.unwrap();
        assert_eq!(
            harness.store.body(first).await.unwrap().as_deref(),
            Some(&b"first"[..])
        );
        let rows = harness.store.rows(&Filter::default(), 0, 10).await.unwrap();
        assert!(rows.is_sorted_by(|one, other| one.seq < other.seq && one.at_ms <= other.at_ms));
        assert_eq!(harness.store.usage().await.unwrap().removed, 0);
    }
}

#[tokio::test]
async fn a_quota_survives_the_run_and_a_clear() {
    let (_folder, path) = folder();
    for (set, expected) in [
        (None, Quota::default()),
        (
            Some(Quota {
                bytes: None,
                age: Some(Duration::from_millis(90_000_001)),
            }),
            Quota {
                bytes: None,
                age: Some(Duration::from_millis(90_000_001)),
            },
        ),
        (
            Some(Quota {
                bytes: Some(u64::MAX),
                age: None,
            }),
            Quota {
                bytes: Some(i64::MAX as u64),
                age: None,
            },
        ),
    ] {
        let harness = Harness::at(Some(path.clone()));
        if let Some(quota) = set {
            harness.store.set_quota(quota).await.unwrap();
            assert_eq!(harness.store.usage().await.unwrap().quota, quota);
        }
        harness.store.clear(None).await.unwrap();
        harness.store.close().await.unwrap();
        let harness = Harness::at(Some(path.clone()));
        assert_eq!(harness.store.usage().await.unwrap().quota, expected);
        harness.store.close().await.unwrap();
        assert!(matches!(
            harness.store.set_quota(expected).await,
            Err(StoreError::Closed(_))
        ));
    }
}

#[tokio::test]
async fn a_quota_that_cannot_be_stored_is_rejected() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    harness.sent("kept").await;
    harness.flush().await;
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TABLE quota")
        .unwrap();
    let quota = Quota {
        bytes: Some(1),
        age: None,
    };
    let Err(StoreError::Quota(cause)) = harness.store.set_quota(quota).await else {
        panic!("stored without its table");
    };
    assert_eq!(cause, "no such table: quota");
    assert_eq!(harness.store.usage().await.unwrap().quota, Quota::default());
    assert_eq!(harness.script().await, "1 one -> Invalid \"kept\" 4 B\n");
}
