use patchbay_protocol::RequestId;
use patchbay_traffic::{NewConnection, Store, StoreOptions};

use super::*;
use crate::OutgoingKind;

fn link(connector: &InProcess) -> (Box<dyn Link>, Store) {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    (
        connector
            .connect(Dialect::Modern, Tap::new(recorder, connection))
            .unwrap(),
        store,
    )
}

fn request(number: i64, frame: &str) -> Outgoing {
    Outgoing {
        frame: Bytes::copy_from_slice(frame.as_bytes()),
        kind: OutgoingKind::Request {
            id: RequestId::Int(number),
            method: "m".into(),
        },
        headers: Vec::new(),
        operation: None,
    }
}

/// Sends everything back twice.
fn echo() -> InProcess {
    InProcess::new("echo", |mut messages| async move {
        while let Some(frame) = messages.incoming.recv().await {
            for _ in 0..2 {
                if messages.outgoing.send(frame.clone()).await.is_err() {
                    return;
                }
            }
        }
    })
}

#[tokio::test]
async fn messages_in_both_directions_are_recorded() {
    let (mut link, store) = link(&echo());
    let sent = link.send(request(1, "one")).await.unwrap();
    for _ in 0..2 {
        let Some(Event::Frame(received)) = link.next().await else {
            panic!("no frame")
        };
        assert_eq!(&received.frame[..], b"one");
        assert!(received.seq > sent);
        store.flush().await.unwrap();
        assert_eq!(store.body(received.seq).await.unwrap().unwrap(), received.frame);
    }
    assert!(matches!(link.about().peer, Peer::Other { name } if name == "echo"));
    link.close(None);
    let Some(Event::Ended(ended)) = link.next().await else {
        panic!("no end")
    };
    assert_eq!(ended.summary(), "Closed");
    assert!(link.next().await.is_none());
    assert!(link.send(request(2, "late")).await.is_err());
}

#[tokio::test]
async fn more_messages_than_the_channels_hold_arrive() {
    let (mut link, _store) = link(&echo());
    for number in 0..500 {
        link.send(request(number, &number.to_string())).await.unwrap();
    }
    for number in 0..1000 {
        let Some(Event::Frame(received)) = link.next().await else {
            panic!("no frame")
        };
        assert_eq!(received.frame, (number / 2).to_string());
    }
}

#[tokio::test]
async fn an_ended_server_is_a_failure_after_its_last_message() {
    let (mut link, _store) = link(&InProcess::new("brief", |messages| async move {
        messages.outgoing.send("bye".into()).await.unwrap();
    }));
    assert!(matches!(link.next().await, Some(Event::Frame(received)) if &received.frame[..] == b"bye"));
    let Some(Event::Ended(ended)) = link.next().await else {
        panic!("no end")
    };
    assert_eq!(
        ended.failure("x").cause,
        "The server within this program has ended."
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_end_is_dropped() {
    let (alive, mut gone) = mpsc::channel::<()>(1);
    let (mut link, _store) = link(&InProcess::new("stubborn", move |messages| {
        let alive = alive.clone();
        async move {
            let _kept = (messages, alive);
            std::future::pending::<()>().await;
        }
    }));
    link.close(Some(Duration::from_millis(10)));
    assert!(matches!(link.next().await, Some(Event::Ended(_))));
    drop(link);
    assert!(gone.recv().await.is_none());
}
