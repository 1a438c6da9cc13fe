//! HTTP+SSE of 2024-11-05.

use patchbay_http::Url;
use patchbay_protocol::Rule;

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

#[test]
fn an_endpoint_has_the_user_name_and_password_of_the_stream() {
    let base = Url::parse("http://someone:word@host/sse").unwrap();
    for named in ["/m", "http://host/m"] {
        let found = resolve(&base, named).unwrap();
        assert_eq!(found.as_str(), "http://someone:word@host/m", "{named}");
    }
}

/// A server with an open stream, and its first bytes.
async fn opened<F>(first: &'static str, after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Harness
where
    F: Future<Output = ()> + Send,
{
    harness(Dialect::HttpSse, move |server| async move {
        let (mut peer, asked) = server.request().await;
        assert!(asked.is("GET"));
        assert_eq!(asked.header("accept"), Some("text/event-stream"));
        peer.stream().await;
        peer.chunk(first).await;
        after(server, peer).await;
    })
    .await
}

#[tokio::test]
async fn messages_go_to_the_endpoint_and_responses_arrive_over_the_stream() {
    let mut harness = opened(": hi\n\n", |server, mut stream| async move {
        stream.chunk(&format!("data: {NOTE}\n\n")).await;
        // Nothing is sent before the endpoint is known.
        server.knocked().await;
        stream.chunk("event: endpoint\ndata: /messages?s=1\n\n").await;
        let (mut post, asked) = server.request().await;
        assert_eq!(asked.line, "POST /messages?s=1 HTTP/1.1");
        post.respond("202 Accepted", "", "Accepted").await;
        stream
            .chunk(&format!("event: message\ndata: {}\n\n", result(1)))
            .await;
        let asked = post.request().await.unwrap();
        assert!(asked.body.contains(r#""id":2"#));
        // Some servers respond with success and a JSON body.
        post.respond("200 OK", "content-type: application/json\r\n", "{\"ok\":true}")
            .await;
        stream.chunk(&format!("data: {}\n\n", result(2))).await;
        post.request().await.unwrap();
        post.respond("400 Bad Request", "", "Unknown session").await;
        stream.closed().await;
    })
    .await;
    harness.ask(1).await;
    // The link is open, and could have sent it.
    assert_eq!(harness.text().await, NOTE);
    harness.knock().await;
    assert_eq!(harness.text().await, result(1));
    harness.ask(2).await;
    assert_eq!(harness.text().await, result(2));
    harness.ask(3).await;
    let Unanswered::Status {
        status, body_text, ..
    } = harness.unanswered(3).await
    else {
        panic!("no status")
    };
    assert_eq!((status, body_text.as_str()), (400, "Unknown session"));
    let about = harness.about();
    assert!(about.endpoint.unwrap().ends_with("/messages?s=1"));
    assert_eq!(about.stream, StreamState::Open);
    harness.link.close(None);
    harness.ended().await;
    harness.over().await;
}

#[tokio::test]
async fn the_session_ends_with_its_stream() {
    let mut harness = opened("event: endpoint\ndata: /m\n\n", |_, mut stream| async move {
        stream.chunk(&format!("data: {NOTE}\n\n")).await;
        stream.end().await;
    })
    .await;
    assert_eq!(harness.text().await, NOTE);
    let ended = harness.ended().await;
    assert!(ended.failure("x").cause.contains("ended the event stream"));
    assert!(harness.link.next().await.is_none());
    assert!(harness.link.send(request(1, "ping")).await.is_err());
    harness.over().await;
}

#[tokio::test]
async fn an_endpoint_of_another_origin_is_rejected() {
    let mut harness = opened("event: endpoint\ndata: http://evil.example/m\n\n", |_, stream| {
        stream.closed()
    })
    .await;
    harness.ask(1).await;
    let ended = harness.ended().await;
    assert!(ended.failure("x").cause.contains("origin is not"));
    assert_eq!(ended.unwritten, 1);
    let exchange = harness.rows(Kind::Http).await[0].seq;
    let text = "event endpoint: http://evil.example/m".into();
    let stages = harness.stages(exchange).await;
    assert!(stages.contains(&HttpStage::SseComment { text }), "{stages:?}");
    harness.over().await;
}

/// It would be copied for every message and every look at the connection.
#[tokio::test]
async fn an_endpoint_that_is_too_long_ends_the_link() {
    for (origin, length) in [("", 1 << 20), ("http://evil.example", 1 << 20)] {
        let mut harness = harness(Dialect::HttpSse, move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.stream().await;
            let path = "x".repeat(length);
            peer.chunk(&format!("event: endpoint\ndata: {origin}/{path}\n\n"))
                .await;
            peer.closed().await;
        })
        .await;
        let failure = harness.ended().await.failure("x");
        assert_eq!(failure.step, "Find the endpoint");
        assert!(
            failure.cause.contains("at most 8192 are taken") && failure.cause.len() < 200,
            "{failure:?}"
        );
        harness.over().await;
    }
}

#[tokio::test]
async fn every_endpoint_is_in_the_log() {
    let mut harness = opened("event: endpoint\ndata: /m\n\n", |_, mut stream| async move {
        stream
            .chunk(&format!("event: endpoint\nid: 2\ndata: /n\n\ndata: {NOTE}\n\n"))
            .await;
        stream.closed().await;
    })
    .await;
    let received = harness.frame().await;
    let stages = harness.stages(received.http.unwrap()).await;
    for path in ["/m", "/n"] {
        let text = format!("event endpoint: {path}");
        assert!(stages.contains(&HttpStage::SseComment { text }), "{stages:?}");
    }
    let (id, frame) = ("2".into(), None);
    assert!(stages.contains(&HttpStage::SseId { id, frame }), "{stages:?}");
    harness.over().await;
}

#[tokio::test]
async fn a_server_without_a_stream() {
    let mut harness = harness(Dialect::HttpSse, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.respond("404 Not Found", "content-type: text/plain\r\n", "nothing here")
            .await;
    })
    .await;
    let failure = harness.ended().await.failure("x");
    assert_eq!(failure.step, "Find the MCP endpoint");
    assert_eq!(
        failure.cause,
        "There is no MCP endpoint at /mcp: the server answered GET with status 404."
    );
    assert!(
        failure.next.contains("/mcp") && failure.next.contains("/sse"),
        "{failure:?}"
    );
    assert_eq!(failure.detail.as_deref(), Some("nothing here"));
    harness.over().await;
}

#[tokio::test]
async fn a_redirect_that_is_not_followed_is_named() {
    let mut harness = harness(Dialect::HttpSse, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.respond("301 Moved", "location: https://other.example/sse\r\n", "moved")
            .await;
    })
    .await;
    let failure = harness.ended().await.failure("x");
    assert_eq!(failure.step, "Open the event stream");
    assert_eq!(
        failure.cause,
        "The server redirects to https://other.example/sse, which is not followed: it points to another origin."
    );
    assert_eq!(failure.next, "Set the URL it redirects to, if you trust it.");
    harness.over().await;
}

