//! Requests of a legacy server.

use patchbay_traffic::Kind;
use tokio::time::timeout;

use super::{dialect_fallback::Web, wire::Happens, *};
use crate::{CallEnd, InputReply};

async fn bench(capabilities: ClientCapabilities) -> (Bench, Peer) {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = capabilities;
        options.timeouts = seconds(60, 600);
    });
    let mut peer = bench.process().await;
    peer.initialize("2025-11-25").await;
    bench.connection.settled().await;
    (bench, peer)
}

#[tokio::test(start_paused = true)]
async fn what_was_declared_is_asked_and_answered() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    peer.says(r#"{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1.10}}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    assert_eq!(
        (&*asked.input.key, &*asked.input.method),
        ("\"s1\"", "sampling/createMessage")
    );
    assert_eq!(asked.input.params, r#"{"messages":[],"maxTokens":1.10}"#);
    assert_eq!((asked.input.about, asked.input.round), (None, None));
    let result = r#"{"role":"assistant","content":{"type":"text","text":"4"},"model":"m"}"#;
    asked.reply.send(InputReply::Result(result.to_owned())).unwrap();
    assert_eq!(
        peer.heard().await,
        format!(r#"{{"jsonrpc":"2.0","id":"s1","result":{result}}}"#)
    );
    peer.says(r#"{"jsonrpc":"2.0","id":7,"method":"roots/list"}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    asked
        .reply
        .send(InputReply::Error {
            code: -1,
            message: "no".to_owned(),
            data: Some("[1.10]".to_owned()),
        })
        .unwrap();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no","data":[1.10]}}"#
    );
    // Nobody decides: an elicitation is cancelled, a sampling request refused.
    peer.says(r#"{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}"#)
        .await;
    drop(bench.inputs.recv().await.unwrap());
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":8,"result":{"action":"cancel"}}"#
    );
    peer.says(r#"{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    asked.reply.send(InputReply::Cancelled).unwrap();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"User rejected sampling request"}}"#
    );
    assert_eq!(
        bench.statuses("sampling/createMessage").await,
        [
            RecordStatus::Ok,
            RecordStatus::Ok,
            RecordStatus::Error,
            RecordStatus::Error
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_was_not_declared_is_refused_with_the_right_error() {
    let (_bench, mut peer) = bench(ClientCapabilities::none().with("elicitation", r#"{"form":{}}"#)).await;
    for (request, answer) in [
        (
            r#""method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}"#,
            r#"{"code":-32601,"message":"Method not found: sampling/createMessage; this client did not declare `sampling`"}"#,
        ),
        (
            r#""method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x","elicitationId":"e"}"#,
            r#"{"code":-32602,"message":"Invalid params: this client did not declare `elicitation.url`"}"#,
        ),
        (
            r#""method":"elicitation/create","params":{"mode":"dance","message":"m"}"#,
            r#"{"code":-32602,"message":"Invalid params: unknown `mode` of elicitation"}"#,
        ),
        (
            r#""method":"tools/list""#,
            r#"{"code":-32601,"message":"Method not found: tools/list"}"#,
        ),
    ] {
        peer.says(&format!(r#"{{"jsonrpc":"2.0","id":"x",{request}}}"#))
            .await;
        assert_eq!(
            peer.heard().await,
            format!(r#"{{"jsonrpc":"2.0","id":"x","error":{answer}}}"#)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn more_than_somebody_can_take_is_refused() {
    let (_bench, mut peer) = bench(all_inputs()).await;
    for id in 0..5 {
        peer.says(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#))
            .await;
    }
    let refused = peer.heard().await;
    assert!(refused.contains(r#""id":4,"error":{"code":-32603"#), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn what_the_server_cancels_is_withdrawn_and_not_answered() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    peer.says(r#"{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#)
        .await;
    let mut asked = bench.inputs.recv().await.unwrap();
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"never mind"}}"#)
        .await;
    asked.reply.closed().await;
    assert_eq!(asked.input.watch.withdrawn_because(), Some("never mind"));
    peer.says(r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#).await;
    assert_eq!(peer.heard().await, r#"{"jsonrpc":"2.0","id":6,"result":{}}"#);
    assert_eq!(bench.statuses("roots/list").await, [RecordStatus::Cancelled]);
}

#[tokio::test(start_paused = true)]
async fn the_reason_of_a_withdrawal_is_shortened_and_need_not_be_there() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let long = format!(r#"," reason ":"","reason":" {} ""#, "ü".repeat(100_000));
    for (more, expected) in [
        (&*long, Some("ü".repeat(500))),
        (r#","reason":" ""#, None),
        (r#","reason":["no text"]"#, None),
        ("", None),
    ] {
        peer.says(r#"{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#)
            .await;
        let mut asked = bench.inputs.recv().await.unwrap();
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":5{more}}}}}"#
        ))
        .await;
        asked.reply.closed().await;
        assert_eq!(asked.input.watch.withdrawn_because(), expected.as_deref());
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_outlives_the_calls_it_may_belong_to_and_says_how_they_ended() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let ask = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
    peer.says(&ask(1)).await;
    let of_nothing = bench.inputs.recv().await.unwrap();
    let (first, second) = (bench.call("x", "{}").await, bench.call("y", "{}").await);
    peer.heard().await;
    peer.heard().await;
    peer.says(&ask(2)).await;
    let asked = bench.inputs.recv().await.unwrap();
    bench.connection.cancel(first.id, None).await;
    assert!(peer.heard().await.contains("notifications/cancelled"));
    assert_eq!(finished(first).await.outcome, Outcome::Cancelled);
    let a_while = Duration::from_secs(1);
    assert!(
        timeout(a_while, asked.input.watch.calls_ended()).await.is_err(),
        "one is left"
    );
    peer.says(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#).await;
    finished(second).await;
    assert_eq!(asked.input.watch.calls_ended().await, CallEnd::Cancelled);
    // The server still waits, and can be answered.
    assert!(!asked.reply.is_closed());
    asked.reply.send(InputReply::Cancelled).unwrap();
    assert!(peer.heard().await.contains(r#""id":2,"error""#));
    assert!(
        timeout(a_while, of_nothing.input.watch.calls_ended())
            .await
            .is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn clocks_stand_still_while_a_server_waits_for_an_answer() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let exchange = bench.request(false).await;
    peer.heard().await;
    tokio::time::advance(Duration::from_secs(50)).await;
    peer.says(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    tokio::time::sleep(Duration::from_secs(7200)).await;
    asked
        .reply
        .send(InputReply::Result(r#"{"roots":[]}"#.to_owned()))
        .unwrap();
    peer.heard().await;
    let begun = Instant::now();
    let ended = finished(exchange).await;
    assert_eq!(
        begun.elapsed(),
        Duration::from_secs(10),
        "what was left of its time"
    );
    assert_eq!(
        ended.outcome,
        Outcome::TimedOut {
            after: Duration::from_secs(60)
        }
    );
    assert_eq!(ended.human_wait, Duration::from_secs(7200));
}

#[tokio::test(start_paused = true)]
async fn progress_while_a_server_waits_gives_no_more_than_its_whole_time() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let exchange = bench.request(true).await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    for step in 1..=9 {
        tokio::time::sleep(Duration::from_secs(50)).await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":2,"progress":{step}}}}}"#
        ))
        .await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let empty = InputReply::Result(r#"{"roots":[]}"#.to_owned());
    asked.reply.send(empty).unwrap();
    peer.heard().await;
    let begun = Instant::now();
    let ended = finished(exchange).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(60));
    assert!(matches!(ended.outcome, Outcome::TimedOut { .. }));
}

#[tokio::test(start_paused = true)]
async fn without_a_certain_cause_the_requests_under_way_are_named() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let question = r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#;
    peer.says(question).await;
    let asked = bench.inputs.recv().await.unwrap();
    assert_eq!(asked.input.during, []);
    let first = bench.call("x", "{}").await;
    let second = bench.call("y", "{}").await;
    peer.heard().await;
    peer.heard().await;
    peer.says(&question.replace("s1", "s2")).await;
    let asked = bench.inputs.recv().await.unwrap();
    assert_eq!((asked.input.about, asked.input.exchange), (None, None));
    let exchanges: Vec<u64> = asked.input.during.iter().map(|call| call.exchange).collect();
    assert_eq!(exchanges, [first.id, second.id]);
    assert!(
        asked.input.during[0].seq < asked.input.during[1].seq,
        "in the order they were sent"
    );
}

#[tokio::test(start_paused = true)]
async fn in_the_modern_era_a_server_may_not_ask_and_gets_no_answer() {
    let (mut bench, mut peer) = Bench::modern(all_inputs(), "{}").await;
    peer.says(r#"{"jsonrpc":"2.0","id":5,"method":"roots/list"}"#)
        .await;
    let _exchange = bench.call("x", "{}").await;
    assert!(
        peer.heard().await.contains(r#""method":"x""#),
        "no answer before it"
    );
    assert!(bench.inputs.try_recv().is_err());
    assert_eq!(bench.broken_rules().await, ["method-not-in-era"]);
}

#[tokio::test(start_paused = true)]
async fn only_what_is_declared_is_advertised_and_each_era_gets_its_own() {
    let capabilities = all_inputs().with("tasks", r#"{"list":{}}"#);
    let mut bench = Bench::with(|options| options.capabilities = capabilities);
    let mut probed = bench.process().await;
    let discover = probed.heard().await;
    assert!(
        discover.contains(
            r#""io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{}}"#
        ),
        "{discover}"
    );
    probed
        .says(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}}"#)
        .await;
    let initialize = probed.heard().await;
    assert!(
        initialize.contains(r#""capabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true},"tasks":{"list":{}}}"#),
        "{initialize}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_wait_for_a_person_counts_if_that_is_set() {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = all_inputs();
        options.timeouts = Timeouts {
            count_input_wait: true,
            ..seconds(60, 600)
        };
    });
    let mut peer = bench.process().await;
    peer.initialize("2025-11-25").await;
    let exchange = bench.request(false).await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#)
        .await;
    let asked = bench.inputs.recv().await.unwrap();
    assert_eq!(
        asked.input.during[0].exchange, exchange.id,
        "its clock runs, and it is named nevertheless"
    );
    let ended = finished(exchange).await;
    let after = Duration::from_secs(60);
    assert_eq!(ended.outcome, Outcome::TimedOut { after });
    assert_eq!(asked.input.watch.calls_ended().await, CallEnd::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn the_wait_for_a_person_counts_in_a_round_too_if_that_is_set() {
    let (mut bench, mut peer) = Bench::modern(all_inputs(), r#"{"tools":{}}"#).await;
    let request = Request {
        timeouts: Some(Timeouts {
            count_input_wait: true,
            ..seconds(60, 600)
        }),
        ..Request::new("tools/call", Some(r#"{"name":"x"}"#.to_owned()))
    };
    let exchange = bench.connection.request(request).await;
    peer.heard().await;
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}"#)
        .await;
    let mut asked = bench.inputs.recv().await.unwrap();
    let ended = finished(exchange).await;
    let after = Duration::from_secs(60);
    assert_eq!(ended.outcome, Outcome::TimedOut { after });
    asked.reply.closed().await;
}

/// Not with a paused clock: these messages fill the queue of the log, and while its thread makes room, every task of the
/// runtime waits, so that a paused clock would run on until the connection gives up recording.
#[tokio::test]
async fn what_waits_is_bounded_in_bytes() {
    let (mut bench, mut peer) = bench(all_inputs()).await;
    let large = "x".repeat(9 * 1024 * 1024);
    let ask = |id: u8| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"sampling/createMessage","params":{{"messages":[],"maxTokens":1,"systemPrompt":"{large}"}}}}"#
        )
    };
    peer.says(&ask(1)).await;
    let first = bench.inputs.recv().await.unwrap();
    peer.says(&ask(2)).await;
    let refused = peer.heard().await;
    assert!(refused.contains(r#""id":2,"error":{"code":-32603"#), "{refused}");
    first.reply.send(InputReply::Result("{}".to_owned())).unwrap();
    peer.heard().await;
    peer.says(&ask(3)).await;
    assert_eq!(bench.inputs.recv().await.unwrap().input.key, "3");
}

/// Once for those in a row: a server may ask without end.
#[tokio::test(start_paused = true)]
async fn the_log_says_that_replies_were_not_sent() {
    let (web, mut wire) = Web::legacy().await;
    for (full, id) in [(true, 1), (true, 2), (false, 3), (true, 4)] {
        wire.let_happen(Happens::Full(full));
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        wire.let_happen(Happens::Frame(ping, None));
    }
    let (.., reply, _) = wire.heard().await;
    assert_eq!(reply, r#"{"jsonrpc":"2.0","id":3,"result":{}}"#);
    let call = web.bench.request(false).await;
    let (id, ..) = wire.heard().await;
    wire.answers(id, r#"{"content":[]}"#);
    finished(call).await;
    web.bench.store.flush().await.unwrap();
    let notes = Filter::default().kinds(&[Kind::Lifecycle]);
    let rows = web.bench.store.rows(&notes, 0, 100).await.unwrap();
    let said = rows.iter().filter_map(|row| row.summary.as_deref());
    let said: Vec<&str> = said.filter(|text| text.contains("reply")).collect();
    assert_eq!(said, ["A reply was not sent: Too many messages wait."; 2]);
}
