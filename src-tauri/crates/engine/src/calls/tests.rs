use patchbay_contract::AsTask;
use patchbay_traffic::{Store, StoreOptions};
use tokio::time::Instant;

use super::{meta_members, request, throttle::Throttled, tool_params};
use crate::dispatch::streams::Events;

#[test]
fn arguments_are_sent_verbatim_on_one_line() {
    let params = tool_params(
        "a \"b\"",
        " {\"big\":9007199254740993,\n \"f\":1.10,\r\n \"f\":2} ",
        None,
    )
    .unwrap();
    assert_eq!(
        params,
        r#"{"name":"a \"b\"","arguments":{"big":9007199254740993,  "f":1.10,   "f":2}}"#
    );
}

#[test]
fn other_json_is_rejected_with_its_position() {
    for (arguments, words) in [
        ("{\"a\":\n  tru}", "line 2, column"),
        ("[1]", "must be a JSON object, not an array"),
        ("", "not valid JSON"),
    ] {
        let error = tool_params("t", arguments, None).unwrap_err();
        assert!(error.message.contains(words), "{}", error.message);
    }
    assert!(request(String::new(), None, None).is_err());
    assert_eq!(request("ping".to_owned(), None, None).unwrap().params, None);
}

#[test]
fn the_lifetime_of_a_task_is_in_whole_milliseconds() {
    let params = |ttl_ms| tool_params("t", "{}", Some(AsTask { ttl_ms }));
    assert_eq!(params(None).unwrap(), r#"{"name":"t","arguments":{},"task":{}}"#);
    assert_eq!(
        params(Some(60_000.0)).unwrap(),
        r#"{"name":"t","arguments":{},"task":{"ttl":60000}}"#
    );
    assert!(params(Some(0.5)).is_err());
    assert!(params(Some(-1.0)).is_err());
}

#[test]
fn meta_members_keep_their_text() {
    let members = meta_members(r#"{"traceparent":"00-a","n":1.10}"#).unwrap();
    assert_eq!(
        members,
        [
            ("traceparent".to_owned(), "\"00-a\"".to_owned()),
            ("n".to_owned(), "1.10".to_owned())
        ]
    );
}

/// The newest progress wins, at most every 50 ms, and the first is sent at once.
#[tokio::test(start_paused = true)]
async fn progress_is_throttled() {
    let (sink, mut told) = tokio::sync::mpsc::channel(8);
    let events = Events::new(sink);
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let mut throttled = Throttled::new(recorder);
    let begun = Instant::now();
    let mut seen = Vec::new();
    for burst in [1_u32..=3, 4..=4, 5..=9] {
        for step in burst {
            throttled.put(patchbay_client::Progress {
                progress: step.into(),
                total: None,
                message: None,
                count: step.into(),
            });
        }
        throttled.due().await;
        throttled.send(&events).await.unwrap();
        let patchbay_contract::ExchangeEvent::Progress { count, .. } = told.recv().await.unwrap() else {
            panic!("progress");
        };
        seen.push((count, begun.elapsed().as_millis()));
    }
    assert_eq!(seen, [(3, 0), (4, 50), (9, 100)]);
    throttled.send(&events).await.unwrap();
    assert!(told.try_recv().is_err(), "no event is repeated");
}

#[tokio::test]
async fn a_secret_in_the_message_of_progress_is_masked() {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    recorder.redact(vec![patchbay_secret::Secret::new("hush-hush-12345")]);
    let (sink, mut told) = tokio::sync::mpsc::channel(1);
    let mut throttled = Throttled::new(recorder);
    throttled.put(patchbay_client::Progress {
        progress: 1.0,
        total: None,
        message: Some("With hush-hush-12345".to_owned()),
        count: 1,
    });
    throttled.send(&Events::new(sink)).await.unwrap();
    let Some(patchbay_contract::ExchangeEvent::Progress { message, .. }) = told.recv().await else {
        panic!("progress");
    };
    let message = message.unwrap();
    assert!(
        message.starts_with("With ****") && !message.contains("hush"),
        "{message}"
    );
}

/// Everything that one call causes is recorded under its operation: here an input round that a rule answers, and progress.
#[cfg(unix)]
#[tokio::test]
async fn everything_that_a_connect_or_a_call_causes_has_its_operation() {
    use patchbay_contract::{EraChoice, ToolCallParams, TransportDraft};

    const SERVER: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}'
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"s"}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[]}}'
read line
"#;
    let folder = tempfile::tempdir().unwrap();
    let options = crate::EngineOptions {
        inputs: crate::InputChain::attended(),
        ..crate::EngineOptions::within(folder.path())
    };
    let engine = crate::Engine::open(options).await.unwrap();
    let mut draft = engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), SERVER.to_owned()];
    }
    draft.era = EraChoice::Modern;
    draft.name = "a script".to_owned();
    let server = engine.add_server(draft).await.unwrap();
    engine.connect(&server).await.unwrap().unwrap();
    let call = super::Ask::Tool(ToolCallParams {
        server_id: server,
        name: "t".to_owned(),
        arguments_json: "{}".to_owned(),
        meta_json: None,
        timeouts: None,
        as_task: None,
        by_app: None,
    });
    engine.exchange(call, |_| {}).await.unwrap();
    engine.state.recorder.flush().await.unwrap();
    let store = &engine.state.store;
    let rows = store
        .rows(&patchbay_traffic::Filter::default(), 0, 100)
        .await
        .unwrap();
    let of = async |kind: &str| {
        let mut found = Vec::new();
        for row in &rows {
            let Some(id) = row.operation else { continue };
            let operation = store.operation(id).await.unwrap().unwrap();
            if operation.kind == kind {
                let what = row.method.as_deref().or(row.summary.as_deref());
                found.push(format!(
                    "{}: {:?} {}",
                    operation.label,
                    row.kind,
                    what.unwrap_or_default()
                ));
            }
        }
        found
    };
    assert_eq!(
        of("tool_call").await,
        [
            "t: Request tools/call",
            "t: Notification notifications/progress",
            "t: Response tools/call",
            "t: Lifecycle Answered roots/list by rule: no roots (server settings)",
            "t: Request tools/call",
            "t: Response tools/call",
        ]
    );
    let connecting = of("connection_open").await;
    assert!(
        connecting[0].starts_with("a script: Lifecycle Started sh"),
        "{connecting:?}"
    );
    assert_eq!(
        connecting[1..],
        [
            "a script: Request server/discover",
            "a script: Response server/discover",
            "a script: Lifecycle Ready: 2026-07-28",
        ]
    );
    let ids: std::collections::HashSet<_> = rows.iter().filter_map(|row| row.operation).collect();
    assert_eq!(ids.len(), 2, "there are no other operations");
    engine.shutdown().await;
}

