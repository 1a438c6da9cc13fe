//! Successful exchanges, and their records.

use bytes::Bytes;
use patchbay_traffic::{Direction, HttpHead, Kind, Status};

use super::server::{ok, response};
use super::*;

fn post(url: String, body: &'static str, message: Option<Seq>) -> Request {
    let mut request = Request::new(Method::POST, url.parse().unwrap());
    request
        .headers
        .insert("content-type", "application/json".parse().unwrap());
    request
        .headers
        .insert("authorization", "Bearer 0123456789abcdef".parse().unwrap());
    request.body = Bytes::from_static(body.as_bytes());
    request.message = message;
    request
}

#[tokio::test]
async fn an_exchange_is_recorded_stage_by_stage() {
    let harness = Harness::new(direct());
    let server = Server::new([Act::Say(response(
        200,
        &[
            ("content-type", "application/json; charset=utf-8"),
            ("x-custom", "1"),
        ],
        b"{\"ok\":1}",
    ))])
    .await;
    let frame = Bytes::from_static(b"{\"id\":1}");
    let message = harness
        .recorder
        .frame(harness.connection, Direction::ClientToServer, frame)
        .await
        .unwrap();
    let mut response = harness
        .send(post(
            server.url("/mcp?token=supersecretvalue"),
            "{\"id\":1}",
            Some(message),
        ))
        .await
        .unwrap();
    assert_eq!((response.status, &*response.version), (200, "HTTP/1.1"));
    assert_eq!(response.header("x-custom"), Some("1"));
    assert_eq!(
        response.read(100).await.unwrap(),
        (Bytes::from_static(b"{\"ok\":1}"), false)
    );
    assert_eq!(response.chunk().await.unwrap(), None);

    let port = server.port;
    assert_eq!(
        server.asked.all(),
        [format!(
            "POST /mcp?token=supersecretvalue HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n\
             authorization: Bearer 0123456789abcdef\r\naccept-encoding: gzip, deflate, br\r\ncontent-length: 8\r\n\r\n\
             {{\"id\":1}}"
        )]
    );
    let rows = harness.rows().await;
    let row = &rows[1];
    assert_eq!(
        (row.kind, row.status, row.size),
        (Kind::Http, Some(Status::Ok), 8)
    );
    assert_eq!(
        row.summary.as_deref(),
        Some(&*format!(
            "POST http://127.0.0.1:{port}/mcp?token=************alue → 200 application/json"
        ))
    );
    assert!(row.latency_ns.unwrap() > 0);
    assert_eq!(rows[0].http, Some(row.seq));
    let stages = harness.stages(row.seq).await;
    let HttpStage::Sent(HttpHead { fields, body, .. }) = &stages[0] else {
        panic!("{stages:?}")
    };
    assert_eq!(fields.get("Authorization"), Some("Bearer ************cdef"));
    assert_eq!(*body, None);
    assert_eq!(harness.names(row.seq).await, ["sent", "timing", "head", "end"]);
    assert_eq!(harness.body(row.seq).await, b"{\"ok\":1}");
}

#[tokio::test]
async fn a_body_that_is_a_frame_is_not_recorded_twice() {
    let harness = Harness::new(direct());
    let server = Server::new([ok("one"), ok("two")]).await;
    for (keep, kept) in [(true, "one"), (false, "")] {
        let mut response = harness.get(&server.url("/")).await.unwrap();
        response.keep_body(keep);
        response.read(10).await.unwrap();
        assert_eq!(harness.body(response.exchange).await, kept.as_bytes());
    }
}

#[tokio::test]
async fn a_connection_is_reused_as_long_as_the_server_allows() {
    let harness = Harness::new(direct());
    let last = |body: &str| Act::Say(response(200, &[("connection", "close")], body.as_bytes()));
    let server = Server::new([
        ok("a"),
        Act::Say(response(204, &[], b"")),
        last("c"),
        Act::Last(response(200, &[], b"d")),
        Act::Say(response(200, &[("keep-alive", "timeout=1")], b"e")),
        ok("f"),
    ])
    .await;
    let mut connections = Vec::new();
    for expected in ["a", "", "c", "d", "e", "f"] {
        assert_eq!(harness.text(&server.url("/")).await, expected);
        connections.push(server.asked.connections());
    }
    assert_eq!(connections, [1, 1, 1, 2, 3, 4]);
}

/// The server reads the second request and closes without a response: a repeatable request is sent once more, on a new
/// connection and as a separate exchange.
#[tokio::test]
async fn a_lost_request_is_repeated_only_if_it_is_repeatable() {
    for (repeatable, expected) in [(true, Ok(b"again".as_slice())), (false, Err(true))] {
        let harness = Harness::new(direct());
        let server = Server::new([ok("first"), Act::Last(Vec::new()), ok("again")]).await;
        assert_eq!(harness.text(&server.url("/")).await, "first");
        let request = Request {
            repeatable,
            ..post(server.url("/"), "{}", None)
        };
        let told = match harness.send(request).await {
            Ok(mut response) => Ok(response.read(10).await.unwrap().0),
            Err(failed) => {
                assert!(failed.next.contains("if it may run twice"), "{}", failed.next);
                Err(failed.stale && failed.may_have_been_sent)
            }
        };
        assert_eq!(told, expected.map(Bytes::from_static));
        let times = if repeatable { 3 } else { 2 };
        assert_eq!(server.asked.all().len(), times);
    }
}

