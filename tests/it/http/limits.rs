//! Lowered limits of the settings: what exceeds one ends as the limit says, and the connection goes on where it can.

use patchbay_client::{ConnectOptions, EraChoice, Request};
use patchbay_protocol::limits::Limits;

use super::{described, ended, options, server::Server};
use crate::client::{run_test, session::Session};

/// Connects to a behaviour within limits.
async fn within(behaviour: &str, changes: &[(&str, u32)]) -> (Server, Session, String) {
    let server = Server::start(behaviour);
    let session = Session::new(ConnectOptions {
        limits: Limits::with(changes.iter().copied()).unwrap(),
        ..options(&server.url, EraChoice::Modern)
    });
    let status = session.connection.settled().await;
    let described = server.anonymous(&described(&status));
    (server, session, described)
}

#[test]
fn an_answer_beyond_the_limit_of_a_frame_fails_and_the_connection_goes_on() {
    run_test(async {
        let (_server, session, _) = within("fair", &[("frameBytes", 64 << 10)]).await;
        let text = "x".repeat(100 << 10);
        let params = format!(r#"{{"name":"echo","arguments":{{"text":"{text}"}}}}"#);
        let finished = session.request(Request::new("tools/call", Some(params))).await;
        assert_eq!(
            ended(&finished),
            "Unanswered: Read the response: The answer is longer than 64 KiB. It may have run.\n"
        );
        let after = session.call("echo").await;
        assert_eq!(ended(&after), "Result\n");
        session.connection.close().await;
    });
}

#[test]
fn a_body_ends_at_the_limits_of_its_size_and_its_compression() {
    run_test(async {
        let (.., ratio) = within("bomb", &[("compressionRatio", 10)]).await;
        assert!(ratio.contains("more than 10 times"), "{ratio}");
        let changes = [("compressionRatio", 5_000), ("bodyBytes", 1 << 20)];
        let (.., size) = within("bomb", &changes).await;
        assert!(size.contains("1 MiB") || size.contains("1048576"), "{size}");
    });
}

#[test]
fn redirects_are_followed_as_often_as_the_limit_says() {
    run_test(async {
        let (.., none) = within("moved", &[("redirects", 0)]).await;
        assert!(none.contains("redirects more than 0 times in a row"), "{none}");
        let (.., one) = within("moved", &[("redirects", 1)]).await;
        assert!(one.starts_with("Ready"), "{one}");
    });
}
