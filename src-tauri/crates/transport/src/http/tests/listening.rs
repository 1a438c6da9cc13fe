//! The GET stream of a legacy session.

use super::*;

/// A session whose GET stream is played by `after`, from the connection on that brought the GET.
async fn listening<F>(after: impl FnOnce(Server, Peer) -> F + Send + 'static) -> Bench
where
    F: Future<Output = ()> + Send,
{
    let mut bench = bench(Dialect::Legacy, move |server| async move {
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
