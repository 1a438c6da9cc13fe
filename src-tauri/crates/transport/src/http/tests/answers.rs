//! One request, and every kind of response.

use patchbay_protocol::Rule;
use patchbay_secret::Secret;

use super::*;

async fn modern<F>(script: impl FnOnce(Server) -> F) -> Harness
where
    F: Future<Output = ()> + Send + 'static,
{
    harness(Dialect::Modern, script).await
}

/// A server that responds to the first request with these bytes and closes.
async fn raw(bytes: &'static str) -> Harness {
    let mut harness = modern(move |server| async move {
        let (mut peer, _) = server.request().await;
        peer.write(bytes).await;
    })
    .await;
    harness.ask(1).await;
    harness
}

#[tokio::test]
async fn json_is_one_frame() {
    let mut harness = modern(|server| async move {
        let (mut peer, asked) = server.request().await;
        assert!(asked.is("POST"));
        assert_eq!(
            asked.header("accept"),
            Some("application/json, text/event-stream")
        );
        assert_eq!(asked.header("content-type"), Some("application/json"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(asked.header("mcp-method"), Some("tools/call"));
        assert_eq!(asked.header("mcp-session-id"), None);
        assert_eq!(asked.body, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#);
        // A session id of a modern server is ignored.
        peer.respond(
            "200 OK",
            "mcp-session-id: x\r\ncontent-type: Application/JSON; charset=utf-8\r\n",
            &result(1),
        )
        .await;
        let asked = peer.request().await.expect("the connection is used again");
        assert_eq!(asked.header("mcp-session-id"), None);
        peer.json(&result(2)).await;
    })
    .await;
    let mut message = request(1, "tools/call");
    message.headers = vec![("Mcp-Method".to_owned(), "tools/call".to_owned())];
    let sent = harness.link.send(message).await.unwrap();
    assert_eq!(harness.about().open.len(), 1);
    let received = harness.frame().await;
    assert_eq!(received.frame, result(1));
    assert_eq!(received.reply_to, Some(RequestId::Int(1)));
    assert_eq!(received.status, Some(200));
    assert!(received.violations.is_empty());
    harness.ask(2).await;
    assert_eq!(harness.text().await, result(2));
    assert_eq!(harness.about().protocol.as_deref(), Some("HTTP/1.1"));
    let exchanges = harness.rows(Kind::Http).await;
    assert_eq!(exchanges.len(), 2);
    assert_eq!(received.http, Some(exchanges[0].seq));
    let record = harness.store.http(exchanges[0].seq).await.unwrap().unwrap();
    assert_eq!(record.frames, [sent, received.seq]);
    harness.over().await;
}

#[tokio::test]
async fn notifications_arrive_before_the_response() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        // Byte by byte, with every optional part of a stream.
        let stream = format!(": hi\nid: 1\nretry: 5\ndata: {NOTE}\n\nevent: ping\ndata: x\n\n");
        for byte in stream.chars() {
            peer.chunk(&byte.to_string()).await;
        }
        peer.chunk(&format!("event: message\r\ndata: {}\r\n\r\n", result(1)))
            .await;
        peer.end().await;
        let asked = peer.request().await.expect("the connection is used again");
        assert!(asked.body.contains(r#""id":2"#));
        peer.json(&result(2)).await;
    })
    .await;
    harness.ask(1).await;
    let note = harness.frame().await;
    assert_eq!(note.frame, NOTE);
    assert_eq!(note.reply_to, Some(RequestId::Int(1)));
    assert_eq!(harness.text().await, result(1));
    harness.ask(2).await;
    assert_eq!(harness.text().await, result(2));
    let stages = harness.stages(note.http.unwrap()).await;
    assert!(stages.contains(&HttpStage::SseRetry { ms: 5 }));
    assert!(stages.contains(&HttpStage::SseComment { text: " hi".into() }));
    assert!(stages.contains(&HttpStage::SseComment {
        text: "event ping: x".into()
    }));
    assert!(stages.contains(&HttpStage::SseId {
        id: "1".into(),
        frame: Some(note.seq)
    }));
    assert!(matches!(stages.last(), Some(HttpStage::End { .. })));
    harness.over().await;
}

#[tokio::test]
async fn a_stream_without_a_response_is_an_interrupted_exchange() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk(&format!("id: 1\ndata: {NOTE}\n\n")).await;
        peer.end().await;
        // The modern era does not resume streams, with or without an id.
        assert!(peer.request().await.is_none());
    })
    .await;
    harness.ask(1).await;
    harness.frame().await;
    let (cause, may_have_run) = harness.broken(1).await;
    assert_eq!(cause, "The stream ended without an answer to the request.");
    assert!(may_have_run);
    harness.over().await;
}

