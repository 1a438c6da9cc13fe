//! Tasks, kinds of results, log levels, pings.

use patchbay_protocol::views::LogLevel;

use super::*;

const EXTENSION: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}},"tools":{}}"#;
const TASK: &str = r#"{"resultType":"task","taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttlMs":null}"#;

fn with_tasks() -> ClientCapabilities {
    ClientCapabilities::none().with("extensions", r#"{"io.modelcontextprotocol/tasks":{},"x/y":{}}"#)
}

async fn answered(bench: &Bench, peer: &mut Peer, method: &str, result: &str) -> Box<Finished> {
    let exchange = bench.call(method, r#"{"name":"x"}"#).await;
    let heard = peer.heard().await;
    let id = patchbay_protocol::json::Object::parse(&heard)
        .unwrap()
        .get("id")
        .unwrap()
        .to_owned();
    peer.says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
        .await;
    finished(exchange).await
}

#[tokio::test(start_paused = true)]
async fn a_task_is_one_only_where_both_sides_declared_the_extension() {
    let (bench, mut peer) = Bench::modern(with_tasks(), EXTENSION).await;
    let status = bench.connection.settled().await;
    assert_eq!(
        status.extensions,
        [
            ("io.modelcontextprotocol/tasks".to_owned(), true),
            ("x/y".to_owned(), false)
        ]
    );
    assert_eq!(
        answered(&bench, &mut peer, "tools/call", TASK).await.outcome,
        Outcome::Task
    );
    assert_eq!(bench.broken_rules().await, Vec::<String>::new());
    let misplaced = answered(&bench, &mut peer, "prompts/get", TASK).await;
    assert_eq!(misplaced.outcome, Outcome::UnknownResultType("task".to_owned()));
    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), EXTENSION).await;
    assert_eq!(
        answered(&bench, &mut peer, "tools/call", TASK).await.outcome,
        Outcome::UnknownResultType("task".to_owned())
    );
    assert_eq!(bench.broken_rules().await, ["result-type-unknown"]);
}

#[tokio::test(start_paused = true)]
async fn kinds_of_results() {
    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), r#"{"tools":{}}"#).await;
    let missing = answered(&bench, &mut peer, "tools/call", r#"{"content":[]}"#).await;
    assert_eq!(missing.outcome, Outcome::Result);
    assert_eq!(bench.broken_rules().await, ["result-type-missing"]);
    let odd = answered(
        &bench,
        &mut peer,
        "tools/call",
        r#"{"resultType":"dance","content":[]}"#,
    )
    .await;
    assert_eq!(odd.outcome, Outcome::UnknownResultType("dance".to_owned()));
    let cached = r#"{"resultType":"complete","tools":[],"ttlMs":-1,"cacheScope":"world"}"#;
    answered(&bench, &mut peer, "tools/list", cached).await;
    let rules = bench.broken_rules().await;
    assert_eq!(
        rules[1..],
        ["result-type-unknown", "cache-hint-invalid", "cache-hint-invalid"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_as_a_task_of_2025_11_25() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let exchange = bench
        .call(
            "tools/call",
            r#"{"name":"x","task":{"ttl":60000},"_meta":{"progressToken":"p"}}"#,
        )
        .await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":60000}}}"#)
        .await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Task);
    let mut progress = bench.connection.task_progress();
    for done in 1..=2 {
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"p","progress":{done}}}}}"#
        ))
        .await;
    }
    let reported = progress.wait_for(|table| {
        let latest = table.of("t");
        latest.is_some_and(|latest| (latest.progress, latest.count) == (2.0, 2))
    });
    let reported = tokio::time::timeout(Duration::from_secs(20), reported).await;
    drop(reported.expect("the progress of the task is known"));
    let mut notices = bench.connection.notices();
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"completed","createdAt":"a","lastUpdatedAt":"b","ttl":60000}}"#)
        .await;
    notices
        .wait_for(|notices| notices.task_updates == 1)
        .await
        .unwrap();
    let reports = notices.borrow().task_reports.clone();
    assert!(
        reports[0].params.contains(r#""status":"completed""#),
        "{reports:?}"
    );
    assert_eq!(bench.broken_rules().await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn reports_of_tasks_are_bounded_in_number_and_bytes() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    let mut notices = bench.connection.notices();
    let report = |id: usize, message: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{{"taskId":"t{id}","status":"working","statusMessage":"{message}","createdAt":"a","lastUpdatedAt":"b","ttl":1}}}}"#
        )
    };
    for id in 0..40 {
        peer.says(&report(id, "")).await;
    }
    peer.says(&report(40, &"x".repeat(64 * 1024))).await;
    notices
        .wait_for(|notices| notices.task_updates == 41)
        .await
        .unwrap();
    let reports = notices.borrow().task_reports.clone();
    assert_eq!(reports.len(), 32);
    assert!(reports[0].params.contains(r#""taskId":"t8""#), "{reports:?}");
    assert!(reports[31].params.contains(r#""taskId":"t39""#), "{reports:?}");
}

#[tokio::test(start_paused = true)]
async fn the_log_level_is_a_request_in_one_era_and_in_every_request_of_the_other() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    assert!(bench.connection.set_log_level(None, None).await.is_none());
    let exchange = bench
        .connection
        .set_log_level(Some(LogLevel::Warning), None)
        .await
        .unwrap();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}"#
    );
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);

    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), r#"{"logging":{}}"#).await;
    assert!(
        bench
            .connection
            .set_log_level(Some(LogLevel::Debug), None)
            .await
            .is_none()
    );
    let _first = bench.call("x", "{}").await;
    assert!(
        peer.heard()
            .await
            .contains(r#""io.modelcontextprotocol/logLevel":"debug""#)
    );
    bench.connection.set_log_level(None, None).await;
    let _second = bench.call("x", "{}").await;
    assert!(!peer.heard().await.contains("logLevel"));
    assert_eq!(bench.connection.status().borrow().log_level, None);
}

