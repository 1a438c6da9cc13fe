//! Streamable HTTP with a session.

use patchbay_protocol::Rule;

use super::*;
use crate::{OpenStep, http::requests::head_limit};

const JSON_HEAD: &str = "content-type: application/json\r\n";

/// A server that assigns a session and has no GET stream, followed by the given script.
pub(super) async fn session<F>(after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Harness
where
    F: Future<Output = ()> + Send,
{
    let mut harness = harness(Dialect::Legacy, move |server| async move {
        let (mut peer, asked) = server.request().await;
        assert_eq!(asked.header("mcp-session-id"), None);
        assert_eq!(asked.header("mcp-protocol-version"), None);
        let head = format!("mcp-session-id: s-1\r\n{JSON_HEAD}");
        peer.respond("200 OK", &head, &result(0)).await;
        let asked = peer.request().await.unwrap();
        assert!(asked.body.contains("notifications/initialized"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-11-25"));
        peer.respond("202 Accepted", "", "").await;
        let asked = peer.request().await.unwrap();
        assert!(asked.is("GET"), "{asked:?}");
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.respond("405 Method Not Allowed", "", "").await;
        after(server, peer).await;
    })
    .await;
    harness.handshake(Revision::V2025_11_25).await;
    harness
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    harness
}

impl Harness {
    pub(super) async fn handshake(&mut self, revision: Revision) {
        self.link.send(request(0, "initialize")).await.unwrap();
        assert_eq!(self.text().await, result(0));
        self.link.agreed(Era::Legacy, revision.as_str());
        self.link
            .send(notification("notifications/initialized"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_complete_session() {
    let mut harness = session(|_, mut peer| async move {
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.json(&result(1)).await;
        let asked = peer.request().await.unwrap();
        assert!(asked.is("DELETE"));
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.respond("405 Method Not Allowed", "", "").await;
    })
    .await;
    assert_eq!(harness.about().session_id.as_deref(), Some("s-1"));
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    harness.link.close(None);
    assert_eq!(harness.ended().await.summary(), "Closed");
    assert!(harness.link.next().await.is_none());
    harness.over().await;
}

#[tokio::test]
async fn before_2025_06_18_no_version_is_sent() {
    let mut harness = harness(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(0)).await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("mcp-protocol-version"), None);
        assert_eq!(asked.header("mcp-session-id"), None);
        peer.respond("202 Accepted", "", "").await;
        let asked = peer.request().await.unwrap();
        assert!(asked.is("GET"));
        peer.respond("405 No", "", "").await;
    })
    .await;
    harness.handshake(Revision::V2025_03_26).await;
    harness
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    // There is no session to delete.
    harness.link.close(None);
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn nothing_is_sent_before_initialized_is_answered() {
    let (tell, mut received) = tokio::sync::mpsc::channel(1);
    let mut harness = harness(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(0)).await;
        let asked = peer.request().await.unwrap();
        assert!(asked.body.contains("notifications/initialized"));
        // Nothing else arrives until it is answered.
        tell.send(()).await.unwrap();
        server.knocked().await;
        peer.respond("202 Accepted", "", "").await;
        let asked = peer.request().await.unwrap();
        for (mut peer, asked) in [(peer, asked), server.request().await] {
            if asked.is("GET") {
                peer.respond("405 No", "", "").await;
            } else {
                peer.json(&result(1)).await;
            }
        }
    })
    .await;
    harness.handshake(Revision::V2025_11_25).await;
    harness.ask(1).await;
    tokio::select! {
        _ = received.recv() => {}
        event = harness.event() => panic!("{event:?}"),
    }
    let open = harness.about().open;
    let call = open.iter().find(|open| open.request == Some(RequestId::Int(1)));
    assert_eq!(call.map(|call| &call.step), Some(&OpenStep::Queued), "{open:?}");
    harness.knock().await;
    assert_eq!(harness.text().await, result(1));
    harness
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    harness.over().await;
}

/// The requests that wait for it would time out otherwise.
#[test]
fn initialized_is_given_up_long_before_a_request_times_out() {
    let limit = |kind| head_limit(&kind);
    let method = |method: &'static str| OutgoingKind::Notification {
        method: method.into(),
    };
    assert_eq!(
        limit(method("notifications/initialized")),
        Some(Duration::from_secs(10))
    );
    for usual in [method("notifications/cancelled"), OutgoingKind::Other] {
        assert_eq!(limit(usual), None);
    }
    for kind in [request(1, "tools/call").kind, OutgoingKind::Batch] {
        assert!(
            limit(kind) > Some(Duration::from_secs(3600)),
            "its sender has a limit"
        );
    }
}

#[tokio::test]
async fn a_lost_session_is_reported_and_nothing_is_repeated() {
    let mut harness = session(|server, mut peer| async move {
        let asked = peer.request().await.unwrap();
        assert!(asked.is("POST"));
        let body = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}"#;
        peer.respond("404 Not Found", JSON_HEAD, body).await;
        // No repetition and no DELETE: the connection is closed, and no other one is opened.
        server.knocked().await;
        assert!(peer.request().await.is_none());
    })
    .await;
    harness.ask(1).await;
    let Unanswered::Status {
        status,
        session_lost,
        body_text,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert!(session_lost && status == 404 && body_text.contains("Session not found"));
    assert!(harness.about().session_lost);
    harness.link.close(None);
    harness.ended().await;
    harness.knock().await;
    harness.over().await;
}

#[tokio::test]
async fn invalid_session_ids() {
    for (ids, expected) in [
        ("mcp-session-id: a b\r\n", None),
        ("mcp-session-id: \u{e9}\r\n", None),
        ("mcp-session-id: one\r\nmcp-session-id: two\r\n", Some("one")),
    ] {
        let mut harness = harness(Dialect::Legacy, move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.respond("200 OK", &format!("{ids}{JSON_HEAD}"), &result(0))
                .await;
        })
        .await;
        harness.link.send(request(0, "initialize")).await.unwrap();
        match expected {
            None => {
                let (cause, _) = harness.broken(0).await;
                assert!(cause.contains("only visible ASCII"), "{cause}");
            }
            Some(id) => {
                let received = harness.frame().await;
                assert_eq!(received.violations[0].rule, Rule::SessionIdRepeated);
                assert_eq!(harness.about().session_id.as_deref(), Some(id));
            }
        }
        harness.over().await;
    }
}

/// The composer can send one.
#[tokio::test]
async fn a_second_initialize_leaves_the_session_as_it_is() {
    let mut harness = session(|_, mut peer| async move {
        for id in ["s-2", "s 3"] {
            let asked = peer.request().await.unwrap();
            assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
            let head = format!("mcp-session-id: {id}\r\n{JSON_HEAD}");
            peer.respond("200 OK", &head, &result(1)).await;
        }
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.json(&result(2)).await;
    })
    .await;
    for _ in 0..2 {
        harness.link.send(request(1, "initialize")).await.unwrap();
        assert_eq!(harness.text().await, result(1));
        assert_eq!(harness.about().session_id.as_deref(), Some("s-1"));
    }
    harness.ask(2).await;
    assert_eq!(harness.text().await, result(2));
    harness.over().await;
}

#[tokio::test]
async fn two_streams_at_once() {
    let mut harness = session(|server, mut one| async move {
        one.request().await.unwrap();
        let (mut two, _) = server.request().await;
        one.stream().await;
        two.stream().await;
        for _ in 0..3 {
            one.chunk(&format!("data: {NOTE}\n\n")).await;
            two.chunk(&format!("data: {NOTE}\n\n")).await;
        }
        // The second request is answered first.
        two.chunk(&format!("data: {}\n\n", result(2))).await;
        two.end().await;
        let asked = two.request().await.unwrap();
        assert!(asked.body.contains("pong"), "a reply is sent while both are open");
        two.respond("202 Accepted", "", "").await;
        one.chunk(&format!("data: {}\n\n", result(1))).await;
        one.end().await;
    })
    .await;
    harness.ask(1).await;
    harness.ask(2).await;
    let mut replies = Vec::new();
    while replies.len() < 7 {
        let received = harness.frame().await;
        replies.push((received.reply_to.unwrap().to_json(), received.frame == NOTE));
    }
    assert_eq!(replies.iter().filter(|(id, _)| id == "1").count(), 3);
    assert!(replies.contains(&("2".to_owned(), false)));
    harness
        .link
        .send(Outgoing {
            frame: Bytes::from_static(b"{\"jsonrpc\":\"2.0\",\"id\":\"pong\",\"result\":{}}"),
            kind: OutgoingKind::Response { id: "pong".into() },
            operation: None,
            headers: Vec::new(),
        })
        .await
        .unwrap();
    assert_eq!(harness.text().await, result(1));
    harness.over().await;
}

#[tokio::test]
async fn a_rejected_notification_is_reported() {
    let mut harness = session(|_, mut peer| async move {
        peer.request().await.unwrap();
        peer.respond(
            "400 Bad Request",
            JSON_HEAD,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}"#,
        )
        .await;
    })
    .await;
    let sent = harness
        .link
        .send(notification("notifications/cancelled"))
        .await
        .unwrap();
    let Event::Refused { frame, why } = harness.event().await else {
        panic!("not refused")
    };
    assert_eq!(frame, sent);
    assert!(matches!(why, Unanswered::Status { status: 400, .. }));
    harness.over().await;
}

