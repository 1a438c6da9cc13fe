use std::{path::PathBuf, sync::Arc};

use patchbay_client::{Input, InputKind, InputReply, InputRequest};
use patchbay_contract::{AdvertisedDraft, RootsRule};
use patchbay_protocol::limits::Limits;
use patchbay_traffic::{Kind, NewConnection, Origin, Recorder, Store, StoreOptions};
use tokio::sync::{mpsc, oneshot, watch};

use crate::servers::roots::LiveRoots;

use super::{
    super::{ElicitationRule, Roots, SamplingRule},
    Answers, InputChain, InputQuestion, Responder, Response, ServerChain, answer_questions,
};

/// An example of a new responder: a model that answers one question and passes on the others.
#[derive(Debug)]
struct ScriptedModel;

impl Responder for ScriptedModel {
    fn rule(&self) -> Option<String> {
        Some("the scripted model".to_owned())
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Sampling,
            capability: "{\"context\":{}}",
            always: false,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(async {
            tokio::task::yield_now().await;
            question
                .input
                .params
                .contains("weather")
                .then(|| InputReply::Result("{\"model\":\"oracle\"}".to_owned()))
        })
    }
}

/// A chain without a person.
fn chain(rules: InputChain, roots: Option<&RootsRule>) -> ServerChain {
    rules.of_server(
        &Arc::new(LiveRoots::for_test(roots.cloned())),
        Arc::new(ScriptedModel),
        &Limits::default(),
    )
}

fn recorder() -> (Store, Recorder) {
    Store::open(StoreOptions { path: None }).unwrap()
}

fn question(recorder: &Recorder, kind: InputKind, params: &str) -> InputQuestion {
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        origin: Origin::Client,
    });
    InputQuestion::new(Input {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        connection,
        key: "1".to_owned(),
        task: None,
        kind,
        method: "sampling/createMessage".to_owned(),
        params: params.to_owned(),
        about: None,
        exchange: None,
        operation: None,
        during: Vec::new(),
        seq: 8,
        round: None,
        watch: Default::default(),
    })
}

async fn reply(chain: &ServerChain, kind: InputKind, params: &str) -> (InputReply, Option<String>) {
    let (_store, recorder) = recorder();
    let (reply, responder) = chain.respond(&question(&recorder, kind, params)).await;
    (reply, responder.and_then(Responder::rule))
}

