//! Limits, and all kinds of ends.

use super::*;
use crate::UNSENT_LIMIT;

#[tokio::test]
async fn invalid_urls() {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "s".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    for url in ["", "host/mcp", "ftp://host/mcp", "http://", "file:///x"] {
        let refused = HttpConfig::new(url).connect(Dialect::Modern, Tap::new(recorder.clone(), connection));
        let Err(not_started) = refused else {
            panic!("{url}")
        };
        assert_eq!(not_started.failure.step, "Read the URL");
    }
    let mut config = HttpConfig::new("http://host/mcp");
    config.headers = vec![("X".to_owned(), "secret\nvalue".to_owned())];
    assert!(!format!("{config:?}").contains("secret"));
    let Err(not_started) = config.connect(Dialect::Modern, Tap::new(recorder, connection)) else {
        panic!("a header with a line break")
    };
    assert!(!not_started.failure.cause.contains("secret"));
}

#[tokio::test]
async fn dropping_the_link_ends_every_exchange() {
    let (all, mut asked) = tokio::sync::mpsc::channel(8);
    let mut harness = harness(Dialect::Modern, |server| async move {
        let mut peers = Vec::new();
        for _ in 0..3 {
            let (mut peer, _) = server.request().await;
            peer.stream().await;
            peers.push(peer);
        }
        all.send(()).await.unwrap();
        for peer in peers {
            peer.closed().await;
        }
    })
    .await;
    for number in 1..=3 {
        harness.ask(number).await;
    }
    tokio::select! {
        _ = asked.recv() => {}
        event = async { loop { match harness.link.next().await { Some(Event::Changed) => {} other => break other } } } => panic!("{event:?}"),
    }
    harness.over().await;
}

#[tokio::test]
async fn concurrent_requests_are_limited_and_all_are_answered() {
    let mut harness = harness(Dialect::Modern, |server| async move {
        let serve = |mut peer: Peer| async move {
            while let Some(asked) = peer.request().await {
                let id = asked.body.split(r#""id":"#).nth(1).unwrap();
                let id = id.split(',').next().unwrap().parse().unwrap();
                peer.json(&result(id)).await;
            }
        };
        let mut connections = 0;
        loop {
            let Ok(peer) = tokio::time::timeout(Duration::from_millis(500), server.accept()).await else {
                break;
            };
            connections += 1;
            tokio::spawn(serve(peer));
        }
        assert!(connections <= 256, "{connections}");
    })
    .await;
    for number in 0..1000 {
        harness.ask(number).await;
    }
    let mut answered = std::collections::BTreeSet::new();
    while answered.len() < 1000 {
        answered.insert(harness.frame().await.reply_to.unwrap());
    }
    assert!(harness.about().open.len() <= 1, "{:?}", harness.about().open);
    harness.over().await;
}

#[tokio::test]
async fn a_slow_user_causes_back_pressure() {
    // The server writes as fast as possible; the client reads one event and then waits.
    let (counter, mut written) = tokio::sync::watch::channel(0_usize);
    let mut harness = harness(Dialect::Modern, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        let event = format!(
            "data: {{\"jsonrpc\":\"2.0\",\"method\":\"{}\"}}\n\n",
            "x".repeat(64 << 10)
        );
        let chunk = format!("{:x}\r\n{event}\r\n", event.len());
        while peer.0.get_mut().write_all(chunk.as_bytes()).await.is_ok() {
            counter.send_modify(|written| *written += chunk.len());
        }
    })
    .await;
    harness.ask(1).await;
    harness.frame().await;
    // Until it is blocked: everything that fits was written.
    let patience = Duration::from_secs(1);
    while tokio::time::timeout(patience, written.changed())
        .await
        .is_ok_and(|more| more.is_ok())
    {
        // At most the content of the socket buffers and the few queued events.
        let before = *written.borrow();
        assert!(before < 32 << 20, "{before}");
    }
    // It goes on when the user does.
    let before = *written.borrow();
    while *written.borrow_and_update() == before {
        harness.frame().await;
    }
    harness.over().await;
}

#[tokio::test]
async fn a_closed_store_ends_the_link() {
    let mut harness = harness(Dialect::Modern, |server| async move {
        let (peer, _) = server.request().await;
        peer.closed().await;
    })
    .await;
    harness.ask(1).await;
    tokio::time::timeout(Duration::from_millis(20), harness.link.next())
        .await
        .ok();
    harness.store.close().await.unwrap();
    assert!(harness.link.send(request(2, "ping")).await.is_err());
    assert!(harness.ended().await.is_ours());
    assert!(harness.link.next().await.is_none());
    harness.over().await;
}

/// A server that asks a lot and accepts no reply must not take all file descriptors.
#[tokio::test]
async fn concurrent_replies_are_limited() {
    let (all, mut asked) = tokio::sync::mpsc::channel(1);
    let mut harness = harness(Dialect::Legacy, |server| async move {
        let mut peers = Vec::new();
        for _ in 0..64 {
            peers.push(server.request().await.0);
        }
        let more = tokio::time::timeout(Duration::from_millis(50), server.accept()).await;
        assert!(more.is_err(), "more than 64 at once");
        // Requests are sent all the same.
        all.send(()).await.unwrap();
        let (mut peer, request) = server.request().await;
        assert!(request.body.contains("tools/call"), "{request:?}");
        peer.json(&result(1)).await;
        // Each that is accepted lets the next one go.
        let mut peer = peers.remove(0);
        for _ in 64..200 {
            peer.respond("202 Accepted", "", "").await;
            let next = peer.request().await.unwrap();
            assert!(next.body.contains("notifications/progress"), "{next:?}");
        }
        all.send(()).await.unwrap();
        peer.closed().await;
        drop(peers);
    })
    .await;
    for _ in 0..200 {
        let reply = notification("notifications/progress");
        harness.link.send(reply).await.unwrap();
    }
    tokio::select! {
        _ = asked.recv() => {}
        event = harness.event() => panic!("{event:?}"),
    }
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    tokio::select! {
        _ = asked.recv() => {}
        event = harness.event() => panic!("{event:?}"),
    }
    harness.over().await;
}

/// A server that asks for thousands of small replies, and accepts none, must not take all memory.
#[tokio::test]
async fn small_messages_count_with_what_they_take_while_they_are_queued() {
    let mut harness = harness(Dialect::Legacy, |_| async {}).await;
    let most = UNSENT_LIMIT / 512;
    let link = &mut harness.link;
    for number in 0..most {
        link.queue(number as Seq, notification("notifications/progress"));
        link.queue((most + number) as Seq, request(number as i64, "tools/call"));
    }
    let refused = link
        .record(&notification("notifications/progress"))
        .await
        .unwrap_err();
    assert!(refused.cause.contains("wait for the server"), "{refused:?}");
    assert!(link.record(&request(-1, "tools/call")).await.is_err());
    // What leaves the queue makes room.
    for number in 0..most {
        link.abandon(&RequestId::Int(number as i64));
    }
    link.record(&request(-1, "tools/call")).await.unwrap();
    harness.over().await;
}
