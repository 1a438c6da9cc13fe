//! A server that Patchbay connects by itself: nobody is asked for an authorization, and the vault is waited for.

use patchbay_contract::{AutomaticDraft, ErrorCode};
use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use super::ProtectedServer;
use crate::{client::run_test, harness::Harness};

const PASSPHRASE: &str = "correct horse battery staple";

fn both() -> Option<AutomaticDraft> {
    Some(AutomaticDraft {
        connect: true,
        reconnect: true,
    })
}

/// The server in the list, when it is so.
async fn until(harness: &Harness, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let listed = harness.call("server_list", json!({})).await;
        let item = listed["items"][0].clone();
        if is_it(&item) {
            return item;
        }
        tokio::task::yield_now().await;
    }
}

#[test]
fn nobody_is_asked_for_an_authorization_that_no_user_began() {
    run_test(async {
        let protected = ProtectedServer::with("fair", |draft| draft.automatic = both()).await;
        protected.harness.engine.connect_at_start();
        // The connection ends a moment after it is known why.
        let item = until(&protected.harness, |item| {
            item["automatic"]["type"] == "ended" && item["connection"]["state"] == "failed"
        })
        .await;
        let because = item["automatic"]["because"].as_str().unwrap();
        assert!(because.contains("requires an authorization"), "{item}");
        // The run led to the browser, and nobody opened the address.
        let seen = protected.seen("as GET /authorize");
        assert!(seen.is_empty(), "{seen:#?}");

        // The user connects: now the address is shown and opened, and the rest is as ever.
        let (connected, pages) = protected.consenting(protected.harness.connect()).await;
        assert!(connected.is_ok() && !pages.is_empty(), "{connected:?} {pages:?}");
        protected.works("echo").await;
        let item = until(&protected.harness, |_| true).await;
        assert_eq!(item["automatic"], Value::Null, "{item}");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn a_server_with_a_token_in_a_locked_vault_is_connected_when_it_opens() {
    run_test(async {
        let protected = ProtectedServer::keeping(StoreChoice::Persistent, SecretsChoice::Vault, "fair").await;
        let passphrase = json!({"choice": {"type": "passphrase", "text": PASSPHRASE}});
        protected.harness.call("vault_choose", passphrase).await;
        protected.connect().await.unwrap();
        protected
            .harness
            .change(|draft| draft["automatic"] = json!({"connect": true, "reconnect": false}))
            .await;
        protected.harness.engine.shutdown().await;

        let again = protected
            .another(StoreChoice::Persistent, SecretsChoice::Vault)
            .await;
        let harness = &again.harness;
        harness.engine.connect_at_start();
        let item = until(harness, |item| item["automatic"]["type"] == "needsVault").await;
        assert_eq!(item["connection"]["state"], "idle", "{item}");
        let refused = harness.engine.connect(&harness.server).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::VaultNeeded);
        harness
            .call("vault_unlock", json!({"passphrase": PASSPHRASE}))
            .await;
        let item = until(harness, |item| item["connection"]["state"] == "ready").await;
        assert_eq!(item["automatic"], Value::Null, "{item}");
        again.works("echo").await;
        assert_eq!(again.seen("as POST /token").len(), 1, "the stored token is used");
        harness.engine.shutdown().await;
    });
}
