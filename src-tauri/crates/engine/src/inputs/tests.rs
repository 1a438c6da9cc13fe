//! The queue alone, and with a server that sends requests, which is a shell script.

use std::sync::Arc;

use patchbay_client::{Input, InputKind as Kind, InputReply, InputRequest};
use patchbay_contract::*;
use patchbay_protocol::limits::Limits;
use patchbay_traffic::{NewConnection, Store, StoreOptions};
use tokio::sync::{mpsc, oneshot, watch};

use super::{InputChain, InputQuestion, InputQueue, Person, Shown, answer_questions};
#[cfg(unix)]
use crate::engine::testing::legacy_script;
use crate::{Engine, EngineOptions, dispatch::nudges::Nudges, servers::roots::LiveRoots};

async fn engine(folder: &tempfile::TempDir) -> Engine {
    Engine::open(EngineOptions {
        inputs: InputChain::attended(),
        ..EngineOptions::within(folder.path())
    })
    .await
    .unwrap()
}

fn request(
    connection: patchbay_traffic::ConnectionRef,
    key: &str,
) -> (InputRequest, oneshot::Receiver<InputReply>) {
    let (reply, replied) = oneshot::channel();
    let input = Input {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        connection,
        key: key.to_owned(),
        kind: Kind::Elicitation,
        method: "elicitation/create".to_owned(),
        params: format!("{{\"message\":\"{key}\"}}"),
        about: Some(7),
        exchange: None,
        operation: None,
        during: Vec::new(),
        task: None,
        seq: 8,
        round: Some(1),
        watch: Default::default(),
    };
    let request = InputRequest { input, reply };
    (request, replied)
}

/// Waits until this many requests are waiting.
async fn waiting(engine: &Engine, count: usize) -> InputListResponse {
    let mut revision = engine.state.nudges.revision();
    loop {
        let list = engine.state.inputs.list(&[]);
        if list.items.len() == count {
            return list;
        }
        revision.changed().await.unwrap();
    }
}

fn answer(engine: &Engine, id: &InputId, json: &str) -> Result<(), CommandError> {
    engine.state.inputs.answer(InputAnswerParams {
        input_id: id.clone(),
        answer: InputAnswer::Result {
            json: json.to_owned(),
        },
    })
}

#[tokio::test]
async fn requests_keep_their_order_are_answered_once_and_withdrawn_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder).await;
    let connection = engine.state.recorder.connection(NewConnection {
        server_id: "s".into(),
        server_name: "server".into(),
        origin: patchbay_traffic::Origin::Client,
    });
    let (state, (sender, asked)) = (&engine.state, mpsc::channel(4));
    let person = Arc::new(Person::new(
        state.inputs.clone(),
        state.exchanges.clone(),
        state.recorder.clone(),
    ));
    let chain = state
        .inputs
        .chain(&Arc::new(LiveRoots::for_test(None)), &person, &Limits::default());
    assert_eq!(
        chain.capabilities(&AdvertisedDraft::default()).to_json(),
        r#"{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}"#
    );
    let (_status, status) = watch::channel(());
    let responding = tokio::spawn(answer_questions(chain, state.recorder.clone(), asked, status));
    let mut replies = Vec::new();
    for key in ["a", "b", "c"] {
        let (request, replied) = request(connection, key);
        sender.send(request).await.unwrap();
        replies.push(replied);
    }
    let list = waiting(&engine, 3).await;
    let shown: Vec<&str> = list.items.iter().map(|item| item.params_json.as_str()).collect();
    assert_eq!(
        shown,
        [r#"{"message":"a"}"#, r#"{"message":"b"}"#, r#"{"message":"c"}"#]
    );
    let [a, b, c] = [0, 1, 2].map(|at| list.items[at].id.clone());
    // Out of order, and only once.
    answer(&engine, &b, " {\"action\":\n\"decline\"} ").unwrap();
    assert!(
        answer(&engine, &b, "{}")
            .unwrap_err()
            .message
            .contains("answered already")
    );
    assert_eq!(
        replies.remove(1).await.unwrap(),
        InputReply::Result("{\"action\": \"decline\"}".to_owned())
    );
    let answered = &engine.state.inputs.list(&[]).answered;
    let outcomes: Vec<_> = answered
        .iter()
        .map(|each| (each.outcome, each.rule.as_deref()))
        .collect();
    assert_eq!(outcomes, [(AnswerOutcome::Declined, None)]);
    // An answer that is not an object is refused, and the request stays.
    assert_eq!(
        answer(&engine, &a, "[1]").unwrap_err().code,
        ErrorCode::InvalidParams
    );
    // The server withdraws one.
    drop(replies.remove(0));
    let list = waiting(&engine, 1).await;
    assert_eq!(list.items[0].id, c);
    assert_eq!(list.withdrawn[0].id, a);
    assert_eq!(list.withdrawn[0].reason, "The connection ended.");
    assert!(
        answer(&engine, &a, "{}")
            .unwrap_err()
            .message
            .contains("The connection ended.")
    );
    // One that was withdrawn before the chain got it is remembered too.
    let (unseen, replied) = request(connection, "d");
    drop(replied);
    sender.send(unseen).await.unwrap();
    let mut revision = engine.state.nudges.revision();
    while engine.state.inputs.list(&[]).withdrawn.len() < 2 {
        revision.changed().await.unwrap();
    }
    assert_eq!(waiting(&engine, 1).await.items[0].id, c);
    responding.abort();
    engine.shutdown().await;
}

