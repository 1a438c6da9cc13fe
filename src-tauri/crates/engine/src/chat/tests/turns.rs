//! Turns with the scripted provider, in both wire formats.

use patchbay_contract::ChatId;
use patchbay_test_server::models::{KEY, ModelProvider};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::engine::testing::{attended, call};
use crate::{Engine, StreamHandle};

pub(super) struct Harness {
    pub(super) folder: tempfile::TempDir,
    pub(super) scripted: ModelProvider,
    pub(super) engine: Engine,
}

impl Harness {
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = attended(&folder).await;
        Self {
            scripted: ModelProvider::start().unwrap(),
            folder,
            engine,
        }
    }

    pub(super) async fn call(&self, name: &str, params: Value) -> Value {
        call(&self.engine, name, params).await
    }

    pub(super) async fn refused(&self, name: &str, params: Value) -> String {
        self.engine
            .call(name, &params.to_string())
            .await
            .unwrap_err()
            .message
    }

    /// Begins a conversation with a model of the scripted provider, and watches it.
    pub(super) async fn begin(&self, api: &str, model: &str) -> Watched {
        let saved = self
            .call(
                "provider_save",
                json!({
                    "providerId": null, "name": "Scripted", "api": api,
                    "baseUrl": format!("{}/v1", self.scripted.origin()),
                    "key": { "type": "set", "text": KEY }, "defaultModel": "talk",
                }),
            )
            .await;
        let answers = json!({ "type": "model", "providerId": saved["providerId"], "model": model });
        self.begin_with(answers).await
    }

    pub(super) async fn begin_with(&self, answers: Value) -> Watched {
        let settings = json!({ "answers": answers, "maxRounds": 4 });
        let made = self.call("chat_create", json!({ "settings": settings })).await;
        self.watch(made["chatId"].clone())
    }

    pub(super) fn watch(&self, id: Value) -> Watched {
        let (sink, events) = mpsc::channel(64);
        let params = json!({ "chatId": id }).to_string();
        Watched {
            _open: self.engine.open_stream("chat_open", &params, sink).unwrap(),
            events,
            id,
            items: Vec::new(),
            state: Value::Null,
            live: String::new(),
        }
    }

    pub(super) async fn send(&self, chat: &Watched, text: &str) {
        self.call("chat_send", json!({ "chatId": chat.id, "text": text }))
            .await;
    }
}

/// A conversation as a front sees it.
pub(super) struct Watched {
    _open: StreamHandle,
    events: mpsc::Receiver<String>,
    pub(super) id: Value,
    pub(super) items: Vec<Value>,
    pub(super) state: Value,
    pub(super) live: String,
}

impl Watched {
    pub(super) async fn next(&mut self) {
        let text = self.events.recv().await.expect("the stream is open");
        let event: Value = serde_json::from_str(&text).unwrap();
        let event = &event["event"];
        match event["type"].as_str().unwrap_or_default() {
            "state" => self.state = event.clone(),
            "branch" => self.items.truncate(event["stay"].as_u64().unwrap() as usize),
            "live" => self.live.clear(),
            "liveMore" => self.live += event["text"].as_str().unwrap(),
            "items" => {
                for item in event["items"].as_array().unwrap() {
                    let found = self.items.iter_mut().find(|known| id(known) == id(item));
                    match found {
                        Some(known) => *known = item.clone(),
                        None => self.items.push(item.clone()),
                    }
                }
            }
            _ => panic!("{event}"),
        }
    }

    pub(super) async fn until(&mut self, is_it: impl Fn(&Self) -> bool) {
        while !is_it(self) {
            self.next().await;
        }
    }

    /// Waits for the end of a turn that has begun.
    pub(super) async fn ended(&mut self, items: usize) {
        self.until(|chat| chat.items.len() >= items && chat.phase() == "idle")
            .await;
    }

    pub(super) fn phase(&self) -> &str {
        self.state["summary"]["phase"].as_str().unwrap_or_default()
    }

    /// The last item as text; empty if there is none.
    pub(super) fn last_text(&self) -> String {
        self.items.last().map(Value::to_string).unwrap_or_default()
    }

    pub(super) fn last(&self) -> &Value {
        self.items.last().unwrap()
    }

    pub(super) fn calls(&self) -> Vec<&Value> {
        let calls = self.items.iter().filter(|item| item["type"] == "call");
        calls.map(|item| &item["call"]).collect()
    }
}

