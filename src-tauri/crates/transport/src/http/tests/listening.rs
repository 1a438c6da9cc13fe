//! The GET stream of a legacy session.

use super::*;

/// A session whose GET stream is served by `after`, starting with the connection of the GET.
async fn listening<F>(after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Harness
where
    F: Future<Output = ()> + Send,
{
    listening_with(quick(), after).await
}

async fn listening_with<F>(
    reconnect: Reconnect,
    after: impl FnOnce(Server, Peer) -> F + Send + 'static,
) -> Harness
where
    F: Future<Output = ()> + Send,
{
    let mut harness = harness_reconnecting(reconnect, Dialect::Legacy, move |server| async move {
        let peer = until_the_get(&server).await;
        after(server, peer).await;
    })
    .await;
    harness.handshake(Revision::V2025_06_18).await;
    harness
}

/// Accepts a session, up to the GET for its stream.
async fn until_the_get(server: &Server) -> Peer {
    let (mut peer, _) = server.request().await;
    let head = "mcp-session-id: s\r\ncontent-type: application/json\r\n";
    peer.respond("200 OK", head, &result(0)).await;
    peer.request().await.unwrap();
    peer.respond("202 Accepted", "", "").await;
    assert!(peer.request().await.unwrap().is("GET"));
    peer
}

#[tokio::test]
async fn unrequested_messages_arrive_over_the_stream() {
    let mut harness = listening(|_, mut peer| async move {
        peer.stream().await;
        peer.chunk(&format!("data: {NOTE}\n\n")).await;
        peer.closed().await;
    })
    .await;
    let received = harness.frame().await;
    assert_eq!(received.frame, NOTE);
    assert_eq!(received.reply_to, None);
    assert_eq!(harness.about().stream, StreamState::Open);
    harness.over().await;
}

/// Some servers write the head together with the first event.
#[tokio::test]
async fn the_head_of_the_stream_may_be_held_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut config = HttpConfig::new(format!("http://{}/mcp", listener.local_addr().unwrap()));
    config.settings.head_timeout = Duration::from_millis(20);
    let mut harness = harness_with(Dialect::Legacy, config, listener, |server| async move {
        let mut peer = until_the_get(&server).await;
        let given_up = tokio::time::timeout(Duration::from_millis(200), peer.request()).await;
        assert!(given_up.is_err(), "the stream was given up");
        peer.stream().await;
        peer.chunk(&format!("data: {NOTE}\n\n")).await;
        peer.closed().await;
    });
    harness.handshake(Revision::V2025_06_18).await;
    assert_eq!(harness.text().await, NOTE);
    harness.over().await;
}

#[tokio::test]
async fn an_interrupted_stream_is_resumed() {
    let mut harness = listening(|server, mut peer| async move {
        peer.stream().await;
        peer.chunk(&format!("id: a\nretry: 3\ndata: {NOTE}\n\n")).await;
        drop(peer);
        let (mut peer, asked) = server.request().await;
        assert_eq!(asked.header("last-event-id"), Some("a"));
        peer.respond("502 Bad Gateway", "", "").await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("last-event-id"), Some("a"));
        peer.stream().await;
        peer.chunk(&format!("id: b\ndata: {NOTE}\n\n")).await;
        peer.closed().await;
    })
    .await;
    harness.frame().await;
    harness.frame().await;
    harness.over().await;
}

/// It allows one stream, and still counts the one that ended.
#[tokio::test]
async fn a_conflict_after_a_stream_is_passing() {
    let mut harness = listening(|_, mut peer| async move {
        peer.stream().await;
        peer.end().await;
        peer.request().await.unwrap();
        peer.respond("409 Conflict", "", "").await;
        peer.request().await.unwrap();
        peer.stream().await;
        peer.chunk(&format!("data: {NOTE}\n\n")).await;
        peer.closed().await;
    })
    .await;
    assert_eq!(harness.text().await, NOTE);
    harness.over().await;
}

