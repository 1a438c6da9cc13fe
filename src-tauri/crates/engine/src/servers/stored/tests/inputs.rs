//! Answers to what a host asks for.

use super::*;

fn asking(name: &str) -> Value {
    let mut asking = draft(name, "${input:id}");
    // The name does not say that it is secret; the host that asked for it did.
    asking["transport"]["env"][0]["name"] = json!("WORKSPACE");
    asking
}

#[tokio::test]
async fn secret_answers_go_into_the_vault_when_a_server_is_added_or_updated() {
    let harness = Harness::new();
    let engine = harness.engine(StoreChoice::Persistent).await;
    let params = json!({"draft": asking("a"), "inputAnswers": {"id": {"text": TOKEN, "isSecret": true}}});
    let added = call(&engine, "server_add", params).await.unwrap();
    let id = added["serverId"].as_str().unwrap();
    assert_eq!(given(&engine, id).await.unwrap(), TOKEN);
    let params = json!({"serverId": id, "draft": asking("a"), "inputAnswers": {"id": {"text": "a-new-one", "isSecret": true}}});
    call(&engine, "server_update", params).await.unwrap();
    assert_eq!(given(&engine, id).await.unwrap(), "a-new-one");
    let text = harness.text("servers.json");
    assert!(!text.contains(TOKEN) && !text.contains("a-new-one"), "{text}");
    let params = json!({"draft": asking("b"), "inputAnswers": {"id": {"text": TOKEN, "isSecret": true}}, "plainSecrets": true});
    call(&engine, "server_add", params).await.unwrap();
    assert!(harness.text("servers.json").contains(TOKEN));
    engine.shutdown().await;
}
