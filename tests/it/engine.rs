//! The engine's commands, as the UI sends them, with a real server.
#![cfg(unix)]

mod chat;
pub(crate) mod definitions;
mod export;
mod follow;
mod inputs;
mod operations;
mod resend;
mod roots;

use patchbay_contract::EraChoice;
use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use crate::{
    client::run_test,
    harness::Harness,
    programs::{ours, quoted, scripted},
};

/// A harness connected to the demo server in this era.
async fn connected_in(era: EraChoice) -> Harness {
    let demo = format!("{} demo-server", quoted(&ours("patchbay")));
    connected_to(&demo, era).await
}

/// A harness connected to a legacy program.
async fn connected(command_line: &str) -> Harness {
    connected_to(command_line, EraChoice::Legacy).await
}

/// A harness connected to a program in this era.
async fn connected_to(command_line: &str, era: EraChoice) -> Harness {
    let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command(command_line).unwrap();
    let harness = Harness::beside(StoreChoice::Temporary, draft, |draft| draft.era = era).await;
    harness.connect().await.unwrap();
    harness
}

/// The rows of these methods, after everything that the server has sent.
async fn rows(harness: &Harness, methods: &[&str]) -> Vec<Value> {
    harness.of_server("connection_ping").await;
    let mut rows = harness.all_rows().await;
    rows.retain(|row| methods.iter().any(|method| row["method"] == *method));
    rows
}

#[test]
fn a_list_with_a_repeated_cursor_ends_with_a_violation() {
    run_test(async {
        let harness = connected(&scripted("cursor-loop")).await;
        let list = harness.list_tools().await;
        assert_eq!(list["total"], 2, "{list}");
        assert_eq!(list["violations"][0]["rule"], "list-cursor-repeated", "{list}");
        let asked = rows(&harness, &["tools/list"]).await;
        assert_eq!(asked.len(), 4, "two requests and their answers: {asked:#?}");
        harness.engine.shutdown().await;
    });
}

/// The UI requests the list at about the same time as the connection does, and again after a change.
#[test]
fn a_refused_list_is_requested_again_only_on_demand() {
    run_test(async {
        let harness = connected(&scripted("refuses-list")).await;
        // The number of requests, and the error message.
        let refused = async |refresh: bool| {
            let params = json!({"serverId": harness.server, "refresh": refresh, "cursor": null}).to_string();
            let error = harness.engine.call("tool_list", &params).await.unwrap_err();
            let asked = rows(&harness, &["tools/list"]).await;
            let requests = asked.iter().filter(|row| row["kind"] == "request").count();
            (requests, error.message)
        };
        let (requests, told) = refused(false).await;
        assert_eq!(requests, 1);
        let expected = "The tools could not be listed: the server answered with the error “-32603 Internal error: The list is broken”.";
        assert!(told.starts_with(expected), "{told}");
        assert_eq!(refused(false).await, (1, told.clone()));
        assert_eq!(refused(true).await, (2, told.clone()), "an explicit refresh");
        assert_eq!(refused(false).await, (2, told.clone()));
        let mut nudges = harness.open("app_watch", json!({}));
        // All changes are reported after the first event.
        nudges.next().await.unwrap();
        harness.call_tool("list-changed", "{}").rest().await;
        while nudges.next().await.unwrap()["topic"] != "tools" {}
        // A server that reports a change with every refusal would be queried for ever.
        let (requests, now_told) = refused(false).await;
        assert_eq!(requests, 2);
        assert!(
            now_told.starts_with(&told) && now_told.contains("list may have changed"),
            "{now_told}"
        );
        assert_eq!(refused(true).await, (3, told));
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_list_has_the_revision_of_its_nudge() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut nudges = harness.open("app_watch", json!({}));
        // All changes are reported after the first event.
        nudges.next().await.unwrap();
        let again = json!({"serverId": harness.server, "refresh": true, "cursor": null});
        let list = harness.call("tool_list", again).await;
        loop {
            let nudge = nudges.next().await.unwrap();
            // The connection's own listing may be announced first.
            if nudge["topic"] == "tools" && nudge["revision"] == list["revision"] {
                break;
            }
        }
        // Nothing was listed again, so the revision is unchanged.
        assert_eq!(harness.list_tools().await["revision"], list["revision"]);
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_cancelled_call_tells_the_server_and_its_late_answer_is_linked() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut call = harness.call_tool("late", "{}");
        let started = call.next().await.unwrap();
        assert_eq!(started["type"], "started");
        harness
            .call("exchange_cancel", json!({"exchangeId": started["exchangeId"]}))
            .await;
        let end = call.rest().await;
        assert_eq!(end.len(), 1, "{end:?}");
        assert_eq!(end[0]["outcome"]["type"], "cancelled", "{end:?}");
        // Cancelling again does nothing: the exchange has ended.
        harness
            .call("exchange_cancel", json!({"exchangeId": started["exchangeId"]}))
            .await;
        let rows = rows(&harness, &["tools/call", "notifications/cancelled"]).await;
        let [call, told, answer] = rows.as_slice() else {
            panic!("{rows:#?}");
        };
        assert_eq!(call["seq"], started["seq"]);
        assert_eq!(
            (&call["status"], &answer["status"]),
            (&json!("cancelled"), &json!("ok"))
        );
        assert_eq!(
            (&call["pairSeq"], &answer["pairSeq"]),
            (&answer["seq"], &call["seq"])
        );
        let told = harness.record(&told["seq"]).await;
        assert_eq!(told["related"][0]["seq"], started["seq"], "{told}");
        let text = told["raw"]["inline"].as_str().unwrap();
        assert!(text.contains(r#""reason":"Cancelled by the user""#), "{text}");
        harness.engine.shutdown().await;
    });
}

/// A burst of progress yields few events: the newest state each time, at most one per 50 ms.
#[test]
fn a_burst_of_progress_is_throttled() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let begun = std::time::Instant::now();
        let events = harness.call_tool("progress", r#"{"n":5000}"#).rest().await;
        let most = begun.elapsed().as_millis() / 50 + 2;
        let told: Vec<_> = events
            .iter()
            .filter(|event| event["type"] == "progress")
            .collect();
        assert!(
            !told.is_empty() && told.len() as u128 <= most,
            "{} events",
            told.len()
        );
        let steps: Vec<_> = told.iter().map(|event| event["progress"].as_f64()).collect();
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!(events.last().unwrap()["outcome"]["type"], "result");
        harness.engine.shutdown().await;
    });
}

