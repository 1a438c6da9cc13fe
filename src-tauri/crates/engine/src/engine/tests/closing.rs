//! What is waited for when an engine closes.

use std::time::{Duration, SystemTime};

use patchbay_auth::{AuthMethod, ClientOrigin, RegisteredClient, StoredTokens, TokenSet};
use patchbay_contract::{HttpKind, ProxyDraft, ServerDraft, TransportDraft};
use patchbay_secret::Secret;
use patchbay_vault::SecretId;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::engine::testing::attended;

/// A token with a client that the authorization server of the test issued.
fn stored(issuer: &str) -> StoredTokens {
    let tokens = TokenSet {
        access: Secret::new("access-token-1"),
        refresh: Some(Secret::new("refresh-token-1")),
        scopes: None,
        requested: Vec::new(),
        issuer: issuer.to_owned(),
        resource: None,
        client_id: "me".to_owned(),
        token_endpoint: format!("{issuer}/token"),
        revocation_endpoint: None,
        dpop: None,
        obtained_at: SystemTime::UNIX_EPOCH,
        expires_at: None,
    };
    let client = RegisteredClient {
        issuer: issuer.to_owned(),
        id: "me".to_owned(),
        secret: None,
        secret_expires_at: None,
        auth_method: AuthMethod::None,
        origin: ClientOrigin::Dynamic,
        redirect_uri: None,
    };
    StoredTokens {
        tokens: Some(tokens),
        clients: vec![client],
    }
}

/// Waits for the token request, which is not answered yet.
async fn asked(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    let (mut request, mut chunk) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&request).contains("refresh_token=refresh-token-1") {
        let read = stream.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the request ended early");
        request.extend_from_slice(&chunk[..read]);
    }
    stream
}

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
    let secret = stored(&issuer).to_secret();
    vault.put(vec![(id.clone(), secret)]).await.unwrap();

    let params = serde_json::json!({"serverId": server}).to_string();
    let mut refresh = Box::pin(engine.call("authorization_refresh", &params));
    let mut stream = tokio::select! {
        stream = asked(&listener) => stream,
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
