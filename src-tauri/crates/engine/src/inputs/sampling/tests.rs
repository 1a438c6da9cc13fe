//! The rules of a server, with the scripted provider.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use patchbay_client::InputReply;
use patchbay_contract::*;
use patchbay_test_server::models::{KEY, ModelProvider};
use patchbay_traffic::Filter;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

use super::{ModelResponder, RulesResponder};
use crate::{
    Engine, EngineOptions, InputChain,
    inputs::{Responder as _, sampling_question},
};

const ASKED: &str =
    r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5,"metadata":{}}"#;

struct Harness {
    engine: Engine,
    server: ServerId,
    responder: RulesResponder,
    _folder: tempfile::TempDir,
}

impl Harness {
    /// With a provider whose default model is this one.
    async fn new(scripted: &ModelProvider, model: &str) -> Self {
        Self::at(scripted.origin(), model).await
    }

    async fn at(origin: &str, model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions {
            inputs: InputChain::attended(),
            ..EngineOptions::within(folder.path())
        })
        .await
        .unwrap();
        let provider = ProviderSaveParams {
            provider_id: None,
            name: "Scripted".to_owned(),
            api: ProviderApi::Anthropic,
            base_url: origin.to_owned(),
            key: ProviderKey::Set { text: KEY.to_owned() },
            default_model: Some(model.to_owned()),
        };
        engine.state.models.save(provider).await.unwrap();
        let responder = RulesResponder {
            sampling: engine.state.sampling.clone(),
            recorder: engine.state.recorder.clone(),
        };
        Self {
            engine,
            server: ServerId("s".to_owned()),
            responder,
            _folder: folder,
        }
    }

    async fn rules(&self, request: SamplingRequestRule, answer: SamplingAnswerRule) -> SamplingRules {
        let (mut rules, _) = self.engine.state.sampling.get(&self.server.0, None);
        rules.request = request;
        rules.answer = answer;
        self.engine
            .state
            .sampling
            .set(&self.server, None, rules.clone())
            .await
            .unwrap();
        rules
    }

    /// The reply, and what is proposed to the person.
    async fn ask(&self) -> (Option<InputReply>, Option<InputProposal>) {
        let (question, _) = sampling_question(&self.engine, ASKED);
        let reply = self.responder.respond(&question).await;
        (reply, question.proposal.get().cloned())
    }

    /// What was recorded about decisions.
    async fn notes(&self) -> Vec<String> {
        self.notes_with("rule").await
    }

    /// What was recorded with this text.
    async fn notes_with(&self, part: &str) -> Vec<String> {
        self.engine.state.recorder.flush().await.unwrap();
        let rows = self
            .engine
            .state
            .store
            .rows(&Filter::default(), 0, 500)
            .await
            .unwrap();
        let texts = rows.into_iter().filter_map(|row| row.summary);
        texts.filter(|text| text.contains(part)).collect()
    }
}

