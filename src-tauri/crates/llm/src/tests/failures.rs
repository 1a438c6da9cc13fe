//! Everything a provider can do wrong.

use std::time::Duration;

use super::*;

#[tokio::test]
async fn every_status_is_a_clear_failure() {
    let harness = Harness::new();
    use FailureKind as Kind;
    for (model, kind) in [
        ("401", Kind::Unauthorized),
        ("402", Kind::NoCredit),
        ("403", Kind::Unauthorized),
        ("404", Kind::NotFound),
        ("429", Kind::RateLimited),
        ("500", Kind::Failed),
        ("529", Kind::Overloaded),
        ("moved", Kind::NotAProvider),
        ("html", Kind::NotAProvider),
    ] {
        for api in BOTH {
            let failure = harness.ask(api, model).await.0.unwrap_err();
            assert_eq!(failure.kind, kind, "{api:?} {model}: {failure}");
            assert!(!failure.cause.is_empty() && !failure.next.is_empty());
            // A delay of 3,000 years is a day.
            let wait = (model == "429").then(|| Duration::from_secs(86_400));
            assert_eq!(failure.retry_after, wait);
        }
    }
    let failure = harness.ask(Api::Anthropic, "500").await.0.unwrap_err();
    assert_eq!(
        failure.cause,
        "The provider failed (status 500): <b>The provider's own words</b>"
    );
    assert_eq!(failure.status, Some(500));
}

#[tokio::test]
async fn broken_streams_and_answers_are_clear_failures() {
    let harness = Harness::new();
    use FailureKind as Kind;
    for (model, kind) in [
        ("cut", Kind::Incomplete),
        ("unfinished", Kind::Incomplete),
        ("malformed", Kind::Malformed),
        ("broken-arguments", Kind::Malformed),
        ("garbage", Kind::Malformed),
        ("garbage-whole", Kind::NotAProvider),
        ("empty", Kind::Empty),
        ("empty-whole", Kind::Empty),
        ("error", Kind::Overloaded),
        ("error-whole", Kind::Overloaded),
        ("huge", Kind::TooLarge),
    ] {
        for api in BOTH {
            let failure = harness.ask(api, model).await.0.unwrap_err();
            assert_eq!(failure.kind, kind, "{api:?} {model}: {failure}");
        }
    }
    let failure = harness.ask(Api::Anthropic, "error-whole").await.0.unwrap_err();
    assert!(failure.cause.ends_with(": Overloaded"), "{failure}");
    let (_, pieces) = harness.ask(Api::ChatCompletions, "cut").await;
    assert_eq!(pieces, ["Hel"], "what arrived before is not lost");
}

#[tokio::test]
async fn a_model_that_falls_silent_is_given_up_after_five_minutes() {
    let harness = Harness::new();
    for api in BOTH {
        let (sender, mut deltas) = mpsc::channel(4);
        let prompt = Prompt::parse(SIMPLE).unwrap();
        let provider = harness.provider(api);
        // Before the first piece, from which its own wait begins.
        let since = tokio::time::Instant::now();
        let asking = provider.generate(&harness.wire, "slow", &prompt, &sender);
        let first_piece = async {
            deltas.recv().await.unwrap();
            // From now on time passes as long as nothing happens.
            tokio::time::pause();
        };
        let (answer, ()) = tokio::join!(asking, first_piece);
        let waited = since.elapsed();
        tokio::time::resume();
        let failure = answer.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Incomplete, "{api:?}: {failure}");
        assert_eq!(failure.cause, "The provider sent nothing more for 300 s.");
        assert!(!failure.next.is_empty());
        assert!((300..400).contains(&waited.as_secs()), "{api:?}: {waited:?}");
    }
}

#[tokio::test]
async fn a_wrong_key_and_a_closed_port_are_clear_failures() {
    let harness = Harness::new();
    for api in BOTH {
        let mut provider = harness.provider(api);
        provider.key = Some(Secret::new("sk-wrong-0123456789abcdef"));
        let failure = provider.models(&harness.wire).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unauthorized);
        provider.key = Some(Secret::new("not\na header"));
        assert_eq!(
            provider.models(&harness.wire).await.unwrap_err().kind,
            FailureKind::Unauthorized
        );
        // Port 9 of the loopback is closed.
        provider.base_url = parse_base_url("http://127.0.0.1:9/v1").unwrap();
        provider.key = None;
        let failure = provider.models(&harness.wire).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unreachable, "{failure}");
    }
}

#[tokio::test]
async fn another_program_on_the_port_is_a_clear_failure() {
    let harness = Harness::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut provider = harness.provider(Api::ChatCompletions);
    provider.base_url = parse_base_url(&format!("http://{address}/v1")).unwrap();
    let program = async {
        use tokio::io::AsyncWriteExt as _;
        let (mut socket, _) = listener.accept().await.unwrap();
        socket.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await.unwrap();
        socket
    };
    let (listed, _socket) = tokio::join!(provider.models(&harness.wire), program);
    let failure = listed.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable, "{failure}");
    assert!(failure.cause.contains("HTTP"), "{failure}");
    assert!(!failure.next.is_empty());
}

#[tokio::test]
async fn a_quota_that_is_used_up_is_no_credit_and_not_a_delay() {
    let body = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#;
    let failure = Failure::status(429, &Default::default(), body);
    assert_eq!(failure.kind, FailureKind::NoCredit);
    assert!(
        failure.cause.contains("You exceeded your current quota"),
        "{failure}"
    );
}
