//! HTTP/2 connections that nobody answers on any more.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::TcpListener;

use super::secure::{Authority, acceptor, h2_server};
use super::*;

/// A router or a sleeping laptop has dropped it unannounced: TCP notices only after many minutes.
#[tokio::test]
async fn after_a_timeout_new_requests_take_another_connection() {
    let authority = Authority::new();
    let acceptor = acceptor(&authority.issue(|_| {}), None, &[b"h2"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://one.test:{}/", listener.local_addr().unwrap().port());
    let connections = Arc::new(AtomicUsize::new(0));
    let serving = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move {
            let (stream, _) = listener.accept().await.unwrap();
            let _dead = acceptor.accept(stream).await.unwrap();
            h2_server(listener, acceptor, connections).await;
        }
    });
    let harness = Harness::new(authority.trusting());
    let mut request = Request::new(Method::GET, url.parse().unwrap());
    request.head_timeout = Some(Duration::from_millis(50));
    let failed = match harness.send(request).await {
        Ok(response) => panic!("answered: {}", response.status),
        Err(failed) => failed,
    };
    assert!(failed.cause.contains("did not"), "{}", failed.cause);
    assert_eq!(harness.text(&url).await, format!("GET {url} None"));
    // The new one is used again.
    assert_eq!(harness.text(&url).await, format!("GET {url} None"));
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    serving.abort();
}
