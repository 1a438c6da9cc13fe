//! Edited messages, repeated answers and failed steps: nothing is lost, and the other version can be shown again. And whether
//! a turn was to follow what is shown.

use patchbay_contract::{ChatCallState, ChatId, ChatNoticeKind};
use serde_json::{Value, json};

use super::{
    answer, call,
    files::lines,
    turns::{APIS, Harness, Watched},
    user,
};
use crate::{
    chat::{
        item::{Answer, Item, Line, Notice},
        journal::{StoredConversation, read},
    },
    engine::testing::attended,
};

/// The texts of messages and answers, and what notices are.
fn said(chat: &Watched) -> Vec<String> {
    let words = |item: &Value| match item["type"].as_str().unwrap() {
        "user" => item["content"][0]["text"]["inline"].as_str().unwrap().to_owned(),
        "answer" => item["text"]["inline"].as_str().unwrap_or_default().to_owned(),
        "notice" => format!("({})", item["kind"].as_str().unwrap()),
        other => format!("({other})"),
    };
    chat.items.iter().map(words).collect()
}

fn versions(chat: &Watched) -> Value {
    chat.state["versions"].clone()
}

impl Harness {
    async fn on(&self, chat: &Watched, name: &str, item: &str) {
        self.call(name, json!({ "chatId": chat.id, "item": item })).await;
    }

    async fn edit(&self, chat: &Watched, item: &str, text: &str) {
        let params = json!({ "chatId": chat.id, "item": item, "text": text });
        self.call("chat_edit", params).await;
    }
}

#[tokio::test]
async fn an_edited_message_begins_a_branch_and_the_old_one_stays() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, "one").await;
        chat.ended(2).await;
        harness.send(&chat, "more").await;
        chat.ended(4).await;
        harness.edit(&chat, "1", "two").await;
        chat.until(|chat| said(chat) == ["two", "You said: two"] && chat.phase() == "idle")
            .await;
        assert_eq!(versions(&chat), json!([{ "item": "5", "versions": ["1", "5"] }]));
        // The model got the new message alone.
        let seen = harness.scripted.seen().pop().unwrap();
        assert!(seen.contains("two") && !seen.contains("more"), "{seen}");

        harness.on(&chat, "chat_branch", "1").await;
        let old = ["one", "You said: one", "more", "You said: more"];
        chat.until(|chat| said(chat) == old).await;
        chat.until(|chat| versions(chat) == json!([{ "item": "1", "versions": ["1", "5"] }]))
            .await;
        // A front that opens it now sees the same, and what comes next follows what is shown.
        let mut other = harness.watch(chat.id.clone());
        harness.send(&chat, "last").await;
        chat.ended(6).await;
        other.ended(6).await;
        assert_eq!(chat.items, other.items);
        let wanted = harness.call("chat_list", json!({ "search": "said: two" })).await;
        assert!(
            !wanted["items"].as_array().unwrap().is_empty(),
            "a hidden branch is found"
        );

        // Ids go on counting over all branches, also in a fork of one of them.
        harness.on(&chat, "chat_branch", "5").await;
        chat.until(|chat| said(chat) == ["two", "You said: two"]).await;
        let forked = harness
            .call("chat_fork", json!({ "chatId": chat.id, "before": null }))
            .await;
        let mut fork = harness.watch(forked["chatId"].clone());
        fork.until(|fork| fork.items.len() == 2).await;
        harness.send(&fork, "on").await;
        fork.ended(4).await;
        assert_eq!(said(&fork), ["two", "You said: two", "on", "You said: on"]);
        harness.on(&chat, "chat_branch", "1").await;
        chat.until(|chat| chat.items.len() == 6).await;
    }
    harness.engine.shutdown().await;

    // The file has all of it.
    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let listed = again.call("chat_list", json!({ "search": null })).await;
    let listed = listed["items"].as_array().unwrap().iter();
    let kept = listed.clone().find(|item| item["messages"] == 6).unwrap();
    let mut chat = again.watch(kept["id"].clone());
    chat.until(|chat| chat.items.len() == 6).await;
    assert_eq!(said(&chat)[4..], ["last", "You said: last"]);
    again.on(&chat, "chat_branch", "5").await;
    chat.until(|chat| said(chat) == ["two", "You said: two"]).await;
    let document = again
        .call("chat_export", json!({ "chatId": chat.id, "format": "json" }))
        .await;
    let document: Value = serde_json::from_str(document["text"].as_str().unwrap()).unwrap();
    assert_eq!(document["items"].as_array().unwrap().len(), 2);
    let aside = document["otherBranches"].as_array().unwrap();
    assert_eq!((aside.len(), &aside[0]["after"]), (6, &Value::Null), "{document}");
    again.engine.shutdown().await;
}

