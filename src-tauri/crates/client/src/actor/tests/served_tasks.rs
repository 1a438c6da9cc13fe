//! Requests of a legacy server that are answered as tasks.

use super::*;
use crate::InputReply;

const CREATE: &str = r#"{"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{"task":{"ttl":60000},"message":"m","requestedSchema":{"type":"object","properties":{}}}}"#;

async fn bench() -> (Bench, Peer) {
    let tasks =
        r#"{"list":{},"cancel":{},"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}"#;
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = all_inputs().with("tasks", tasks);
        options.timeouts = seconds(60, 600);
    });
    let mut peer = bench.process().await;
    peer.initialize("2025-11-25").await;
    bench.connection.settled().await;
    (bench, peer)
}

/// The id of the task in a `CreateTaskResult`.
fn task_of(line: &str) -> String {
    let at = line.find("\"taskId\":\"").unwrap() + 10;
    line[at..].split('"').next().unwrap().to_owned()
}

/// A text without the times in it.
fn timeless(line: &str) -> String {
    let mut text = line.to_owned();
    for name in ["createdAt", "lastUpdatedAt"] {
        if let Some(at) = text.find(&format!("\"{name}\":\"")) {
            let from = at + name.len() + 4;
            text.replace_range(from..from + 24, "T");
        }
    }
    text
}

/// The client's answer to a request.
async fn asked(peer: &mut Peer, id: &str, method: &str, params: &str) -> String {
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#
    ))
    .await;
    timeless(&peer.heard().await)
}