/// No user is needed: the rule in the server's settings answers, in both eras, and the log names it.
#[test]
fn roots_are_answered_at_once_and_the_log_names_the_rule() {
    run_test(async {
        for era in [EraChoice::Legacy, EraChoice::Modern] {
            let demo = format!("{} demo-server", quoted(&ours("patchbay")));
            let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command(&demo).unwrap();
            let harness = Harness::beside(StoreChoice::Temporary, draft, |draft| draft.era = era).await;
            harness.connect().await.unwrap();
            let events = harness.call_tool("list_roots", "{}").rest().await;
            let end = &events.last().unwrap()["outcome"];
            let text = &end["view"]["tool"]["content"][0]["text"]["inline"];
            assert_eq!(text, r#"Your roots: {"roots":[]}"#, "{era:?}: {end}");
            let rows = harness.all_rows().await;
            let rule = "Answered roots/list by rule: no roots (server settings)";
            let row = rows.iter().find(|row| row["summary"] == rule);
            let inputs = harness.call("input_list", serde_json::json!({})).await;
            let answered = &inputs["answered"][0];
            assert_eq!(answered["rule"], "no roots (server settings)", "{inputs}");
            assert_eq!(
                (&answered["kind"], &answered["outcome"]),
                (&"roots".into(), &"accepted".into())
            );
            let record = harness
                .record(&row.unwrap_or_else(|| panic!("{rows:#?}"))["seq"])
                .await;
            // Beside the request, or in the modern era beside the response that requests input.
            let asks = record["related"][0]["seq"].clone();
            let asked = harness.record(&asks).await;
            assert!(
                asked["raw"]["inline"].as_str().unwrap().contains("roots/list"),
                "{era:?}: {asked}"
            );
            harness.engine.shutdown().await;
        }
    });
}

/// A violation of the tool's output schema is recorded, too.
#[test]
fn a_violation_of_the_output_schema_is_recorded() {
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        harness.list_tools().await;
        for (arguments, rule) in [
            ("{}", "structured-content-mismatch"),
            (r#"{"how":"missing"}"#, "structured-content-missing"),
        ] {
            let events = harness.call_tool("wrong_structure", arguments).rest().await;
            assert_eq!(events.last().unwrap()["outcome"]["type"], "result");
            let rows = rows(&harness, &["tools/call"]).await;
            let answer = rows.last().unwrap();
            assert_eq!(answer["violationCount"], 1, "{answer}");
            let record = harness.record(&answer["seq"]).await;
            assert_eq!(record["violations"][0]["rule"], rule, "{record}");
        }
        harness.engine.shutdown().await;
    });
}
