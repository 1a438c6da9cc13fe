//! Falling back from dialect to dialect over HTTP, failures of HTTP, sessions.

use patchbay_protocol::{Era, RequestId};
use patchbay_transport::{Dialect, Failure, Unanswered as Why};

use super::{
    wire::{Happens, Wire, wires, with_status},
    *,
};
use crate::Verdict;

pub(super) struct Web {
    pub(super) bench: Bench,
    links: mpsc::UnboundedReceiver<Wire>,
}

impl Web {
    pub(super) fn new(change: impl FnOnce(&mut ConnectOptions)) -> Self {
        let (connector, links) = wires();
        let bench = Bench::with(|options| {
            options.connector = connector;
            change(options);
        });
        Self { bench, links }
    }

    pub(super) async fn link(&mut self) -> Wire {
        self.links.recv().await.unwrap()
    }

    /// A modern server that is ready; requests begin with id 2.
    pub(super) async fn modern() -> (Self, Wire) {
        let mut web = Self::new(|_| {});
        let mut wire = web.link().await;
        let (id, _, _) = wire.heard().await;
        wire.answers(id, DISCOVERED);
        assert_eq!(web.settled().await.state, State::Ready);
        (web, wire)
    }

    pub(super) async fn legacy() -> (Self, Wire) {
        let mut web = Self::new(|options| options.era = EraChoice::Legacy);
        let mut wire = web.link().await;
        wire.initialized().await;
        assert_eq!(web.settled().await.state, State::Ready);
        (web, wire)
    }

    pub(super) async fn settled(&self) -> Arc<Status> {
        self.bench.connection.settled().await
    }
}

pub(super) const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}"#;

#[tokio::test(start_paused = true)]
async fn a_modern_server_is_one_request_away() {
    let (web, _wire) = Web::modern().await;
    let status = web.settled().await;
    let verdict = status.era_verdict.clone().unwrap();
    assert_eq!(
        verdict.remember,
        Some(Verdict {
            era: Era::Modern,
            dialect: Dialect::Modern
        })
    );
    assert!(verdict.probe_seq.is_some());
    assert_eq!(status.era, Some(Era::Modern));
}

/// Falls back through the dialects: each response is to the first request of its link. Returns the last dialect and the status.
async fn down(answers: &[(u16, Option<&str>)]) -> (Dialect, Arc<Status>) {
    let mut web = Web::new(|_| {});
    let mut dialect = Dialect::Modern;
    for (status, error) in answers {
        let mut wire = web.link().await;
        dialect = wire.dialect;
        let (id, text, _) = wire.heard().await;
        let first = if dialect == Dialect::Modern {
            "server/discover"
        } else {
            "initialize"
        };
        assert!(text.contains(first), "{text}");
        match (status, error) {
            (200, None) => wire.answers(id, r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"m","version":"1"}}"#),
            (status, Some(error)) => wire.refuses(id, *status, error),
            (status, None) => wire.status(id, *status),
        }
    }
    (dialect, web.settled().await)
}