#[tokio::test]
async fn each_rule_decides_and_is_recorded() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "talk").await;
    assert_eq!(
        harness.ask().await,
        (None, None),
        "the user is asked unless a rule says otherwise"
    );

    harness.rules(Request::Never, Answer::Always).await;
    let (reply, _) = harness.ask().await;
    assert!(
        matches!(reply, Some(InputReply::Error { code: -1, .. })),
        "{reply:?}"
    );
    assert_eq!(scripted.seen(), Vec::<String>::new());

    harness.rules(Request::Always, Answer::Ask).await;
    let (reply, proposal) = harness.ask().await;
    assert_eq!(reply, None);
    let proposal = proposal.unwrap();
    assert!(proposal.result_json.unwrap().contains("Hello, wörld"));
    assert_eq!(
        proposal.reason,
        "talk-2026 answered. The rule leaves the answer to you."
    );

    harness.rules(Request::Always, Answer::Always).await;
    let (reply, _) = harness.ask().await;
    assert!(matches!(reply, Some(InputReply::Result(json)) if json.contains("Hello, wörld")));
    let sent = "Sent sampling/createMessage to talk of Scripted by rule: always for this server. The server gives no hints; \
                it is the default model of Scripted.";
    assert_eq!(
        harness.notes().await,
        [
            "Refused sampling/createMessage by rule: never for this server",
            sent,
            sent,
            "Answered sampling/createMessage by rule: always for this server"
        ]
    );
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn limits_and_failures_leave_the_request_to_the_user() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "talk").await;
    let sampling = Arc::clone(&harness.engine.state.sampling);
    let mut rules = harness.rules(Request::Always, Answer::Always).await;
    rules.token_budget = 20;
    sampling.set(&harness.server, None, rules.clone()).await.unwrap();
    // One connection: 18 tokens, then 36.
    let (question, _) = sampling_question(&harness.engine, ASKED);
    for _ in 0..2 {
        assert!(harness.responder.respond(&question).await.is_some());
    }
    assert_eq!(harness.responder.respond(&question).await, None);
    assert_eq!(
        question.proposal.get().unwrap().reason,
        "Not answered by rule (always for this server): The budget of 20 tokens for this connection is used up (36 used)."
    );
    assert_eq!(sampling.get("s", Some(question.input.connection)).1, 36);
    // The rate holds across connections: two were counted before.
    rules.per_minute = 3;
    sampling.set(&harness.server, None, rules.clone()).await.unwrap();
    assert!(
        harness.ask().await.0.is_some(),
        "a new connection has a new budget"
    );
    let (reply, proposal) = harness.ask().await;
    assert_eq!(reply, None);
    assert!(
        proposal
            .unwrap()
            .reason
            .contains("The limit of 3 automatic requests a minute is reached.")
    );
    assert_eq!(scripted.seen().len(), 3);

    let harness = Harness::new(&scripted, "529").await;
    harness.rules(Request::Always, Answer::Always).await;
    let (reply, proposal) = harness.ask().await;
    assert_eq!(reply, None, "after a failure the user decides");
    let proposal = proposal.unwrap();
    assert_eq!(proposal.result_json, None);
    assert!(
        proposal
            .reason
            .contains("The provider is overloaded (status 529)"),
        "{}",
        proposal.reason
    );
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_failed_request_keeps_its_tokens_if_the_model_had_begun_to_answer() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    let scripted = ModelProvider::start().unwrap();
    let each = (ASKED.len() / 4 + 5) as u64;
    for (model, kept) in [("empty", each), ("unfinished", each), ("529", 0), ("429", 0)] {
        let harness = Harness::new(&scripted, model).await;
        harness.rules(Request::Always, Answer::Always).await;
        let (question, _) = sampling_question(&harness.engine, ASKED);
        assert!(harness.responder.respond(&question).await.is_none(), "{model}");
        let (_, used) = harness
            .engine
            .state
            .sampling
            .get("s", Some(question.input.connection));
        assert_eq!(used, kept, "{model}");
        harness.engine.shutdown().await;
    }
}

#[tokio::test]
async fn a_rule_for_a_connection_ends_with_it() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "talk").await;
    let sampling = &harness.engine.state.sampling;
    let (question, _) = sampling_question(&harness.engine, ASKED);
    let (mut rules, _) = sampling.get("s", None);
    rules.request = Request::ThisConnection;
    rules.answer = Answer::ThisConnection;
    let refused = sampling
        .set(&harness.server, None, rules.clone())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotConnected);
    sampling
        .set(&harness.server, Some(question.input.connection), rules)
        .await
        .unwrap();
    assert!(harness.responder.respond(&question).await.is_some());
    assert_eq!(harness.ask().await, (None, None), "another connection");
    assert_eq!(sampling.get("s", None).0.request, Request::Ask);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_request_that_is_cancelled_or_pending_has_its_tokens_reserved() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "slow").await;
    let sampling = Arc::clone(&harness.engine.state.sampling);
    let mut rules = harness.rules(Request::Always, Answer::Always).await;
    let (question, _) = sampling_question(&harness.engine, ASKED);
    let used = || sampling.get("s", Some(question.input.connection)).1;
    let ask_and_cancel = async || {
        let before = scripted.seen().len();
        let sent = async {
            while scripted.seen().len() == before {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = harness.responder.respond(&question) => panic!("it answers nothing"),
            sent = tokio::time::timeout(Duration::from_secs(30), sent) => sent.unwrap(),
        }
    };
    ask_and_cancel().await;
    let each = (ASKED.len() / 4 + 5) as u64;
    assert_eq!(used(), each, "the request, and 5 tokens of an answer");
    ask_and_cancel().await;
    assert_eq!(used(), 2 * each);
    // What is left is all that a third one can reserve, and then there is nothing for another.
    rules.token_budget = 2 * u32::try_from(each).unwrap() + 1;
    sampling.set(&harness.server, None, rules.clone()).await.unwrap();
    let (question, _) = sampling_question(&harness.engine, ASKED);
    let admit = || sampling.admit("s", question.input.connection, &rules, 2 * each, Instant::now());
    assert_eq!((admit(), admit()), (Ok(2 * each), Ok(1)));
    let why = admit().unwrap_err();
    assert!(why.contains("is used up"), "{why}");
    // What it really used counts once it is known.
    sampling.count("s", question.input.connection, 2 * each, 3);
    assert_eq!(sampling.get("s", Some(question.input.connection)).1, 4);
    harness.engine.shutdown().await;
}