#[tokio::test]
async fn a_stream_cut_in_the_middle_of_an_event() {
    for (chunked, words) in [(true, "The stream ended in the middle of an event"), (false, "")] {
        let mut harness = modern(move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.stream().await;
            peer.chunk(&format!("data: {}", &result(1)[..20])).await;
            if chunked {
                peer.end().await;
            }
        })
        .await;
        harness.ask(1).await;
        let (cause, may_have_run) = harness.broken(1).await;
        assert!(cause.starts_with(words), "{cause}");
        assert!(may_have_run);
        // The incomplete part is recorded, but not passed on.
        let piece = harness.rows(Kind::Invalid).await.pop().unwrap();
        let record = harness.store.record(piece.seq).await.unwrap().unwrap();
        assert_eq!(record.violations[0].rule, Rule::MessageCutOff.id());
        assert_eq!(
            &harness.store.body(piece.seq).await.unwrap().unwrap()[..],
            &result(1).as_bytes()[..20]
        );
        harness.over().await;
    }
}

#[tokio::test]
async fn events_without_data_are_no_messages() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk(&format!(
            "event: message\n\nid: 9\ndata:\n\ndata: {}\n\n",
            result(1)
        ))
        .await;
        peer.end().await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    harness.over().await;
}

#[tokio::test]
async fn a_web_page_is_shown() {
    let mut harness =
        raw("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 13\r\n\r\n<h1>Hello</h1").await;
    let Unanswered::Status {
        status,
        body_text,
        session_lost,
        exchange,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!(
        (status, body_text.as_str(), session_lost),
        (200, "<h1>Hello</h1", false)
    );
    harness.store.flush().await.unwrap();
    assert_eq!(
        &harness.store.body(exchange).await.unwrap().unwrap()[..],
        b"<h1>Hello</h1"
    );
    harness.over().await;
}

#[tokio::test]
async fn json_with_another_content_type_is_accepted_with_a_violation() {
    for head in ["content-type: text/plain\r\n", ""] {
        let mut harness = modern(move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.respond("200 OK", head, &result(1)).await;
        })
        .await;
        harness.ask(1).await;
        let received = harness.frame().await;
        assert_eq!(received.frame, result(1));
        assert_eq!(received.violations[0].rule, Rule::ContentType);
        harness.over().await;
    }
}

#[tokio::test]
async fn truncated_json() {
    // The message is incomplete, the body is complete.
    let mut harness =
        raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{\"jsonrpc\":\"")
            .await;
    assert_eq!(&harness.frame().await.frame[..], b"{\"jsonrpc\":\"");
    let (cause, may_have_run) = harness.broken(1).await;
    assert_eq!(cause, "The answer holds no JSON-RPC response to the request.");
    assert!(may_have_run);
    harness.over().await;
    // The body is incomplete: the received part is not passed on.
    let mut harness =
        raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"jsonrpc\":\"")
            .await;
    assert!(harness.broken(1).await.1);
    let pieces = harness.rows(Kind::Invalid).await;
    assert_eq!(pieces.iter().filter(|row| row.violation_count == 1).count(), 1);
    harness.over().await;
}

