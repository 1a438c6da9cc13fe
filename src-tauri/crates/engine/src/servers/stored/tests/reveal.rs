//! Every secret in the vault is known before something is sent to a model.

use super::{Harness, TOKEN, add, draft};
use crate::{Engine, StoreChoice, servers::vault};

/// Before something is sent to a model, also by a provider without a key.
#[tokio::test]
async fn all_secrets_are_known_and_named_once_the_vault_is_revealed() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    vault::reveal(&engine.state.vault).await.unwrap();
    assert_eq!(harness.asked(), 0, "an empty vault needs no key");
    add(&engine, draft("a", TOKEN)).await.unwrap();
    engine.shutdown().await;

    let again = harness.engine(StoreChoice::Persistent).await;
    let masked = |engine: &Engine| engine.state.masked(format!("a {TOKEN}")) != format!("a {TOKEN}");
    assert!(!masked(&again), "nobody has read it yet");
    harness.lock(true);
    vault::reveal(&again.state.vault).await.unwrap_err();
    again.shutdown().await;

    harness.lock(false);
    let last = harness.engine(StoreChoice::Persistent).await;
    vault::reveal(&last.state.vault).await.unwrap();
    assert!(masked(&last));
    assert_eq!(last.state.known_secrets.in_text(TOKEN).len(), 1);
    last.shutdown().await;
}
