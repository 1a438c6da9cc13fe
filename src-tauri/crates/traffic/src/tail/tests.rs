use crate::{Store, StoreOptions};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_panic_while_reading_is_not_taken_for_the_end_of_the_log() {
    let (store, _recorder) = Store::open(StoreOptions::default()).unwrap();
    let mut tail = store.tail(Filter::default());
    assert!(tail.next().await.unwrap().reset);
    tail.job = Some(tokio::task::spawn_blocking(|| panic!("by the test")));
    let delta = tail.next().await.expect("the log is open");
    let problem = delta.problem.unwrap();
    assert!(problem.starts_with("cannot read "), "{problem}");
    // It goes on from the start, though nothing is written meanwhile.
    let again = tokio::time::timeout(Duration::from_secs(10), tail.next()).await;
    let again = again.expect("a delta comes").unwrap();
    assert_eq!((again.reset, again.problem), (true, None));
    store.close().await.unwrap();
    assert_eq!(tail.next().await, None);
}
