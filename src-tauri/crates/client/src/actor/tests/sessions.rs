//! Sessions that a server loses, and what holds in the next one.

use patchbay_protocol::views::LogLevel;

use super::{
    dialect_fallback::Web,
    wire::{Happens, Wire},
    *,
};

/// Loses the session; returns the link of the next one.
async fn lose(web: &mut Web, wire: &Wire) -> Wire {
    wire.let_happen(Happens::SessionLost);
    let mut next = web.link().await;
    next.initialized().await;
    let mut states = web.bench.connection.status();
    states
        .wait_for(|status| status.state == State::Ready)
        .await
        .unwrap();
    next
}

#[tokio::test(start_paused = true)]
async fn sessions_that_were_idle_for_long_may_be_lost_again_and_again() {
    let (mut web, mut wire) = Web::legacy().await;
    for _ in 0..10 {
        tokio::time::advance(Duration::from_secs(30)).await;
        wire = lose(&mut web, &wire).await;
    }
    assert_eq!(web.settled().await.sessions_lost, 10);
}

#[tokio::test(start_paused = true)]
async fn sessions_in_which_a_ping_was_answered_may_be_lost_again_and_again() {
    let mut web = Web::new(|options| {
        options.era = EraChoice::Legacy;
        options.health_ping = Some(Duration::from_secs(1));
    });
    let mut wire = web.link().await;
    wire.initialized().await;
    web.settled().await;
    for _ in 0..10 {
        let (id, text, _) = wire.heard().await;
        assert!(text.contains(r#""method":"ping""#), "{text}");
        wire.answers(id, "{}");
        wire = lose(&mut web, &wire).await;
    }
    assert_eq!(web.settled().await.sessions_lost, 10);
}

#[tokio::test(start_paused = true)]
async fn the_failure_of_a_server_that_loses_every_session_says_how_many() {
    let (mut web, mut wire) = Web::legacy().await;
    for _ in 0..3 {
        wire = lose(&mut web, &wire).await;
    }
    wire.let_happen(Happens::SessionLost);
    let mut states = web.bench.connection.status();
    let failed = states.wait_for(|status| status.state == State::Failed).await;
    let failure = failed.unwrap().failure.clone().unwrap();
    assert_eq!(
        failure.cause,
        "The server lost 4 sessions in a row, each within 30 s and without answering a request."
    );
}

#[tokio::test(start_paused = true)]
async fn the_log_level_is_the_one_that_the_server_has_accepted_in_this_session() {
    let (mut web, mut wire) = Web::legacy().await;
    let level = |web: &Web| web.bench.connection.status().borrow().log_level;
    let set = async |web: &Web, level| {
        web.bench
            .connection
            .set_log_level(Some(level), None)
            .await
            .unwrap()
    };
    let asked = set(&web, LogLevel::Debug).await;
    let (id, _, _) = wire.heard().await;
    assert_eq!(level(&web), None, "it is not answered yet");
    wire.answers(id, "{}");
    finished(asked).await;
    assert_eq!(level(&web), Some(LogLevel::Debug));
    let asked = set(&web, LogLevel::Error).await;
    let (id, _, _) = wire.heard().await;
    wire.refuses(id, 200, r#"{"code":-32601,"message":"Method not found"}"#);
    finished(asked).await;
    assert_eq!(level(&web), Some(LogLevel::Debug), "the other was refused");
    lose(&mut web, &wire).await;
    assert_eq!(level(&web), None, "the new session has the server's default");
}

#[tokio::test(start_paused = true)]
async fn a_notification_that_is_refused_without_a_token_says_nothing_about_later_failures() {
    let (web, wire) = Web::legacy().await;
    wire.let_happen(Happens::Refused(1, super::wire::with_status(401)));
    wire.let_happen(Happens::Ended(patchbay_transport::Failure::new(
        "Stream", "gone", "",
    )));
    let mut states = web.bench.connection.status();
    let failed = states.wait_for(|status| status.state == State::Failed).await;
    assert_eq!(failed.unwrap().challenge, None);
}
