//! What a connection finds of itself.
#![cfg(unix)]

use super::*;
use crate::engine::testing::attended;

#[tokio::test]
async fn what_a_connection_does_while_it_starts_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let draft = engine.draft_of_command("sh -c :").unwrap();
    let server = engine.add_server(draft).await.unwrap();
    let failed = engine.connect(&server).await.unwrap();
    assert!(failed.is_err());
    let connection = engine.state.live(&server).unwrap();

    let slot = Arc::new(Slot::default());
    let mut looking = None;
    slot.start(|| {
        let (slot, (begun, begins)) = (slot.clone(), std::sync::mpsc::channel());
        looking = Some(std::thread::spawn(move || {
            begun.send(()).unwrap();
            slot.live().is_some()
        }));
        begins.recv().unwrap();
        connection
    });
    assert!(looking.unwrap().join().unwrap());
    engine.shutdown().await;
}
