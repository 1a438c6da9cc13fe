//! `patchbay-client` over HTTP: the scripted server's behavior as input, the recorded traffic as output. One test per fault
//! of a server: the status has the failed step and the cause, the log has the traffic, and the next connect succeeds.

mod answers;
mod beginnings;
mod echoes;
mod eras;
mod limits;
mod proxies;
mod raw_messages;
mod rounds;
mod secure;
pub(crate) mod server;
mod sessions;

use std::time::Duration;

use patchbay_client::{ConnectOptions, EraChoice, Finished, Outcome, Request, State, Status, Timeouts};
use patchbay_transport::HttpConfig;

use crate::client::session::{self, Session, call};
use server::Server;
pub(crate) use sessions::until_listening;

/// Timeouts for tests that wait for them.
const SOON: Duration = Duration::from_millis(300);

/// How to connect to an address.
fn options(url: &str, era: EraChoice) -> ConnectOptions {
    session::over(HttpConfig::new(url), era)
}

/// With short timeouts.
fn impatient(url: &str, era: EraChoice) -> ConnectOptions {
    let timeouts = Timeouts {
        request: SOON,
        ..Timeouts::default()
    };
    ConnectOptions {
        timeouts,
        ..options(url, era)
    }
}

/// The state of a connection with its reason, in a few lines.
fn described(status: &Status) -> String {
    timeless(&format!("{}\n", session::described(status)))
}

/// Without the elapsed time in timeouts.
fn timeless(text: &str) -> String {
    match text.split_once(" within ") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            format!("{before} within …{rest}")
        }
        None => text.to_owned(),
    }
}

/// How a request ended, in a line or two.
fn ended(finished: &Finished) -> String {
    let sentence = match &finished.outcome {
        Outcome::ConnectionLost(failure) => format!("ConnectionLost: {}: {}", failure.step, failure.cause),
        Outcome::Unanswered(unanswered) => {
            let failure = &unanswered.failure;
            let mut out = format!("Unanswered: {}: {}", failure.step, failure.cause);
            if unanswered.may_have_run {
                out.push_str(" It may have run.");
            }
            if let Some(after) = unanswered.retry_after {
                out.push_str(&format!(" To be tried after {} s.", after.as_secs()));
            }
            out
        }
        Outcome::TimedOut { .. } => "TimedOut".to_owned(),
        other => format!("{other:?}"),
    };
    let advice = finished.advice.as_deref().map(|advice| format!("\n{advice}"));
    format!("{sentence}{}\n", advice.unwrap_or_default())
}

/// Connects to a behavior; returns the result and the transcript.
async fn met(behaviour: &str, options: impl FnOnce(&str) -> ConnectOptions) -> String {
    let server = Server::start(behaviour);
    let session = Session::new(options(&server.url));
    let status = session.connection.settled().await;
    session.connection.close().await;
    server.anonymous(&format!("{}{}", described(&status), session.transcript().await))
}

/// Connects to a behavior, which must succeed.
async fn ready(server: &Server, era: EraChoice) -> Session {
    let session = Session::new(options(&server.url, era));
    let status = session.connection.settled().await;
    assert_eq!(status.state, State::Ready, "{}", described(&status));
    let greeted = || {
        server
            .seen()
            .iter()
            .any(|seen| seen.contains("notifications/initialized"))
    };
    while era == EraChoice::Legacy && !greeted() {
        session::pause().await;
    }
    session
}

/// How a tool call ends, with its part of the transcript. Afterwards the connection must still work.
async fn called(behaviour: &str, era: EraChoice, request: Request) -> String {
    let server = Server::start(behaviour);
    let session = ready(&server, era).await;
    session.settle().await;
    let before = session.transcript().await.lines().count();
    let finished = session.request(request).await;
    session.settle().await;
    let crossed = session.transcript().await;
    let after = session.call("echo").await;
    assert_eq!(
        after.outcome,
        Outcome::Result,
        "the connection is of no more use: {after:?}"
    );
    session.connection.close().await;
    let crossed: String = crossed
        .lines()
        .skip(before)
        .map(|line| format!("{line}\n"))
        .collect();
    server.anonymous(&format!("{}{crossed}", ended(&finished)))
}