#[test]
fn only_answerable_requests_are_declared() {
    let declared = |rules: InputChain| {
        let on = AdvertisedDraft {
            sampling_context: true,
            tasks: false,
            ..AdvertisedDraft::default()
        };
        chain(rules, None).capabilities(&on).to_json()
    };
    let tasks = r#""extensions":{"io.modelcontextprotocol/tasks":{}}"#;
    assert_eq!(declared(InputChain::default()), format!("{{{tasks}}}"));
    let rules = InputChain::default()
        .with(ElicitationRule::AcceptDefaults)
        .with(SamplingRule::Decline);
    assert_eq!(
        declared(rules),
        format!(r#"{{"sampling":{{}},"elicitation":{{"form":{{}}}},{tasks}}}"#)
    );
    // If a question may be passed on, the combined capability is declared.
    let both = InputChain::default()
        .with(ScriptedModel)
        .with(SamplingRule::Decline);
    assert_eq!(
        declared(both),
        format!(r#"{{"sampling":{{"context":{{}}}},{tasks}}}"#)
    );
}

#[tokio::test]
async fn the_first_answer_wins_and_names_its_rule() {
    let rules = InputChain::default()
        .with(ScriptedModel)
        .with(SamplingRule::Decline);
    let chain = chain(rules, None);
    let (answer, rule) = reply(&chain, InputKind::Sampling, r#"{"about":"weather"}"#).await;
    assert_eq!(answer, InputReply::Result("{\"model\":\"oracle\"}".to_owned()));
    assert_eq!(rule.as_deref(), Some("the scripted model"));
    let (answer, rule) = reply(&chain, InputKind::Sampling, "{}").await;
    assert!(matches!(answer, InputReply::Error { code: -1, .. }), "{answer:?}");
    assert_eq!(rule.as_deref(), Some("--on-sampling, decline"));
    let nobody = reply(&chain, InputKind::Elicitation, "{}").await;
    assert_eq!(nobody, (InputReply::Cancelled, None));
}

#[tokio::test]
async fn an_automatic_answer_is_recorded_beside_its_question() {
    let (store, recorder) = recorder();
    let question = question(&recorder, InputKind::Sampling, "weather");
    let (sender, requests) = mpsc::channel(1);
    let (reply, replied) = oneshot::channel();
    let input = Input {
        server_id: question.input.server_id,
        server_name: question.input.server_name,
        connection: question.input.connection,
        key: "k".to_owned(),
        task: None,
        kind: question.input.kind,
        method: question.input.method,
        params: question.input.params,
        about: None,
        exchange: None,
        operation: None,
        during: Vec::new(),
        seq: question.input.seq,
        round: None,
        watch: Default::default(),
    };
    let request = InputRequest { input, reply };
    sender.send(request).await.unwrap();
    let (_status, status) = watch::channel(());
    let chain = chain(InputChain::default().with(ScriptedModel), None);
    let responding = tokio::spawn(answer_questions(chain, recorder.clone(), requests, status));
    assert!(matches!(replied.await.unwrap(), InputReply::Result(_)));
    recorder.flush().await.unwrap();
    let rows = store
        .rows(&patchbay_traffic::Filter::default(), 0, 10)
        .await
        .unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0].kind, Kind::Lifecycle);
    assert_eq!(
        rows[0].summary.as_deref(),
        Some("Answered sampling/createMessage by rule: the scripted model")
    );
    responding.abort();
}

#[tokio::test]
async fn roots_are_answered_by_the_servers_settings_unless_the_user_is_asked() {
    let home = tempfile::tempdir().unwrap();
    let [spaced, umlaut] = ["a b", "\u{fc}"].map(|name| home.path().join(name).display().to_string());
    for folder in [&spaced, &umlaut] {
        std::fs::create_dir(folder).unwrap();
    }
    let folders = RootsRule::Folders {
        names: [(umlaut.clone(), "Umlaut \"1\"".to_owned())].into(),
        paths: vec![spaced, umlaut],
        sets: Vec::new(),
    };
    let expected = r#"{"roots":[{"uri":"file://HOME/a%20b","name":"a b"},{"uri":"file://HOME/%C3%BC","name":"Umlaut \"1\""}]}"#;
    let expected = expected.replace("HOME", &home.path().display().to_string());
    for (setting, expected) in [(RootsRule::None {}, r#"{"roots":[]}"#), (folders, &expected)] {
        let (answer, rule) = reply(
            &chain(InputChain::default(), Some(&setting)),
            InputKind::Roots,
            "{}",
        )
        .await;
        assert_eq!(answer, InputReply::Result(expected.to_owned()));
        assert!(rule.unwrap().ends_with("(server settings)"));
    }
    // The command line overrides the settings.
    let given = InputChain::default().with(Roots::of_command_line(vec![PathBuf::from("/tmp")]));
    let (answer, rule) = reply(&chain(given, Some(&RootsRule::None {})), InputKind::Roots, "{}").await;
    assert_eq!(
        answer,
        InputReply::Result(r#"{"roots":[{"uri":"file:///tmp","name":"tmp"}]}"#.to_owned())
    );
    assert_eq!(rule.as_deref(), Some("--root"));
    let asked = chain(InputChain::default(), Some(&RootsRule::Ask {}));
    assert!(
        !asked.capabilities(&AdvertisedDraft::default()).has("roots"),
        "there is no user to ask"
    );
}

async fn elicited(rule: ElicitationRule, params: &str) -> String {
    match reply(
        &chain(InputChain::default().with(rule), None),
        InputKind::Elicitation,
        params,
    )
    .await
    {
        (InputReply::Result(json), _) => json,
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn defaults_are_used_verbatim() {
    let params = r#"{"message":"m","requestedSchema":{"type":"object","properties":{
        "n":{"type":"number","default":1.10},"big":{"default":9007199254740993},"none":{"type":"string"},
        "a\"b":{"default":"x"},"list":{"default":["a"]}}}}"#;
    assert_eq!(
        elicited(ElicitationRule::AcceptDefaults, params).await,
        r#"{"action":"accept","content":{"n":1.10,"big":9007199254740993,"a\"b":"x","list":["a"]}}"#
    );
    assert_eq!(
        elicited(
            ElicitationRule::AcceptDefaults,
            r#"{"requestedSchema":{"properties":{}}}"#
        )
        .await,
        r#"{"action":"accept","content":{}}"#
    );
    // Other requests are not accepted blindly.
    for params in [
        r#"{"mode":"url","url":"https://x","requestedSchema":{}}"#,
        "{}",
        "5",
    ] {
        assert_eq!(
            elicited(ElicitationRule::AcceptDefaults, params).await,
            r#"{"action":"decline"}"#,
            "{params}"
        );
    }
}

#[tokio::test]
async fn a_configured_text_is_an_assistant_message() {
    let rules = InputChain::default().with(SamplingRule::Text("hi \"you\"".to_owned()));
    let (answer, _) = reply(&chain(rules, None), InputKind::Sampling, "{}").await;
    assert_eq!(
        answer,
        InputReply::Result(
            r#"{"role":"assistant","content":{"type":"text","text":"hi \"you\""},"model":"patchbay-manual","stopReason":"endTurn"}"#
                .to_owned()
        )
    );
}
