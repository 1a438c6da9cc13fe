//! Requests whose page was reloaded: their end is waited for by another stream.

use patchbay_contract::EraChoice;
use serde_json::{Value, json};

use super::{connected, connected_to, inputs::first_pending};
use crate::{
    client::run_test,
    harness::{Harness, Stream},
    programs::scripted,
};

/// Waits for the end of a call that began as `started` says.
fn follow(harness: &Harness, started: &Value) -> Stream {
    let params = json!({
        "serverId": harness.server, "exchangeId": started["exchangeId"], "seq": started["seq"],
    });
    harness.open("exchange_follow", params)
}

/// A call whose stream was closed after its first event, which is returned.
async fn left(harness: &Harness, tool: &str, arguments: &str) -> Value {
    let mut call = harness.call_tool(tool, arguments);
    let started = call.next().await.unwrap();
    assert_eq!(started["type"], "started");
    started
}

async fn answer(harness: &Harness, item: &Value) {
    let answer = json!({"type": "result", "json": r#"{"action":"decline"}"#});
    harness
        .call("input_answer", json!({"inputId": item["id"], "answer": answer}))
        .await;
}

#[test]
fn a_call_is_followed_to_its_result_and_can_be_followed_again() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let started = left(&harness, "elicitation", "{}").await;
        let followed = follow(&harness, &started);
        let item = first_pending(&harness, |_| true).await;
        answer(&harness, &item).await;
        let end = followed.rest().await.pop().unwrap();
        assert_eq!(end["type"], "finished", "{end}");
        assert_eq!(end["outcome"]["type"], "result", "{end}");
        assert_eq!(end["outcome"]["view"]["type"], "tool", "{end}");
        assert_eq!(end["requestSeq"], started["seq"]);
        // It has ended: what is followed now ends at once, with the same result.
        let again = follow(&harness, &started).rest().await.pop().unwrap();
        assert_eq!(again["outcome"], end["outcome"]);
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_followed_call_can_be_cancelled() {
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let started = left(&harness, "elicitation", "{}").await;
        let followed = follow(&harness, &started);
        first_pending(&harness, |_| true).await;
        let exchange = json!({"exchangeId": started["exchangeId"]});
        harness.call("exchange_cancel", exchange).await;
        let end = followed.rest().await.pop().unwrap();
        assert_eq!(end["outcome"]["type"], "cancelled", "{end}");
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_call_that_requires_input_is_followed_into_its_next_round() {
    run_test(async {
        let harness = connected_to(&scripted("modern"), EraChoice::Modern).await;
        let started = left(&harness, "input-many", r#"{"n":1}"#).await;
        let item = first_pending(&harness, |_| true).await;
        let followed = follow(&harness, &started);
        answer(&harness, &item).await;
        let end = followed.rest().await.pop().unwrap();
        assert_eq!(end["outcome"]["type"], "result", "{end}");
        assert_ne!(
            end["requestSeq"], started["seq"],
            "the request that had the input"
        );
        harness.engine.shutdown().await;
    });
}

/// A round that is cancelled ends without a record of its own.
#[test]
fn a_followed_call_is_cancelled_while_it_waits_for_input() {
    run_test(async {
        let harness = connected_to(&scripted("modern"), EraChoice::Modern).await;
        let started = left(&harness, "input-many", r#"{"n":1}"#).await;
        let followed = follow(&harness, &started);
        first_pending(&harness, |_| true).await;
        let exchange = json!({"exchangeId": started["exchangeId"]});
        harness.call("exchange_cancel", exchange).await;
        let end = followed.rest().await.pop().unwrap();
        assert_eq!(end["outcome"]["type"], "cancelled", "{end}");
        // Followed once more, it is known that it has ended, and what it was waiting for.
        let again = follow(&harness, &started).rest().await.pop().unwrap();
        assert_eq!(again["outcome"]["type"], "inputRequired", "{again}");
        harness.engine.shutdown().await;
    });
}
