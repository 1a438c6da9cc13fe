use futures_util::FutureExt as _;
use patchbay_traffic::{NewConnection, Origin, Store, StoreOptions};

use super::*;

/// Fills the queue of the store, and gives up the wait for room in it, as happens when a timer is due meanwhile.
fn give_up_a_wait(tap: &mut Tap) {
    let (recorder, connection) = (tap.recorder().clone(), tap.connection());
    let all_there_is_room_for = Bytes::from(vec![b'x'; 16 << 20]);
    for _ in 0..1000 {
        let frame = all_there_is_room_for.clone();
        let filled = recorder.frame(connection, Direction::ServerToClient, frame);
        if filled.now_or_never().is_some() {
            continue;
        }
        let waits = tap.received(Bytes::from_static(b"{}"), FrameContext::default());
        match waits.now_or_never() {
            Some(recorded) => drop(recorded.expect("it waits instead of failing at once")),
            None => return,
        }
    }
    panic!("the store is too fast");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_was_slow_once_has_its_whole_time_again() {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: Origin::Client,
    });
    let mut tap = Tap::new(recorder, connection);
    give_up_a_wait(&mut tap);
    store.flush().await.unwrap();
    // The frame is recorded the other way.
    let recorded = tap.try_received(Bytes::from_static(b"{}"), FrameContext::default());
    assert!(matches!(recorded, Ok(Some(_))), "{recorded:?}");
    store.flush().await.unwrap();
    tokio::time::advance(STORE_PATIENCE * 2).await;
    give_up_a_wait(&mut tap);
}
