//! Every secret in the vault is known before something is sent to a model.

use patchbay_contract::{ErrorCode, ProviderApi, ProviderKey, ProviderSaveParams};
use patchbay_test_server::models::ModelProvider;
use patchbay_traffic::OperationId;
use serde_json::json;
use tokio::sync::mpsc;

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

/// Also for a sampling request of a server, with a provider that needs no key.
#[tokio::test]
async fn no_model_is_sent_a_sampling_request_while_the_vault_is_locked() {
    let provider = ModelProvider::start().unwrap();
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    add(&engine, draft("a", TOKEN)).await.unwrap();
    let saved = ProviderSaveParams {
        provider_id: None,
        name: "Scripted".to_owned(),
        api: ProviderApi::Anthropic,
        base_url: format!("{}/open", provider.origin()),
        key: ProviderKey::None,
        default_model: None,
    };
    let id = engine.state.models.save(saved).await.unwrap();
    engine.shutdown().await;

    let asked = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": TOKEN } }],
        "maxTokens": 5,
    });
    let (deltas, _received) = mpsc::channel(8);
    harness.lock(true);
    let locked = harness.engine(StoreChoice::Persistent).await;
    let models = &locked.state.models;
    let refused = models
        .generate((&id, "script"), &asked.to_string(), OperationId(1), &deltas)
        .await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::VaultNeeded);
    assert_eq!(provider.seen(), Vec::<String>::new());
    locked.shutdown().await;

    harness.lock(false);
    let open = harness.engine(StoreChoice::Persistent).await;
    let models = &open.state.models;
    let answer = models
        .generate((&id, "script"), &asked.to_string(), OperationId(1), &deltas)
        .await;
    answer.unwrap().unwrap();
    let [request] = &*provider.seen() else {
        panic!("{:?}", provider.seen())
    };
    assert!(!request.contains(TOKEN), "{request}");
    open.shutdown().await;
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
