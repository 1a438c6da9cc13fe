//! The revision that is offered, and what happens with one that is not known.

use patchbay_secret::Secret;

use super::*;

async fn initialized(change: impl FnOnce(&mut ConnectOptions), version: &str) -> (Bench, String) {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = all_inputs();
        change(options);
    });
    let mut peer = bench.process().await;
    let initialize = peer.heard().await;
    peer.says(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{version}","capabilities":{{}},"serverInfo":{{"name":"m","version":"1"}}}}}}"#
    ))
    .await;
    bench.connection.settled().await;
    (bench, initialize)
}

#[tokio::test(start_paused = true)]
async fn any_revision_can_be_offered_and_decides_what_is_declared() {
    let offer = |revision: &'static str| {
        move |options: &mut ConnectOptions| options.offered_revision = Some(revision.to_owned())
    };
    let (bench, initialize) = initialized(offer("2025-03-26"), "2025-03-26").await;
    assert!(
        initialize.contains(
            r#""protocolVersion":"2025-03-26","capabilities":{"sampling":{},"roots":{"listChanged":true}}"#
        ),
        "{initialize}"
    );
    let status = bench.connection.settled().await;
    assert_eq!(status.revision_name(), Some("2025-03-26"));
    assert!(!status.client_capabilities_json.contains("elicitation"));
    let (bench, initialize) = initialized(offer("1.0 \"beta\""), "2025-11-25").await;
    assert!(
        initialize
            .contains(r#""protocolVersion":"1.0 \"beta\"","capabilities":{"sampling":{},"elicitation":{}"#),
        "{initialize}"
    );
    assert_eq!(
        bench.connection.settled().await.revision_name(),
        Some("2025-11-25")
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_revision_ends_the_connection_unless_any_is_allowed() {
    let (bench, _) = initialized(|_| {}, "1999-01-01").await;
    assert_eq!(bench.connection.settled().await.state, State::Failed);
    let (bench, _) = initialized(|options| options.any_revision = true, "1999-01-01").await;
    let status = bench.connection.settled().await;
    assert_eq!(
        (status.state, status.revision_name()),
        (State::Ready, Some("1999-01-01"))
    );
    assert_eq!(bench.broken_rules().await, ["revision-unknown"]);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_modern_revision_is_named_in_every_request() {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Modern;
        options.any_revision = true;
        options.offered_revision = Some("2098-01-01".to_owned());
    });
    let mut peer = bench.process().await;
    assert!(peer.heard().await.contains(r#"protocolVersion":"2098-01-01""#));
    peer.says(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"?","data":{"supported":["2099-01-01"]}}}"#)
        .await;
    assert!(
        peer.heard().await.contains(r#"protocolVersion":"2099-01-01""#),
        "asked again"
    );
    peer.says(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2099-01-01"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}}"#)
        .await;
    let status = bench.connection.settled().await;
    assert_eq!(
        (status.state, status.revision_name()),
        (State::Ready, Some("2099-01-01"))
    );
    let _exchange = bench.call("x", "{}").await;
    assert!(peer.heard().await.contains(r#"protocolVersion":"2099-01-01""#));
    assert_eq!(bench.broken_rules().await, ["revision-unknown"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_the_revision_that_it_lists_is_told_apart_from_one_without_a_common_revision() {
    let mut bench = Bench::new(EraChoice::Modern, seconds(60, 600));
    let mut peer = bench.process().await;
    for id in 1..=2 {
        peer.heard().await;
        peer.says(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32022,"message":"?","data":{{"supported":["2026-07-28"]}}}}}}"#
        ))
        .await;
    }
    let failure = bench.connection.settled().await.failure.clone().unwrap();
    assert_eq!(
        failure.cause,
        "The server refuses revision 2026-07-28 in server/discover, although it lists it as supported (2026-07-28)."
    );
}

/// The log has all of it.
#[tokio::test(start_paused = true)]
async fn what_a_server_says_of_itself_and_why_it_refuses_is_masked_and_then_cut() {
    const LONG: usize = 100_000;
    let secret = "s3cr3t-t0k3n-0123456789";
    let text = format!("{}{secret}{}", "x".repeat(4090), "y".repeat(LONG));
    for answer in [
        format!(
            r#""result":{{"protocolVersion":"{text}","capabilities":{{}},"serverInfo":{{"name":"{text}","title":"{text}","version":"{text}"}}}}"#
        ),
        format!(r#""error":{{"code":-32603,"message":"{text}"}}"#),
    ] {
        let mut bench = Bench::new(EraChoice::Legacy, seconds(60, 600));
        bench.recorder.redact(vec![Secret::new(secret)]);
        let mut peer = bench.process().await;
        peer.heard().await;
        peer.says(&format!(r#"{{"jsonrpc":"2.0","id":1,{answer}}}"#))
            .await;
        let status = bench.connection.settled().await;
        let shown = format!(
            "{:?} {:?}",
            status.failure,
            status.handshake.as_ref().map(|handshake| &handshake.server)
        );
        assert!(!shown.contains("s3cr3"), "{shown}");
        assert!(shown.len() < LONG, "{}", shown.len());
    }
}
