//! Probes that nobody answers in time.

use patchbay_protocol::{Era, Revision};
use patchbay_secret::Secret;

use super::*;

const INITIALIZED: &str =
    r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"}}"#;

fn result(id: u32, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

fn error(id: u32, code: i32, data: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"m","data":{data}}}}}"#)
}

/// The probe, and `initialize` after it in the same process.
async fn silent_to_the_probe(bench: &mut Bench) -> Peer {
    let mut peer = bench.process().await;
    assert!(
        peer.heard()
            .await
            .contains(r#""id":1,"method":"server/discover""#)
    );
    let begun = Instant::now();
    assert!(peer.heard().await.contains(r#""id":2,"method":"initialize""#));
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    peer
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_to_the_probe_gets_initialize_after_ten_seconds() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    peer.says(&result(2, INITIALIZED)).await;
    let status = bench.connection.settled().await;
    assert_eq!(status.revision, Some(Revision::V2024_11_05));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(
        verdict.reason,
        "it did not answer server/discover within 10 s; initialize in the same process"
    );
    assert_eq!(bench.statuses("server/discover").await, [RecordStatus::TimedOut]);
    assert!(verdict.probe_seq.is_some());
    assert!(
        verdict.remember.is_some(),
        "it takes initialize, and so the next connection does not wait"
    );
    assert!(bench.processes.try_recv().is_err(), "one process");
}

/// A slow start: both requests wait in the pipe.
#[tokio::test(start_paused = true)]
async fn a_legacy_server_that_starts_slowly_is_started_once() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    tokio::time::advance(Duration::from_secs(40)).await;
    peer.says(&error(1, -32601, "null")).await;
    peer.says(&result(2, INITIALIZED)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Legacy)));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(
        verdict.reason,
        "it answered server/discover with error -32601: m, only late; initialize in the same process"
    );
    assert!(verdict.remember.is_some());
    assert!(peer.heard().await.contains("notifications/initialized"));
    let exchange = bench.request(false).await;
    peer.heard().await;
    peer.says(&result(3, r#"{"content":[]}"#)).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
    assert!(bench.processes.try_recv().is_err(), "one process");
    assert!(bench.broken_rules().await.is_empty());
}

/// A modern server that is slow to start refuses `initialize`, which it has never seen, and is asked again at once.
#[tokio::test(start_paused = true)]
async fn a_modern_server_that_starts_slowly_is_started_once() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    tokio::time::advance(Duration::from_secs(20)).await;
    peer.says(&result(1, dialect_fallback::DISCOVERED)).await;
    assert!(
        peer.heard()
            .await
            .contains(r#""id":3,"method":"server/discover""#)
    );
    peer.says(&error(2, -32601, "null")).await;
    peer.says(&result(3, dialect_fallback::DISCOVERED)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(verdict.reason, "server/discover was answered");
    assert!(verdict.remember.is_some(), "the verdict is certain");
    assert!(bench.processes.try_recv().is_err(), "one process");
    assert!(bench.broken_rules().await.is_empty());
    // The request, and the answer that nobody waited for.
    assert_eq!(
        bench.statuses("initialize").await,
        [RecordStatus::Cancelled, RecordStatus::Error]
    );
}

/// A server of both eras that has become legacy by `initialize` is started again.
#[tokio::test(start_paused = true)]
async fn a_slow_server_of_both_eras_that_initialize_has_decided_is_started_afresh() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    peer.says(&result(1, dialect_fallback::DISCOVERED)).await;
    peer.heard().await;
    peer.says(&result(2, INITIALIZED)).await;
    peer.says(&error(3, -32601, "null")).await;
    assert_eq!(peer.heard().await, "(end)");
    drop(peer);
    let mut fresh = bench.process().await;
    assert!(
        fresh
            .heard()
            .await
            .contains(r#""id":4,"method":"server/discover""#)
    );
    fresh.says(&result(4, dialect_fallback::DISCOVERED)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
}

/// After `initialize` was answered, the answer to the probe changes nothing.
#[tokio::test(start_paused = true)]
async fn a_probe_that_is_answered_after_initialize_changes_nothing() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    peer.says(&result(2, INITIALIZED)).await;
    bench.connection.settled().await;
    assert!(peer.heard().await.contains("notifications/initialized"));
    peer.says(&result(1, dialect_fallback::DISCOVERED)).await;
    let exchange = bench.request(false).await;
    assert!(!peer.heard().await.contains("_meta"), "it stays legacy");
    peer.says(&result(3, r#"{"content":[]}"#)).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
    assert!(bench.broken_rules().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_process_that_refuses_initialize_after_the_probe_is_started_afresh() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    peer.says(&error(1, -32601, "null")).await;
    assert!(peer.heard().await.contains(r#""method":"initialize""#));
    peer.says(&error(2, -32600, "null")).await;
    assert_eq!(peer.heard().await, "(end)");
    drop(peer);
    let mut fresh = bench.process().await;
    assert!(fresh.heard().await.contains(r#""id":3,"method":"initialize""#));
    fresh.says(&error(3, -32600, "null")).await;
    assert_eq!(fresh.heard().await, "(end)");
    drop(fresh);
    let failure = bench.connection.settled().await.failure.clone().unwrap();
    assert_eq!(failure.step, "Initialize");
    assert!(bench.processes.try_recv().is_err(), "not a third time");
}

#[tokio::test(start_paused = true)]
async fn a_process_that_ends_on_initialize_after_the_probe_is_started_afresh() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    peer.out.shutdown().await.unwrap();
    drop(peer);
    let mut fresh = bench.process().await;
    assert!(fresh.heard().await.contains(r#""id":3,"method":"initialize""#));
    fresh.says(&result(3, INITIALIZED)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Legacy)));
}

/// All dialects together take no longer than a request may.
#[tokio::test(start_paused = true)]
async fn a_silent_server_fails_within_the_request_timeout() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(5, 600));
    let begun = Instant::now();
    let mut peer = bench.process().await;
    assert!(peer.heard().await.contains("server/discover"));
    assert!(peer.heard().await.contains(r#""method":"initialize""#));
    assert_eq!(begun.elapsed(), Duration::from_millis(2500));
    let status = bench.connection.settled().await;
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
    let failure = status.failure.clone().unwrap();
    assert_eq!(failure.step, "Initialize");
    assert!(
        failure.cause.ends_with("; connecting may take 5 s in total."),
        "{}",
        failure.cause
    );
    assert!(failure.next.contains("set its era to legacy"), "{}", failure.next);
    assert_eq!(
        failure.detail.as_deref(),
        Some("Tried before: 2026-07-28: it did not answer server/discover within 2.5 s")
    );
    assert!(bench.processes.try_recv().is_err(), "one process");
}

/// The line explains the silence.
#[tokio::test(start_paused = true)]
async fn a_silent_server_that_logs_to_stdout_is_told_so() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(5, 600));
    let mut peer = bench.process().await;
    peer.heard().await;
    peer.says("Server starting up...").await;
    let failure = bench.connection.settled().await.failure.clone().unwrap();
    assert!(
        failure.cause.contains("Server starting up..."),
        "{}",
        failure.cause
    );
    assert!(failure.next.contains("stderr"), "{}", failure.next);
}

/// Before anything has failed, the status has the line: of the first process, and no more than the first.
#[tokio::test(start_paused = true)]
async fn what_is_not_a_message_is_told_while_connecting() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut probed = bench.process().await;
    probed.heard().await;
    let begun = Instant::now();
    let long = "x".repeat(500);
    probed.says("").await;
    probed.says(&format!(r#"{{"level":30,"msg":"{long}"}}"#)).await;
    probed.says("more").await;
    let mut status = bench.connection.status();
    let told = status
        .wait_for(|status| status.stray_line.is_some())
        .await
        .unwrap();
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(told.state, State::Negotiating);
    let line = told.stray_line.clone().unwrap();
    assert!(line.starts_with(r#"{"level":30"#), "{line}");
    assert_eq!(line.chars().count(), 200);
}

/// Part of a secret is not recognized as one.
#[tokio::test(start_paused = true)]
async fn a_secret_across_the_end_of_what_is_told_of_a_line_is_masked() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let secret = "s3cr3t-t0k3n-0123456789";
    bench.recorder.redact(vec![Secret::new(secret)]);
    let mut peer = bench.process().await;
    peer.heard().await;
    peer.says(&format!("{}{secret}", "x".repeat(190))).await;
    let mut status = bench.connection.status();
    let told = status
        .wait_for(|status| status.stray_line.is_some())
        .await
        .unwrap();
    let line = told.stray_line.clone().unwrap();
    assert_eq!(line, format!("{}{}", "x".repeat(190), "*".repeat(10)));
}

/// What a server writes beside its messages once it is ready is a violation in the log, and explains no failure.
#[tokio::test(start_paused = true)]
async fn a_line_after_the_handshake_explains_nothing() {
    let (bench, mut peer) = Bench::legacy(seconds(60, 600)).await;
    peer.says("Listening").await;
    drop(peer);
    let mut status = bench.connection.status();
    let ended = status
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap();
    assert_eq!(ended.stray_line, None);
    assert!(!ended.failure.as_ref().unwrap().cause.contains("Listening"));
}

/// A modern server that does not answer the probe refuses `initialize` with an error that only modern servers have.
#[tokio::test(start_paused = true)]
async fn a_modern_error_to_initialize_after_a_silent_probe_goes_back_to_the_modern_era() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut peer = silent_to_the_probe(&mut bench).await;
    peer.says(&error(2, -32022, r#"{"supported":["2026-07-28"]}"#))
        .await;
    assert_eq!(peer.heard().await, "(end)");
    drop(peer);
    let mut second = bench.process().await;
    assert!(
        second
            .heard()
            .await
            .contains(r#""id":3,"method":"server/discover""#)
    );
    second.says(&result(3, dialect_fallback::DISCOVERED)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
}
