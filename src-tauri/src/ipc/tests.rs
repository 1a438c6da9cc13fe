use std::future::pending;

use tokio::task::JoinHandle;

use super::Streams;

fn endless(streams: &Streams, stream_id: u32) -> JoinHandle<()> {
    let task = tokio::spawn(pending());
    Streams::list(&mut streams.lock(), stream_id, task.abort_handle());
    task
}

async fn was_ended(task: JoinHandle<()>) -> bool {
    task.await.is_err_and(|error| error.is_cancelled())
}

#[tokio::test]
async fn closing_ends_the_stream_and_only_that() {
    let streams = Streams::default();
    let (one, two) = (endless(&streams, 1), endless(&streams, 2));
    streams.close(1);
    assert!(was_ended(one).await);
    assert!(!two.is_finished());
    streams.close(1);
    streams.close_all();
    assert!(was_ended(two).await);
    assert!(streams.lock().is_empty());
}

#[tokio::test]
async fn a_stream_gives_way_to_the_next_of_its_id_and_forgets_only_itself() {
    let streams = Streams::default();
    let before = endless(&streams, 1);
    let before_id = before.id();
    let now = endless(&streams, 1);
    assert!(was_ended(before).await);
    streams.forget(1, Some(before_id));
    assert_eq!(streams.lock().len(), 1);
    streams.forget(1, Some(now.id()));
    assert!(streams.lock().is_empty());
}
