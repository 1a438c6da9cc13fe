//! What a removed server leaves behind.

use serde_json::json;

use super::{Harness, TOKEN, add, call, draft, given};
use crate::StoreChoice;

/// Its file is not opened, and nothing would remove them later.
#[tokio::test]
async fn secrets_of_a_server_that_is_removed_beside_a_locked_vault_leave_its_file() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let removed = add(&engine, draft("a", TOKEN)).await.unwrap();
    let kept = add(&engine, draft("b", TOKEN)).await.unwrap();
    engine.shutdown().await;

    harness.lock(true);
    let engine = harness.engine(StoreChoice::Persistent).await;
    given(&engine, &removed).await.unwrap_err();
    let memory = json!({"choice": {"type": "memory"}});
    call(&engine, "vault_choose", memory).await.unwrap();
    call(&engine, "server_remove", json!({"serverId": removed}))
        .await
        .unwrap();
    engine.shutdown().await;
    let vault = harness.text("vault.json");
    assert!(!vault.contains(&removed) && vault.contains(&kept), "{vault}");

    harness.lock(false);
    let engine = harness.engine(StoreChoice::Persistent).await;
    assert_eq!(given(&engine, &kept).await.unwrap(), TOKEN);
    engine.shutdown().await;
}
