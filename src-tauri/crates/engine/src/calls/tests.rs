use patchbay_contract::AsTask;
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
    let mut throttled = Throttled::default();
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
