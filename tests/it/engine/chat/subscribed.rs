//! A resource that is kept current by a subscription, in both eras.

use patchbay_contract::EraChoice;
use serde_json::{Value, json};

use super::Chat;
use crate::{client::run_test, engine::connected_in, harness::Harness, http::server::Server};

const COUNTER: &str = "demo://counter";

impl Chat<'_> {
    async fn attach(&self, uri: &str) -> Value {
        let source = json!({ "type": "resource", "uri": uri });
        let params = json!({ "chatId": self.id, "serverId": self.harness.server, "source": source });
        self.harness.call("chat_attach", params).await
    }

    async fn keep_current(&self, attached: &Value, keep: bool) {
        let params = json!({ "chatId": self.id, "id": attached["id"], "keepCurrent": keep });
        self.harness.call("chat_keep_current", params).await;
    }

    /// Waits until the subscription of the only attachment is as wanted.
    async fn subscribed(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        self.until(|chat| is_it(&chat.attached[0]["subscription"])).await;
        self.attached[0]["subscription"].clone()
    }
}

/// Changes the counter.
async fn touch(harness: &Harness) {
    let params = json!({
        "serverId": harness.server, "name": "touch_counter", "argumentsJson": "{}",
        "metaJson": null, "timeouts": null, "byApp": null,
    });
    let mut stream = harness.open("tool_call", params);
    while stream
        .next()
        .await
        .is_some_and(|event| event["type"] != "finished")
    {}
}

/// How many requests of a method the server got.
async fn requests(harness: &Harness, method: &str) -> usize {
    let rows = harness.all_rows().await;
    let of_method = rows
        .iter()
        .filter(|row| row["kind"] == "request" && row["method"] == method);
    of_method.count()
}

#[test]
fn a_resource_is_marked_when_it_changes_and_read_again_when_sent() {
    let provider = Server::of("models", "any");
    run_test(async {
        for (era, method) in [
            (EraChoice::Legacy, "resources/subscribe"),
            (EraChoice::Modern, "subscriptions/listen"),
        ] {
            let harness = connected_in(era).await;
            let mut chat = Chat::begin(&harness, &provider).await;
            let counter = chat.attach(COUNTER).await;
            assert_eq!(counter["canSubscribe"], true, "{counter}");
            assert_eq!(requests(&harness, method).await, 0, "before it is wanted");
            chat.keep_current(&counter, true).await;
            chat.subscribed(|now| now["granted"] == true).await;
            touch(&harness).await;
            touch(&harness).await;
            let changed = chat.subscribed(|now| now["updates"] == 2).await;
            let record = harness.record(&changed["updateSeq"]).await;
            assert_eq!(record["row"]["method"], "notifications/resources/updated");

            chat.send("What is it?").await;
            chat.answered().await;
            let sent = chat.items[0]["content"][0]["text"]["inline"]
                .as_str()
                .unwrap()
                .to_owned();
            assert!(sent.contains('2'), "{sent}");
            assert_eq!(requests(&harness, "resources/read").await, 2);
            // It ended with what was attached.
            let ended = match era {
                EraChoice::Legacy => "resources/unsubscribe",
                _ => "notifications/cancelled",
            };
            let mut rows = harness.all_rows().await;
            while !rows.iter().any(|row| row["method"] == ended) {
                rows = harness.all_rows().await;
            }
            harness.engine.shutdown().await;
        }
    });
}

#[test]
fn a_subscription_ends_when_it_is_not_wanted_refused_or_the_connection_has_ended() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let counter = chat.attach(COUNTER).await;
        chat.keep_current(&counter, true).await;
        chat.subscribed(|now| now["granted"] == true).await;
        chat.keep_current(&counter, false).await;
        chat.subscribed(Value::is_null).await;
        chat.keep_current(&counter, true).await;
        chat.subscribed(|now| now["granted"] == true).await;
        harness.of_server("connection_close").await;
        let ended = chat.subscribed(|now| now["ended"].is_string()).await;
        assert_eq!(ended["updates"], 0, "{ended}");
        // What was read before can still be sent.
        chat.keep_current(&counter, false).await;
        chat.send("And now?").await;
        chat.answered().await;
        harness.engine.shutdown().await;
    });
}
