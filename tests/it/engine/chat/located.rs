//! From any record that a turn caused to its step in the conversation.

use patchbay_contract::EraChoice;
use serde_json::{Value, json};

use super::{Chat, run};
use crate::{
    client::run_test,
    engine::{connected_in, definitions::refresh, inputs::first_pending},
    harness::Harness,
    http::server::Server,
};

async fn located(harness: &Harness, row: &Value) -> Value {
    let params = json!({ "seq": row["seq"] }).to_string();
    match harness.engine.call("chat_locate", &params).await {
        Ok(found) => serde_json::from_str(&found).unwrap(),
        Err(error) => json!(error.code),
    }
}

/// Requests of the server under a call and reports of progress name no item, and belong to the call all the same.
#[test]
fn every_record_of_a_turn_leads_to_a_step_and_no_other_does() {
    let provider = Server::of("models", "any");
    run_test(async {
        // In the older revisions a request of a server does not say which call it belongs to, over stdio.
        let harness = connected_in(EraChoice::Modern).await;
        refresh(&harness).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let call = chat.ask(r#"call ask_model {}"#).await;
        chat.decide(&call, run(None)).await;
        let asked = first_pending(&harness, |item| item["method"] == "sampling/createMessage").await;
        let place = json!({ "chatId": chat.id, "item": call["id"] });
        assert_eq!(located(&harness, &asked).await, place, "while the call runs");
        harness.call("chat_stop", json!({ "chatId": chat.id })).await;
        chat.until(|chat| chat.phase == "idle").await;

        let greeted = chat.ask(r#"call greet {"name":"one"}"#).await;
        chat.decide(&greeted, run(None)).await;
        chat.answered().await;
        let rows = harness.all_rows().await;
        let of = |method: &str| {
            let rows = rows.iter().filter(|row| row["method"] == method);
            rows.cloned().collect::<Vec<Value>>()
        };
        for row in of("tools/call").iter().filter(|row| row["tool"] == "greet") {
            let place = json!({ "chatId": chat.id, "item": greeted["id"] });
            assert_eq!(located(&harness, row).await, place, "{row}");
        }
        let with_operation = rows
            .iter()
            .filter(|row| row["operation"] == of("tools/call")[0]["operation"]);
        for row in with_operation {
            assert_eq!(located(&harness, row).await["chatId"], chat.id, "{row}");
        }
        // What the user listed before is of no conversation.
        let record = harness.record(&of("tools/list")[0]["seq"]).await;
        assert_eq!(record["chatTitle"], Value::Null);
        assert_eq!(located(&harness, &of("tools/list")[0]).await, json!("notFound"));
        harness.engine.shutdown().await;
    });
}
