//! Failures before and within a response.

use super::server::ok;
use super::*;
use crate::Step;

#[tokio::test]
async fn a_refused_port_is_reported() {
    let harness = Harness::new(direct());
    let (_held, port) = refusing();
    let failed = harness.refused(&format!("http://127.0.0.1:{port}/")).await;
    assert_eq!(failed.step, Step::Connect);
    assert_eq!(failed.cause, format!("127.0.0.1:{port}: connection refused"));
    assert!(!failed.may_have_been_sent && !failed.timed_out);
    assert_eq!(harness.names(failed.exchange.unwrap()).await, ["sent", "failed"]);
    assert_eq!(
        harness.summaries().await,
        [format!("GET http://127.0.0.1:{port}/ Error 0 B")]
    );
}

#[tokio::test]
async fn an_unknown_host_is_reported() {
    let harness = Harness::new(direct());
    let failed = harness.refused("http://nope.invalid/").await;
    assert_eq!(failed.step, Step::Resolve);
    assert_eq!(
        failed.cause,
        "the host name nope.invalid cannot be resolved: name or service not known"
    );
}

#[tokio::test]
async fn an_unsupported_scheme_is_rejected() {
    let harness = Harness::new(direct());
    let failed = harness.refused("ftp://one.test/").await;
    assert_eq!(failed.cause, "`ftp` URLs cannot be requested");
}

/// The failure for a response with these bytes.
async fn answered(act: Act, settings: Settings) -> (Failed, Vec<&'static str>) {
    let harness = Harness::new(settings);
    let server = Server::new([act]).await;
    let failed = match harness.get(&server.url("/")).await {
        Err(failed) => failed,
        Ok(mut response) => response.read(1 << 20).await.unwrap_err(),
    };
    let names = harness.names(failed.exchange.unwrap()).await;
    (failed, names)
}

#[tokio::test]
async fn a_broken_response_is_reported_with_its_step_and_a_possible_effect() {
    let head = ["sent", "timing", "failed"];
    let body = ["sent", "timing", "head", "failed"];
    type Case<'a> = (&'a [u8], Step, &'a str, &'a [&'a str]);
    let cases: [Case<'_>; 5] = [
        (
            b"",
            Step::Head,
            "the server closed the connection without an answer",
            &head,
        ),
        (
            b"HTTP/1.1 200 OK\r\nconte",
            Step::Head,
            "the server closed the connection without an answer",
            &head,
        ),
        (
            b"SSH-2.0-OpenSSH_9.6\r\n",
            Step::Head,
            "the response is not HTTP: invalid HTTP version parsed",
            &head,
        ),
        (
            b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
            Step::Body,
            "the connection closed in the middle of the body",
            &body,
        ),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
            Step::Body,
            "the connection closed in the middle of the body",
            &body,
        ),
    ];
    for (bytes, step, cause, stages) in cases {
        let (failed, names) = answered(Act::Last(bytes.to_vec()), direct()).await;
        assert_eq!((failed.step, &*failed.cause, &*names), (step, cause, stages));
        assert!(failed.may_have_been_sent);
    }
}

#[tokio::test]
async fn a_late_response_head_times_out() {
    for act in [Act::Hang, Act::Stall(b"HTTP/1.1 200 OK\r\n".to_vec())] {
        let soon = Settings {
            head_timeout: Duration::from_millis(100),
            ..direct()
        };
        let (failed, names) = answered(act, soon).await;
        assert_eq!(failed.step, Step::Head);
        assert_eq!(
            failed.cause,
            "the server accepted the request but did not respond within 0.1 s"
        );
        assert!(failed.timed_out && failed.may_have_been_sent);
        assert_eq!(names, ["sent", "timing", "failed"]);
    }
}

#[tokio::test]
async fn an_endless_head_is_rejected() {
    let mut head = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    head.resize(2 << 20, b'x');
    let (failed, _) = answered(Act::Stall(head), direct()).await;
    assert_eq!(failed.cause, "the head of the response is larger than allowed");
}

#[tokio::test]
async fn a_closed_log_sends_nothing() {
    let harness = Harness::new(direct());
    let server = Server::new([ok("")]).await;
    harness.store.close().await.unwrap();
    let failed = harness.refused(&server.url("/")).await;
    assert_eq!(
        (failed.exchange, &*failed.cause),
        (None, "the traffic log is closed")
    );
    assert_eq!(server.asked.connections(), 0);
}