#[tokio::test]
async fn a_response_to_another_request_is_rejected() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(7)).await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(7));
    assert!(harness.broken(1).await.1);
    harness.over().await;
}

#[tokio::test]
async fn a_refusal_with_a_json_rpc_error_is_a_frame() {
    let errors = [
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad"}}"#,
    ];
    for (status, error) in [
        ("500 Oops", errors[0]),
        ("400 Bad", errors[1]),
        ("404 Not Found", errors[0]),
    ] {
        let mut harness = modern(move |server| async move {
            let (mut peer, _) = server.request().await;
            peer.respond(status, "content-type: application/json\r\n", error)
                .await;
        })
        .await;
        harness.ask(1).await;
        let received = harness.frame().await;
        assert_eq!(received.frame, error);
        assert_eq!(received.reply_to, Some(RequestId::Int(1)));
        assert_eq!(received.status.unwrap().to_string(), status[..3]);
        harness.over().await;
    }
}

#[tokio::test]
async fn a_refusal_without_one_is_shown() {
    let mut harness = raw(
        "HTTP/1.1 429 Slow Down\r\nretry-after: 7\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{\"error\":\"slow\"}",
    )
    .await;
    let Unanswered::Status {
        status,
        retry_after,
        body_text,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!((status, retry_after), (429, Some(Duration::from_secs(7))));
    assert!(body_text.starts_with(r#"{"error":"#));
    harness.over().await;

    let mut harness = raw(
        "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer resource_metadata=\"x\"\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32001,\"message\":\"x\"}}",
    )
    .await;
    let Unanswered::Status {
        status,
        www_authenticate,
        ..
    } = harness.unanswered(1).await
    else {
        panic!("no status")
    };
    assert_eq!(status, 401);
    assert_eq!(
        www_authenticate.as_deref(),
        Some("Bearer resource_metadata=\"x\"")
    );
    harness.over().await;
}

#[tokio::test]
async fn accepted_is_not_a_response_to_a_request() {
    let mut harness = raw("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").await;
    assert!(matches!(
        harness.unanswered(1).await,
        Unanswered::Status { status: 202, .. }
    ));
    harness.over().await;
}

#[tokio::test]
async fn a_request_that_may_have_run_is_not_repeated() {
    // The kept-alive connection is closed while the next request is being sent: a retry could run it twice.
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(1)).await;
        peer.request().await.expect("the second request");
        drop(peer);
        let mut next = server.accept().await;
        let asked = next.request().await.expect("a request");
        assert!(asked.body.contains(r#""id":3"#), "{asked:?}");
        next.json(&result(3)).await;
    })
    .await;
    harness.ask(1).await;
    harness.frame().await;
    harness.ask(2).await;
    assert!(harness.broken(2).await.1);
    harness.ask(3).await;
    assert_eq!(harness.text().await, result(3));
    harness.over().await;
}

#[tokio::test]
async fn a_batch_that_may_have_run_is_not_repeated() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.json(&result(1)).await;
        let asked = peer.request().await.expect("the batch");
        assert!(asked.body.starts_with('['), "{asked:?}");
        drop(peer);
        let mut next = server.accept().await;
        let asked = next.request().await.expect("a request");
        assert!(asked.body.contains(r#""id":3"#), "{asked:?}");
        next.json(&result(3)).await;
    })
    .await;
    harness.ask(1).await;
    harness.frame().await;
    harness.link.send(batch(2)).await.unwrap();
    let Event::Refused { why, .. } = harness.event().await else {
        panic!("it was sent again");
    };
    assert!(
        matches!(
            why,
            Unanswered::Broken {
                may_have_run: true,
                ..
            }
        ),
        "{why:?}"
    );
    harness.ask(3).await;
    assert_eq!(harness.text().await, result(3));
    harness.over().await;
}

#[tokio::test]
async fn a_server_that_closes_after_each_answer() {
    let mut harness = modern(|server| async move {
        for number in 1..=20 {
            let (mut peer, _) = server.request().await;
            // Without announcing it.
            peer.json(&result(number)).await;
        }
    })
    .await;
    for number in 1..=20 {
        harness.ask(number).await;
        assert_eq!(harness.text().await, result(number));
        // The close arrives before the next request is written, so another connection is used.
        tokio::time::timeout(Duration::from_millis(3), harness.link.next())
            .await
            .ok();
    }
    harness.over().await;
}

#[tokio::test]
async fn an_unreachable_server() {
    // Bound, so that it is nobody else's, but it does not listen.
    let refusing = tokio::net::TcpSocket::new_v4().unwrap();
    refusing.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let url = format!("http://{}/mcp", refusing.local_addr().unwrap());
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut harness = harness_with(Dialect::Modern, HttpConfig::new(url), unused, |_| async {});
    harness.ask(1).await;
    let (cause, may_have_run) = harness.broken(1).await;
    assert!(!may_have_run, "{cause}");
    harness.over().await;
}

#[tokio::test]
async fn a_head_that_never_ends_is_visible_and_can_be_abandoned() {
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.write("HTTP/1.1 200 OK\r\nx: ").await;
        let (mut other, _) = server.request().await;
        other.json(&result(2)).await;
        peer.closed().await;
    })
    .await;
    harness.ask(1).await;
    harness.ask(2).await;
    assert_eq!(harness.text().await, result(2));
    let open = harness.about().open;
    assert_eq!(open[0].request, Some(RequestId::Int(1)));
    assert_eq!(open[0].step, crate::OpenStep::Waiting);
    assert!(
        harness.link.abandon(&RequestId::Int(1)),
        "closing the stream is the cancellation"
    );
    harness.link.close(None);
    harness.ended().await;
    assert!(harness.about().open.is_empty());
    harness.over().await;
}

