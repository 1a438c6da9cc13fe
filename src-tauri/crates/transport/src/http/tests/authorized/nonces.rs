//! Nonces for the proofs of tokens that are bound to a key (RFC 9449 section 9).

use super::*;

const USE_NONCE: &str = "www-authenticate: DPoP error=\"use_dpop_nonce\"\r\ndpop-nonce: ";

/// RFC 9449 section 9: the token is good, and only its proof lacks the server's nonce.
#[tokio::test]
async fn a_request_is_sent_again_with_the_nonce_that_the_server_asks_for() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("dpop"), None);
        peer.respond(UNAUTHORIZED, &format!("{USE_NONCE}one\r\n"), "")
            .await;
        let asked = peer.request().await.unwrap();
        assert_eq!(asked.header("dpop"), Some("proof-one"));
        peer.json(&result(1)).await;
    })
    .await;
    let message = harness.ask(1).await;
    assert_eq!(harness.text().await, result(1));
    // Nobody was asked for another token, and both exchanges belong to the message.
    assert!(authorizer.used().is_empty());
    for exchange in harness.rows(Kind::Http).await {
        let record = harness.store.http(exchange.seq).await.unwrap().unwrap();
        assert!(record.frames.contains(&message));
    }
    harness.over().await;
}

/// A server that asks for another nonce each time is refused like any other, so that the requests end.
#[tokio::test]
async fn endless_nonces_end() {
    let authorizer = Arc::new(Scripted::new(Some(1), &[]));
    let mut harness = with(Dialect::Modern, &authorizer, |server| async move {
        let mut peer = server.accept().await;
        for nonce in ["one", "two", "three"] {
            peer.request().await.unwrap();
            peer.respond(UNAUTHORIZED, &format!("{USE_NONCE}{nonce}\r\n"), "")
                .await;
        }
    })
    .await;
    harness.ask(1).await;
    assert!(matches!(
        harness.unanswered(1).await,
        Unanswered::Status { status: 401, .. }
    ));
    assert_eq!(authorizer.used(), [(401, Some(1))]);
    harness.over().await;
}