#[tokio::test]
async fn an_answer_is_asked_for_again_and_both_stay() {
    let harness = Harness::new().await;
    for api in APIS {
        let mut chat = harness.begin(api, "script").await;
        harness.send(&chat, "one").await;
        chat.ended(2).await;
        let first = chat.items.clone();
        harness.on(&chat, "chat_regenerate", "2").await;
        chat.until(|chat| chat.items.len() == 2 && chat.last()["id"] == "3" && chat.phase() == "idle")
            .await;
        assert_eq!(versions(&chat), json!([{ "item": "3", "versions": ["2", "3"] }]));
        assert_eq!(said(&chat)[1], "You said: one");
        harness.on(&chat, "chat_branch", "2").await;
        chat.until(|chat| chat.items == first).await;
    }
    harness.engine.shutdown().await;
}

/// The provider fails in every way, before and within its answer: what came is kept as a version.
#[tokio::test]
async fn a_failed_step_is_retried_and_its_part_is_no_part_of_the_request() {
    let harness = Harness::new().await;
    for api in APIS {
        for model in ["529", "429", "cut", "unfinished", "error", "malformed"] {
            let mut chat = harness.begin(api, model).await;
            harness.send(&chat, "hi").await;
            chat.until(|chat| chat.items.last().is_some_and(|item| item["type"] == "notice"))
                .await;
            chat.until(|chat| chat.phase() == "idle").await;
            let failed = chat.items.clone();
            let mut settings = chat.state["settings"].clone();
            settings["answers"]["model"] = json!("script");
            harness
                .call(
                    "chat_settings_set",
                    json!({ "chatId": chat.id, "settings": settings }),
                )
                .await;
            let notice = chat.last()["id"].as_str().unwrap().to_owned();
            harness.on(&chat, "chat_regenerate", &notice).await;
            chat.until(|chat| said(chat) == ["hi", "You said: hi"] && chat.phase() == "idle")
                .await;
            let seen = harness.scripted.seen().pop().unwrap();
            assert!(!seen.contains("Hel"), "{model}: {seen}");
            let versions = versions(&chat)[0]["versions"].clone();
            assert_eq!(versions, json!(["2", chat.last()["id"]]), "{model}");
            harness.on(&chat, "chat_branch", "2").await;
            chat.until(|chat| chat.items == failed).await;
        }
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn what_cannot_be_edited_or_repeated_is_refused_in_words() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "slow").await;
    harness.send(&chat, "hi").await;
    chat.until(|chat| chat.live == "Hel").await;
    let refused = async |name: &str, item: &str, text: &str| {
        let params = json!({ "chatId": chat.id, "item": item, "text": text });
        harness.refused(name, params).await
    };
    for name in ["chat_edit", "chat_regenerate", "chat_branch"] {
        let why = refused(name, "1", "x").await;
        assert!(why.contains("running. Stop it first"), "{name}: {why}");
    }
    harness.call("chat_stop", json!({ "chatId": chat.id })).await;
    chat.ended(3).await;
    let refused = async |name: &str, item: &str, text: &str| {
        let params = json!({ "chatId": chat.id, "item": item, "text": text });
        harness.refused(name, params).await
    };
    assert!(refused("chat_edit", "1", " ").await.contains("empty"));
    assert!(
        refused("chat_edit", "2", "x")
            .await
            .contains("not in the conversation")
    );
    let long = "x".repeat((1 << 20) + 1);
    assert!(refused("chat_edit", "1", &long).await.contains("1 MiB"));
    assert!(
        refused("chat_regenerate", "1", "")
            .await
            .contains("Only an answer")
    );
    for name in ["chat_regenerate", "chat_branch"] {
        assert!(
            refused(name, "99", "").await.contains("not in the conversation"),
            "{name}"
        );
    }
    let before = chat.items.clone();
    let mut other = harness.watch(chat.id.clone());
    other.until(|other| other.items.len() == 3).await;
    assert_eq!(other.items, before, "a refused command changes nothing");
    harness.engine.shutdown().await;
}

