//! Every secret in the vault is known before something is sent to a model.

use patchbay_contract::ErrorCode;
use serde_json::json;

use super::{Harness, TOKEN, add, call, draft};
use crate::{Engine, StoreChoice, engine::testing::files_with};

/// Before something is sent to a model, also by a provider without a key.
#[tokio::test]
async fn all_secrets_are_known_and_named_once_the_vault_is_revealed() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    engine.state.vault.reveal().await.unwrap();
    assert_eq!(harness.asked(), 0, "an empty vault needs no key");
    add(&engine, draft("a", TOKEN)).await.unwrap();
    engine.shutdown().await;

    let again = harness.engine(StoreChoice::Persistent).await;
    let masked = |engine: &Engine| engine.state.masked(format!("a {TOKEN}")) != format!("a {TOKEN}");
    assert!(!masked(&again), "nobody has read it yet");
    harness.lock(true);
    again.state.vault.reveal().await.unwrap_err();
    again.shutdown().await;

    harness.lock(false);
    let last = harness.engine(StoreChoice::Persistent).await;
    last.state.vault.reveal().await.unwrap();
    assert!(masked(&last));
    assert_eq!(last.state.known_secrets.in_text(TOKEN).len(), 1);
    last.shutdown().await;
}

/// What is not known cannot be masked, so nothing that the user writes is kept.
#[tokio::test]
async fn a_conversation_keeps_nothing_while_the_vault_is_locked() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    add(&engine, draft("a", TOKEN)).await.unwrap();
    engine.shutdown().await;

    harness.lock(true);
    let again = harness.engine(StoreChoice::Persistent).await;
    let settings = |prompt: &str| json!({ "answers": { "type": "manual" }, "systemPrompt": prompt });
    let made = call(&again, "chat_create", json!({ "settings": settings("") })).await;
    let id = made.unwrap()["chatId"].clone();
    let refused = [
        ("chat_create", json!({ "settings": settings(TOKEN) })),
        (
            "chat_settings_set",
            json!({ "chatId": id, "settings": settings(TOKEN) }),
        ),
        ("chat_rename", json!({ "chatId": id, "title": TOKEN })),
        ("chat_send", json!({ "chatId": id, "text": TOKEN })),
        ("chat_write", json!({ "chatId": id, "text": TOKEN, "calls": [] })),
    ];
    for (command, params) in refused {
        let error = call(&again, command, params).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::VaultNeeded, "{command}: {error:?}");
        assert!(error.message.starts_with("The secrets in the vault"), "{error:?}");
    }
    again.shutdown().await;
    assert_eq!(files_with(harness.folder.path(), TOKEN), Vec::<String>::new());
}
