//! Requests over several rounds of input.

use patchbay_protocol::json::Object;

use super::{
    dialect_fallback::{DISCOVERED, Web},
    *,
};
use crate::{InputKind, InputReply};

/// A request as the server heard it.
struct Heard {
    id: i64,
    line: String,
}

impl Heard {
    fn member(&self, name: &str) -> Option<String> {
        let params = Object::parse(&self.line).unwrap().get("params").unwrap();
        Object::parse(params).unwrap().get(name).map(str::to_owned)
    }
}

impl Peer {
    async fn hears(&mut self) -> Heard {
        let line = self.heard().await;
        let id = Object::parse(&line).unwrap().get("id").unwrap().parse().unwrap();
        Heard { id, line }
    }

    async fn answers(&mut self, to: &Heard, result: &str) {
        self.says(&format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
            to.id
        ))
        .await;
    }

    async fn asks(&mut self, to: &Heard, requests: &str, state: &str) {
        let result = format!(r#"{{"resultType":"input_required","inputRequests":{requests}{state}}}"#);
        self.answers(to, &result).await;
    }
}

const DONE: &str = r#"{"resultType":"complete","content":[]}"#;
const NAME: &str = r#"{"name":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}"#;
const ACCEPTED: &str = r#"{"action":"accept","content":{"n":1.10}}"#;

