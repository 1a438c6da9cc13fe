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