#[tokio::test(start_paused = true)]
async fn the_fallbacks_are_tried_in_the_order_of_the_specification() {
    const NOT_FOUND: &str = r#"{"code":-32601,"message":"Method not found"}"#;
    const NO_SESSION: &str = r#"{"code":-32000,"message":"Bad Request: Server not initialized"}"#;
    for answers in [
        &[(400, None), (200, None)][..],
        &[(404, None), (200, None)],
        &[(400, Some(NO_SESSION)), (200, None)],
        &[(404, Some(NOT_FOUND)), (200, None)],
        &[(200, Some(NOT_FOUND)), (200, None)],
        &[(500, None), (200, None)],
        &[(406, None), (200, None)],
    ] {
        let (dialect, status) = down(answers).await;
        assert_eq!(
            (dialect, status.state),
            (Dialect::Legacy, State::Ready),
            "{answers:?}"
        );
        let verdict = status.era_verdict.clone().unwrap();
        assert_eq!(verdict.remember.unwrap().dialect, Dialect::Legacy);
        assert!(verdict.reason.ends_with("; initialize"), "{}", verdict.reason);
    }
    for refused in [400, 404, 405] {
        let (dialect, status) = down(&[(405, None), (refused, None), (200, None)]).await;
        assert_eq!(
            (dialect, status.state),
            (Dialect::HttpSse, State::Ready),
            "{refused}"
        );
        assert_eq!(
            status.era_verdict.clone().unwrap().remember.unwrap().dialect,
            Dialect::HttpSse
        );
    }
    let (dialect, status) = down(&[(404, None), (404, Some(NOT_FOUND)), (404, None)]).await;
    assert_eq!((dialect, status.state), (Dialect::HttpSse, State::Failed));
    let failure = status.failure.clone().unwrap();
    let detail = failure.detail.unwrap();
    assert!(
        detail.contains("2026-07-28: ") && detail.contains("initialize: "),
        "{detail}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_recognised_modern_error_does_not_go_down() {
    for error in [
        r#"{"code":-32020,"message":"Header mismatch"}"#,
        r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{"sampling":{}}}}"#,
        r#"{"code":-32022,"message":"m","data":{"supported":["2027-01-01"]}}"#,
    ] {
        let (dialect, status) = down(&[(400, Some(error))]).await;
        assert_eq!(
            (dialect, status.state),
            (Dialect::Modern, State::Failed),
            "{error}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_recognised_modern_error_to_initialize_does_not_go_down_to_http_sse() {
    const MODERN: &str = r#"{"code":-32020,"message":"Header mismatch"}"#;
    for status in [400, 404, 405] {
        let (dialect, told) = down(&[(500, None), (status, Some(MODERN))]).await;
        assert_eq!(
            (dialect, told.state),
            (Dialect::Legacy, State::Failed),
            "{status}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_no_dialect_would_help_fails_at_once() {
    for (status, words) in [
        (401, "Authorization required"),
        (403, "HTTP 403"),
        (429, "HTTP 429"),
        (503, "HTTP 503"),
        (302, "redirects"),
    ] {
        let (dialect, told) = down(&[(status, None)]).await;
        assert_eq!((dialect, told.state), (Dialect::Modern, State::Failed));
        let failure = told.failure.clone().unwrap();
        assert!(failure.cause.contains(words), "{failure:?}");
        assert_eq!(failure.detail.as_deref(), Some("<html>"));
        let challenge = told.challenge.clone();
        assert_eq!(challenge.is_some(), status == 401);
        if let Some(challenge) = challenge {
            assert_eq!(challenge.www_authenticate.as_deref(), Some("Bearer realm=\"x\""));
        }
    }
    let (_, told) = down(&[(401, Some(r#"{"code":-32001,"message":"no"}"#))]).await;
    assert!(told.challenge.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_be_reached_fails_and_one_that_breaks_off_is_old() {
    let mut web = Web::new(|_| {});
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    let broken = |may_have_run| Why::Broken {
        failure: Failure::new("Connect", "Connection refused.", "Start it."),
        may_have_run,
    };
    wire.let_happen(Happens::Unanswered(id, broken(false)));
    let failure = web.settled().await.failure.clone().unwrap();
    assert_eq!(failure.cause, "Connection refused.");

    let mut web = Web::new(|_| {});
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    wire.let_happen(Happens::Unanswered(id, broken(true)));
    assert_eq!(web.link().await.dialect, Dialect::Legacy);
}

#[tokio::test(start_paused = true)]
async fn a_remembered_verdict_is_tried_first_and_all_fallbacks_if_it_fails() {
    let remember = |options: &mut ConnectOptions| {
        options.remembered = Some(Verdict {
            era: Era::Legacy,
            dialect: Dialect::Legacy,
        });
    };
    let mut web = Web::new(remember);
    let mut wire = web.link().await;
    assert_eq!(wire.dialect, Dialect::Legacy);
    wire.initialized().await;
    let verdict = web.settled().await.era_verdict.clone().unwrap();
    assert_eq!(verdict.reason, "remembered from an earlier connection");
    assert_eq!(verdict.remember.unwrap().dialect, Dialect::Legacy);

    let mut web = Web::new(remember);
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    wire.refuses(id, 400, r#"{"code":-32601,"message":"initialize is gone"}"#);
    let mut wire = web.link().await;
    assert_eq!(wire.dialect, Dialect::Modern);
    let (id, _, _) = wire.heard().await;
    wire.answers(id, DISCOVERED);
    let verdict = web.settled().await.era_verdict.clone().unwrap();
    assert_eq!(verdict.remember.unwrap().dialect, Dialect::Modern);
}

#[tokio::test(start_paused = true)]
async fn a_finding_from_silence_is_not_remembered() {
    let mut web = Web::new(|_| {});
    let _silent = web.link().await;
    let mut wire = web.link().await;
    wire.initialized().await;
    assert_eq!(web.settled().await.era_verdict.clone().unwrap().remember, None);
}

#[tokio::test(start_paused = true)]
async fn a_lost_session_is_begun_anew_and_nothing_is_repeated() {
    let (mut web, mut wire) = Web::legacy().await;
    let one = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
    let two = web.bench.call("tools/call", r#"{"name":"y"}"#).await;
    let (id, _, _) = wire.heard().await;
    wire.heard().await;
    wire.let_happen(Happens::SessionLost);
    wire.status(id, 404);
    for exchange in [one, two] {
        let ended = finished(exchange).await;
        assert!(
            matches!(&ended.outcome, Outcome::ConnectionLost(failure) if failure.step == "Session"),
            "{:?}",
            ended.outcome
        );
    }
    let mut fresh = web.link().await;
    assert_eq!(fresh.dialect, Dialect::Legacy);
    let states = web.bench.connection.status();
    assert!(matches!(
        states.borrow().state,
        State::Negotiating | State::Connecting
    ));
    let early = finished(web.bench.call("x", "{}").await).await;
    assert!(matches!(early.outcome, Outcome::NotSent(_)));
    fresh.initialized().await;
    let mut states = web.bench.connection.status();
    let status = states
        .wait_for(|status| status.state == State::Ready)
        .await
        .unwrap()
        .clone();
    assert_eq!(status.sessions_lost, 1);
    let third = web.bench.call("x", "{}").await;
    let (id, text, _) = fresh.heard().await;
    assert!(text.contains(r#""method":"x""#), "nothing was repeated: {text}");
    fresh.answers(id, "{}");
    assert_eq!(finished(third).await.outcome, Outcome::Result);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_loses_every_session_is_given_up() {
    let (mut web, wire) = Web::legacy().await;
    let mut wire = wire;
    for _ in 0..3 {
        wire.let_happen(Happens::SessionLost);
        wire = web.link().await;
        wire.initialized().await;
        let mut states = web.bench.connection.status();
        states
            .wait_for(|status| status.state == State::Ready)
            .await
            .unwrap();
    }
    wire.let_happen(Happens::SessionLost);
    let mut states = web.bench.connection.status();
    let status = states
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap();
    assert_eq!(status.failure.as_ref().unwrap().step, "Session");
}

#[tokio::test(start_paused = true)]
async fn requests_without_an_answer_say_why_and_the_connection_goes_on() {
    let (web, mut wire) = Web::modern().await;
    for (status, may_have_run) in [(401, false), (404, false), (429, false), (500, true), (200, true)] {
        let exchange = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
        let (id, _, _) = wire.heard().await;
        wire.status(id, status);
        let Outcome::Unanswered(why) = finished(exchange).await.outcome else {
            panic!("{status}");
        };
        assert_eq!((why.status, why.may_have_run), (Some(status), may_have_run));
        assert_eq!(why.challenge.is_some(), status == 401);
        assert_eq!(why.retry_after, (status == 429).then(|| Duration::from_secs(7)));
        assert_eq!(why.failure.detail.as_deref(), Some("<html>"));
    }
    // An error without an id is the answer to the request in whose answer it came.
    let exchange = web.bench.call("x/y", "{}").await;
    let (id, _, _) = wire.heard().await;
    wire.refuses(id, 404, r#"{"code":-32601,"message":"Method not found"}"#);
    let ended = finished(exchange).await;
    assert_eq!(ended.outcome, Outcome::Error);
    assert!(ended.response.is_some());
    assert_eq!(web.bench.broken_rules().await, Vec::<String>::new());
    wire.let_happen(Happens::Refused(1, with_status(500)));
    wire.let_happen(Happens::Ended(Failure::new("Stream", "gone", "")));
    let mut states = web.bench.connection.status();
    states
        .wait_for(|status| status.state == State::Failed)
        .await
        .unwrap();
}

/// The POST was accepted: what the GET is refused with says nothing about the request.
#[tokio::test(start_paused = true)]
async fn a_request_whose_stream_cannot_be_resumed_may_have_run() {
    let (web, mut wire) = Web::legacy().await;
    for (status, step) in [
        (405, "Resume the stream"),
        (401, "Resume the stream"),
        (404, "Session"),
    ] {
        let exchange = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
        let (id, _, _) = wire.heard().await;
        let mut why = with_status(status);
        if let Why::Status {
            resuming,
            session_lost,
            ..
        } = &mut why
        {
            (*resuming, *session_lost) = (true, status == 404);
        }
        wire.let_happen(Happens::Unanswered(id, why));
        let failure = match finished(exchange).await.outcome {
            Outcome::Unanswered(why) => {
                assert!(why.may_have_run, "{status}");
                assert_eq!(why.challenge.is_some(), status == 401);
                why.failure
            }
            Outcome::ConnectionLost(failure) => failure,
            other => panic!("{other:?}"),
        };
        assert_eq!(failure.step, step, "{failure:?}");
        if status != 401 {
            assert!(
                failure.next.starts_with("The request may have run"),
                "{failure:?}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_initialize_whose_stream_cannot_be_resumed_does_not_go_down_to_http_sse() {
    let mut web = Web::new(|options| options.era = EraChoice::Legacy);
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    let mut why = with_status(405);
    if let Why::Status { resuming, .. } = &mut why {
        *resuming = true;
    }
    wire.let_happen(Happens::Unanswered(id, why));
    let failure = web.settled().await.failure.clone().unwrap();
    assert_eq!(failure.step, "Resume the stream");
}

#[tokio::test(start_paused = true)]
async fn cancelling_closes_the_stream_in_the_modern_era_and_says_nothing() {
    let (web, mut wire) = Web::modern().await;
    let exchange = web.bench.call("x", "{}").await;
    let (id, _, _) = wire.heard().await;
    web.bench.connection.cancel(exchange.id, None).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Cancelled);
    assert_eq!(wire.abandoned().await, RequestId::Int(id));
    let _next = web.bench.call("y", "{}").await;
    assert!(wire.heard().await.1.contains(r#""method":"y""#));

    let (web, mut wire) = Web::legacy().await;
    let exchange = web.bench.call("x", "{}").await;
    wire.heard().await;
    web.bench.connection.cancel(exchange.id, None).await;
    assert!(wire.heard().await.1.contains("notifications/cancelled"));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_is_no_graceful_end() {
    let (web, mut wire) = Web::modern().await;
    let exchange = web.bench.connection.listen("{}").await;
    let (id, _, headers) = wire.heard().await;
    assert!(headers.contains(&"Mcp-Method: subscriptions/listen".to_owned()));
    wire.let_happen(Happens::Unanswered(
        id,
        Why::Broken {
            failure: Failure::new("Read the response", "The stream ended.", ""),
            may_have_run: true,
        },
    ));
    assert!(matches!(finished(exchange).await.outcome, Outcome::Unanswered(_)));
}

#[tokio::test(start_paused = true)]
async fn a_legacy_servers_question_is_about_the_request_in_whose_answer_it_came() {
    let mut web = Web::new(|options| {
        options.era = EraChoice::Legacy;
        options.capabilities = all_inputs();
    });
    let mut wire = web.link().await;
    wire.initialized().await;
    web.settled().await;
    let mut exchange = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
    let (id, _, _) = wire.heard().await;
    let Some(ExchangeEvent::Sent { seq }) = exchange.next().await else {
        panic!("not sent");
    };
    let asks = r#"{"jsonrpc":"2.0","id":"q","method":"roots/list"}"#;
    wire.let_happen(Happens::Frame(asks.to_owned(), Some((id, 200))));
    let asked = web.bench.inputs.recv().await.unwrap();
    assert_eq!(
        (asked.input.about, asked.input.exchange),
        (Some(seq), Some(exchange.id))
    );
}

#[tokio::test(start_paused = true)]
async fn strays_and_late_answers_are_found_and_change_nothing() {
    let (web, mut wire) = Web::modern().await;
    let one = web.bench.call("x", "{}").await;
    let (first, _, _) = wire.heard().await;
    let two = web.bench.call("y", "{}").await;
    let (second, _, _) = wire.heard().await;
    let complete = r#"{"resultType":"complete"}"#;
    // The answer to one comes in the stream of the other, then twice; then to nobody; then with an id of another type.
    let answer = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{complete}}}"#);
    let first_text = first.to_string();
    for id in [&*first_text, &*first_text, "99", &format!("\"{second}\"")] {
        wire.let_happen(Happens::Frame(answer(id), Some((second, 200))));
    }
    assert_eq!(finished(one).await.outcome, Outcome::Result);
    web.bench.connection.cancel(two.id, None).await;
    assert_eq!(finished(two).await.outcome, Outcome::Cancelled);
    wire.answers(second, complete);
    let last = web.bench.call("z", "{}").await;
    let (id, _, _) = wire.heard().await;
    wire.answers(id, complete);
    assert_eq!(finished(last).await.outcome, Outcome::Result);
    assert_eq!(
        web.bench.broken_rules().await,
        [
            "answered-twice",
            "response-unknown-id",
            "response-unknown-id",
            "answer-after-cancel"
        ]
    );
}