#[tokio::test(start_paused = true)]
async fn a_health_ping_is_sent_only_if_wanted_and_its_failure_only_recorded() {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.health_ping = Some(Duration::from_secs(30));
        options.timeouts = seconds(10, 600);
    });
    let mut peer = bench.process().await;
    peer.initialize("2025-11-25").await;
    let begun = Instant::now();
    assert_eq!(peer.heard().await, r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
    assert_eq!(begun.elapsed(), Duration::from_secs(30));
    peer.says(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"?"}}"#)
        .await;
    assert!(peer.heard().await.contains(r#""id":3,"method":"ping""#));
    let mut status = bench.connection.status();
    let status = status
        .wait_for(|status| status.failed_pings == 1)
        .await
        .unwrap()
        .clone();
    assert_eq!(status.state, State::Ready);
    assert_eq!(begun.elapsed().as_secs(), 70);
    assert!(peer.heard().await.contains("notifications/cancelled"));
    assert!(peer.heard().await.contains(r#""id":4,"method":"ping""#));
}

#[tokio::test(start_paused = true)]
async fn a_revision_that_is_refused_is_replaced_once_and_a_missing_capability_is_said() {
    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), "{}").await;
    let request = Request {
        meta: vec![(
            "io.modelcontextprotocol/protocolVersion".to_owned(),
            "\"2099-01-01\"".to_owned(),
        )],
        ..Request::new("x", Some("{\"a\":1.10}".to_owned()))
    };
    let exchange = bench.connection.request(request).await;
    assert!(peer.heard().await.contains("2099-01-01"));
    let refusal =
        r#"{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}"#;
    peer.says(&format!(r#"{{"jsonrpc":"2.0","id":2,"error":{refusal}}}"#))
        .await;
    let again = peer.heard().await;
    assert!(
        again.contains(r#""id":3"#) && again.contains("2026-07-28") && !again.contains("2099-01-01"),
        "{again}"
    );
    assert!(again.contains("\"a\":1.10"));
    peer.says(&format!(r#"{{"jsonrpc":"2.0","id":3,"error":{refusal}}}"#))
        .await;
    let ended = finished(exchange).await;
    assert_eq!((ended.outcome, ended.legs), (Outcome::Error, 2));
    assert!(ended.advice.unwrap().contains("2026-07-28"));

    let exchange = bench.call("x", "{}").await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}}"#)
        .await;
    let ended = finished(exchange).await;
    assert_eq!((ended.outcome, ended.legs), (Outcome::Error, 1));
    assert!(ended.advice.unwrap().contains(r#"{"sampling":{}}"#));
}

#[tokio::test(start_paused = true)]
async fn the_result_of_a_task_must_name_the_task() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    for (id, meta) in [
        (
            2,
            r#""_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"#,
        ),
        (3, ""),
        (
            4,
            r#""_meta":{"io.modelcontextprotocol/related-task":{"taskId":"another"}},"#,
        ),
    ] {
        let exchange = bench.call("tasks/result", r#"{"taskId":"t"}"#).await;
        peer.heard().await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{{meta}"content":[]}}}}"#
        ))
        .await;
        assert_eq!(finished(exchange).await.outcome, Outcome::Result);
    }
    // The server declared no tasks, so each request is a violation too.
    assert_eq!(
        bench.broken_rules().await,
        [
            "undeclared-capability",
            "undeclared-capability",
            "related-task-missing",
            "undeclared-capability",
            "related-task-missing"
        ]
    );
}

/// A request of the message composer has no caller that waits for its result.
#[tokio::test(start_paused = true)]
async fn the_result_of_a_raw_request_is_examined_too() {
    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), r#"{"prompts":{}}"#).await;
    let raw = crate::RawMessage {
        text: r#"{"jsonrpc":"2.0","id":"mine","method":"prompts/get","params":{"name":"x"}}"#.to_owned(),
        operation: None,
        repeats: None,
    };
    let wrong =
        r#"{"resultType":"complete","messages":[{"role":"nobody","content":{"type":"text","text":"x"}}]}"#;
    bench.connection.send_message(raw).await.unwrap();
    peer.heard().await;
    peer.says(&format!(r#"{{"jsonrpc":"2.0","id":"mine","result":{wrong}}}"#))
        .await;
    answered(&bench, &mut peer, "prompts/get", wrong).await;
    assert_eq!(
        bench.broken_rules().await,
        ["meta-missing", "meta-missing", "member-value", "member-value"]
    );
}

/// It is in errors and in the reason of an end, so it is as short as any summary.
#[tokio::test(start_paused = true)]
async fn an_unknown_kind_of_result_has_a_short_name() {
    let (bench, mut peer) = Bench::modern(ClientCapabilities::none(), r#"{"tools":{}}"#).await;
    let result = format!(r#"{{"resultType":"{}"}}"#, "x".repeat(1 << 20));
    let answered = answered(&bench, &mut peer, "tools/call", &result).await;
    let Outcome::UnknownResultType(name) = &answered.outcome else {
        panic!("{:?}", answered.outcome)
    };
    assert!(name.len() < 1_000, "{}", name.len());
}
