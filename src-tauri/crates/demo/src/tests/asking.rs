//! Tools that request input, in both eras.

use super::{Client, INITIALIZED, modern};

const CAPABILITIES: &str = r#"{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}"#;

fn call(id: u32, name: &str, rest: &str) -> String {
    modern(id, "tools/call", "", &format!(r#","name":"{name}"{rest}"#)).replace(
        r#"clientCapabilities":{}"#,
        &format!(r#"clientCapabilities":{CAPABILITIES}"#),
    )
}

/// The text between two texts.
fn between<'a>(line: &'a str, before: &str, behind: &str) -> &'a str {
    let start = line.find(before).expect("the beginning") + before.len();
    let rest = &line[start..];
    &rest[..rest.find(behind).expect("the end")]
}

#[tokio::test(start_paused = true)]
async fn input_rounds_of_the_modern_era() {
    let mut client = Client::start();
    let first = client.ask(&call(1, "ask_twice", "")).await.remove(0);
    assert!(
        first.contains(
            r#""resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create""#
        ),
        "{first}"
    );
    assert!(!first.contains("requestState"), "nothing is known yet");
    let name = r#","inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}}}"#;
    let second = client.ask(&call(2, "ask_twice", name)).await.remove(0);
    assert!(second.contains("Are you sure that your name is Ada?"), "{second}");
    let state = between(&second, r#""requestState":"#, r#","_meta""#).to_owned();
    let sure = format!(
        r#","inputResponses":{{"sure":{{"action":"accept","content":{{"sure":true}}}}}},"requestState":{state}"#
    );
    let third = client.ask(&call(3, "ask_twice", &sure)).await.remove(0);
    assert!(
        third.contains(r#""resultType":"complete""#) && third.contains("First you answered"),
        "{third}"
    );
    let tampered = sure.replace("Ada", "Eve");
    let refused = client.ask(&call(4, "ask_twice", &tampered)).await.remove(0);
    assert!(
        refused.contains("`requestState` is not as it was given"),
        "{refused}"
    );
    for (name, method) in [
        ("ask_form", "elicitation/create"),
        ("ask_page", "elicitation/create"),
        ("ask_model", "sampling/createMessage"),
        ("list_roots", "roots/list"),
    ] {
        let asks = client.ask(&call(5, name, "")).await.remove(0);
        assert!(asks.contains(&format!(r#""method":"{method}""#)), "{asks}");
        let bare = modern(6, "tools/call", "", &format!(r#","name":"{name}""#));
        let refused = client.ask(&bare).await.remove(0);
        assert!(
            refused.contains(r#""code":-32021"#) && refused.contains("requiredCapabilities"),
            "{refused}"
        );
    }
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn input_requests_of_the_legacy_era() {
    let mut client = Client::start();
    let initialize = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{CAPABILITIES},"clientInfo":{{"name":"t","version":"1"}}}}}}"#
    );
    client.ask(&initialize).await;
    client.send(INITIALIZED).await;
    client
        .send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_roots"}}"#)
        .await;
    assert_eq!(
        client.next().await.as_deref(),
        Some(r#"{"jsonrpc":"2.0","id":"demo-1","method":"roots/list","params":{}}"#)
    );
    client
        .send(r#"{"jsonrpc":"2.0","id":"demo-1","result":{"roots":[]}}"#)
        .await;
    let answer = client.next().await.unwrap_or_default();
    assert!(answer.contains("Your roots"), "{answer}");
    client
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_page"}}"#)
        .await;
    let asks = client.next().await.unwrap_or_default();
    assert!(
        asks.contains(r#""mode":"url""#) && asks.contains(r#""elicitationId":"demo-page""#),
        "{asks}"
    );
    client
        .send(r#"{"jsonrpc":"2.0","id":"demo-2","error":{"code":-1,"message":"no"}}"#)
        .await;
    let refused = client.next().await.unwrap_or_default();
    assert!(
        refused.contains("The client would not: error -1: no"),
        "{refused}"
    );
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn streams_end_gracefully() {
    let mut client = Client::start();
    client
        .send(&modern(
            1,
            "subscriptions/listen",
            "",
            r#","notifications":{"toolsListChanged":true}"#,
        ))
        .await;
    assert!(client.next().await.unwrap_or_default().contains("acknowledged"));
    client.send(&call(2, "end_streams", "")).await;
    let end = client.next().await.unwrap_or_default();
    assert_eq!(
        end,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#
    );
    client.finish().await;
}
