//! Requests that wait for an authorization.

use patchbay_transport::{Failure, Refusal, Unanswered as Why};

use super::{
    dialect_fallback::{DISCOVERED, Web},
    wire::Happens,
    *,
};

/// Longer than any request may take.
const A_PERSON: Duration = Duration::from_secs(3600);

async fn is(web: &Web, state: State) {
    let mut status = web.bench.connection.status();
    status.wait_for(|status| status.state == state).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_handshake_waits_as_long_as_a_person_needs() {
    let mut web = Web::new(|_| {});
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    wire.let_happen(Happens::Authorizing(id, true));
    is(&web, State::Authorizing).await;
    tokio::time::sleep(A_PERSON).await;
    wire.let_happen(Happens::Authorizing(id, false));
    is(&web, State::Negotiating).await;
    wire.answers(id, DISCOVERED);
    is(&web, State::Ready).await;
}

/// What a person needed for the probe is not taken from the dialects that follow.
#[tokio::test(start_paused = true)]
async fn the_time_of_a_person_does_not_count_against_connecting() {
    let mut web = Web::new(|options| options.timeouts = seconds(20, 600));
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    wire.let_happen(Happens::Authorizing(id, true));
    is(&web, State::Authorizing).await;
    tokio::time::sleep(A_PERSON).await;
    wire.let_happen(Happens::Authorizing(id, false));
    is(&web, State::Negotiating).await;
    wire.status(id, 405);
    let mut wire = web.link().await;
    tokio::time::advance(Duration::from_secs(15)).await;
    wire.initialized().await;
    is(&web, State::Ready).await;
}

#[tokio::test(start_paused = true)]
async fn so_it_does_for_a_stream_of_the_link() {
    let mut web = Web::new(|options| options.era = EraChoice::Legacy);
    let mut wire = web.link().await;
    wire.let_happen(Happens::Authorizing(0, true));
    is(&web, State::Authorizing).await;
    tokio::time::sleep(A_PERSON).await;
    wire.let_happen(Happens::Authorizing(0, false));
    wire.initialized().await;
    is(&web, State::Ready).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_is_not_timed_out_and_the_others_are() {
    let (web, mut wire) = Web::modern().await;
    let waits = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
    let silent = web.bench.call("tools/call", r#"{"name":"y"}"#).await;
    let (id, _, _) = wire.heard().await;
    wire.heard().await;
    wire.let_happen(Happens::Authorizing(id, true));
    assert!(matches!(finished(silent).await.outcome, Outcome::TimedOut { .. }));
    is(&web, State::Ready).await;
    tokio::time::sleep(A_PERSON).await;
    wire.let_happen(Happens::Authorizing(id, false));
    wire.answers(id, r#"{"resultType":"complete","content":[]}"#);
    assert_eq!(finished(waits).await.outcome, Outcome::Result);
}

#[tokio::test(start_paused = true)]
async fn what_all_requests_wait_for_stops_the_clocks_of_all() {
    let (web, mut wire) = Web::modern().await;
    let earlier = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
    let (first, _, _) = wire.heard().await;
    wire.let_happen(Happens::Authorizing(0, true));
    let later = web.bench.call("tools/call", r#"{"name":"y"}"#).await;
    let (second, _, _) = wire.heard().await;
    tokio::time::sleep(A_PERSON).await;
    wire.let_happen(Happens::Authorizing(0, false));
    for (id, call) in [(first, earlier), (second, later)] {
        wire.answers(id, r#"{"resultType":"complete","content":[]}"#);
        assert_eq!(finished(call).await.outcome, Outcome::Result);
    }
    let silent = web.bench.call("tools/call", r#"{"name":"z"}"#).await;
    wire.heard().await;
    assert!(matches!(finished(silent).await.outcome, Outcome::TimedOut { .. }));
}

#[tokio::test(start_paused = true)]
async fn why_there_is_no_token_is_said() {
    let mut web = Web::new(|_| {});
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    let refusal = Refusal {
        peer: None,
        status: 401,
        www_authenticate: vec!["Bearer".to_owned()],
        exchange: 7,
        used: None,
        purpose: "server/discover".to_owned(),
        operation: None,
    };
    let failure = Failure {
        refusal: Some(Box::new(refusal)),
        ..Failure::new("Token request", "The code was refused.", "Try again.")
    };
    let why = Why::Status {
        exchange: 7,
        status: 401,
        body_text: String::new(),
        session_lost: false,
        www_authenticate: Some("Bearer".to_owned()),
        retry_after: None,
        authorization: Some(failure),
        resuming: false,
    };
    wire.let_happen(Happens::Unanswered(id, why));
    let status = web.settled().await;
    let failure = status.failure.clone().unwrap();
    assert_eq!(
        (failure.step, failure.cause.as_str()),
        ("Token request", "The code was refused.")
    );
    let challenge = status.challenge.clone().unwrap();
    assert_eq!((challenge.status, challenge.http), (401, 7));
}
