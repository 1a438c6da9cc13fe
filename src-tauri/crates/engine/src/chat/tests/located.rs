//! From a record of the traffic log to its item.

use serde_json::{Value, json};

use super::turns::{APIS, Harness};
use crate::engine::testing::attended;

impl Harness {
    async fn located(&self, seq: &Value) -> Value {
        self.call("chat_locate", json!({ "seq": seq })).await
    }
}

#[tokio::test]
async fn a_record_leads_to_its_item_also_after_a_restart_and_not_to_a_fork() {
    let harness = Harness::new().await;
    let mut places: Vec<(Value, Value)> = Vec::new();
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, "call nothing {}").await;
        chat.ended(4).await;
        harness.send(&chat, "And now?").await;
        chat.ended(6).await;
        let answers = chat.items.iter().filter(|item| item["type"] == "answer");
        let here: Vec<(Value, Value)> = answers
            .map(|item| {
                let place = json!({ "chatId": chat.id, "item": item["id"] });
                (item["seq"].clone(), place)
            })
            .collect();
        assert_eq!(here.len(), 3);
        // A fork has the same items. The record is of the conversation that caused it.
        harness
            .call("chat_fork", json!({ "chatId": chat.id, "before": null }))
            .await;
        places.extend(here);
    }
    for (seq, place) in &places {
        assert_eq!(harness.located(seq).await, *place);
        let record = harness.call("traffic_record", json!({ "seq": seq })).await;
        assert_eq!(record["chatTitle"], "call nothing {}");
    }
    harness.engine.shutdown().await;

    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    // From the files: none is open.
    for (seq, place) in &places {
        assert_eq!(again.located(seq).await, *place);
    }
    let (gone, place) = &places[0];
    again
        .call("chat_remove", json!({ "chatId": place["chatId"] }))
        .await;
    let refused = again.refused("chat_locate", json!({ "seq": gone })).await;
    assert!(refused.contains("may have been deleted"), "{refused}");
    again.engine.shutdown().await;
}

/// An answer that was made again is on another branch, and is still found; one that arrives is not an item yet.
#[tokio::test]
async fn an_answer_of_another_branch_is_found_and_one_that_arrives_is_the_end() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "script").await;
    harness.send(&chat, "Hi").await;
    chat.ended(2).await;
    let first = chat.last().clone();
    let again = json!({ "chatId": chat.id, "item": first["id"] });
    harness.call("chat_regenerate", again).await;
    chat.until(|chat| chat.phase() == "idle" && chat.items.len() == 2 && *chat.last() != first)
        .await;
    let place = json!({ "chatId": chat.id, "item": first["id"] });
    assert_eq!(harness.located(&first["seq"]).await, place);

    let mut slow = harness.begin("anthropic", "slow").await;
    harness.send(&slow, "hi").await;
    slow.until(|slow| slow.live == "Hel").await;
    // The answer is shown before the log has written its request.
    harness.engine.state.store.flush().await.unwrap();
    let rows = json!({ "filter": "kind:http status:pending", "offset": 0, "limit": 10 });
    let rows = harness.call("traffic_rows", rows).await;
    let pending = rows["rows"].as_array().unwrap().last().cloned();
    let running = pending.expect("the request to the provider");
    let place = json!({ "chatId": slow.id, "item": null });
    assert_eq!(harness.located(&running["seq"]).await, place);
    harness.call("chat_stop", json!({ "chatId": slow.id })).await;
    slow.ended(3).await;
    harness.engine.shutdown().await;
}
