//! Settings that change while the keychain asks the user.

use std::sync::Arc;

use patchbay_contract::ServerId;
use serde_json::json;

use super::{TOKEN, call, draft};
use crate::connections::testing::HeldKeychain;

#[tokio::test]
async fn settings_that_change_while_secrets_are_moved_stay_changed() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let engine = keychain.engine(&folder).await;
    let add = json!({ "draft": draft("a", TOKEN), "plainSecrets": true });
    let id = call(&engine, "server_add", add).await.unwrap()["serverId"].clone();
    keychain.hold();
    let disabled = async {
        keychain.asked().await;
        let params = json!({ "serverIds": [id], "disabled": true });
        call(&engine, "server_disabled_set", params).await.unwrap();
        keychain.release();
    };
    let moving = call(&engine, "secret_move", json!({ "serverIds": [id] }));
    let (moved, ()) = tokio::join!(moving, disabled);
    assert_eq!(moved.unwrap(), json!({ "moved": 1 }));
    let id = ServerId(id.as_str().unwrap().to_owned());
    let now = engine.state.servers.get(&id).unwrap().draft;
    assert!(now.disabled, "it was enabled again");
    let names = patchbay_config::secrets::names_of(&now);
    assert_eq!(names.len(), 1);
    let kept = engine.state.vault.ids().await.unwrap();
    assert_eq!(kept.len(), 1, "one that nothing refers to is not kept");
    engine.shutdown().await;
}