fn id(item: &Value) -> &Value {
    if item["type"] == "call" {
        &item["call"]["id"]
    } else {
        &item["id"]
    }
}

pub(super) const APIS: [&str; 2] = ["anthropic", "chatCompletions"];

#[tokio::test]
async fn an_answer_is_streamed_kept_and_reopened() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, "Where is Zürich?").await;
        chat.ended(2).await;
        let answer = chat.last();
        assert_eq!(answer["text"]["inline"], "You said: Where is Zürich?", "{answer}");
        assert_eq!(
            (&answer["inputTokens"], &answer["outputTokens"]),
            (&json!(11), &json!(7))
        );
        // The link to the request as the model got it.
        let seq = &answer["seq"];
        let record = harness.call("traffic_record", json!({ "seq": seq })).await;
        assert_eq!(record["row"]["kind"], "http", "{record}");
    }
    let listed = harness.call("chat_list", json!({ "search": "zürich" })).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "{listed}");
    assert_eq!(
        harness.call("chat_list", json!({ "search": "nowhere" })).await["items"],
        json!([])
    );
    harness.engine.shutdown().await;

    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let listed = again.call("chat_list", json!({ "search": null })).await;
    let item = &listed["items"][0];
    assert_eq!(
        (&item["title"], &item["messages"]),
        (&json!("Where is Zürich?"), &json!(2))
    );
    let mut chat = again.watch(item["id"].clone());
    chat.until(|chat| chat.items.len() == 2).await;
    assert_eq!(chat.last()["text"]["inline"], "You said: Where is Zürich?");
    again.engine.shutdown().await;
}

#[tokio::test]
async fn calls_that_cannot_be_sent_are_told_to_the_model() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, "call nothing {\"a\":1}").await;
        chat.ended(4).await;
        let calls = chat.calls();
        assert_eq!(calls[0]["state"], "failed");
        assert_eq!(
            chat.last()["text"]["inline"],
            if api == "anthropic" {
                "The tools say: There is no tool \"nothing\". No tools are given."
            } else {
                "The tools say: Error: There is no tool \"nothing\". No tools are given."
            }
        );
        // Two hundred at once, each of which fails.
        harness.send(&chat, "call*200 nothing {}").await;
        chat.until(|chat| chat.calls().len() == 201).await;
        chat.ended(207).await;
        assert!(chat.calls().iter().all(|call| call["state"] == "failed"));
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_turn_that_goes_on_for_ever_pauses_at_its_limit_and_goes_on() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("chatCompletions", "script").await;
    harness.send(&chat, "again\ncall nothing {}").await;
    // The message, four answers with a call each, the notice.
    chat.ended(10).await;
    let notice = chat.last().clone();
    assert_eq!(
        (&notice["type"], &notice["kind"]),
        (&json!("notice"), &json!("limit"))
    );
    harness.call("chat_continue", json!({ "chatId": chat.id })).await;
    chat.ended(19).await;
    assert_eq!(chat.last()["kind"], "limit");
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_failure_keeps_what_arrived_and_names_the_next_action() {
    let harness = Harness::new().await;
    for api in APIS {
        for (model, partial, words) in [
            ("529", None, "overloaded"),
            ("cut", Some("Hel"), "closed"),
            ("unfinished", Some("Hel"), "ended before the answer did"),
            ("error", Some("Hel"), "Overloaded"),
            ("empty", None, "answered nothing"),
        ] {
            let mut chat = harness.begin(api, model).await;
            harness.send(&chat, "hi").await;
            chat.ended(2).await;
            chat.until(|chat| chat.last()["type"] == "notice").await;
            let notice = chat.last().clone();
            assert_eq!(notice["kind"], "failed");
            assert!(
                notice["cause"].as_str().unwrap().contains(words),
                "{model}: {notice}"
            );
            assert!(notice["seq"].is_string(), "{model}: {notice}");
            let answers: Vec<&Value> = chat
                .items
                .iter()
                .filter(|item| item["type"] == "answer")
                .collect();
            match partial {
                None => assert!(answers.is_empty(), "{model}"),
                Some(text) => {
                    assert_eq!(answers[0]["text"]["inline"], text);
                    assert!(answers[0]["incomplete"].is_string());
                }
            }
        }
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_model_is_stopped_and_its_text_is_kept() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "slow").await;
    harness.send(&chat, "hi").await;
    chat.until(|chat| chat.live == "Hel").await;
    let busy = json!({ "chatId": chat.id, "text": "more" });
    assert!(harness.refused("chat_send", busy).await.contains("running"));
    harness.call("chat_stop", json!({ "chatId": chat.id })).await;
    chat.ended(3).await;
    assert_eq!(chat.items[1]["text"]["inline"], "Hel");
    assert_eq!(chat.last()["kind"], "stopped");
    harness.engine.shutdown().await;
}

