use super::{MOST, MOST_BYTES, NotificationQueue, Watchers};

const UPDATED: &str = "notifications/resources/updated";

#[test]
fn the_same_notification_is_there_once_with_its_count() {
    let mut queue = NotificationQueue::default();
    for (subject, seq) in [("a", 3), ("b", 4), ("a", 5)] {
        queue.add(UPDATED, Some(subject), seq, 1);
    }
    let taken: Vec<_> = queue
        .take()
        .into_iter()
        .map(|one| (one.subject, one.count, one.seq))
        .collect();
    assert_eq!(taken, [(Some("a".into()), 2, 5), (Some("b".into()), 1, 4)]);
    assert!(queue.is_empty());
}

/// Beyond the limits a notification loses its subject, but is counted.
#[test]
fn none_is_lost_however_many_there_are() {
    let mut queue = NotificationQueue::default();
    for n in 0..MOST as u64 + 500 {
        queue.add(UPDATED, Some(&n.to_string()), n, 1);
    }
    queue.add(UPDATED, Some(&"x".repeat(MOST_BYTES)), 9, 1);
    let taken = queue.take();
    assert!(taken.len() <= MOST + 1, "{}", taken.len());
    let rest = taken.last().unwrap();
    assert_eq!((&rest.subject, rest.count), (&None, 501));
    let all: u64 = taken.iter().map(|one| one.count).sum();
    assert_eq!(all, MOST as u64 + 501);
}

#[tokio::test]
async fn every_watcher_gets_what_came_since_it_began() {
    let watchers = Watchers::default();
    let params = Some(r#"{"uri":"demo://a"}"#);
    watchers.announce(UPDATED, params, 1);
    let (one, other) = (watchers.watch(), watchers.watch());
    watchers.announce(UPDATED, params, 2);
    for watcher in [one, other] {
        watcher.ready().await;
        let taken = watcher.take();
        assert_eq!((taken.len(), taken[0].seq), (1, 2));
        assert_eq!(taken[0].subject.as_deref(), Some("demo://a"));
    }
}