#[tokio::test]
async fn the_body_of_a_refusal_need_not_end() {
    let mut harness = harness(Dialect::HttpSse, |server| async move {
        let (mut peer, _) = server.request().await;
        peer.write("HTTP/1.1 404 No\r\ncontent-length: 9\r\n\r\nno").await;
        peer.closed().await;
    })
    .await;
    let failure = harness.ended().await.failure("x");
    assert_eq!(failure.step, "Find the MCP endpoint");
    assert_eq!(failure.detail.as_deref(), Some("no"));
    harness.over().await;
}

/// The answer is not in it: it must not count as one of the requests in progress for ever.
#[tokio::test]
async fn the_response_to_a_post_need_not_end() {
    for response in [
        "HTTP/1.1 202 Accepted\r\n\r\nAcc",
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hi\n\n",
    ] {
        let mut harness = opened(
            "event: endpoint\ndata: /m\n\n",
            move |server, mut stream| async move {
                let (mut post, _) = server.request().await;
                post.write(response).await;
                post.closed().await;
                stream.chunk(&format!("data: {}\n\n", result(1))).await;
                stream.closed().await;
            },
        )
        .await;
        harness.ask(1).await;
        assert_eq!(harness.text().await, result(1), "{response}");
        harness.over().await;
    }
}

/// Nor need it have the answer if it is a stream.
#[tokio::test]
async fn an_empty_stream_in_response_to_a_post_is_no_failure() {
    let mut harness = opened("event: endpoint\ndata: /m\n\n", |server, mut stream| async move {
        let (mut post, _) = server.request().await;
        post.respond("200 OK", "content-type: text/event-stream\r\n", "")
            .await;
        stream.chunk(&format!("data: {}\n\n", result(1))).await;
        stream.closed().await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    harness.until(|about| about.open.is_empty()).await;
    harness.over().await;
}

#[tokio::test]
async fn a_long_event_that_is_no_message_is_kept_in_part() {
    let mut harness = opened("event: endpoint\ndata: /m\n\n", |_, mut stream| async move {
        let data = "x".repeat(1 << 20);
        stream.chunk(&format!("event: other\ndata: {data}\n\n")).await;
        stream.chunk(&format!("data: {NOTE}\n\n")).await;
        stream.closed().await;
    })
    .await;
    let received = harness.frame().await;
    let kept = "x".repeat(4096);
    let expected = format!("event other: {kept}\u{2026} (1044480 more bytes are not kept)");
    let stages = harness.stages(received.http.unwrap()).await;
    let is_it = |stage: &HttpStage| matches!(stage, HttpStage::SseComment { text } if *text == expected);
    assert!(stages.iter().any(is_it));
    harness.over().await;
}

#[tokio::test]
async fn an_event_beyond_the_limit_is_recorded_up_to_it_and_ends_the_connection() {
    let mut harness = opened("event: endpoint\ndata: /m\n\n", |_, mut stream| async move {
        stream.chunk(&format!("data: {}", "x".repeat(FRAME_BYTES))).await;
        stream.closed().await;
    })
    .await;
    let failure = harness.ended().await.failure("x");
    assert!(failure.cause.contains("more than 2 MiB"), "{failure:?}");
    let [row] = &harness.rows(Kind::Invalid).await[..] else {
        panic!("not recorded")
    };
    assert_eq!(row.size, (FRAME_BYTES - "data: ".len()) as u64);
    let record = harness.store.record(row.seq).await.unwrap().unwrap();
    assert_eq!(record.violations[0].rule, Rule::MessageCutOff.id());
    harness.over().await;
}
