//! The GET stream of a legacy session.

use super::*;

/// A session whose GET stream is played by `after`, from the connection on that brought the GET.
async fn listening<F>(after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Bench
where
    F: Future<Output = ()> + Send,
{
    listening_with(quick(), after).await
}

async fn listening_with<F>(
    reconnect: Reconnect,
    after: impl FnOnce(Server, Peer) -> F + Send + 'static,
) -> Bench
where
    F: Future<Output = ()> + Send,
{
    let mut bench = bench_reconnecting(reconnect, Dialect::Legacy, move |server| async move {
        let (mut peer, _) = server.asked().await;
        let head = "mcp-session-id: s\r\ncontent-type: application/json\r\n";
        peer.answers("200 OK", head, &result(0)).await;
        peer.asked().await.unwrap();
        peer.answers("202 Accepted", "", "").await;
        assert!(peer.asked().await.unwrap().is("GET"));
        after(server, peer).await;
    })
    .await;
    bench.handshake(Revision::V2025_06_18).await;
    bench
}

#[tokio::test]
async fn the_server_speaks_of_its_own_accord() {
    let mut bench = listening(|_, mut peer| async move {
        peer.stream().await;
        peer.chunk(&format!("data: {NOTE}\n\n")).await;
        peer.closed().await;
    })
    .await;
    let received = bench.frame().await;
    assert_eq!(received.frame, NOTE);
    assert_eq!(received.reply_to, None);
    assert_eq!(bench.about().stream, StreamState::Open);
    bench.over().await;
}

#[tokio::test]
async fn it_is_opened_again_where_it_broke_off() {
    let mut bench = listening(|server, mut peer| async move {
        peer.stream().await;
        peer.chunk(&format!("id: a\nretry: 3\ndata: {NOTE}\n\n")).await;
        drop(peer);
        let (mut peer, asked) = server.asked().await;
        assert_eq!(asked.header("last-event-id"), Some("a"));
        peer.answers("502 Bad Gateway", "", "").await;
        let asked = peer.asked().await.unwrap();
        assert_eq!(asked.header("last-event-id"), Some("a"));
        peer.stream().await;
        peer.chunk(&format!("id: b\ndata: {NOTE}\n\n")).await;
        peer.closed().await;
    })
    .await;
    bench.frame().await;
    bench.frame().await;
    bench.over().await;
}

#[tokio::test]
async fn it_is_given_up_when_it_cannot_be_opened() {
    let mut bench = listening(|server, mut peer| async move {
        for _ in 0..4 {
            peer.says("HTTP/1.1 503 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .await;
            match tokio::time::timeout(Duration::from_millis(100), server.asked()).await {
                Ok((next, _)) => peer = next,
                Err(_) => return,
            }
        }
        panic!("too many attempts");
    })
    .await;
    let peer = bench
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    assert_eq!(
        peer.stream,
        StreamState::Lost("The server answered the GET with status 503.".to_owned())
    );
    bench.over().await;
}

#[tokio::test]
async fn a_stream_that_ends_at_once_every_time_is_given_up() {
    let mut bench = listening(|_, mut peer| async move {
        loop {
            peer.stream().await;
            peer.end().await;
            let next = tokio::time::timeout(Duration::from_millis(100), peer.asked()).await;
            if !matches!(next, Ok(Some(_))) {
                return;
            }
        }
    })
    .await;
    bench
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    bench.over().await;
}

#[tokio::test]
async fn a_session_lost_while_listening() {
    let mut bench = listening(|_, mut peer| async move {
        peer.stream().await;
        peer.end().await;
        peer.asked().await.unwrap();
        peer.answers("404 Not Found", "", "").await;
    })
    .await;
    let peer = bench
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    assert!(peer.session_lost);
    bench.over().await;
}

#[tokio::test]
async fn a_page_instead_of_a_stream() {
    let mut bench = listening(|_, mut peer| async move {
        peer.answers("200 OK", "content-type: text/html\r\n", "<p>hi")
            .await;
    })
    .await;
    let peer = bench
        .until(|peer| matches!(peer.stream, StreamState::Lost(_)))
        .await;
    let StreamState::Lost(why) = peer.stream else {
        unreachable!()
    };
    assert!(why.contains("text/html"), "{why}");
    bench.over().await;
}

/// Whatever a server asks for is waited for at most a day, and nothing panics.
#[tokio::test]
async fn a_wait_without_end_is_shortened_to_a_day() {
    const HUGE: &str = "18446744073709551615";
    for by_header in [true, false] {
        let mut bench = listening(move |_, mut peer| async move {
            if by_header {
                let headers = format!("retry-after: {HUGE}\r\n");
                peer.answers("503 Service Unavailable", &headers, "").await;
            } else {
                peer.stream().await;
                peer.chunk(&format!("retry: {HUGE}\ndata: {NOTE}\n\n")).await;
                peer.end().await;
            }
            peer.closed().await;
        })
        .await;
        if !by_header {
            bench.frame().await;
        }
        let peer = bench
            .until(|peer| matches!(peer.stream, StreamState::Waiting { .. }))
            .await;
        let StreamState::Waiting { until, .. } = peer.stream else {
            unreachable!()
        };
        let wait = until.duration_since(std::time::SystemTime::now()).unwrap();
        let day = Duration::from_secs(24 * 60 * 60);
        assert!(wait <= day && wait > day / 2, "{wait:?}");
        bench.over().await;
    }
}

/// A stream that is closed at once with `retry: 0`, again and again, is asked for ever more slowly.
#[tokio::test]
async fn a_retry_of_zero_does_not_make_us_ask_without_pause() {
    let policy = Reconnect {
        first: Duration::from_secs(1),
        most: Duration::from_secs(30),
        ..quick()
    };
    let (counter, mut count) = tokio::sync::watch::channel(0_u32);
    let mut bench = listening_with(policy, move |_, mut peer| async move {
        loop {
            counter.send_modify(|count| *count += 1);
            peer.stream().await;
            peer.chunk("retry: 0\nid: 1\n\n").await;
            peer.end().await;
            if peer.asked().await.is_none() {
                return;
            }
        }
    })
    .await;
    let begun = std::time::Instant::now();
    tokio::select! {
        third = count.wait_for(|count| *count == 4) => drop(third.unwrap()),
        _ = bench.until(|_| false) => unreachable!(),
    }
    // 0.1, 0.2 and 0.4 s lie between the four.
    assert!(
        begun.elapsed() >= Duration::from_millis(650),
        "{:?}",
        begun.elapsed()
    );
    bench.over().await;
}
