//! Legacy sessions: kept, lost, ended; streams that are interrupted and resumed.

use std::sync::Arc;

use patchbay_client::{EraChoice, Outcome, State, Status};
use patchbay_transport::{About, StreamState};

use super::{Session, call, ended, ready, server::Server};
use crate::client::{run_test, session::pause};

/// The requests that a server received, without the GET of the stream for unrequested messages, which is sent at any time.
fn without_get(server: &Server) -> String {
    let mut seen = server.seen();
    seen.retain(|line| !line.starts_with("GET"));
    seen.join("\n")
}

#[test]
fn the_session_id_is_sent_with_every_request_and_the_session_ended() {
    run_test(async {
        let server = Server::start("fair");
        let session = ready(&server, EraChoice::Legacy).await;
        until_listening(&session).await;
        session.call("echo").await;
        session.connection.close().await;
        assert!(server.seen().contains(&"GET [session-1]".to_owned()));
        insta::assert_snapshot!(without_get(&server), @r#"
        POST initialize
        POST notifications/initialized [session-1]
        POST tools/call [session-1]
        DELETE [session-1]
        "#);
    });
}

#[test]
fn the_modern_era_has_neither_session_nor_get_stream() {
    run_test(async {
        let server = Server::start("fair");
        let session = ready(&server, EraChoice::Modern).await;
        session.call("echo").await;
        session.connection.close().await;
        insta::assert_snapshot!(without_get(&server), @r#"
        POST server/discover
        POST tools/call
        "#);
    });
}

/// A new session is started visibly; the call that detected the loss is not repeated.
#[test]
fn a_session_lost_within_a_call() {
    run_test(async {
        let server = Server::start("fair");
        let session = ready(&server, EraChoice::Legacy).await;
        let lost = session.call("loses-session").await;
        let again = || {
            server
                .seen()
                .iter()
                .filter(|seen| *seen == "POST initialize")
                .count()
                == 2
        };
        while !again() {
            pause().await;
        }
        let mut status = session.connection.status();
        status
            .wait_for(|status| status.state == State::Ready)
            .await
            .unwrap();
        let next = session.call("echo").await;
        session.connection.close().await;
        insta::assert_snapshot!(format!("{}{}{}", ended(&lost), ended(&next), without_get(&server)), @r#"
        ConnectionLost: Session: The server does not know the session any more.
        Result
        POST initialize
        POST notifications/initialized [session-1]
        POST tools/call [session-1]
        POST initialize
        POST notifications/initialized [session-1]
        POST tools/call [session-1]
        DELETE [session-1]
        "#);
        let calls = server
            .seen()
            .iter()
            .filter(|seen| seen.contains("tools/call"))
            .count();
        assert_eq!(calls, 2, "nothing is sent twice");
    });
}

#[test]
fn an_answer_fetched_with_the_last_event_id() {
    run_test(async {
        let server = Server::start("streams");
        let session = ready(&server, EraChoice::Legacy).await;
        until_listening(&session).await;
        let finished = session.call("resumed").await;
        assert_eq!(finished.outcome, Outcome::Result, "{}", ended(&finished));
        session.connection.close().await;
        let seen = server.seen();
        assert!(
            seen.iter().any(|line| line.ends_with("after primed")),
            "{seen:#?}"
        );
        let calls = seen.iter().filter(|line| line.contains("tools/call")).count();
        assert_eq!(calls, 1, "nothing is sent twice: {seen:#?}");
    });
}

/// Ids are unique over all streams of a connection.
#[test]
fn duplicate_and_unknown_ids_over_several_streams() {
    run_test(async {
        let server = Server::start("streams");
        let session = ready(&server, EraChoice::Legacy).await;
        until_listening(&session).await;
        let finished = session.call("both-streams").await;
        assert_eq!(finished.outcome, Outcome::Result, "{}", ended(&finished));
        session.call("tell-held").await;
        // The other stream is read on its own.
        for rule in ["!answered-twice", "!response-unknown-id"] {
            while !session.transcript().await.contains(rule) {
                pause().await;
            }
        }
        session.connection.close().await;
    });
}

#[test]
fn an_answer_on_the_other_stream() {
    run_test(async {
        let server = Server::start("streams");
        let session = ready(&server, EraChoice::Legacy).await;
        until_listening(&session).await;
        let finished = session.call("other-stream").await;
        assert_eq!(finished.outcome, Outcome::Result, "{}", ended(&finished));
        session.connection.close().await;
    });
}

/// Waits until the state of the stream for unrequested messages is known: open, or not offered.
pub(crate) async fn until_listening(session: &Session) {
    until_stream(session, |stream| {
        matches!(stream, StreamState::Open | StreamState::NotOffered(_))
    })
    .await;
}

/// Waits until the stream for unrequested messages is in such a state.
pub(super) async fn until_stream(session: &Session, is_so: impl Fn(&StreamState) -> bool) {
    let is_known = |status: &Arc<Status>| {
        let peer = status.link.as_ref().and_then(About::http);
        peer.is_some_and(|peer| is_so(&peer.stream))
    };
    session.connection.status().wait_for(is_known).await.unwrap();
}

/// A modern call is cancelled by closing its stream: the server notices, and gets no notification.
#[test]
fn a_modern_call_is_cancelled_by_closing_its_stream() {
    run_test(async {
        let server = Server::start("fair");
        let session = ready(&server, EraChoice::Modern).await;
        let exchange = session.connection.request(call("silent")).await;
        while !server.seen().iter().any(|line| line.contains("tools/call")) {
            pause().await;
        }
        session.connection.cancel(exchange.id, None).await;
        assert_eq!(exchange.finished().await.outcome, Outcome::Cancelled);
        while !server.seen().contains(&"the stream was closed".to_owned()) {
            pause().await;
        }
        assert_eq!(session.connection.settled().await.state, State::Ready);
        session.connection.close().await;
        let seen = server.seen();
        assert!(!seen.iter().any(|line| line.contains("cancelled")), "{seen:#?}");
    });
}
