//! Streams of a POST that were interrupted before the response.

use std::time::Instant;

use super::legacy::session;
use super::*;

async fn legacy<F>(script: impl FnOnce(Server) -> F) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut harness = harness(Dialect::Legacy, script).await;
    harness.ask(1).await;
    harness
}

#[tokio::test]
async fn a_primed_stream_is_polled_with_the_servers_delay() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk("id: p-1\nretry: 80\ndata:\n\n").await;
        peer.end().await;
        let closed = Instant::now();
        for (expected, id) in [("p-1", "p-2"), ("p-2", "p-3")] {
            let asked = peer.request().await.unwrap();
            assert!(asked.is("GET"));
            assert_eq!(asked.header("last-event-id"), Some(expected));
            peer.stream().await;
            peer.chunk(&format!("id: {id}\ndata:\n\n")).await;
            peer.end().await;
        }
        let waited = closed.elapsed();
        assert!(waited >= Duration::from_millis(160), "{waited:?}");
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("last-event-id"), Some("p-3"));
        peer.stream().await;
        peer.chunk(&format!(
            "id: p-4\ndata: {NOTE}\n\nid: p-5\ndata: {}\n\n",
            result(1)
        ))
        .await;
        peer.end().await;
    })
    .await;
    let note = harness.frame().await;
    assert_eq!(note.reply_to, Some(RequestId::Int(1)));
    assert_eq!(harness.text().await, result(1));
    assert_eq!(harness.rows(Kind::Http).await.len(), 4);
    harness.over().await;
}

/// A header cannot have it, and without it the GET would open another stream.
#[tokio::test]
async fn an_id_with_control_characters_does_not_resume() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk("id: a\u{1}b\ndata:\n\n").await;
        peer.end().await;
        peer.closed().await;
    })
    .await;
    harness.unanswered(1).await;
    assert_eq!(harness.rows(Kind::Http).await.len(), 1);
    harness.over().await;
}

#[tokio::test]
async fn an_interrupted_stream_is_resumed() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\nid: 2\ndata: {{\"cut"))
            .await;
        drop(peer);
        // Two failed attempts.
        for status in ["503 Later", "409 Conflict"] {
            let (mut peer, asked) = server.request().await;
            assert_eq!(asked.header("last-event-id"), Some("1"));
            peer.respond(status, "", "").await;
        }
        let (mut peer, asked) = server.request().await;
        assert_eq!(asked.header("last-event-id"), Some("1"));
        peer.stream().await;
        peer.chunk(&format!("id: 2\ndata: {}\n\n", result(1))).await;
        peer.end().await;
    })
    .await;
    harness.frame().await;
    assert_eq!(harness.text().await, result(1));
    harness.over().await;
}

#[tokio::test]
async fn attempts_are_limited() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk("id: 1\ndata:\n\n").await;
        drop(peer);
        // As many as the policy allows, after the first one.
        for _ in 0..4 {
            let (mut peer, _) = server.request().await;
            peer.respond("500 Oops", "content-type: text/plain\r\n", "still broken")
                .await;
        }
        server.knocked().await;
    })
    .await;
    let Unanswered::Status {
        status,
        body_text,
        resuming,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!(
        (status, body_text.as_str(), resuming),
        (500, "still broken", true)
    );
    harness.knock().await;
    harness.over().await;
}

#[tokio::test]
async fn a_server_that_does_not_resume() {
    for status in ["405 Method Not Allowed", "404 Not Found"] {
        let mut harness = legacy(move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.stream().await;
            peer.chunk("id: 1\ndata:\n\n").await;
            peer.end().await;
            peer.request().await.unwrap();
            peer.respond(status, "", "").await;
        })
        .await;
        let Unanswered::Status {
            session_lost,
            resuming,
            ..
        } = harness.unanswered(1).await
        else {
            panic!("no status")
        };
        assert!(!session_lost, "it has no session");
        assert!(resuming, "the POST was accepted");
        harness.over().await;
    }
}

#[tokio::test]
async fn the_body_of_a_refusal_need_not_end() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk("id: 1\ndata:\n\n").await;
        peer.end().await;
        peer.request().await.unwrap();
        peer.write("HTTP/1.1 405 No\r\ncontent-length: 9\r\n\r\nno").await;
        peer.closed().await;
    })
    .await;
    let Unanswered::Status {
        status, body_text, ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!((status, body_text.as_str()), (405, "no"));
    harness.over().await;
}

#[tokio::test]
async fn a_session_is_lost_when_its_stream_cannot_be_resumed() {
    let mut harness = session(|_, mut peer| async move {
        peer.request().await.unwrap();
        peer.stream().await;
        peer.chunk("id: 1\ndata:\n\n").await;
        peer.end().await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        peer.respond("404 Not Found", "", "").await;
    })
    .await;
    harness.ask(1).await;
    let Unanswered::Status {
        session_lost,
        resuming,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert!(session_lost && resuming);
    harness.over().await;
}

#[tokio::test]
async fn without_an_id_a_stream_is_not_resumed() {
    let mut harness = legacy(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        // An empty id resets the earlier one.
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\nid\ndata: {NOTE}\n\n"))
            .await;
        peer.end().await;
        assert!(peer.request().await.is_none());
    })
    .await;
    harness.frame().await;
    harness.frame().await;
    assert!(harness.broken(1).await.1);
    harness.over().await;
}

/// The POST, the redirect that it follows, each GET that resumes its stream, and their frames.
#[tokio::test]
async fn everything_that_a_request_causes_is_recorded_as_part_of_its_operation() {
    let mut harness = harness(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.respond("307 Temporary Redirect", "location: /mcp?two\r\n", "")
            .await;
        peer.request().await.unwrap();
        peer.stream().await;
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\n")).await;
        peer.end().await;
        peer.request().await.unwrap();
        peer.respond("503 Later", "", "").await;
        peer.request().await.unwrap();
        peer.stream().await;
        peer.chunk(&format!("data: {}\n\n", result(1))).await;
        peer.end().await;
    })
    .await;
    let operation = Some(OperationId(7));
    let message = Outgoing {
        operation,
        ..request(1, "tools/call")
    };
    harness.link.send(message).await.unwrap();
    assert_eq!(harness.text().await, NOTE);
    assert_eq!(harness.text().await, result(1));
    let exchanges = harness.rows(Kind::Http).await;
    assert_eq!(exchanges.len(), 4);
    // The messages are not described in this test: the request, the notification, the response.
    let frames = harness.rows(Kind::Invalid).await;
    assert_eq!(frames.len(), 3);
    for row in exchanges.iter().chain(&frames) {
        assert_eq!(row.operation, operation, "{row:?}");
    }
    harness.over().await;
}
