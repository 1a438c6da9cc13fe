//! Connections of which nothing is read.

use axum::{
    Router,
    body::{Body, Bytes},
    routing::get,
};
use futures_util::stream;
use tokio::sync::mpsc;

use super::*;

/// More than the system takes in for a reader.
const LARGE: usize = 64 << 20;

/// Serves this for connections within the limits. Returns the port.
async fn serving(router: Router, limits: Limits) -> (u16, JoinSet<std::convert::Infallible>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { connections::serve(listener, &router, limits, &mut JoinSet::new()).await });
    (port, tasks)
}

async fn requested(port: u16, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads until this was read.
async fn read(stream: &mut TcpStream, expected: &str) {
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).contains(expected) {
        let more = tokio::time::timeout(Duration::from_secs(10), stream.read_buf(&mut all));
        assert_ne!(more.await.unwrap().unwrap(), 0, "closed before {expected}");
    }
}

#[tokio::test]
async fn a_response_that_is_not_read_makes_room_for_another() {
    let router = Router::new()
        .route("/large", get(async || vec![0; LARGE]))
        .route("/", get(async || "small"));
    let limits = Limits {
        connections: 1,
        head: Duration::from_millis(200),
        ..Limits::default()
    };
    let (port, _tasks) = serving(router, limits).await;
    let _unread = requested(port, "/large").await;
    let mut second = requested(port, "/").await;
    read(&mut second, "HTTP/1.1 200").await;
}

#[tokio::test]
async fn a_stream_may_have_nothing_to_write_for_long() {
    let (sender, receiver) = mpsc::channel::<&str>(1);
    let receiver = std::sync::Arc::new(tokio::sync::Mutex::new(receiver));
    let events = async move || {
        Body::from_stream(stream::unfold(receiver.clone(), async |receiver| {
            let event = receiver.lock().await.recv().await?;
            Some((Ok::<_, std::io::Error>(Bytes::from(event)), receiver))
        }))
    };
    let limits = Limits {
        head: Duration::from_millis(50),
        ..Limits::default()
    };
    let (port, _tasks) = serving(Router::new().route("/events", get(events)), limits).await;
    let mut open = requested(port, "/events").await;
    sender.send("first").await.unwrap();
    read(&mut open, "first").await;
    // Each is closed after the limit.
    for _ in 0..3 {
        let mut silent = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        assert!(closes(&mut silent).await);
    }
    sender.send("second").await.unwrap();
    read(&mut open, "second").await;
}
