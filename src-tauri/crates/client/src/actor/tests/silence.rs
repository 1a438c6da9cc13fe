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

/// A modern server that is slow to start: what it says after all counts, and then it gets the time it needs.
#[tokio::test(start_paused = true)]
async fn a_probe_that_is_answered_late_still_finds_a_modern_server() {
    let mut bench = Bench::new(EraChoice::Auto, seconds(60, 600));
    let mut probed = bench.process().await;
    assert!(probed.heard().await.contains("server/discover"));
    assert_eq!(probed.heard().await, "(end)");
    let answer = |id| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, ladder::DISCOVERED);
    probed.says(&answer(1)).await;
    drop(probed);
    let mut fresh = bench.process().await;
    assert!(
        fresh
            .heard()
            .await
            .contains(r#""id":2,"method":"server/discover""#)
    );
    tokio::time::advance(Duration::from_secs(50)).await;
    fresh.says(&answer(2)).await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(verdict.reason, "server/discover was answered");
    assert!(verdict.remember.is_some(), "it is no guess");
}