/// Answers one request as a model does, once `meanwhile` is done.
async fn answer_after(listener: TcpListener, meanwhile: impl Future<Output = ()>) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await.unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    stream.read_exact(&mut vec![0; length]).await.unwrap();
    meanwhile.await;
    let body = r#"{"id":"m","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"Late"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}"#;
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let response = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(response.as_bytes()).await.unwrap();
}

#[tokio::test]
async fn an_answer_is_not_sent_by_a_rule_that_was_withdrawn_meanwhile() {
    use {SamplingAnswerRule as Answer, SamplingRequestRule as Request};
    for (request, answer, expected) in [
        (Request::Never, Answer::Always, "refused"),
        (Request::Always, Answer::Ask, "The rule leaves the answer to you."),
        (Request::Ask, Answer::Always, "The rule was withdrawn meanwhile."),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let harness = Harness::at(&origin, "m").await;
        harness.rules(Request::Always, Answer::Always).await;
        let withdrawn = async {
            harness.rules(request, answer).await;
        };
        let both = async { tokio::join!(harness.ask(), answer_after(listener, withdrawn)) };
        let ((reply, proposal), ()) = tokio::time::timeout(Duration::from_secs(30), both).await.unwrap();
        match proposal {
            Some(proposal) => {
                assert_eq!(
                    (reply, proposal.reason),
                    (None, format!("m-1 answered. {expected}"))
                );
                assert!(proposal.result_json.unwrap().contains("Late"));
            }
            None => {
                assert_eq!(expected, "refused");
                assert!(
                    matches!(reply, Some(InputReply::Error { code: -1, .. })),
                    "{reply:?}"
                );
            }
        }
        harness.engine.shutdown().await;
    }
}

static REPORTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[tokio::test]
async fn only_the_user_learns_why_the_model_of_the_command_line_did_not_answer() {
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "529").await;
    let responder = ModelResponder {
        models: harness.engine.state.models.clone(),
        recorder: harness.engine.state.recorder.clone(),
        name: "Scripted".to_owned(),
        report: |text| REPORTED.lock().unwrap().push(text.to_owned()),
    };
    let (question, _) = sampling_question(&harness.engine, ASKED);
    let expected = InputReply::Error {
        code: -32603,
        message: "the model did not answer".to_owned(),
        data: None,
    };
    assert_eq!(responder.respond(&question).await, Some(expected));
    let reported = REPORTED.lock().unwrap().clone();
    let begin =
        "The model Scripted did not answer sampling/createMessage: The provider is overloaded (status 529)";
    assert!(
        matches!(&*reported, [text] if text.starts_with(begin)),
        "{reported:?}"
    );
    assert_eq!(harness.notes_with("did not answer").await, reported);
    harness.engine.shutdown().await;
}

/// A check connects beside the connection that the user has.
#[tokio::test]
async fn what_another_connection_sends_leaves_the_rules_and_the_budget_of_this_one() {
    let scripted = ModelProvider::start().unwrap();
    let harness = Harness::new(&scripted, "talk").await;
    let sampling = &harness.engine.state.sampling;
    let rules = SamplingRules {
        answer: SamplingAnswerRule::ThisConnection,
        ..harness
            .rules(SamplingRequestRule::Always, SamplingAnswerRule::Ask)
            .await
    };
    let connection = || sampling_question(&harness.engine, ASKED).0.input.connection;
    let (mine, of_check) = (connection(), connection());
    sampling
        .set(&harness.server, Some(mine), rules.clone())
        .await
        .unwrap();
    for connection in [mine, of_check] {
        sampling
            .admit("s", connection, &rules, 7, Instant::now())
            .unwrap();
    }
    let (now, used) = sampling.get("s", Some(mine));
    assert_eq!((now.answer, used), (SamplingAnswerRule::ThisConnection, 7));
    let (now, used) = sampling.get("s", Some(of_check));
    assert_eq!((now.answer, used), (SamplingAnswerRule::Ask, 7));
}
