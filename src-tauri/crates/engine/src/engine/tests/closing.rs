//! What is waited for when an engine closes.

use std::time::Duration;

use patchbay_auth::StoredTokens;
use patchbay_contract::{HttpKind, ProxyDraft, ServerDraft, TransportDraft};
use patchbay_vault::SecretId;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::engine::testing::{attended, refresh_asked, stored_tokens};

async fn a_refresh_is_stored_first() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let transport = TransportDraft::Http {
        url: format!("{issuer}/mcp"),
        kind: HttpKind::Auto,
        headers: Vec::new(),
        proxy: ProxyDraft::None,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: None,
    };
    let draft = ServerDraft::new("one", transport);
    let server = engine.add_server(draft).await.unwrap();
    let id = SecretId(format!("server/{server}/authorization/{issuer}/mcp"));
    let vault = engine.state.vault.clone();
    let secret = stored_tokens(&issuer).to_secret();
    vault.put(vec![(id.clone(), secret)]).await.unwrap();

    let params = serde_json::json!({"serverId": server}).to_string();
    let mut refresh = Box::pin(engine.call("authorization_refresh", &params));
    let mut stream = tokio::select! {
        stream = refresh_asked(&listener) => stream,
        ended = &mut refresh => panic!("it ended without a request: {ended:?}"),
    };
    let mut closing = Box::pin(engine.shutdown());
    for _ in 0..10 {
        tokio::select! {
            biased;
            () = &mut closing => panic!("closed during a refresh"),
            // All that a close without a refresh waits for is done by this thread, in order.
            done = tokio::task::spawn_blocking(|| {}) => done.unwrap(),
        }
    }
    let body = r#"{"access_token":"access-token-2","token_type":"bearer","refresh_token":"refresh-token-2"}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await.unwrap();
    closing.await;
    let kept = vault.get(&id).await.unwrap().unwrap();
    let kept = StoredTokens::from_secret(&kept).unwrap().tokens.unwrap();
    assert_eq!(kept.refresh.unwrap().expose(), "refresh-token-2");
    refresh.await.unwrap();
}

#[test]
fn a_refresh_in_flight_is_stored_before_the_engine_closes() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().max_blocking_threads(1).build().unwrap();
    let limit = Duration::from_secs(30);
    runtime.block_on(async {
        let test = tokio::time::timeout(limit, Box::pin(a_refresh_is_stored_first()));
        test.await.unwrap();
    });
}