/// A new connection that closes is not a stale one.
#[tokio::test]
async fn a_request_without_a_response_is_not_repeated() {
    let harness = Harness::new(direct());
    let server = Server::new([Act::Last(Vec::new()), ok("never")]).await;
    let failed = harness.refused(&server.url("/")).await;
    assert!(!failed.stale && failed.may_have_been_sent);
    assert_eq!(server.asked.all().len(), 1);
}

#[tokio::test]
async fn a_pending_request_is_recorded_and_aborted_when_dropped() {
    let harness = Harness::new(direct());
    let server = Server::new([Act::Hang, Act::Stall(b"HTTP/1.1 200 OK\r\n\r\npart".to_vec())]).await;
    let url = server.url("/");
    let look = async {
        server.asked.wait_for(1).await;
        assert_eq!(harness.names(1).await, ["sent", "timing"]);
        assert_eq!(harness.rows().await[0].status, Some(Status::Pending));
    };
    tokio::select! {
        _ = harness.get(&url) => panic!("answered"),
        () = look => {}
    }
    assert_eq!(harness.names(1).await, ["sent", "timing", "aborted"]);
    server.asked.wait_for(2).await;

    let mut response = harness.get(&server.url("/")).await.unwrap();
    assert_eq!(response.chunk().await.unwrap().unwrap(), "part");
    let exchange = response.exchange;
    assert_eq!(harness.rows().await[1].status, Some(Status::Pending));
    drop(response);
    server.asked.wait_for(4).await;
    assert_eq!(
        harness.names(exchange).await,
        ["sent", "timing", "head", "aborted"]
    );
    assert_eq!(
        harness.summaries().await,
        [
            format!("GET {} Cancelled 0 B", server.url("/")),
            format!("GET {} → 200 Cancelled 4 B", server.url("/")),
        ]
    );
}

#[tokio::test]
async fn chunks_arrive_as_they_are_sent_and_waiting_is_cancel_safe() {
    let harness = Harness::new(direct());
    let server = Server::new([Act::Stall(
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n".to_vec(),
    )])
    .await;
    let mut response = harness.get(&server.url("/")).await.unwrap();
    response.stream();
    assert_eq!(response.chunk().await.unwrap().unwrap(), "one");
    for _ in 0..3 {
        tokio::select! {
            biased;
            _ = response.chunk() => panic!("unexpected chunk"),
            () = tokio::task::yield_now() => {}
        }
    }
}

#[tokio::test]
async fn concurrent_requests_have_separate_connections() {
    let harness = Harness::new(direct());
    let server = Server::new((0..200).map(|n| ok(&n.to_string()))).await;
    for _ in 0..5 {
        let url = server.url("/");
        let all = futures_util::future::join_all((0..40).map(|_| harness.text(&url))).await;
        assert_eq!(all.len(), 40);
    }
    assert_eq!(server.asked.connections(), 40);
    assert_eq!(server.asked.all().len(), 200);
}

#[tokio::test]
async fn a_body_that_is_not_a_frame_is_recorded_with_secrets_masked() {
    let harness = Harness::new(direct());
    let server = Server::new([ok("{}")]).await;
    let mut request = post(
        server.url("/token"),
        "grant_type=x&code=0123456789abcdefgh&client_secret=abc",
        None,
    );
    request.headers.insert(
        "content-type",
        "application/x-www-form-urlencoded".parse().unwrap(),
    );
    let response = harness.send(request).await.unwrap();
    let HttpStage::Sent(head) = harness.stages(response.exchange).await.remove(0) else {
        panic!("not sent")
    };
    assert_eq!(
        head.body.as_deref(),
        Some("grant_type=x&code=**************efgh&client_secret=***")
    );
}

#[tokio::test]
async fn credentials_in_the_url_are_sent_as_basic_authorization() {
    let harness = Harness::new(direct());
    let server = Server::new([ok("")]).await;
    let url = format!("http://me:p%40ss@127.0.0.1:{}/", server.port);
    assert_eq!(harness.text(&url).await, "");
    assert!(server.asked.all()[0].contains("\r\nauthorization: Basic bWU6cEBzcw==\r\n"));
    assert!(!harness.summaries().await[0].contains("p%40ss"));
}

#[tokio::test]
async fn an_early_response_does_not_block_other_requests() {
    let harness = Harness::new(direct());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::AsyncWriteExt;
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(&response(413, &[], b"too much")).await.unwrap();
            open.push(stream);
        }
    });
    for _ in 0..2 {
        let mut request = Request::new(Method::POST, format!("http://127.0.0.1:{port}/").parse().unwrap());
        // More than the system's buffers hold.
        request.body = vec![b'x'; 32 << 20].into();
        let mut response = harness.send(request).await.unwrap();
        assert_eq!(response.read(100).await.unwrap().0, "too much");
    }
}