#[tokio::test]
async fn the_last_messages_are_sent_before_the_session_is_deleted() {
    let mut harness = session(|_, mut peer| async move {
        let asked = peer.request().await.unwrap();
        assert!(asked.body.contains("notifications/cancelled"));
        peer.respond("202 Accepted", "", "").await;
        assert!(peer.request().await.unwrap().is("DELETE"));
        peer.respond("200 OK", "", "").await;
    })
    .await;
    harness
        .link
        .send(notification("notifications/cancelled"))
        .await
        .unwrap();
    // It starts with the next poll; closing right after sending must not lose it.
    harness.link.close(None);
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn closing_respects_its_time_limit() {
    let mut harness = session(|_, mut peer| async move {
        assert!(peer.request().await.unwrap().is("DELETE"));
        // Never answered.
        peer.closed().await;
    })
    .await;
    harness.link.close(Some(Duration::from_secs(600)));
    harness.link.close(Some(Duration::from_millis(30)));
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn an_abandoned_request_may_still_be_answered() {
    let (go, told) = tokio::sync::oneshot::channel();
    let mut harness = session(|_, mut peer| async move {
        peer.request().await.unwrap();
        told.await.unwrap();
        peer.json(&result(1)).await;
    })
    .await;
    harness.ask(1).await;
    // It starts with the next poll.
    tokio::time::timeout(Duration::from_millis(1), harness.link.next())
        .await
        .ok();
    let client_must_say_so = !harness.link.abandon(&RequestId::Int(1));
    assert!(client_must_say_so);
    go.send(()).unwrap();
    assert_eq!(harness.text().await, result(1));
    // A queued request was never sent.
    harness.ask(2).await;
    assert!(harness.link.abandon(&RequestId::Int(2)));
    harness.over().await;
}

#[tokio::test]
async fn a_cancelled_request_does_not_follow_a_redirect() {
    let (go, told) = tokio::sync::oneshot::channel();
    let mut harness = session(|_, mut peer| async move {
        peer.request().await.unwrap();
        told.await.unwrap();
        peer.respond("307 Temporary Redirect", "location: /mcp?two\r\n", "")
            .await;
        assert!(peer.request().await.is_none());
    })
    .await;
    harness.ask(1).await;
    // It starts with the next poll.
    tokio::time::timeout(Duration::from_millis(1), harness.link.next())
        .await
        .ok();
    assert!(!harness.link.abandon(&RequestId::Int(1)));
    go.send(()).unwrap();
    let unanswered = harness.unanswered(1).await;
    assert!(matches!(unanswered, Unanswered::Status { status: 307, .. }));
    harness.over().await;
}

#[tokio::test]
async fn a_session_is_ended_while_an_abandoned_request_hangs() {
    let mut harness = session(|server, mut peer| async move {
        peer.request().await.unwrap();
        // The call is never answered; the session is ended over another connection.
        let (mut other, asked) = server.request().await;
        assert!(asked.is("DELETE"), "{asked:?}");
        other.respond("200 OK", "", "").await;
    })
    .await;
    harness.ask(1).await;
    // It starts with the next poll.
    tokio::time::timeout(Duration::from_millis(1), harness.link.next())
        .await
        .ok();
    harness.link.abandon(&RequestId::Int(1));
    harness.link.close(Some(Duration::from_millis(30)));
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn a_request_that_is_cancelled_while_connecting_is_never_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = HttpConfig::new(format!("https://{}/mcp", listener.local_addr().unwrap()));
    let (connected, connects) = tokio::sync::oneshot::channel();
    let mut harness = harness_with(Dialect::Legacy, config, listener, |server| async move {
        // TLS is never agreed on.
        let peer = server.accept().await;
        connected.send(()).unwrap();
        peer.closed().await;
    });
    harness.ask(1).await;
    tokio::select! {
        connected = connects => connected.unwrap(),
        event = harness.event() => panic!("{event:?}"),
    }
    assert!(harness.link.abandon(&RequestId::Int(1)));
    harness.link.close(None);
    harness.ended().await;
    harness.over().await;
}

/// The head says that the server has received it.
#[tokio::test]
async fn a_response_to_initialized_that_does_not_end_holds_nothing_up() {
    let serve = |head: &'static str| async move {
        let mut harness = harness(Dialect::Legacy, move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.json(&result(0)).await;
            peer.request().await.unwrap();
            peer.write(head).await;
            for _ in 0..2 {
                let (mut peer, asked) = server.request().await;
                if asked.is("GET") {
                    peer.respond("405 No", "", "").await;
                } else {
                    peer.json(&result(1)).await;
                }
            }
            drop(peer);
        })
        .await;
        harness.handshake(Revision::V2025_11_25).await;
        harness.ask(1).await;
        assert_eq!(harness.text().await, result(1), "{head}");
        let not_offered = |peer: &HttpPeer| peer.stream == StreamState::NotOffered(405);
        harness.until(not_offered).await;
        harness.over().await;
    };
    tokio::join!(
        serve("HTTP/1.1 202 Accepted\r\n\r\n"),
        serve("HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n"),
        serve("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"),
        serve("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: open\n\n"),
    );
}
