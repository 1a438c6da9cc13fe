//! Streamable HTTP with a session.

use patchbay_protocol::Rule;

use super::*;

const JSON_HEAD: &str = "content-type: application/json\r\n";

/// A server that gives a session and has no GET stream, and whatever comes then.
async fn session<F>(after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Bench
where
    F: Future<Output = ()> + Send,
{
    let mut bench = bench(Dialect::Legacy, move |server| async move {
        let (mut peer, asked) = server.asked().await;
        assert_eq!(asked.header("mcp-session-id"), None);
        assert_eq!(asked.header("mcp-protocol-version"), None);
        let head = format!("mcp-session-id: s-1\r\n{JSON_HEAD}");
        peer.answers("200 OK", &head, &result(0)).await;
        let asked = peer.asked().await.unwrap();
        assert!(asked.body.contains("notifications/initialized"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-11-25"));
        peer.answers("202 Accepted", "", "").await;
        let asked = peer.asked().await.unwrap();
        assert!(asked.is("GET"), "{asked:?}");
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.answers("405 Method Not Allowed", "", "").await;
        after(server, peer).await;
    })
    .await;
    bench.handshake(Revision::V2025_11_25).await;
    bench
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    bench
}

impl Bench {
    pub(super) async fn handshake(&mut self, revision: Revision) {
        self.link.send(request(0, "initialize")).await.unwrap();
        assert_eq!(self.text().await, result(0));
        self.link.agreed(Era::Legacy, revision);
        self.link
            .send(notification("notifications/initialized"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_session_from_beginning_to_end() {
    let mut bench = session(|_, mut peer| async move {
        let asked = peer.asked().await.unwrap();
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.json(&result(1)).await;
        let asked = peer.asked().await.unwrap();
        assert!(asked.is("DELETE"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.answers("405 Method Not Allowed", "", "").await;
    })
    .await;
    assert_eq!(bench.about().session_id.as_deref(), Some("s-1"));
    bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    bench.link.close(None);
    assert_eq!(bench.ended().await.summary(), "Closed");
    assert!(bench.link.next().await.is_none());
    bench.over().await;
}

#[tokio::test]
async fn before_2025_06_18_no_version_is_sent() {
    let mut bench = bench(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.asked().await;
        peer.json(&result(0)).await;
        let asked = peer.asked().await.unwrap();
        assert_eq!(asked.header("mcp-protocol-version"), None);
        assert_eq!(asked.header("mcp-session-id"), None);
        peer.answers("202 Accepted", "", "").await;
        let asked = peer.asked().await.unwrap();
        assert!(asked.is("GET"));
        peer.answers("405 No", "", "").await;
    })
    .await;
    bench.handshake(Revision::V2025_03_26).await;
    bench
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    // There is no session to delete.
    bench.link.close(None);
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn nothing_overtakes_the_initialized_notification() {
    let mut bench = bench(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.asked().await;
        peer.json(&result(0)).await;
        let asked = peer.asked().await.unwrap();
        assert!(asked.body.contains("notifications/initialized"));
        // Nothing else comes until it is answered.
        let other = tokio::time::timeout(Duration::from_millis(30), server.accept()).await;
        assert!(other.is_err());
        peer.answers("202 Accepted", "", "").await;
        let asked = peer.asked().await.unwrap();
        for (mut peer, asked) in [(peer, asked), server.asked().await] {
            if asked.is("GET") {
                peer.answers("405 No", "", "").await;
            } else {
                peer.json(&result(1)).await;
            }
        }
    })
    .await;
    bench.handshake(Revision::V2025_11_25).await;
    bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    bench
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    bench.over().await;
}

#[tokio::test]
async fn a_lost_session_is_told_and_nothing_is_repeated() {
    let mut bench = session(|server, mut peer| async move {
        let asked = peer.asked().await.unwrap();
        assert!(asked.is("POST"));
        let body = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}"#;
        peer.answers("404 Not Found", JSON_HEAD, body).await;
        // No repetition, no DELETE: the connection is closed, and no other is made.
        assert!(peer.asked().await.is_none());
        let other = tokio::time::timeout(Duration::from_millis(20), server.accept()).await;
        assert!(other.is_err());
    })
    .await;
    bench.ask(1).await;
    let Unanswered::Status {
        status,
        session_lost,
        body_text,
        ..
    } = bench.unanswered(1).await
    else {
        panic!("no status")
    };
    assert!(session_lost && status == 404 && body_text.contains("Session not found"));
    assert!(bench.about().session_lost);
    bench.link.close(None);
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn session_ids_that_must_not_be() {
    for (ids, expected) in [
        ("mcp-session-id: a b\r\n", None),
        ("mcp-session-id: \u{e9}\r\n", None),
        ("mcp-session-id: one\r\nmcp-session-id: two\r\n", Some("one")),
    ] {
        let mut bench = bench(Dialect::Legacy, move |server| async move {
            let (mut peer, _) = server.asked().await;
            peer.answers("200 OK", &format!("{ids}{JSON_HEAD}"), &result(0))
                .await;
        })
        .await;
        bench.link.send(request(0, "initialize")).await.unwrap();
        match expected {
            None => {
                let (cause, _) = bench.broken(0).await;
                assert!(cause.contains("only visible ASCII"), "{cause}");
            }
            Some(id) => {
                let received = bench.frame().await;
                assert_eq!(received.violations[0].rule, Rule::SessionIdRepeated);
                assert_eq!(bench.about().session_id.as_deref(), Some(id));
            }
        }
        bench.over().await;
    }
}

#[tokio::test]
async fn two_streams_at_once() {
    let mut bench = session(|server, mut one| async move {
        one.asked().await.unwrap();
        let (mut two, _) = server.asked().await;
        one.stream().await;
        two.stream().await;
        for _ in 0..3 {
            one.chunk(&format!("data: {NOTE}\n\n")).await;
            two.chunk(&format!("data: {NOTE}\n\n")).await;
        }
        // The second request is answered first.
        two.chunk(&format!("data: {}\n\n", result(2))).await;
        two.end().await;
        let asked = two.asked().await.unwrap();
        assert!(
            asked.body.contains("pong"),
            "an answer of ours goes out while both are open"
        );
        two.answers("202 Accepted", "", "").await;
        one.chunk(&format!("data: {}\n\n", result(1))).await;
        one.end().await;
    })
    .await;
    bench.ask(1).await;
    bench.ask(2).await;
    let mut replies = Vec::new();
    while replies.len() < 7 {
        let received = bench.frame().await;
        replies.push((received.reply_to.unwrap().to_json(), received.frame == NOTE));
    }
    assert_eq!(replies.iter().filter(|(id, _)| id == "1").count(), 3);
    assert!(replies.contains(&("2".to_owned(), false)));
    bench
        .link
        .send(Outgoing {
            frame: Bytes::from_static(b"{\"jsonrpc\":\"2.0\",\"id\":\"pong\",\"result\":{}}"),
            kind: OutgoingKind::Response { id: "pong".into() },
            operation: None,
            headers: Vec::new(),
        })
        .await
        .unwrap();
    assert_eq!(bench.text().await, result(1));
    bench.over().await;
}

#[tokio::test]
async fn a_notification_that_is_not_taken_is_told() {
    let mut bench = session(|_, mut peer| async move {
        peer.asked().await.unwrap();
        peer.answers(
            "400 Bad Request",
            JSON_HEAD,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}"#,
        )
        .await;
    })
    .await;
    let sent = bench
        .link
        .send(notification("notifications/cancelled"))
        .await
        .unwrap();
    let Event::Refused { frame, why } = bench.event().await else {
        panic!("not refused")
    };
    assert_eq!(frame, sent);
    assert!(matches!(why, Unanswered::Status { status: 400, .. }));
    bench.over().await;
}

#[tokio::test]
async fn what_was_said_last_is_carried_before_the_session_is_deleted() {
    let mut bench = session(|_, mut peer| async move {
        let asked = peer.asked().await.unwrap();
        assert!(asked.body.contains("notifications/cancelled"));
        peer.answers("202 Accepted", "", "").await;
        assert!(peer.asked().await.unwrap().is("DELETE"));
        peer.answers("200 OK", "", "").await;
    })
    .await;
    bench
        .link
        .send(notification("notifications/cancelled"))
        .await
        .unwrap();
    // It begins with the next turn; a close right after the send must not lose it.
    bench.link.close(None);
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn closing_waits_no_longer_than_asked() {
    let mut bench = session(|_, mut peer| async move {
        assert!(peer.asked().await.unwrap().is("DELETE"));
        // Never answered.
        peer.closed().await;
    })
    .await;
    bench.link.close(Some(Duration::from_secs(600)));
    bench.link.close(Some(Duration::from_millis(30)));
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn an_abandoned_request_may_still_be_answered() {
    let (go, told) = tokio::sync::oneshot::channel();
    let mut bench = session(|_, mut peer| async move {
        peer.asked().await.unwrap();
        told.await.unwrap();
        peer.json(&result(1)).await;
    })
    .await;
    bench.ask(1).await;
    // It begins with the next turn.
    tokio::time::timeout(Duration::from_millis(1), bench.link.next())
        .await
        .ok();
    let client_must_say_so = !bench.link.abandon(&RequestId::Int(1));
    assert!(client_must_say_so);
    go.send(()).unwrap();
    assert_eq!(bench.text().await, result(1));
    // One that waits for its turn was never sent.
    bench.ask(2).await;
    assert!(bench.link.abandon(&RequestId::Int(2)));
    bench.over().await;
}

#[tokio::test]
async fn a_session_is_ended_though_an_abandoned_request_still_hangs() {
    let mut bench = session(|server, mut peer| async move {
        peer.asked().await.unwrap();
        // The call is never answered; the end of the session comes over another connection.
        let (mut other, asked) = server.asked().await;
        assert!(asked.is("DELETE"), "{asked:?}");
        other.answers("200 OK", "", "").await;
    })
    .await;
    bench.ask(1).await;
    // It begins with the next turn.
    tokio::time::timeout(Duration::from_millis(1), bench.link.next())
        .await
        .ok();
    bench.link.abandon(&RequestId::Int(1));
    bench.link.close(Some(Duration::from_millis(30)));
    bench.ended().await;
    bench.over().await;
}