/// Whatever the tool says of itself (2025-11-25, basic/utilities/tasks).
#[cfg(unix)]
#[tokio::test]
async fn no_task_is_sent_to_a_server_that_did_not_declare_it() {
    use patchbay_contract::ToolCallParams;

    const SERVER: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}}\n' "$id" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' "$id" ;;
  esac
done
"#;
    let folder = tempfile::tempdir().unwrap();
    let engine = crate::engine::testing::attended(&folder).await;
    let server = crate::engine::testing::legacy_script(&engine, SERVER).await;
    let params = serde_json::json!({ "serverId": server, "refresh": false, "cursor": null });
    let listed = crate::engine::testing::call(&engine, "tool_list", params).await;
    assert_eq!(listed["items"][0]["name"], "t");
    assert!(listed["items"][0]["taskSupport"].is_null(), "{listed}");
    let call = |as_task| {
        super::Ask::Tool(ToolCallParams {
            server_id: server.clone(),
            name: "t".to_owned(),
            arguments_json: "{}".to_owned(),
            meta_json: None,
            timeouts: None,
            as_task,
            by_app: None,
        })
    };
    engine.exchange(call(None), |_| {}).await.unwrap();
    let refused = engine.exchange(call(Some(AsTask { ttl_ms: None })), |_| {}).await;
    let error = refused.unwrap_err();
    assert!(
        error.message.contains("tasks.requests.tools.call"),
        "{}",
        error.message
    );
    engine.state.recorder.flush().await.unwrap();
    let filter = patchbay_traffic::Filter::default();
    let rows = engine.state.store.rows(&filter, 0, 100).await.unwrap();
    let mut calls = 0;
    for row in rows
        .iter()
        .filter(|row| row.direction == Some(patchbay_traffic::Direction::ClientToServer))
    {
        let frame = engine
            .state
            .store
            .body(row.seq)
            .await
            .unwrap()
            .unwrap_or_default();
        let frame = String::from_utf8_lossy(&frame).into_owned();
        calls += usize::from(frame.contains("tools/call"));
        assert!(
            !frame.contains("tools/call") || !frame.contains("\"task\""),
            "{frame}"
        );
    }
    assert_eq!(calls, 1, "the refused call was not sent");
    engine.shutdown().await;
}
