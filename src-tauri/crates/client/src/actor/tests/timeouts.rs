//! What is ready at the same time as the timer.

use super::*;
use crate::{events, notifications::Watchers};

/// Handles events until the peer is done with its part.
async fn while_handling<T>(actor: &mut Actor, part: impl Future<Output = T>) -> T {
    tokio::pin!(part);
    loop {
        let event = tokio::select! {
            event = actor.next_event() => event,
            done = &mut part => return done,
        };
        actor.handle(event).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_that_arrived_in_time_is_not_late() {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let (started, mut processes) = mpsc::channel(4);
    let us = ClientInfo {
        name: "t".to_owned(),
        title: None,
        version: "1".to_owned(),
    };
    let mut options = ConnectOptions::new("s", "s", Arc::new(InMemory { started }), us);
    options.era = EraChoice::Legacy;
    options.timeouts = seconds(60, 600);
    let (_commands, receiver) = mpsc::channel(4);
    let progress = watch::Sender::default();
    let (mut actor, _status, _notices) =
        Actor::new(options, recorder, receiver, Watchers::default(), progress);
    actor.begin().await;
    let mut peer = while_handling(&mut actor, async {
        let mut peer: Peer = processes.recv().await.unwrap();
        peer.initialize("2025-11-25").await;
        peer
    })
    .await;
    let after = Duration::from_secs(60);
    for (id, responds, expected) in [
        (2, true, Outcome::Result),
        (3, false, Outcome::TimedOut { after }),
    ] {
        let (events, receiver) = events::channel();
        actor.exchange(Request::new("tools/call", None), id, events).await;
        while_handling(&mut actor, peer.heard()).await;
        if responds {
            peer.says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))
                .await;
        }
        tokio::time::advance(after).await;
        // The link has read it when the actor looks at its timer first.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        actor.due().await;
        let ended = Exchange { id, events: receiver }.finished().await;
        assert_eq!(ended.outcome, expected);
    }
}