/// As those of before a prompt alone was sent with a message: no model answers what it said itself.
#[tokio::test]
async fn an_answer_that_follows_one_is_asked_for_again_with_a_message() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "script").await;
    let id = ChatId(chat.id.as_str().unwrap().to_owned());
    let conversation = harness.engine.state.chats.get(&id).await.unwrap();
    let by_model = Item::Answer(Answer {
        id: "3".to_owned(),
        by_model: true,
        text: "What now?".to_owned(),
        ..Answer::default()
    });
    let items = vec![user("1", "hi"), answer("2", "so", 0), by_model];
    conversation.put(items).await.unwrap();
    harness.on(&chat, "chat_regenerate", "3").await;
    let wanted = ["hi", "so", "Go on.", "You said: Go on."];
    chat.until(|chat| said(chat) == wanted && chat.phase() == "idle")
        .await;
    harness.engine.shutdown().await;
}

fn stored(text: &str) -> StoredConversation {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    std::fs::write(&path, text).unwrap();
    read(&path).unwrap()
}

fn is_interrupted(stored: &StoredConversation) -> bool {
    matches!(stored.items.last(), Some(Item::Notice(notice)) if notice.kind == ChatNoticeKind::Interrupted)
}

/// It ends with a notice, or with an answer that makes no calls.
#[test]
fn a_turn_that_ended_after_its_calls_was_interrupted() {
    let done = Item::Call(Box::new(call("3", "2", ChatCallState::Done)));
    let called = [user("1", "hi"), answer("2", "", 1), done];
    assert!(is_interrupted(&stored(&lines(&called))));
    assert!(
        is_interrupted(&stored(&lines(&called[..2]))),
        "before its calls were written"
    );
    let answered = [called.as_slice(), &[answer("4", "so", 0)]].concat();
    assert!(!is_interrupted(&stored(&lines(&answered))));
}

#[test]
fn what_no_turn_was_to_answer_was_not_interrupted() {
    let head = |idle| {
        let item = Some("1".to_owned());
        serde_json::to_string(&Line::Head { item, idle }).unwrap() + "\n"
    };
    let text = lines(&[user("1", "hi"), answer("2", "so", 0)]);
    assert!(is_interrupted(&stored(&(text.clone() + &head(false)))));
    let shown = stored(&(text.clone() + &head(true)));
    assert_eq!((shown.items.len(), shown.mended.len()), (1, 0));
    let more = serde_json::to_string(&user("3", "on").line()).unwrap() + "\n";
    assert!(is_interrupted(&stored(&(text + &head(true) + &more))));
}

/// The notice says which model has what is before it.
#[test]
fn a_model_that_was_asked_before_a_crash_is_named() {
    let asked = serde_json::to_string(&Line::Asked { by: "m".to_owned() }).unwrap() + "\n";
    let named = |text: &str| match stored(text).items.pop() {
        Some(Item::Notice(notice)) => notice.asked,
        other => panic!("{other:?}"),
    };
    let text = lines(&[user("1", "hi")]);
    assert_eq!(named(&text), None, "before it was asked, or by an older Patchbay");
    assert_eq!(named(&(text.clone() + &asked)), Some("m".to_owned()));
    let by_model = Item::Answer(Answer {
        by_model: true,
        calls: 1,
        id: "2".to_owned(),
        ..Answer::default()
    });
    let line = |item: &Item| serde_json::to_string(&item.line()).unwrap() + "\n";
    let answered = text + &asked + &line(&by_model);
    assert_eq!(named(&answered), None, "its answer says so");
    // A turn that paused, and went on without a message.
    let paused = Item::Notice(Notice {
        id: "3".to_owned(),
        at_ms: 3.0,
        kind: ChatNoticeKind::Limit,
        cause: "paused".to_owned(),
        next: String::new(),
        seq: None,
        asked: None,
    });
    assert_eq!(named(&(answered + &line(&paused) + &asked)), Some("m".to_owned()));
}

#[tokio::test]
async fn a_fork_that_ends_with_a_message_was_not_interrupted() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "script").await;
    harness.send(&chat, "hi").await;
    chat.ended(2).await;
    let forked = harness
        .call("chat_fork", json!({ "chatId": chat.id, "before": "2" }))
        .await;
    let mut fork = harness.watch(forked["chatId"].clone());
    fork.until(|fork| fork.items.len() == 1).await;
    harness.engine.shutdown().await;

    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let mut fork = again.watch(forked["chatId"].clone());
    fork.until(|fork| !fork.items.is_empty()).await;
    assert_eq!((fork.items.len(), &fork.last()["type"]), (1, &json!("user")));
    again.engine.shutdown().await;
}
