//! Probes that nobody answers in time.

use patchbay_protocol::{Era, Revision};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_to_the_probe_is_legacy_after_ten_seconds() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut probed = bench.process().await;
    assert!(probed.heard().await.contains("server/discover"));
    let begun = Instant::now();
    assert_eq!(probed.heard().await, "(end)");
    assert_eq!(begun.elapsed(), Duration::from_secs(10));
    drop(probed);
    let mut fresh = bench.process().await;
    assert!(fresh.heard().await.contains(r#""id":2,"method":"initialize""#));
    fresh.says(r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"m","version":"1"}}}"#).await;
    let status = bench.connection.settled().await;
    assert_eq!(status.revision, Some(Revision::V2024_11_05));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(
        verdict.reason,
        "it did not answer server/discover within 10 s; initialize in a fresh process"
    );
    assert_eq!(bench.statuses("server/discover").await, [RecordStatus::TimedOut]);
    assert!(verdict.probe_seq.is_some());
}

/// A modern server that is slow to start: what it says after all counts, and then it gets the time that is left.
#[tokio::test(start_paused = true)]
async fn a_probe_that_is_answered_late_still_finds_a_modern_server() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut probed = bench.process().await;
    assert!(probed.heard().await.contains("server/discover"));
    assert_eq!(probed.heard().await, "(end)");
    let answer = |id| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#,
            dialect_fallback::DISCOVERED
        )
    };
    probed.says(&answer(1)).await;
    drop(probed);
    let mut fresh = bench.process().await;
    assert!(
        fresh
            .heard()
            .await
            .contains(r#""id":2,"method":"server/discover""#)
    );
    tokio::time::advance(Duration::from_secs(40)).await;
    fresh.says(&answer(2)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(verdict.reason, "server/discover was answered");
    assert!(verdict.remember.is_some(), "the verdict is certain");
}

/// All dialects together take no longer than a request may.
#[tokio::test(start_paused = true)]
async fn a_silent_server_fails_within_the_request_timeout() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(5, 600));
    let begun = Instant::now();
    let mut probed = bench.process().await;
    assert!(probed.heard().await.contains("server/discover"));
    assert_eq!(probed.heard().await, "(end)");
    assert_eq!(begun.elapsed(), Duration::from_millis(2500));
    let mut fresh = bench.process().await;
    assert!(fresh.heard().await.contains(r#""method":"initialize""#));
    let status = bench.connection.settled().await;
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
    let failure = status.failure.clone().unwrap();
    assert_eq!(failure.step, "Initialize");
    assert!(
        failure.cause.ends_with("; connecting may take 5 s in total."),
        "{}",
        failure.cause
    );
    assert_eq!(
        failure.detail.as_deref(),
        Some("Tried before: 2026-07-28: it did not answer server/discover within 2.5 s")
    );
}

/// The line explains the silence even if only the process that is gone wrote it.
#[tokio::test(start_paused = true)]
async fn a_silent_server_that_logs_to_stdout_is_told_so() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(5, 600));
    let mut probed = bench.process().await;
    probed.heard().await;
    probed.says("Server starting up...").await;
    assert_eq!(probed.heard().await, "(end)");
    let _fresh = bench.process().await;
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

/// A modern server that was too slow for the probe refuses `initialize` with an error that only modern servers have.
#[tokio::test(start_paused = true)]
async fn a_modern_error_to_initialize_after_a_silent_probe_goes_back_to_the_modern_era() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut probed = bench.process().await;
    probed.heard().await;
    assert_eq!(probed.heard().await, "(end)");
    drop(probed);
    let mut second = bench.process().await;
    assert!(second.heard().await.contains(r#""method":"initialize""#));
    second
        .says(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}"#)
        .await;
    drop(second);
    let mut third = bench.process().await;
    assert!(
        third
            .heard()
            .await
            .contains(r#""id":3,"method":"server/discover""#)
    );
    third
        .says(&format!(
            r#"{{"jsonrpc":"2.0","id":3,"result":{}}}"#,
            dialect_fallback::DISCOVERED
        ))
        .await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
}