async fn bench() -> (Bench, Peer) {
    Bench::modern(all_inputs(), r#"{"tools":{},"prompts":{},"resources":{}}"#).await
}

async fn reply(bench: &mut Bench, reply: InputReply) -> InputRequest {
    let mut asked = bench.inputs.recv().await.unwrap();
    let (dummy, _) = tokio::sync::oneshot::channel();
    std::mem::replace(&mut asked.reply, dummy).send(reply).unwrap();
    asked
}

#[tokio::test(start_paused = true)]
async fn a_call_goes_on_with_what_was_answered_under_a_new_id() {
    let (mut bench, mut peer) = bench().await;
    let mut exchange = bench
        .call("tools/call", r#"{"name":"x","arguments":{"n":1.10}}"#)
        .await;
    let first = peer.hears().await;
    peer.asks(&first, NAME, r#","requestState":"a\/b\u0041 ü""#).await;
    let asked = reply(&mut bench, InputReply::Result(ACCEPTED.to_owned())).await;
    assert_eq!(
        (asked.input.kind, &*asked.input.key, asked.input.round),
        (InputKind::Elicitation, "name", Some(1))
    );
    assert_eq!(asked.input.exchange, Some(exchange.id));
    assert!(asked.input.params.starts_with(r#"{"message":"m""#));
    let second = peer.hears().await;
    assert_ne!(first.id, second.id);
    assert_eq!(second.member("arguments"), first.member("arguments"));
    assert_eq!(
        second.member("inputResponses").unwrap(),
        format!(r#"{{"name":{ACCEPTED}}}"#)
    );
    assert_eq!(
        second.member("requestState").unwrap(),
        r#""a\/b\u0041 ü""#,
        "byte for byte"
    );
    assert!(second.line.contains("io.modelcontextprotocol/clientCapabilities"));
    peer.answers(&second, DONE).await;
    let mut told = Vec::new();
    let finished = loop {
        match exchange.next().await.unwrap() {
            ExchangeEvent::Sent { .. } => told.push("sent".to_owned()),
            ExchangeEvent::InputRound { round, inputs, .. } => {
                told.push(format!("round {round} of {inputs}"))
            }
            ExchangeEvent::Finished(finished) => break finished,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(told, ["sent", "round 1 of 1", "sent"]);
    assert_eq!((finished.outcome, finished.legs), (Outcome::Result, 2));
    assert_eq!(bench.broken_rules().await, Vec::<String>::new());
    // The second leg is linked to the first.
    let rows = bench.store.rows(&Filter::default(), 0, 100).await.unwrap();
    let legs: Vec<_> = rows
        .iter()
        .filter(|row| row.method.as_deref() == Some("tools/call") && row.pair.is_some())
        .map(|row| row.seq)
        .collect();
    let record = bench.store.record(legs[2]).await.unwrap().unwrap();
    assert!(record.related.iter().any(|row| row.seq == legs[0]), "{record:?}");
}

#[tokio::test(start_paused = true)]
async fn a_state_that_was_not_given_is_not_sent_and_none_goes_to_another_request() {
    let (mut bench, mut peer) = bench().await;
    let one = bench.call("tools/call", r#"{"name":"one"}"#).await;
    let first = peer.hears().await;
    let two = bench.call("prompts/get", r#"{"name":"two"}"#).await;
    let other = peer.hears().await;
    peer.asks(&first, NAME, "").await;
    peer.asks(
        &other,
        r#"{"r":{"method":"roots/list"}}"#,
        r#","requestState":"of two""#,
    )
    .await;
    for _ in 0..2 {
        let asked = bench.inputs.recv().await.unwrap();
        let answer = match asked.input.kind {
            InputKind::Roots => r#"{"roots":[]}"#,
            _ => ACCEPTED,
        };
        asked.reply.send(InputReply::Result(answer.to_owned())).unwrap();
    }
    for _ in 0..2 {
        let again = peer.hears().await;
        if again.member("name").unwrap() == "\"one\"" {
            assert_eq!(again.member("requestState"), None);
            assert!(again.member("inputResponses").unwrap().contains("accept"));
        } else {
            assert_eq!(again.member("requestState").as_deref(), Some("\"of two\""));
            assert_eq!(
                again.member("inputResponses").as_deref(),
                Some(r#"{"r":{"roots":[]}}"#)
            );
        }
        peer.answers(&again, DONE).await;
    }
    let third = bench.call("tools/call", r#"{"name":"three"}"#).await;
    let heard = peer.hears().await;
    assert_eq!(
        (heard.member("requestState"), heard.member("inputResponses")),
        (None, None)
    );
    peer.answers(&heard, DONE).await;
    for exchange in [one, two, third] {
        assert_eq!(finished(exchange).await.outcome, Outcome::Result);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_only_wants_to_be_asked_again_is_asked_again() {
    let (bench, mut peer) = bench().await;
    let exchange = bench.call("resources/read", r#"{"uri":"x://y"}"#).await;
    let first = peer.hears().await;
    let shed = r#"{"resultType":"input_required","requestState":"later"}"#;
    peer.answers(&first, shed).await;
    let second = peer.hears().await;
    assert_eq!(second.member("requestState").as_deref(), Some("\"later\""));
    assert_eq!(second.member("inputResponses"), None);
    let done = r#"{"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"private"}"#;
    peer.answers(&second, done).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
}

#[tokio::test(start_paused = true)]
async fn rounds_have_a_limit() {
    let mut bench = Bench::with(|options| {
        options.era = EraChoice::Modern;
        options.limits.input_rounds = 3;
    });
    let mut peer = bench.process().await;
    let hello = peer.hears().await;
    peer.answers(
        &hello,
        r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}"#,
    )
    .await;
    bench.connection.settled().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let began = Instant::now();
    for round in 0..4 {
        let heard = peer.hears().await;
        // At once, then more and more patiently.
        let least = Duration::from_millis([0, 0, 100, 300][round]);
        assert!(began.elapsed() >= least, "{round}: {:?}", began.elapsed());
        let state = format!(r#"{{"resultType":"input_required","requestState":"{round}"}}"#);
        peer.answers(&heard, &state).await;
    }
    let ended = finished(exchange).await;
    let words = "the server has asked in 3 rounds already, and no more are allowed";
    assert_eq!(ended.outcome, Outcome::InputRequired(words.to_owned()));
    assert_eq!(ended.legs, 4);
    assert!(ended.response.is_some());
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_answered_ends_the_call_and_is_told() {
    for (method, requests, words, rule) in [
        (
            "tools/list",
            NAME,
            "tools/list must not be answered",
            "input-required-misplaced",
        ),
        (
            "tools/call",
            r#"{"a":{"method":"tools/call"}}"#,
            "no client can give",
            "input-request-unknown",
        ),
        (
            "tools/call",
            r#"{"a":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}}"#,
            "did not declare `sampling.tools`",
            "undeclared-capability",
        ),
        (
            "tools/call",
            r#"{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://x"}}}"#,
            "did not declare `elicitation.url`",
            "undeclared-capability",
        ),
    ] {
        let (bench, mut peer) = bench().await;
        let exchange = bench.call(method, r#"{"name":"x"}"#).await;
        let heard = peer.hears().await;
        peer.asks(&heard, requests, "").await;
        let ended = finished(exchange).await;
        assert!(
            matches!(&ended.outcome, Outcome::InputRequired(why) if why.contains(words)),
            "{requests}: {:?}",
            ended.outcome
        );
        assert_eq!(bench.broken_rules().await, [rule], "{requests}");
    }
    let (bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.answers(&heard, r#"{"resultType":"input_required"}"#).await;
    assert!(matches!(
        finished(exchange).await.outcome,
        Outcome::InputRequired(_)
    ));
    assert_eq!(bench.broken_rules().await, ["input-required-empty"]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_call_and_withdraws_the_rest() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    let two = r#"{"a":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}},"b":{"method":"roots/list"}}"#;
    peer.asks(&heard, two, "").await;
    let sampling = bench.inputs.recv().await.unwrap();
    let mut roots = bench.inputs.recv().await.unwrap();
    let refused = InputReply::Error {
        code: -1,
        message: "not today".to_owned(),
        data: None,
    };
    sampling.reply.send(refused).unwrap();
    roots.reply.closed().await;
    assert_eq!(
        finished(exchange).await.outcome,
        Outcome::InputRequired("sampling/createMessage was refused: not today".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_an_elicitation_cancels_it_and_the_call_goes_on() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.asks(&heard, NAME, "").await;
    drop(bench.inputs.recv().await.unwrap());
    let again = peer.hears().await;
    assert_eq!(
        again.member("inputResponses").as_deref(),
        Some(r#"{"name":{"action":"cancel"}}"#)
    );
    peer.answers(&again, DONE).await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Result);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_no_json_breaks_nothing() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.asks(&heard, NAME, "").await;
    reply(&mut bench, InputReply::Result("{oops".to_owned())).await;
    let ended = finished(exchange).await;
    assert!(matches!(ended.outcome, Outcome::InputRequired(why) if why.contains("not JSON")));
}

#[tokio::test(start_paused = true)]
async fn cancelling_while_people_are_asked_withdraws_the_question_and_tells_nobody_else() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.asks(&heard, NAME, r#","requestState":"s""#).await;
    let mut asked = bench.inputs.recv().await.unwrap();
    bench.connection.cancel(exchange.id, None).await;
    asked.reply.closed().await;
    assert_eq!(finished(exchange).await.outcome, Outcome::Cancelled);
    // A reply that still comes is ignored.
    let _ = asked.reply.send(InputReply::Result(ACCEPTED.to_owned()));
    let next = bench.call("ping", "{}").await;
    assert!(peer.hears().await.line.contains("\"ping\""));
    drop(next);
}

#[tokio::test(start_paused = true)]
async fn the_time_in_which_people_are_asked_is_told_apart_and_costs_no_time_out() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.asks(&heard, NAME, "").await;
    let asked = bench.inputs.recv().await.unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    asked.reply.send(InputReply::Result(ACCEPTED.to_owned())).unwrap();
    let again = peer.hears().await;
    peer.answers(&again, DONE).await;
    let ended = finished(exchange).await;
    assert_eq!(ended.outcome, Outcome::Result);
    assert_eq!(ended.human_wait.as_secs(), 3600);
    assert_eq!(ended.duration.as_secs(), 3600);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_connection_withdraws_what_is_asked() {
    let (mut bench, mut peer) = bench().await;
    let exchange = bench.call("tools/call", r#"{"name":"x"}"#).await;
    let heard = peer.hears().await;
    peer.asks(&heard, NAME, "").await;
    let mut asked = bench.inputs.recv().await.unwrap();
    drop(peer);
    asked.reply.closed().await;
    assert!(matches!(
        finished(exchange).await.outcome,
        Outcome::ConnectionLost(_)
    ));
}

/// A server would run it, and nobody would wait for the result.
#[tokio::test(start_paused = true)]
async fn a_call_whose_time_is_over_between_two_rounds_is_not_sent_again() {
    let mut web = Web::new(|options| options.timeouts = seconds(5, 5));
    let mut wire = web.link().await;
    let (id, _, _) = wire.heard().await;
    wire.answers(id, DISCOVERED);
    assert_eq!(web.settled().await.state, State::Ready);
    let call = web.bench.call("tools/call", r#"{"name":"x"}"#).await;
    let again = r#"{"resultType":"input_required","requestState":"s"}"#;
    // The second round is answered right before the time is over; the pause before the third goes beyond it.
    let (id, _, _) = wire.heard().await;
    wire.answers(id, again);
    let (id, _, _) = wire.heard().await;
    tokio::time::sleep(Duration::from_millis(4_950)).await;
    wire.answers(id, again);
    let ended = finished(call).await;
    assert!(matches!(ended.outcome, Outcome::TimedOut { .. }), "{ended:?}");
    assert_eq!(ended.legs, 2);
}
