//! What was remembered of a server that has changed since.

use patchbay_protocol::Era;
use patchbay_transport::{Dialect, Failure};

use super::{
    dialect_fallback::{DISCOVERED, Web},
    wire::{Happens, Wire},
    *,
};
use crate::Verdict;

fn remembering(dialect: Dialect) -> impl FnOnce(&mut ConnectOptions) {
    move |options| {
        options.remembered = Some(Verdict {
            era: Era::Legacy,
            dialect,
        });
    }
}

/// The link of a dialect that was remembered.
async fn first(dialect: Dialect) -> (Web, Wire) {
    let mut web = Web::new(remembering(dialect));
    let wire = web.link().await;
    assert_eq!(wire.dialect, dialect);
    (web, wire)
}

async fn is_modern_now(mut web: Web) {
    let mut wire = web.link().await;
    assert_eq!(wire.dialect, Dialect::Modern);
    let (id, _, _) = wire.heard().await;
    wire.answers(id, DISCOVERED);
    let status = web.settled().await;
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(verdict.remember.unwrap().dialect, Dialect::Modern, "{verdict:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_had_http_sse_and_has_no_such_stream_any_more_is_tried_again() {
    let (web, wire) = first(Dialect::HttpSse).await;
    let failure = Failure::new("Find the MCP endpoint", "There is none.", "Check the path.");
    wire.let_happen(Happens::Ended(failure));
    is_modern_now(web).await;
}

#[tokio::test(start_paused = true)]
async fn a_remembered_dialect_that_is_refused_with_any_status_is_given_up() {
    for dialect in [Dialect::Legacy, Dialect::HttpSse] {
        for status in [406, 415, 500] {
            let (web, mut wire) = first(dialect).await;
            let (id, _, _) = wire.heard().await;
            wire.status(id, status);
            is_modern_now(web).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_reached_or_wants_authorization_keeps_what_is_remembered() {
    let refusal = patchbay_transport::Refusal {
        status: 401,
        www_authenticate: vec!["Bearer".to_owned()],
        exchange: 7,
        peer: None,
        used: None,
        purpose: "GET".to_owned(),
        operation: None,
    };
    let unauthorized = Failure {
        refusal: Some(Box::new(refusal)),
        ..Failure::new("Open the event stream", "It wants a token.", "Authorize.")
    };
    for failure in [
        Failure::new("Connect", "Connection refused.", "Start it."),
        Failure::new("Resolve host", "No such host.", "Check the URL."),
        unauthorized,
    ] {
        let (web, wire) = first(Dialect::HttpSse).await;
        wire.let_happen(Happens::Ended(failure.clone()));
        let failed = web.settled().await.failure.clone().unwrap();
        assert_eq!((failed.step, failed.detail), (failure.step, None));
    }
    for status in [401, 403, 503] {
        let (web, mut wire) = first(Dialect::Legacy).await;
        let (id, _, _) = wire.heard().await;
        wire.status(id, status);
        let failed = web.settled().await.failure.clone().unwrap();
        assert_eq!(failed.step, "Initialize");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_had_the_legacy_era_and_ends_on_initialize_is_probed() {
    let mut bench = Bench::with(remembering(Dialect::Legacy));
    let mut peer = bench.process().await;
    assert!(peer.heard().await.contains(r#""method":"initialize""#));
    drop(peer);
    let mut fresh = bench.process().await;
    assert!(
        fresh
            .heard()
            .await
            .contains(r#""id":2,"method":"server/discover""#)
    );
    fresh
        .says(&format!(r#"{{"jsonrpc":"2.0","id":2,"result":{DISCOVERED}}}"#))
        .await;
    let status = bench.connection.settled().await;
    assert_eq!((status.state, status.era), (State::Ready, Some(Era::Modern)));
}
