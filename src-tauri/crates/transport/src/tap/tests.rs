use futures_util::FutureExt as _;
use patchbay_traffic::{NewConnection, Origin, Store, StoreOptions};

use super::*;

/// Waits for room in the queue, and gives up, as happens when a timer is due meanwhile.
fn give_up_a_wait(tap: &mut Tap) {
    let recorder = tap.recorder().clone();
    let no_room = std::future::pending::<Result<Seq, StoreClosed>>();
    let waits = patiently(&recorder, &mut tap.stalled_since, no_room);
    let ended = waits.now_or_never();
    assert!(ended.is_none(), "it waits instead of failing at once: {ended:?}");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_was_slow_once_has_its_whole_time_again() {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: Origin::Client,
    });
    let mut tap = Tap::new(recorder, connection);
    give_up_a_wait(&mut tap);
    // The frame is recorded the other way.
    let recorded = tap.try_received(Bytes::from_static(b"{}"), FrameContext::default());
    assert!(matches!(recorded, Ok(Some(_))), "{recorded:?}");
    tokio::time::advance(STORE_PATIENCE * 2).await;
    give_up_a_wait(&mut tap);
}
