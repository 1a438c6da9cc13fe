//! Two windows, or a window and the command line, with the same token: a refresh by one is used by both. The server revokes
//! the whole grant when a refresh token is reused (RFC 9700 section 4.14.2), and delays a refresh until both engines are
//! about to send one.

use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use super::ProtectedServer;
use crate::client::run_test;

/// A window with a token, and a second engine that has not loaded it yet.
async fn two() -> (ProtectedServer, ProtectedServer) {
    let window = ProtectedServer::kept(StoreChoice::Persistent, "held-refresh", |_| {}).await;
    let passphrase = "correct horse battery staple";
    let choice = json!({"choice": {"type": "passphrase", "text": passphrase}});
    window.harness.call("vault_choose", choice).await;
    window.connect().await.unwrap();
    let other = window.another(StoreChoice::Temporary, SecretsChoice::Vault).await;
    let unlock = json!({"passphrase": passphrase});
    other.harness.call("vault_unlock", unlock).await;
    (window, other)
}

fn is_refreshing(view: &Value) -> bool {
    let mut steps = view["run"]["steps"].as_array().into_iter().flatten();
    steps.any(|step| step["step"] == "refresh" && step["state"] == "running")
}

/// Runs an action in both, and releases the response once both are refreshing. The user is not asked.
async fn at_once(window: &ProtectedServer, other: &ProtectedServer, both: impl Future<Output = ()>) {
    let let_go = async {
        window.until(is_refreshing).await;
        other.until(is_refreshing).await;
        window.server.report("go");
    };
    let both = async { tokio::join!(both, let_go) };
    let ((_, pages), more) = window.consenting(other.consenting(both)).await;
    assert!(pages.is_empty() && more.is_empty(), "{pages:?} {more:?}");
}

/// One of them refreshed the token, and the other noticed.
async fn check(window: &ProtectedServer, other: &ProtectedServer, refreshes: usize) {
    let seen = window.server.seen();
    assert_eq!(
        window.seen("as POST /token refresh_token").len(),
        refreshes,
        "{seen:#?}"
    );
    assert_eq!(window.seen("as GET /authorize").len(), 1, "{seen:#?}");
    let views = [window.view().await, other.view().await];
    let took_over = views.iter().filter(|view| {
        let last = view["history"][0]["summary"].as_str();
        last.is_some_and(|words| words.starts_with("Another window or program has already refreshed it"))
    });
    assert_eq!(took_over.count(), 1, "{views:#?}");
    assert_eq!(views[0]["token"]["masked"], views[1]["token"]["masked"]);
}

#[test]
fn an_expired_token_is_refreshed_once_for_both() {
    run_test(async {
        let (window, other) = two().await;
        window.works("lose-token").await;
        window.harness.of_server("authorization_expire").await;
        let both = async {
            let connects = async {
                other.harness.connect().await.unwrap();
                other.works("echo").await;
            };
            tokio::join!(window.works("echo"), connects);
        };
        at_once(&window, &other, Box::pin(both)).await;
        check(&window, &other, 1).await;
        assert_eq!(window.seen("mcp POST /mcp tools/call echo [token 2]").len(), 2);
        for protected in [other, window] {
            protected.harness.engine.shutdown().await;
        }
    });
}

#[test]
fn a_refused_token_is_refreshed_once_for_both() {
    run_test(async {
        let (window, other) = two().await;
        other.harness.connect().await.unwrap();
        for round in 1..=2 {
            window.works("lose-token").await;
            let both = async {
                tokio::join!(window.works("echo"), other.works("echo"));
            };
            at_once(&window, &other, Box::pin(both)).await;
            check(&window, &other, round).await;
            let renewed = format!("mcp POST /mcp tools/call echo [token {}]", round + 1);
            assert_eq!(window.seen(&renewed).len(), 2);
        }
        for protected in [other, window] {
            protected.harness.engine.shutdown().await;
        }
    });
}
