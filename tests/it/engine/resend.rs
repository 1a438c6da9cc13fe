//! A recorded message is sent again, and the log links both.

use patchbay_contract::EraChoice;
use serde_json::json;

use crate::{client::run_test, engine::connected_in, harness::Harness};

/// The newest row of a kind.
async fn newest(harness: &Harness, kind: &str, method: &str) -> serde_json::Value {
    let rows = harness.all_rows().await;
    let found = rows
        .into_iter()
        .rfind(|row| row["kind"] == kind && row["method"] == method);
    found.unwrap_or_else(|| panic!("no {kind} {method}"))
}

#[test]
fn a_request_is_repeated_with_its_params_and_without_what_the_client_added() {
    run_test(async {
        for era in [EraChoice::Legacy, EraChoice::Modern] {
            let harness = connected_in(era).await;
            harness.call_tool("add", r#"{"a":1.10,"b":2}"#).rest().await;
            let first = newest(&harness, "request", "tools/call").await;
            let message = harness
                .call("traffic_message", json!({"seq": first["seq"]}))
                .await;
            assert_eq!(message["requestMethod"], "tools/call");
            assert_eq!(
                message["paramsJson"],
                r#"{"name":"add","arguments":{"a":1.10,"b":2}}"#
            );
            let again = json!({
                "serverId": message["serverId"], "method": message["requestMethod"],
                "paramsJson": message["paramsJson"], "timeouts": null, "repeats": first["seq"],
            });
            let events = harness.open("request_send", again).rest().await;
            assert_eq!(events.last().unwrap()["outcome"]["type"], "result", "{events:#?}");
            let second = newest(&harness, "request", "tools/call").await;
            assert_ne!(second["rpcId"], first["rpcId"]);
            let record = harness.record(&second["seq"]).await;
            let related = record["related"].as_array().unwrap();
            assert!(related.iter().any(|row| row["seq"] == first["seq"]), "{record:#}");
            harness.engine.shutdown().await;
        }
    });
}

#[test]
fn a_message_is_sent_as_written_and_related_to_the_one_it_repeats() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let first = newest(&harness, "notification", "notifications/initialized").await;
        let text = r#"{"jsonrpc":"2.0","id":"again","method":"ping"}"#;
        let params = json!({"serverId": harness.server, "text": text, "repeats": first["seq"]});
        let sent = harness.call("message_send", params).await;
        // The server responds in order.
        harness.of_server("connection_ping").await;
        // The log is written behind the connection.
        let record = loop {
            let record = harness.record(&sent["seq"]).await;
            if record["row"]["status"] != "pending" {
                break record;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(record["raw"]["inline"], text);
        assert_eq!(record["row"]["status"], "ok");
        assert_eq!(record["pair"]["rpcId"], record["row"]["rpcId"]);
        assert!(
            record["related"]
                .as_array()
                .unwrap()
                .iter()
                .any(|row| row["seq"] == first["seq"])
        );
        let empty = json!({"serverId": harness.server, "text": " \n", "repeats": null});
        let refused = harness
            .engine
            .call("message_send", &empty.to_string())
            .await
            .unwrap_err();
        assert_eq!(refused.message, "The message is empty.");
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_message_of_megabytes_is_repeated() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let text = "é".repeat(2 << 20);
        let arguments = format!(r#"{{"text":"{text}"}}"#);
        harness.call_tool("echo", &arguments).rest().await;
        let first = newest(&harness, "request", "tools/call").await;
        let message = harness
            .call("traffic_message", json!({"seq": first["seq"]}))
            .await;
        let params = message["paramsJson"].as_str().unwrap();
        assert!(params.contains(&text), "{} bytes", params.len());
        harness.engine.shutdown().await;
    });
}

#[test]
fn only_messages_are_repeated() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let rows = harness.all_rows().await;
        let event = rows.iter().find(|row| row["kind"] == "lifecycle").unwrap();
        for (seq, why) in [
            (&event["seq"], "is not a message."),
            (&json!("999999"), "is not in the log"),
        ] {
            let params = json!({"seq": seq}).to_string();
            let refused = harness.engine.call("traffic_message", &params).await.unwrap_err();
            assert!(refused.message.contains(why), "{}", refused.message);
        }
        harness.engine.shutdown().await;
    });
}