#[tokio::test]
async fn invalid_headers_are_rejected_before_sending() {
    let mut harness = modern(|_| async {}).await;
    let mut message = request(1, "tools/call");
    message.headers = vec![("Mcp-Name".to_owned(), "a\nb".to_owned())];
    harness.link.send(message).await.unwrap();
    let (cause, may_have_run) = harness.broken(1).await;
    assert!(cause.contains("Mcp-Name") && !may_have_run, "{cause}");
    harness.over().await;
}

#[tokio::test]
async fn headers_of_the_user_replace_ours() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut config = HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()));
    config.headers = vec![
        ("MCP-Protocol-Version".to_owned(), "1999-01-01".to_owned()),
        ("X-Key".to_owned(), "k".to_owned()),
    ];
    let mut harness = harness_with(Dialect::Modern, config, listener, |server| async move {
        let (mut peer, asked) = server.request().await;
        assert_eq!(asked.header("mcp-protocol-version"), Some("1999-01-01"));
        assert_eq!(asked.header("x-key"), Some("k"));
        peer.json(&result(1)).await;
    });
    harness.ask(1).await;
    harness.frame().await;
    harness.over().await;
}

#[tokio::test]
async fn a_secret_across_the_end_of_a_shown_body_is_masked() {
    let start = "x".repeat((64 << 10) - 6);
    let piece = format!("{start}sesame-4");
    let mut harness = modern(|server| async move {
        let (mut peer, _) = server.request().await;
        peer.write("HTTP/1.1 400 No\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n")
            .await;
        peer.chunk(&piece).await;
        peer.chunk("711 and more").await;
        peer.end().await;
    })
    .await;
    harness.recorder.redact(vec![Secret::new("sesame-4711")]);
    harness.ask(1).await;
    let Unanswered::Status { body_text, .. } = harness.unanswered(1).await else {
        panic!("no status")
    };
    assert_eq!(body_text.strip_prefix(&start), Some("******"));
    harness.over().await;
}
