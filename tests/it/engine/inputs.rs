//! Input requests of several servers at once, in both eras, answered by a user.

use std::collections::{BTreeMap, BTreeSet};

use patchbay_contract::{EraChoice, ServerId};
use serde_json::{Value, json};

use super::{connected, connected_to};
use crate::{
    client::run_test,
    harness::{Harness, Stream},
    programs::scripted,
};

const EACH: usize = 10;

/// Adds and connects one more server.
async fn another(harness: &Harness, script: &str, name: &str, era: EraChoice) -> ServerId {
    let mut draft = harness.engine.draft_of_command(&scripted(script)).unwrap();
    draft.name = name.to_owned();
    draft.era = era;
    let server = harness.engine.add_server(draft).await.unwrap();
    harness.engine.connect(&server).await.unwrap().unwrap();
    server
}

fn call(harness: &Harness, server: &ServerId, tool: &str) -> Stream {
    let arguments = json!({"n": EACH}).to_string();
    let params = json!({
        "serverId": server, "name": tool, "argumentsJson": arguments, "metaJson": null, "timeouts": null,
    });
    harness.open("tool_call", params)
}

/// The pending requests, once there are so many.
async fn pending(harness: &Harness, count: usize) -> Vec<Value> {
    let mut nudges = harness.open("app_watch", json!({}));
    loop {
        nudges.next().await.unwrap();
        let items = harness.call("input_list", json!({})).await["items"].clone();
        let items = items.as_array().unwrap().clone();
        if items.len() == count {
            return items;
        }
    }
}

/// The first pending request, once it is like this.
pub(super) async fn first_pending(harness: &Harness, is_it: impl Fn(&Value) -> bool) -> Value {
    let mut nudges = harness.open("app_watch", json!({}));
    loop {
        nudges.next().await.unwrap();
        let list = harness.call("input_list", json!({})).await;
        if let Some(item) = list["items"].get(0).filter(|item| is_it(item)) {
            return item.clone();
        }
    }
}

fn message(item: &Value) -> String {
    let params: Value = serde_json::from_str(item["paramsJson"].as_str().unwrap()).unwrap();
    params["message"].as_str().unwrap().to_owned()
}

#[test]
fn fifty_requests_of_five_servers_are_each_answered_once_and_keep_their_order() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut servers = vec![(harness.server.clone(), "ask-many")];
        for number in 1..5 {
            let name = format!("server {number}");
            let (script, era, tool) = match number % 2 {
                0 => ("legacy", EraChoice::Legacy, "ask-many"),
                _ => ("modern", EraChoice::Modern, "input-many"),
            };
            servers.push((another(&harness, script, &name, era).await, tool));
        }
        let calls: Vec<Stream> = servers
            .iter()
            .map(|(server, tool)| call(&harness, server, tool))
            .collect();
        let items = pending(&harness, servers.len() * EACH).await;
        let expected: Vec<String> = (0..EACH).map(|number| format!("many-{number}")).collect();
        for (server, tool) in &servers {
            let own: Vec<&Value> = items
                .iter()
                .filter(|item| item["serverId"] == json!(server))
                .collect();
            assert_eq!(own.iter().map(|item| message(item)).collect::<Vec<_>>(), expected);
            let key = |name: &String| match *tool {
                "ask-many" => format!("\"{name}\""),
                _ => name.clone(),
            };
            let keys: Vec<String> = own
                .iter()
                .map(|item| item["key"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(keys, expected.iter().map(key).collect::<Vec<_>>());
            let is_named =
                |item: &&&Value| item["aboutSeq"].is_string() || item["during"][0]["seq"].is_string();
            assert_eq!(own.iter().filter(is_named).count(), EACH, "{own:#?}");
        }
        // The user answers the newest first, and each a second time.
        for item in items.iter().rev() {
            let content = json!({"server": item["serverId"], "for": message(item)});
            let result = json!({"action": "accept", "content": content}).to_string();
            let answer = json!({"inputId": item["id"], "answer": {"type": "result", "json": result}});
            harness.call("input_answer", answer.clone()).await;
            let again = harness.engine.call("input_answer", &answer.to_string()).await;
            assert!(again.unwrap_err().message.contains("answered already"));
        }
        for ((server, tool), call) in servers.iter().zip(calls) {
            let end = call.rest().await.pop().unwrap();
            let text = end["outcome"]["view"]["tool"]["content"][0]["text"]["inline"]
                .as_str()
                .unwrap_or_else(|| panic!("{end}"));
            assert_eq!(contents(tool, text), expected_contents(server, &expected));
        }
        let list = harness.call("input_list", json!({})).await;
        assert_eq!(list["items"], json!([]));
        let answered = list["answered"].as_array().unwrap();
        let seqs: BTreeSet<String> = answered.iter().map(|each| each["seq"].to_string()).collect();
        assert_eq!(answered.len(), 50);
        assert_eq!(seqs.len(), 3 * EACH + 2, "one record each, or one for a round");
        assert!(answered.iter().all(|each| each["rule"].is_null()));
        harness.engine.shutdown().await;
    });
}

/// The content of each answer that a server got, by the id or key of its request.
fn contents(tool: &str, text: &str) -> BTreeMap<String, Value> {
    match tool {
        "ask-many" => {
            let lines: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(lines.len(), EACH, "none twice: {text}");
            let content = |line: &Value| {
                (
                    line["id"].as_str().unwrap().to_owned(),
                    line["result"]["content"].clone(),
                )
            };
            lines.iter().map(content).collect()
        }
        _ => {
            let all: BTreeMap<String, Value> = serde_json::from_str(text).unwrap();
            all.into_iter()
                .map(|(key, result)| (key, result["content"].clone()))
                .collect()
        }
    }
}

