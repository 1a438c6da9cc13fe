//! What the quota removes, and how long a quota lasts.

use std::time::Duration;

use super::files::folder;
use super::*;
use crate::Quota;

#[tokio::test]
async fn the_oldest_records_go_when_the_quota_is_reached() {
    let (_folder, path) = folder();
    let desk = Desk::at(Some(path.clone()));
    for _ in 0..300 {
        desk.sent(&"x".repeat(20_000)).await;
    }
    desk.flush().await;
    let mut tail = desk.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 300);
    let used = desk.store.usage().await.unwrap();
    assert_eq!((used.records, used.removed), (300, 0));
    let bytes = Some(used.bytes / 2);
    desk.store.set_quota(Quota { bytes, age: None }).await.unwrap();
    // What the quota removes begins every tail again.
    let mut total = 300;
    while total >= 300 {
        desk.sent("new").await;
        let delta = tail.next().await.unwrap();
        total = if delta.reset { delta.total } else { 300 };
    }
    let now = desk.store.usage().await.unwrap();
    assert!(now.removed > 100 && now.records < 200, "{now:?}");
    assert!(now.removed_upto_ms.is_some() && now.oldest_ms >= now.removed_upto_ms.map(f64::floor));
    assert_eq!(desk.store.body(1).await.unwrap(), None);
    desk.store.close().await.unwrap();
    // What was not deleted yet is out of sight in the next run, too.
    let desk = Desk::at(Some(path));
    assert!(desk.store.count(&Filter::default()).await.unwrap() <= now.records + 1);
}

#[tokio::test]
async fn records_that_are_too_old_go() {
    let desk = Desk::new();
    desk.sent("old").await;
    desk.flush().await;
    let mut tail = desk.store.tail(Filter::default());
    assert_eq!(tail.next().await.unwrap().total, 1);
    let quota = Quota {
        bytes: None,
        age: Some(Duration::ZERO),
    };
    desk.store.set_quota(quota).await.unwrap();
    loop {
        desk.sent("new").await;
        let delta = tail.next().await.unwrap();
        if delta.reset {
            break;
        }
    }
    assert_eq!(desk.store.body(1).await.unwrap(), None);
}

#[tokio::test]
async fn a_quota_that_was_set_lasts_beyond_the_run_and_a_clear() {
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
        let desk = Desk::at(Some(path.clone()));
        if let Some(quota) = set {
            desk.store.set_quota(quota).await.unwrap();
            assert_eq!(desk.store.usage().await.unwrap().quota, quota);
        }
        desk.store.clear(None).await.unwrap();
        desk.store.close().await.unwrap();
        let desk = Desk::at(Some(path.clone()));
        assert_eq!(desk.store.usage().await.unwrap().quota, expected);
        desk.store.close().await.unwrap();
        assert!(matches!(
            desk.store.set_quota(expected).await,
            Err(StoreError::Closed(_))
        ));
    }
}

#[tokio::test]
async fn a_quota_that_cannot_be_written_is_refused_and_the_one_before_remains() {
    let (_folder, path) = folder();
    let desk = Desk::at(Some(path.clone()));
    desk.sent("kept").await;
    desk.flush().await;
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TABLE quota")
        .unwrap();
    let quota = Quota {
        bytes: Some(1),
        age: None,
    };
    let Err(StoreError::Quota(cause)) = desk.store.set_quota(quota).await else {
        panic!("saved without its table");
    };
    assert_eq!(cause, "no such table: quota");
    assert_eq!(desk.store.usage().await.unwrap().quota, Quota::default());
    assert_eq!(desk.script().await, "1 one -> Invalid \"kept\" 4 B\n");
}
