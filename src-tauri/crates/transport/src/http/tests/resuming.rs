//! Streams of a POST that broke off before the answer.

use std::time::Instant;

use super::*;

async fn legacy<F>(script: impl FnOnce(Server) -> F) -> Bench
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut bench = bench(Dialect::Legacy, script).await;
    bench.ask(1).await;
    bench
}

#[tokio::test]
async fn a_primed_stream_is_polled_as_the_server_asks() {
    let mut bench = legacy(|server| async move {
        let (mut peer, _) = server.asked().await;
        peer.stream().await;
        peer.chunk("id: p-1\nretry: 80\ndata:\n\n").await;
        peer.end().await;
        let closed = Instant::now();
        for (expected, id) in [("p-1", "p-2"), ("p-2", "p-3")] {
            let asked = peer.asked().await.unwrap();
            assert!(asked.is("GET"));
            assert_eq!(asked.header("last-event-id"), Some(expected));
            peer.stream().await;
            peer.chunk(&format!("id: {id}\ndata:\n\n")).await;
            peer.end().await;
        }
        let waited = closed.elapsed();
        assert!(waited >= Duration::from_millis(160), "{waited:?}");
        let asked = peer.asked().await.unwrap();
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
    let note = bench.frame().await;
    assert_eq!(note.reply_to, Some(RequestId::Int(1)));
    assert_eq!(bench.text().await, result(1));
    assert_eq!(bench.rows(Kind::Http).await.len(), 4);
    bench.over().await;
}

#[tokio::test]
async fn a_stream_that_broke_off_is_taken_up_where_it_was() {
    let mut bench = legacy(|server| async move {
        let (mut peer, _) = server.asked().await;
        peer.stream().await;
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\nid: 2\ndata: {{\"cut"))
            .await;
        drop(peer);
        // Twice without success.
        for _ in 0..2 {
            let (mut peer, asked) = server.asked().await;
            assert_eq!(asked.header("last-event-id"), Some("1"));
            peer.answers("503 Later", "", "").await;
        }
        let (mut peer, asked) = server.asked().await;
        assert_eq!(asked.header("last-event-id"), Some("1"));
        peer.stream().await;
        peer.chunk(&format!("id: 2\ndata: {}\n\n", result(1))).await;
        peer.end().await;
    })
    .await;
    bench.frame().await;
    assert_eq!(bench.text().await, result(1));
    bench.over().await;
}

#[tokio::test]
async fn attempts_are_bounded() {
    let mut bench = legacy(|server| async move {
        let (mut peer, _) = server.asked().await;
        peer.stream().await;
        peer.chunk("id: 1\ndata:\n\n").await;
        drop(peer);
        // As many as the policy has, after the first one.
        for _ in 0..4 {
            let (mut peer, _) = server.asked().await;
            peer.answers("500 Oops", "content-type: text/plain\r\n", "still broken")
                .await;
        }
        let more = tokio::time::timeout(Duration::from_millis(60), server.accept()).await;
        assert!(more.is_err());
    })
    .await;
    let Unanswered::Status {
        status, body_text, ..
    } = bench.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!((status, body_text.as_str()), (500, "still broken"));
    bench.over().await;
}

#[tokio::test]
async fn a_server_that_does_not_resume() {
    for (status, lost) in [("405 Method Not Allowed", false), ("404 Not Found", true)] {
        let mut bench = legacy(move |server| async move {
            let (mut peer, _) = server.asked().await;
            peer.stream().await;
            peer.chunk("id: 1\ndata:\n\n").await;
            peer.end().await;
            peer.asked().await.unwrap();
            peer.answers(status, "", "").await;
        })
        .await;
        let Unanswered::Status { session_lost, .. } = bench.unanswered(1).await else {
            panic!("no status")
        };
        assert_eq!(session_lost, lost);
        bench.over().await;
    }
}

#[tokio::test]
async fn without_an_id_there_is_nothing_to_take_up() {
    let mut bench = legacy(|server| async move {
        let (mut peer, _) = server.asked().await;
        peer.stream().await;
        // An empty id takes the first one back.
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\nid\ndata: {NOTE}\n\n"))
            .await;
        peer.end().await;
        assert!(peer.asked().await.is_none());
    })
    .await;
    bench.frame().await;
    bench.frame().await;
    assert!(bench.broken(1).await.1);
    bench.over().await;
}

/// The POST, the redirect it follows, each GET that takes its stream up again, and the frames that they brought.
#[tokio::test]
async fn everything_that_a_request_causes_is_recorded_as_part_of_its_operation() {
    let mut bench = bench(Dialect::Legacy, |server| async move {
        let (mut peer, _) = server.asked().await;
        peer.answers("307 Temporary Redirect", "location: /mcp?two\r\n", "")
            .await;
        peer.asked().await.unwrap();
        peer.stream().await;
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\n")).await;
        peer.end().await;
        peer.asked().await.unwrap();
        peer.answers("503 Later", "", "").await;
        peer.asked().await.unwrap();
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
    bench.link.send(message).await.unwrap();
    assert_eq!(bench.text().await, NOTE);
    assert_eq!(bench.text().await, result(1));
    let exchanges = bench.rows(Kind::Http).await;
    assert_eq!(exchanges.len(), 4);
    // Not described by anybody here: the request, the notification, the response.
    let frames = bench.rows(Kind::Invalid).await;
    assert_eq!(frames.len(), 3);
    for row in exchanges.iter().chain(&frames) {
        assert_eq!(row.operation, operation, "{row:?}");
    }
    bench.over().await;
}