#[tokio::test]
async fn a_full_queue_refuses_by_number_and_by_size() {
    let queue = InputQueue::new(InputChain::attended(), Arc::new(Nudges::new()));
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let connection = recorder.connection(NewConnection {
        server_id: "s".into(),
        server_name: "server".into(),
        origin: patchbay_traffic::Origin::Client,
    });
    let question = InputQuestion::new(Input {
        server_id: "s".to_owned(),
        server_name: "server".to_owned(),
        connection,
        key: "1".to_owned(),
        task: None,
        kind: Kind::Elicitation,
        method: "elicitation/create".to_owned(),
        params: String::new(),
        about: None,
        exchange: None,
        operation: None,
        during: Vec::new(),
        seq: 1,
        round: None,
        watch: Default::default(),
    });
    let large = "x".repeat(super::MOST_BYTES / 2 + 1);
    let put = |params: &str| queue.put(&question, Shown::of(params));
    let id = put(&large).unwrap().id;
    assert!(put(&large).is_none(), "two exceed the size limit");
    queue.withdraw(&id, "It is too large.", None);
    for _ in 0..super::MOST_WAITING {
        assert!(put("{}").is_some());
    }
    assert!(put("{}").is_none());
    assert_eq!(queue.list(&[]).items.len(), super::MOST_WAITING);
}

/// The user never saw it, so the user did not refuse it.
#[tokio::test]
async fn a_request_that_finds_the_queue_full_is_not_refused_by_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder).await;
    let state = &engine.state;
    let (question, _) = super::sampling_question(&engine, "{}");
    let large = "x".repeat(super::MOST_BYTES);
    let _waiting = state.inputs.put(&question, Shown::of(&large)).unwrap();
    let (inputs, exchanges) = (state.inputs.clone(), state.exchanges.clone());
    let person = Arc::new(Person::new(inputs, exchanges, state.recorder.clone()));
    let roots = Arc::new(LiveRoots::for_test(None));
    let chain = state.inputs.chain(&roots, &person, &Limits::default());
    let (sender, asked) = mpsc::channel(1);
    let (_status, status) = watch::channel(());
    let answering = answer_questions(chain, state.recorder.clone(), asked, status);
    let (request, replied) = request(question.input.connection, "a");
    sender.send(request).await.unwrap();
    let reply = tokio::select! {
        () = answering => panic!("it is not answered"),
        reply = replied => reply.unwrap(),
    };
    assert!(matches!(reply, InputReply::Error { .. }), "{reply:?}");
    let answered = &state.inputs.list(&[]).answered[0];
    let rule = answered.rule.as_deref();
    assert_eq!(
        (&answered.outcome, rule),
        (
            &AnswerOutcome::Refused,
            Some("too many requests wait for the user")
        )
    );
    engine.shutdown().await;
}

/// A 2025-11-25 server that requests input during a call and returns the answer.
#[cfg(unix)]
const ASKS: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read line
printf '%s\n' '{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993}}}}}'
read answer
printf '%s\n' "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[],\"got\":$answer}}"
read line
"#;

/// A 2025-11-25 server that requests input and withdraws the request.
#[cfg(unix)]
const WITHDRAWS: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}}'
printf '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"e1","reason":"%0490dsk-0123456789abcdef"}}\n' 0
read line
"#;

#[cfg(unix)]
#[tokio::test]
async fn a_secret_in_the_reason_of_a_withdrawal_is_masked_also_where_it_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder).await;
    let secret = patchbay_secret::Secret::new("sk-0123456789abcdef");
    engine.state.recorder.redact(vec![secret]);
    legacy_script(&engine, WITHDRAWS).await;
    let mut revision = engine.state.nudges.revision();
    let reason = loop {
        if let Some(gone) = engine.state.inputs.list(&[]).withdrawn.pop() {
            break gone.server_reason.unwrap();
        }
        revision.changed().await.unwrap();
    };
    assert_eq!(reason.chars().count(), 500);
    assert!(!reason.contains("sk-"), "{reason}");
    engine.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_person_answers_an_input_request_during_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder).await;
    let server = legacy_script(&engine, ASKS).await;
    let call = {
        let (engine, server) = (engine.clone(), server.clone());
        let ask = crate::Ask::Tool(ToolCallParams {
            server_id: server,
            name: "t".to_owned(),
            arguments_json: "{}".to_owned(),
            meta_json: None,
            timeouts: None,
            as_task: None,
            by_app: None,
        });
        tokio::spawn(async move { engine.exchange(ask, |_| {}).await })
    };
    let list = waiting(&engine, 1).await;
    let item = &list.items[0];
    assert_eq!(item.method, "elicitation/create");
    assert_eq!(item.kind, InputKind::Elicitation);
    assert!(item.params_json.contains("9007199254740993"));
    answer(
        &engine,
        &item.id,
        r#"{"action":"accept","content":{"n":9007199254740993}}"#,
    )
    .unwrap();
    let answer = call.await.unwrap().unwrap().answer.unwrap();
    let text = String::from_utf8(answer.to_vec()).unwrap();
    assert!(
        text.contains(r#""result":{"action":"accept","content":{"n":9007199254740993}}"#),
        "{text}"
    );
    assert_eq!(engine.state.inputs.list(&[]).items, []);
    engine.shutdown().await;
}