#[tokio::test]
async fn a_conflict_instead_of_the_first_stream_is_final() {
    let mut harness = listening(|_, mut peer| async move {
        peer.respond("409 Conflict", "", "").await;
    })
    .await;
    harness
        .until(|peer| peer.stream == StreamState::NotOffered(409))
        .await;
    harness.over().await;
}

#[tokio::test]
async fn a_stream_that_cannot_be_opened_is_given_up() {
    let (given_up, mut until) = tokio::sync::oneshot::channel::<()>();
    let mut harness = listening(|server, mut peer| async move {
        for _ in 0..4 {
            peer.write("HTTP/1.1 503 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .await;
            tokio::select! {
                (next, _) = server.request() => peer = next,
                _ = &mut until => return,
            }
        }
        panic!("too many attempts");
    })
    .await;
    let peer = harness
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    assert_eq!(
        peer.stream,
        StreamState::Lost("The server answered the GET with status 503.".to_owned())
    );
    drop(given_up);
    harness.over().await;
}

#[tokio::test]
async fn a_stream_that_always_ends_at_once_is_given_up() {
    let (given_up, mut until) = tokio::sync::oneshot::channel::<()>();
    let mut harness = listening(|_, mut peer| async move {
        loop {
            peer.stream().await;
            peer.end().await;
            tokio::select! {
                next = peer.request() => assert!(next.is_some(), "the connection was closed"),
                _ = &mut until => return,
            }
        }
    })
    .await;
    harness
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    drop(given_up);
    harness.over().await;
}

#[tokio::test]
async fn a_session_lost_while_listening() {
    let mut harness = listening(|_, mut peer| async move {
        peer.stream().await;
        peer.end().await;
        peer.request().await.unwrap();
        peer.respond("404 Not Found", "", "").await;
    })
    .await;
    let peer = harness
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    assert!(peer.session_lost);
    harness.over().await;
}

#[tokio::test]
async fn a_page_instead_of_a_stream() {
    let mut harness = listening(|_, mut peer| async move {
        peer.respond("200 OK", "content-type: text/html\r\n", "<p>hi")
            .await;
    })
    .await;
    let peer = harness
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    let StreamState::Lost(why) = peer.stream else {
        unreachable!()
    };
    assert!(why.contains("text/html"), "{why}");
    harness.over().await;
}

#[tokio::test]
async fn the_body_of_a_refusal_need_not_end() {
    let mut harness = listening(|_, mut peer| async move {
        peer.write("HTTP/1.1 405 No\r\ncontent-length: 9\r\n\r\nno").await;
        peer.closed().await;
    })
    .await;
    harness
        .until(|peer| peer.stream == StreamState::NotOffered(405))
        .await;
    harness.over().await;
}

/// Any delay is limited to a day, and nothing panics.
#[tokio::test]
async fn an_endless_delay_is_limited_to_a_day() {
    const HUGE: &str = "18446744073709551615";
    for by_header in [true, false] {
        let mut harness = listening(move |_, mut peer| async move {
            if by_header {
                let headers = format!("retry-after: {HUGE}\r\n");
                peer.respond("503 Service Unavailable", &headers, "").await;
            } else {
                peer.stream().await;
                peer.chunk(&format!("retry: {HUGE}\ndata: {NOTE}\n\n")).await;
                peer.end().await;
            }
            peer.closed().await;
        })
        .await;
        if !by_header {
            harness.frame().await;
        }
        let peer = harness
            .until(|peer| matches!(peer.stream, StreamState::Waiting { .. }))
            .await;
        let StreamState::Waiting { until, .. } = peer.stream else {
            unreachable!()
        };
        let wait = until.duration_since(std::time::SystemTime::now()).unwrap();
        let day = Duration::from_secs(24 * 60 * 60);
        assert!(wait <= day && wait > day / 2, "{wait:?}");
        harness.over().await;
    }
}

/// A stream that is repeatedly closed at once with `retry: 0` is requested at increasing intervals.
#[tokio::test]
async fn a_retry_of_zero_does_not_cause_a_busy_loop() {
    let policy = Reconnect {
        first: Duration::from_secs(1),
        most: Duration::from_secs(30),
        ..quick()
    };
    let (counter, mut count) = tokio::sync::watch::channel(0_u32);
    let mut harness = listening_with(policy, move |_, mut peer| async move {
        loop {
            counter.send_modify(|count| *count += 1);
            peer.stream().await;
            peer.chunk("retry: 0\nid: 1\n\n").await;
            peer.end().await;
            if peer.request().await.is_none() {
                return;
            }
        }
    })
    .await;
    let begun = std::time::Instant::now();
    tokio::select! {
        third = count.wait_for(|count| *count == 4) => drop(third.unwrap()),
        _ = harness.until(|_| false) => unreachable!(),
    }
    // The four requests are 0.1, 0.2 and 0.4 s apart.
    assert!(
        begun.elapsed() >= Duration::from_millis(650),
        "{:?}",
        begun.elapsed()
    );
    harness.over().await;
}

/// What a server sends on the stream of a POST that it may close before the answer.
const PRIMED: &str = "id: 1\ndata:\n\n";

/// Serves calls on one connection: their streams have no answer, and end when `answered` has come to their number.
async fn primed(
    mut peer: Peer,
    calls: tokio::sync::mpsc::UnboundedSender<i64>,
    mut answered: tokio::sync::watch::Receiver<i64>,
    ended: tokio::sync::mpsc::UnboundedSender<()>,
) {
    while let Some(asked) = peer.request().await {
        assert!(
            asked.body.contains("tools/call"),
            "a stream is resumed: {asked:?}"
        );
        let id = asked.body.split(r#""id":"#).nth(1).unwrap();
        let number: i64 = id.split(',').next().unwrap().parse().unwrap();
        peer.stream().await;
        peer.chunk(PRIMED).await;
        calls.send(number).unwrap();
        answered.wait_for(|most| *most >= number).await.unwrap();
        peer.end().await;
        ended.send(()).unwrap();
    }
}

/// More calls than there may be exchanges at once.
#[tokio::test]
async fn a_closed_stream_whose_answer_came_over_the_get_stream_is_not_resumed() {
    let (tell, told) = tokio::sync::watch::channel(0);
    let (ended, mut end) = tokio::sync::mpsc::unbounded_channel();
    let mut harness = listening(|server, mut stream| async move {
        stream.stream().await;
        let (calls, mut called) = tokio::sync::mpsc::unbounded_channel();
        let mut connections = tokio::task::JoinSet::new();
        let mut until = told.clone();
        loop {
            tokio::select! {
                peer = server.accept() => {
                    connections.spawn(primed(peer, calls.clone(), told.clone(), ended.clone()));
                }
                Some(number) = called.recv() => {
                    stream.chunk(&format!("data: {}\n\n", result(number))).await;
                }
                more = until.changed() => if more.is_err() {
                    break;
                },
            }
        }
        while let Some(served) = connections.join_next().await {
            served.unwrap();
        }
    })
    .await;
    for number in 1..=300 {
        harness.ask(number).await;
        let answer = harness.frame().await;
        assert_eq!(
            (&*answer.frame, answer.reply_to),
            (result(number).as_bytes(), None)
        );
        harness.link.answered(&RequestId::Int(number));
        assert_eq!(harness.about().open, []);
        tell.send(number).unwrap();
        end.recv().await.unwrap();
    }
    drop(tell);
    harness.over().await;
}

#[tokio::test]
async fn an_open_stream_whose_answer_came_over_the_get_stream_is_closed() {
    let (all, mut done) = tokio::sync::mpsc::channel(1);
    let mut harness = listening(|server, mut stream| async move {
        stream.stream().await;
        let (mut peer, _) = server.request().await;
        peer.stream().await;
        peer.chunk(PRIMED).await;
        stream.chunk(&format!("data: {}\n\n", result(1))).await;
        peer.closed().await;
        all.send(()).await.unwrap();
        stream.closed().await;
    })
    .await;
    harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    harness.link.answered(&RequestId::Int(1));
    tokio::select! {
        _ = done.recv() => {}
        event = harness.event() => panic!("{event:?}"),
    }
    harness.over().await;
}