#[tokio::test(start_paused = true)]
async fn a_task_is_created_at_once_and_its_result_waits_for_the_answer() {
    let (mut bench, mut peer) = bench().await;
    peer.says(CREATE).await;
    let created = peer.heard().await;
    let task = task_of(&created);
    let working = format!(
        r#"{{"taskId":"{task}","status":"working","statusMessage":"Waiting for an answer.","createdAt":"T","lastUpdatedAt":"T","ttl":60000,"pollInterval":1000}}"#
    );
    assert_eq!(
        timeless(&created),
        format!(r#"{{"jsonrpc":"2.0","id":"s1","result":{{"task":{working}}}}}"#)
    );
    let input = bench.inputs.recv().await.unwrap();
    assert_eq!(input.input.task.as_deref(), Some(&*task));
    let named = format!(r#"{{"taskId":"{task}"}}"#);
    assert_eq!(
        asked(&mut peer, "g1", "tasks/get", &named).await,
        format!(r#"{{"jsonrpc":"2.0","id":"g1","result":{working}}}"#)
    );
    assert_eq!(
        asked(&mut peer, "l1", "tasks/list", "{}").await,
        format!(r#"{{"jsonrpc":"2.0","id":"l1","result":{{"tasks":[{working}]}}}}"#)
    );
    // Blocked until the end, while other requests are answered.
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":"r1","method":"tasks/result","params":{named}}}"#
    ))
    .await;
    assert!(
        asked(&mut peer, "p1", "ping", "{}")
            .await
            .contains(r#""id":"p1","result":{}"#)
    );
    input
        .reply
        .send(InputReply::Result(
            r#"{"action":"accept","content":{"n":1.10}}"#.to_owned(),
        ))
        .unwrap();
    let told = timeless(&peer.heard().await);
    assert!(
        told.contains(r#""method":"notifications/tasks/status""#) && told.contains(r#""status":"completed""#),
        "{told}"
    );
    let result = format!(
        r#""result":{{"_meta":{{"io.modelcontextprotocol/related-task":{named}}},"action":"accept","content":{{"n":1.10}}}}"#
    );
    assert_eq!(
        peer.heard().await,
        format!(r#"{{"jsonrpc":"2.0","id":"r1",{result}}}"#)
    );
    assert_eq!(
        asked(&mut peer, "r2", "tasks/result", &named).await,
        format!(r#"{{"jsonrpc":"2.0","id":"r2",{result}}}"#)
    );
    assert_eq!(bench.broken_rules().await, [] as [String; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_fails_the_task_with_the_error_of_the_request() {
    let (mut bench, mut peer) = bench().await;
    peer.says(r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"task":{},"messages":[],"maxTokens":1,"_meta":{"progressToken":"p"}}}"#).await;
    let task = task_of(&peer.heard().await);
    let progress = |done: u8, words: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"_meta":{{"io.modelcontextprotocol/related-task":{{"taskId":"{task}"}}}},"progressToken":"p","progress":{done},"total":1,"message":"{words}"}}}}"#
        )
    };
    assert_eq!(peer.heard().await, progress(0, "Waiting for an answer."));
    bench
        .inputs
        .recv()
        .await
        .unwrap()
        .reply
        .send(InputReply::Cancelled)
        .unwrap();
    assert_eq!(peer.heard().await, progress(1, "Answered."));
    let told = peer.heard().await;
    assert!(
        told.contains(r#""status":"failed","statusMessage":"User rejected sampling request""#),
        "{told}"
    );
    assert_eq!(
        asked(
            &mut peer,
            "r",
            "tasks/result",
            &format!(r#"{{"taskId":"{task}"}}"#)
        )
        .await,
        r#"{"jsonrpc":"2.0","id":"r","error":{"code":-1,"message":"User rejected sampling request"}}"#
    );
    assert_eq!(bench.broken_rules().await, [] as [String; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_asks_nobody_and_stays_cancelled() {
    let (mut bench, mut peer) = bench().await;
    peer.says(CREATE).await;
    let task = task_of(&peer.heard().await);
    let named = format!(r#"{{"taskId":"{task}"}}"#);
    let mut input = bench.inputs.recv().await.unwrap();
    for id in ["r1", "r2"] {
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"tasks/result","params":{named}}}"#
        ))
        .await;
    }
    // One of the two no longer waits.
    peer.says(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r1"}}"#)
        .await;
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":"c1","method":"tasks/cancel","params":{named}}}"#
    ))
    .await;
    let told = peer.heard().await;
    assert!(told.contains(r#""status":"cancelled""#), "{told}");
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":"r2","error":{"code":-32602,"message":"The task was cancelled: it has no result"}}"#
    );
    let cancelled = peer.heard().await;
    assert!(
        cancelled.contains(r#""id":"c1""#) && cancelled.contains(r#""status":"cancelled""#),
        "{cancelled}"
    );
    input.reply.closed().await;
    assert!(input.reply.send(InputReply::Result("{}".to_owned())).is_err());
    let again = asked(&mut peer, "c2", "tasks/cancel", &named).await;
    assert!(
        again.contains(r#""code":-32602,"message":"Cannot cancel task: it is cancelled already""#),
        "{again}"
    );
    assert_eq!(
        bench.statuses("tasks/result").await,
        [RecordStatus::Cancelled, RecordStatus::Error, RecordStatus::Error]
    );
}

#[tokio::test(start_paused = true)]
async fn unknown_tasks_and_cursors_are_invalid() {
    let (_bench, mut peer) = bench().await;
    for (method, params) in [
        ("tasks/get", r#"{"taskId":"nobody's"}"#),
        ("tasks/result", "{}"),
        ("tasks/cancel", r#"{"taskId":7}"#),
        ("tasks/list", r#"{"cursor":"somewhere"}"#),
        ("tasks/list", r#"{"cursor":7}"#),
    ] {
        let answer = asked(&mut peer, "x", method, params).await;
        assert!(answer.contains(r#""error":{"code":-32602"#), "{method}: {answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_was_not_answered_in_its_time_is_forgotten() {
    let (mut bench, mut peer) = bench().await;
    peer.says(CREATE).await;
    let task = task_of(&peer.heard().await);
    let named = format!(r#"{{"taskId":"{task}"}}"#);
    let mut input = bench.inputs.recv().await.unwrap();
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":"r1","method":"tasks/result","params":{named}}}"#
    ))
    .await;
    let begun = Instant::now();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":"r1","error":{"code":-32602,"message":"Failed to retrieve task: Task has expired"}}"#
    );
    assert_eq!(begun.elapsed().as_secs(), 60);
    input.reply.closed().await;
    assert!(
        asked(&mut peer, "g", "tasks/get", &named)
            .await
            .contains("-32602")
    );
    assert_eq!(
        asked(&mut peer, "l", "tasks/list", "{}").await,
        r#"{"jsonrpc":"2.0","id":"l","result":{"tasks":[]}}"#
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_does_not_time_out_while_its_task_waits_for_a_person() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.request(false).await;
    peer.heard().await;
    peer.says(CREATE).await;
    peer.heard().await;
    let input = bench.inputs.recv().await.unwrap();
    assert_eq!(input.input.during.len(), 1, "the only call");
    tokio::time::advance(Duration::from_secs(50)).await;
    input
        .reply
        .send(InputReply::Result(r#"{"action":"decline"}"#.to_owned()))
        .unwrap();
    peer.heard().await;
    let ended = finished(exchange).await;
    assert_eq!(
        ended.outcome,
        Outcome::TimedOut {
            after: Duration::from_secs(60)
        }
    );
    assert_eq!(ended.human_wait, Duration::from_secs(50));
}

#[tokio::test(start_paused = true)]
async fn nothing_of_a_task_outlives_its_connection() {
    let (mut bench, mut peer) = bench().await;
    peer.says(CREATE).await;
    let task = task_of(&peer.heard().await);
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":"r1","method":"tasks/result","params":{{"taskId":"{task}"}}}}"#
    ))
    .await;
    let mut input = bench.inputs.recv().await.unwrap();
    asked(&mut peer, "p", "ping", "{}").await;
    drop(peer);
    input.reply.closed().await;
    bench.connection.close().await;
    assert_eq!(bench.statuses("tasks/result").await, [RecordStatus::Lost]);
}

#[tokio::test(start_paused = true)]
async fn where_tasks_are_not_declared_a_request_is_answered_as_usual() {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = all_inputs();
    });
    let mut peer = bench.process().await;
    peer.initialize("2025-11-25").await;
    peer.says(CREATE).await;
    let input = bench.inputs.recv().await.unwrap();
    assert_eq!(input.input.task, None);
    input
        .reply
        .send(InputReply::Result(r#"{"action":"decline"}"#.to_owned()))
        .unwrap();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":"s1","result":{"action":"decline"}}"#
    );
    let refused = asked(&mut peer, "x", "tasks/get", r#"{"taskId":"t"}"#).await;
    assert!(
        refused.contains("-32601") && refused.contains("did not declare `tasks`"),
        "{refused}"
    );
    assert_eq!(bench.broken_rules().await, ["undeclared-capability"]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_within_a_task_of_the_server_names_it() {
    let (mut bench, mut peer) = bench().await;
    peer.says(r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"theirs"}}}}"#)
        .await;
    let input = bench.inputs.recv().await.unwrap();
    input
        .reply
        .send(InputReply::Result(r#"{"action":"cancel"}"#.to_owned()))
        .unwrap();
    assert_eq!(
        peer.heard().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"theirs"}},"action":"cancel"}}"#
    );
}