fn expected_contents(server: &ServerId, names: &[String]) -> BTreeMap<String, Value> {
    let content = |name: &String| (name.clone(), json!({"server": server, "for": name}));
    names.iter().map(content).collect()
}

#[test]
fn requests_of_a_closed_connection_are_withdrawn_and_cannot_be_answered() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let _call = call(&harness, &harness.server, "ask-many");
        let items = pending(&harness, EACH).await;
        // What is known is not sent again.
        let known: Vec<&Value> = items.iter().map(|item| &item["id"]).collect();
        let list = harness.call("input_list", json!({"known": known})).await;
        assert_eq!((&list["items"], &list["still"]), (&json!([]), &json!(known)));
        harness.of_server("connection_close").await;
        assert!(pending(&harness, 0).await.is_empty());
        let list = harness.call("input_list", json!({})).await;
        let withdrawn = list["withdrawn"].as_array().unwrap();
        assert_eq!(withdrawn.len(), EACH);
        assert!(
            withdrawn
                .iter()
                .all(|each| each["reason"] == "The connection ended.")
        );
        let answer = json!({"inputId": items[0]["id"], "answer": {"type": "result", "json": "{}"}});
        let refused = harness.engine.call("input_answer", &answer.to_string()).await;
        let message = refused.unwrap_err().message;
        assert_eq!(message, "This request is gone. The connection ended.");
        assert_eq!(list["answered"], json!([]));
        let sent = harness.all_rows().await;
        let is_answer = |row: &&Value| row["kind"] == "response" && row["method"] == "elicitation/create";
        assert_eq!(sent.iter().filter(is_answer).count(), 0, "nothing was sent");
        harness.engine.shutdown().await;
    });
}

/// The answer to a request that has gone, which must be refused; the reason.
async fn refused(harness: &Harness, item: &Value) -> String {
    let result = json!({"action": "accept", "content": {"name": "Ada"}}).to_string();
    let answer = json!({"inputId": item["id"], "answer": {"type": "result", "json": result}});
    let refused = harness.engine.call("input_answer", &answer.to_string()).await;
    let list = harness.call("input_list", json!({})).await;
    assert_eq!(
        list["answered"],
        json!([]),
        "it is not an answer in the history either"
    );
    assert_eq!(list["withdrawn"].as_array().unwrap().len(), 1);
    refused.unwrap_err().message
}

#[test]
fn an_answer_after_the_server_has_cancelled_is_refused_and_not_sent() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let call = harness.call_tool("withdraws", "{}");
        let items = pending(&harness, 1).await;
        // The server cancels while the user writes.
        harness.of_server("connection_ping").await;
        pending(&harness, 0).await;
        assert_eq!(
            refused(&harness, &items[0]).await,
            "This request is gone. The server withdrew it."
        );
        let list = harness.call("input_list", json!({})).await;
        assert_eq!(list["withdrawn"][0]["serverReason"], "changed my mind");
        // The server itself has got nothing between its cancellation and this.
        harness.of_server("connection_ping").await;
        let end = call.rest().await.pop().unwrap();
        let text = &end["outcome"]["view"]["tool"]["content"][0]["text"]["inline"];
        assert_eq!(text, "came: ", "{end}");
        harness.engine.shutdown().await;
    });
}

#[test]
fn an_answer_after_its_call_was_cancelled_begins_no_round() {
    run_test(async {
        let harness = connected_to(&scripted("modern"), EraChoice::Modern).await;
        let call = harness.call_tool("input-many", r#"{"n":1}"#);
        let items = pending(&harness, 1).await;
        let exchange = json!({"exchangeId": items[0]["aboutExchange"]});
        harness.call("exchange_cancel", exchange).await;
        pending(&harness, 0).await;
        let reason = refused(&harness, &items[0]).await;
        assert!(reason.starts_with("This request is gone. "), "{reason}");
        let end = call.rest().await.pop().unwrap();
        assert_eq!(end["outcome"]["type"], "cancelled", "{end}");
        let rows = harness.all_rows().await;
        let calls = rows
            .iter()
            .filter(|row| row["kind"] == "request" && row["method"] == "tools/call");
        assert_eq!(calls.count(), 1, "the answer begins no other round");
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_server_that_ignores_the_end_of_its_call_can_still_be_answered() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let call = harness.call_tool("elicitation", "{}");
        let item = pending(&harness, 1).await.remove(0);
        assert_eq!(item["callEnd"], Value::Null);
        let exchange = json!({"exchangeId": item["during"][0]["exchange"]});
        harness.call("exchange_cancel", exchange).await;
        assert_eq!(call.rest().await.pop().unwrap()["outcome"]["type"], "cancelled");
        let changed = first_pending(&harness, |item| item["callEnd"].is_string()).await;
        assert_eq!(changed["callEnd"], "cancelled", "{changed}");
        let list = harness.call("input_list", json!({"known": [item["id"]]})).await;
        assert_eq!(list["items"], json!([changed]), "what has changed is sent again");
        let answer = json!({"type": "result", "json": r#"{"action":"cancel"}"#});
        let answer = json!({"inputId": item["id"], "answer": answer});
        harness.call("input_answer", answer).await;
        // The server goes on: it has got its answer.
        let mut tail = harness.open("traffic_tail", json!({"filter": ""}));
        let is_answer = |row: &Value| row["kind"] == "response" && row["method"] == "tools/call";
        while !harness.all_rows().await.iter().any(is_answer) {
            tail.next().await.unwrap();
        }
        let list = harness.call("input_list", json!({})).await;
        assert_eq!(list["answered"][0]["outcome"], "cancelled");
        harness.engine.shutdown().await;
    });
}
