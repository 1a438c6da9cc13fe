//! HTTP+SSE of 2024-11-05.

use patchbay_http::Url;

use super::*;
use crate::http::sse_stream::resolve;

#[test]
fn endpoints() {
    let base = Url::parse("http://host:81/a/sse?x=1").unwrap();
    for (named, expected) in [
        ("/messages?s=1", Some("http://host:81/messages?s=1")),
        ("messages", Some("http://host:81/a/messages")),
        ("?s=2", Some("http://host:81/a/sse?s=2")),
        (" http://host:81/m \n", Some("http://host:81/m")),
        ("http://host/m", None),
        ("https://host:81/m", None),
        ("//evil/m", None),
        ("http://evil:81/m", None),
        ("data:,x", None),
        ("http://", None),
        ("", None),
    ] {
        let found = resolve(&base, named);
        assert_eq!(
            found.as_ref().ok().map(Url::as_str),
            expected,
            "{named:?} {found:?}"
        );
    }
}

/// A server with its stream open, and what came on it first.
async fn opened<F>(first: &'static str, after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Bench
where
    F: Future<Output = ()> + Send,
{
    bench(Dialect::HttpSse, move |server| async move {
        let (mut peer, asked) = server.asked().await;
        assert!(asked.is("GET"));
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        peer.stream().await;
        peer.chunk(first).await;
        after(server, peer).await;
    })
    .await
}

#[tokio::test]
async fn messages_go_to_the_endpoint_and_answers_come_over_the_stream() {
    let mut bench = opened(": hi\n\n", |server, mut stream| async move {
        // Nothing is sent before the endpoint is known.
        let early = tokio::time::timeout(Duration::from_millis(20), server.accept()).await;
        assert!(early.is_err());
        stream.chunk("event: endpoint\ndata: /messages?s=1\n\n").await;
        let (mut post, asked) = server.asked().await;
        assert_eq!(asked.line, "POST /messages?s=1 HTTP/1.1");
        post.answers("202 Accepted", "", "Accepted").await;
        stream
            .chunk(&format!("event: message\ndata: {}\n\n", result(1)))
            .await;
        let asked = post.asked().await.unwrap();
        assert!(asked.body.contains(r#""id":2"#));
        // Some call it a success, and say so in JSON.
        post.answers("200 OK", "content-type: application/json\r\n", "{\"ok\":true}")
            .await;
        stream.chunk(&format!("data: {}\n\n", result(2))).await;
        post.asked().await.unwrap();
        post.answers("400 Bad Request", "", "Unknown session").await;
        stream.closed().await;
    })
    .await;
    bench.ask(1).await;
    assert_eq!(bench.text().await, result(1));
    bench.ask(2).await;
    assert_eq!(bench.text().await, result(2));
    bench.ask(3).await;
    let Unanswered::Status {
        status, body_text, ..
    } = bench.unanswered(3).await
    else {
        panic!("no status")
    };
    assert_eq!((status, body_text.as_str()), (400, "Unknown session"));
    let about = bench.about();
    assert!(about.endpoint.unwrap().ends_with("/messages?s=1"));
    assert_eq!(about.stream, StreamState::Open);
    bench.link.close(None);
    bench.ended().await;
    bench.over().await;
}

#[tokio::test]
async fn with_its_stream_the_session_ends() {
    let mut bench = opened("event: endpoint\ndata: /m\n\n", |_, mut stream| async move {
        stream.chunk(&format!("data: {NOTE}\n\n")).await;
        stream.end().await;
    })
    .await;
    assert_eq!(bench.text().await, NOTE);
    let ended = bench.ended().await;
    assert!(ended.failure("x").cause.contains("ended the event stream"));
    assert!(bench.link.next().await.is_none());
    assert!(bench.link.send(request(1, "ping")).await.is_err());
    bench.over().await;
}

#[tokio::test]
async fn an_endpoint_elsewhere_is_refused() {
    let mut bench = opened("event: endpoint\ndata: http://evil.example/m\n\n", |_, stream| {
        stream.closed()
    })
    .await;
    bench.ask(1).await;
    let ended = bench.ended().await;
    assert!(ended.failure("x").cause.contains("origin is not"));
    assert_eq!(ended.unwritten, 1);
    bench.over().await;
}

#[tokio::test]
async fn no_stream_at_all() {
    let mut bench = bench(Dialect::HttpSse, |server| async move {
        let (mut peer, _) = server.asked().await;
        peer.answers("404 Not Found", "content-type: text/plain\r\n", "nothing here")
            .await;
    })
    .await;
    let failure = bench.ended().await.failure("x");
    assert_eq!(
        failure.cause,
        "There is no MCP endpoint at /mcp: the server answered GET with status 404."
    );
    assert!(
        failure.next.contains("/mcp") && failure.next.contains("/sse"),
        "{failure:?}"
    );
    assert_eq!(failure.detail.as_deref(), Some("nothing here"));
    bench.over().await;
}
