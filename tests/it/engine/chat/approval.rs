//! What a rule runs, and what is asked about although a rule covers it.

use serde_json::{Value, json};

use super::{Chat, sent};
use crate::{
    client::run_test,
    engine::connected,
    http::server::Server,
    programs::{ours, quoted},
};

/// Run it, and run all calls of `greet` in this conversation from now on.
fn run_and_remember() -> Value {
    let remember = json!({ "covers": { "type": "tool", "tool": "greet" }, "always": false });
    json!({ "type": "run", "editedJson": null, "remember": remember })
}

/// The reasons of the calls that still wait, when this many do and another one has ended.
async fn still_asked(chat: &mut Chat<'_>, waiting: usize) -> Vec<String> {
    chat.until(|chat| {
        let calls = chat.calls();
        let reasons = calls
            .iter()
            .filter(|call| call["state"] == "waiting" && call["askedBecause"].is_string());
        let has_ended = calls.iter().filter(|call| call["state"] == "done").count();
        reasons.count() == waiting && has_ended == calls.len() - waiting
    })
    .await;
    let calls = chat.calls().into_iter();
    let reasons = calls.filter_map(|call| Some(call["askedBecause"].as_str()?.to_owned()));
    reasons.collect()
}

/// Waits until this many calls wait for the user.
async fn all_wait(chat: &mut Chat<'_>, count: usize) {
    chat.until(|chat| {
        let calls = chat.calls();
        calls.iter().filter(|call| call["state"] == "waiting").count() == count
    })
    .await;
}

/// A rule that is added while calls wait decides about them exactly as about calls that come later.
#[test]
fn a_new_rule_runs_no_crowd_and_no_repetition_that_waits() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        let mut chat = Chat::begin(&harness, &provider).await;

        let names = (0..30).map(|at| format!("call greet {{\"name\":\"n{at}\"}}"));
        chat.send(&names.collect::<Vec<_>>().join("\n")).await;
        all_wait(&mut chat, 30).await;
        let first = chat.calls()[0].clone();
        assert_eq!(first["askedBecause"], Value::Null);
        chat.decide(&first, run_and_remember()).await;
        let reasons = still_asked(&mut chat, 29).await;
        assert_eq!(reasons[0], "The model makes 30 calls at once.");
        assert_eq!(sent(&harness).await.len(), 1);
        harness.call("chat_stop", json!({ "chatId": chat.id })).await;
        chat.until(|chat| chat.phase == "idle").await;
        assert_eq!(sent(&harness).await.len(), 1);
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_new_rule_runs_the_same_call_three_times_and_then_asks() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        chat.send("call*5 greet {\"name\":\"Ada\"}").await;
        all_wait(&mut chat, 5).await;
        let first = chat.calls()[0].clone();
        chat.decide(&first, run_and_remember()).await;
        let reasons = still_asked(&mut chat, 2).await;
        assert_eq!(
            reasons,
            [
                "The model makes the same call for the 4th time in a row.",
                "The model makes the same call for the 5th time in a row."
            ]
        );
        assert_eq!(sent(&harness).await.len(), 3);
        harness.engine.shutdown().await;
    });
}

/// Two calls in each answer hide no loop.
#[test]
fn a_loop_of_two_calls_in_each_answer_is_asked_about() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        chat.send("again\ncall greet {\"name\":\"Ada\"}\ncall greet {\"name\":\"Bob\"}")
            .await;
        all_wait(&mut chat, 2).await;
        let first = chat.calls()[0].clone();
        chat.decide(&first, run_and_remember()).await;
        let reasons = still_asked(&mut chat, 2).await;
        assert_eq!(
            reasons,
            ["The model makes the same call for the 4th time in a row."; 2]
        );
        assert_eq!(sent(&harness).await.len(), 6);
        harness.engine.shutdown().await;
    });
}

/// What a server says about its tools runs nothing unless the user trusts it, whenever that ends.
#[test]
fn a_rule_for_read_only_tools_applies_only_while_the_server_is_trusted() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let remember = json!({ "covers": { "type": "readOnly" }, "always": false });
        let decision = json!({ "type": "run", "editedJson": null, "remember": remember });

        let first = chat.ask("call greet {\"name\":\"one\"}").await;
        let params = json!({ "chatId": chat.id, "calls": [first["id"]], "decision": decision });
        let refused = harness.engine.call("chat_decide", &params.to_string()).await;
        let refused = refused.unwrap_err().message;
        assert!(refused.contains("whose annotations you trust"), "{refused}");
        assert_eq!(sent(&harness).await.len(), 0);

        harness
            .change(|draft| draft["trustAnnotations"] = json!(true))
            .await;
        chat.decide(&first, decision).await;
        chat.answered().await;
        chat.send("call greet {\"name\":\"two\"}").await;
        chat.until(|chat| chat.calls().len() == 2).await;
        chat.answered().await;
        let second = chat.last_call()["decidedBy"].as_str().unwrap().to_owned();
        assert!(second.starts_with("rule: run read-only tools of"), "{second}");

        harness
            .change(|draft| draft["trustAnnotations"] = json!(false))
            .await;
        let third = chat.ask("call greet {\"name\":\"three\"}").await;
        let because = third["askedBecause"].as_str().unwrap();
        assert!(
            because.contains("does not apply") && because.contains("trust"),
            "{because}"
        );
        assert_eq!(sent(&harness).await.len(), 2);
        harness.call("chat_stop", json!({ "chatId": chat.id })).await;
        chat.until(|chat| chat.phase == "idle").await;
        harness.engine.shutdown().await;
    });
}
