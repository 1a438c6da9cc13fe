#![cfg(unix)]

use std::time::Duration;

use bytes::Bytes;
use patchbay_client::{Outcome, Request};
use patchbay_contract::{BodyId, ExchangeId};
use patchbay_traffic::{Direction, FrameContext, NewConnection, Origin};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::follow::{newest, row};
use crate::{
    Engine,
    engine::testing::{attended, legacy_script},
};

/// A server that answers nothing after the handshake.
const SILENT: &str = r#"
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
while read -r line; do :; done
"#;

/// The stream of a page that was reloaded ended after the new page followed the call: the call could not be cancelled.
#[tokio::test]
async fn an_exchange_can_be_cancelled_while_anything_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = legacy_script(&engine, SILENT).await;
    let (_, connection) = engine.state.ready(&server).unwrap();
    let exchange = connection.request(Request::new("ping", None)).await;
    let exchanges = &engine.state.exchanges;
    let id = exchange.id;
    let before_reload = exchanges.enter(id, connection.clone());
    let after_reload = exchanges.enter(id, connection);
    drop(before_reload);
    assert!(exchanges.is_running(id));
    exchanges.cancel(&ExchangeId(id.to_string())).await.unwrap();
    let finished = tokio::time::timeout(Duration::from_secs(20), exchange.finished())
        .await
        .expect("the exchange was not cancelled");
    assert!(
        matches!(finished.outcome, Outcome::Cancelled),
        "{:?}",
        finished.outcome
    );
    drop(after_reload);
    assert!(!exchanges.is_running(id));
    engine.shutdown().await;
}

/// Answers a call with a text that is not UTF-8, and an image after it.
const NOT_UTF8: &str = r#"
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
read -r line
read -r line
printf '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\377\377"},{"type":"image","data":"aGFsbG8=","mimeType":"image/png"}]}}\n'
while read -r line; do :; done
"#;

/// The events of a stream up to its end.
async fn events_of(engine: &Engine, name: &str, params: Value) -> Vec<Value> {
    let (sink, mut messages) = mpsc::channel(16);
    let _stream = engine.open_stream(name, &params.to_string(), sink).unwrap();
    let mut events = Vec::new();
    while let Some(text) = messages.recv().await {
        let mut message: Value = serde_json::from_str(&text).unwrap();
        match message["event"].take() {
            Value::Null => {
                assert_eq!(message["error"], Value::Null);
                break;
            }
            event => events.push(event),
        }
    }
    events
}

/// What comes after the text was cut in a wrong place, and following the call panicked.
#[tokio::test]
async fn an_image_after_a_text_that_is_not_utf8_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = legacy_script(&engine, NOT_UTF8).await;
    let call = json!({"serverId": server, "name": "t", "argumentsJson": "{}", "metaJson": null, "timeouts": null,
        "asTask": null});
    let called = events_of(&engine, "tool_call", call).await;
    let sent = &called[0];
    let follow = json!({"serverId": server, "exchangeId": sent["exchangeId"], "seq": sent["seq"]});
    let followed = events_of(&engine, "exchange_follow", follow).await;
    for events in [called, followed] {
        let end = events.last().expect("an end");
        let content = &end["outcome"]["view"]["tool"]["content"];
        assert_eq!(content[0]["text"]["inline"], "??", "{end}");
        let image = BodyId(content[1]["body"].as_str().unwrap().to_owned());
        assert_eq!(engine.body(&image).await.unwrap().bytes, "hallo", "{end}");
    }
    engine.shutdown().await;
}

/// The bytes of a request are in the log before its method: a newer one was looked for by an empty method, and the stream failed.
#[tokio::test]
async fn a_request_that_is_not_described_yet_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let recorder = &engine.state.recorder;
    let connection = recorder.connection(NewConnection {
        server_id: "one".to_owned(),
        server_name: "one".to_owned(),
        origin: Origin::Client,
    });
    let operation = engine.state.begin("tool_call", "t");
    let context = FrameContext {
        operation: Some(operation),
        ..FrameContext::default()
    };
    let frame = Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#);
    let sent = recorder.frame_in(connection, Direction::ClientToServer, frame, context);
    let seq = sent.await.unwrap();
    let store = &engine.state.store;
    let request = row(store, seq).await.unwrap();
    assert_eq!(
        (request.method.as_deref(), request.operation),
        (None, Some(operation))
    );
    let filter = format!("op:{}", operation.0);
    let followed = newest(store, &filter, request).await;
    assert_eq!(followed.unwrap().seq, seq);
    engine.shutdown().await;
}