/// Also if Patchbay ends while the model answers.
#[tokio::test]
async fn what_a_model_was_sent_is_known_before_it_has_answered() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "slow").await;
    harness.send(&chat, "hi").await;
    chat.until(|chat| chat.live == "Hel").await;
    let seen = json!([{ "by": "slow · Scripted", "upTo": "1" }]);
    assert_eq!(chat.state["seen"], seen);
    harness.engine.shutdown().await;

    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let mut chat = again.watch(chat.id.clone());
    chat.until(|chat| chat.items.len() == 2).await;
    assert_eq!(chat.last()["kind"], "interrupted", "{}", chat.last());
    assert_eq!(chat.state["seen"], seen);
    again.engine.shutdown().await;
}

#[tokio::test]
async fn what_arrived_is_shown_until_it_is_kept() {
    let harness = Harness::new().await;
    let chat = harness.begin("anthropic", "script").await;
    let id = ChatId(chat.id.as_str().unwrap().to_owned());
    let conversation = harness.engine.state.chats.get(&id).await.unwrap();
    let mut changed = conversation.watch();
    harness.send(&chat, "hi").await;
    let mut was_live = false;
    loop {
        changed.changed().await.unwrap();
        let state = conversation.lock();
        if state.items.len() == 2 {
            break;
        }
        let is_live = state.streaming.is_some();
        assert!(is_live || !was_live, "it is neither arriving nor kept");
        was_live |= is_live;
    }
    assert!(was_live);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn the_user_answers_in_place_of_a_model_and_two_fronts_see_the_same() {
    let harness = Harness::new().await;
    let mut chat = harness.begin_with(json!({ "type": "manual" })).await;
    let mut other = harness.watch(chat.id.clone());
    assert!(
        harness
            .refused(
                "chat_write",
                json!({ "chatId": chat.id, "text": "x", "calls": [] })
            )
            .await
            .contains("No answer is expected")
    );
    harness.send(&chat, "hi").await;
    chat.until(|chat| chat.phase() == "writing").await;
    let calls = json!([{ "alias": "nothing", "argumentsJson": "{" }]);
    harness
        .call(
            "chat_write",
            json!({ "chatId": chat.id, "text": "I look.", "calls": calls }),
        )
        .await;
    chat.until(|chat| chat.items.len() == 3 && chat.phase() == "writing")
        .await;
    harness
        .call(
            "chat_write",
            json!({ "chatId": chat.id, "text": "Done.", "calls": [] }),
        )
        .await;
    chat.ended(4).await;
    other.ended(4).await;
    assert_eq!(chat.items, other.items);

    // A fork has its own file, and what is exported has everything.
    let forked = harness
        .call("chat_fork", json!({ "chatId": chat.id, "before": "4" }))
        .await;
    let mut fork = harness.watch(forked["chatId"].clone());
    fork.until(|fork| fork.items.len() == 3).await;
    let export = async |format: &str| {
        let params = json!({ "chatId": chat.id, "format": format });
        harness.call("chat_export", params).await["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let markdown = export("markdown").await;
    assert!(
        markdown.contains("## User\n\nhi") && markdown.contains("Call of nothing"),
        "{markdown}"
    );
    let document: Value = serde_json::from_str(&export("json").await).unwrap();
    assert_eq!(document["items"].as_array().unwrap().len(), 4);
    harness.call("chat_remove", json!({ "chatId": chat.id })).await;
    let listed = harness.call("chat_list", json!({ "search": null })).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    harness.engine.shutdown().await;
}

/// The conversation says what happened, and the next turn runs.
#[tokio::test]
async fn a_turn_that_dies_ends_with_its_cause_and_the_conversation_goes_on() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("chatCompletions", "talk").await;
    super::DOOMED.set(true);
    harness.send(&chat, "Hello").await;
    chat.until(|chat| chat.last_text().contains("the turn is killed"))
        .await;
    chat.until(|chat| chat.phase() == "idle").await;
    super::DOOMED.set(false);
    let before = chat.items.len();
    harness.send(&chat, "Again").await;
    chat.ended(before + 2).await;
    assert_eq!(chat.last()["type"], "answer", "{}", chat.last());
}
