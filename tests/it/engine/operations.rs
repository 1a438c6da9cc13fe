//! Operations: everything that one action of the user causes is recorded under one operation.

use patchbay_contract::EraChoice;
use patchbay_engine::StoreChoice;
use serde_json::{Value, json};

use super::definitions::{Changing, remembering};
use crate::{
    client::run_test,
    harness::Harness,
    programs::{ours, quoted},
};

/// Calls a tool that requests input, and answers; returns the rows of the call's operation.
async fn operation_of_call(era: EraChoice, tool: &str, reply: &str) -> Vec<String> {
    let demo = format!("{} demo-server", quoted(&ours("patchbay")));
    let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command(&demo).unwrap();
    let harness = Harness::beside(StoreChoice::Temporary, draft, |draft| draft.era = era).await;
    harness.connect().await.unwrap();
    let mut nudges = harness.open("app_watch", json!({}));
    let mut call = harness.call_tool(tool, "{}");
    let ended = loop {
        tokio::select! {
            event = call.next() => match event {
                Some(event) if event["type"] == "finished" => break event,
                Some(_) => {}
                None => panic!("the call ended without an outcome"),
            },
            _ = nudges.next() => {
                for input in harness.call("input_list", json!({})).await["items"].as_array().unwrap() {
                    let answer = json!({"inputId": input["id"], "answer": {"type": "result", "json": reply}});
                    harness.call("input_answer", answer).await;
                }
            }
        }
    };
    assert_eq!(ended["outcome"]["type"], "result", "{ended}");
    let rows = harness.all_rows().await;
    let called = rows.iter().find(|row| row["method"] == "tools/call").unwrap();
    let operation = &called["operation"];
    assert!(operation.is_string(), "{called}");
    let mut words: Vec<String> = rows
        .iter()
        .filter(|row| row["operation"] == *operation)
        .map(word)
        .collect();
    words.dedup();
    harness.engine.shutdown().await;
    words
}

/// The kind of a row, with its method or summary.
fn word(row: &Value) -> String {
    let what = row["method"].as_str().or(row["summary"].as_str());
    format!("{} {}", row["kind"].as_str().unwrap(), what.unwrap_or_default())
}

#[test]
fn the_operation_of_a_call_includes_nested_requests() {
    run_test(async {
        let legacy = |method: &str| {
            vec![
                "request tools/call".to_owned(),
                format!("request {method}"),
                format!("response {method}"),
                "response tools/call".to_owned(),
            ]
        };
        let accepted = r#"{"action":"accept","content":{"name":"Ada"}}"#;
        let form = operation_of_call(EraChoice::Legacy, "ask_form", accepted).await;
        assert_eq!(form, legacy("elicitation/create"));
        let said = r#"{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"}"#;
        let model = operation_of_call(EraChoice::Legacy, "ask_model", said).await;
        assert_eq!(model, legacy("sampling/createMessage"));
    });
}

#[test]
fn the_operation_of_a_call_includes_its_input_rounds() {
    run_test(async {
        let accepted = r#"{"action":"accept","content":{"name":"Ada"}}"#;
        let form = operation_of_call(EraChoice::Modern, "ask_twice", accepted).await;
        let round = ["request tools/call", "response tools/call"];
        assert_eq!(form, [round, round, round].concat());
    });
}

#[test]
fn setting_the_log_level_is_an_operation() {
    run_test(async {
        let demo = format!("{} demo-server", quoted(&ours("patchbay")));
        let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command(&demo).unwrap();
        let legacy = EraChoice::Legacy;
        let harness = Harness::beside(StoreChoice::Temporary, draft, |draft| draft.era = legacy).await;
        harness.connect().await.unwrap();
        let level = json!({"serverId": harness.server, "level": "warning"});
        harness.call("log_level_set", level).await;
        let rows = harness.all_rows().await;
        let set = rows.iter().filter(|row| row["method"] == "logging/setLevel");
        let [request, response] = set.collect::<Vec<_>>()[..] else {
            panic!("{rows:#?}");
        };
        let kinds = [request, response].map(|row| row["kind"].as_str().unwrap());
        assert_eq!(kinds, ["request", "response"]);
        let operation = &request["operation"];
        assert!(operation.is_string(), "{request}");
        let same = rows.iter().filter(|row| row["operation"] == *operation);
        assert_eq!(same.count(), 2, "no other row belongs to it: {rows:#?}");
        harness.engine.shutdown().await;
    });
}

#[test]
fn what_is_listed_before_a_call_is_part_of_its_operation() {
    run_test(async {
        let server = Changing::new();
        let harness = remembering(&server).await;
        let request = json!({"serverId": harness.server, "method": "tools/call", "paramsJson": r#"{"name":"other"}"#,
            "timeouts": null, "repeats": null});
        let text = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"other"}}"#;
        let mut log = harness.open("traffic_tail", json!({"filter": ""}));
        for kind in ["call", "request", "message"] {
            server.reports();
            harness.of_server("connection_ping").await;
            let before = harness.all_rows().await.len();
            match kind {
                "call" => drop(harness.call_tool("other", "{}").rest().await),
                "request" => drop(harness.open("request_send", request.clone()).rest().await),
                _ => {
                    let message = json!({"serverId": harness.server, "text": text, "repeats": null});
                    harness.call("message_send", message).await;
                }
            }
            // Nobody waits for the response to a message.
            while harness.all_rows().await.len() < before + 4 {
                log.next().await.unwrap();
            }
            let rows = harness.all_rows().await.split_off(before);
            let operation = &rows[0]["operation"];
            let same = rows.iter().take_while(|row| row["operation"] == *operation);
            let words: Vec<String> = same.map(word).collect();
            let expected = [
                "request tools/list",
                "response tools/list",
                "request tools/call",
                "response tools/call",
            ];
            assert_eq!(words, expected, "{kind}: {rows:#?}");
        }
        harness.engine.shutdown().await;
    });
}
