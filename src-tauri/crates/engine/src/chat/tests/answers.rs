//! What is kept of an answer of a model, and which of its calls may run.

use std::sync::Arc;

use patchbay_contract::{ChatCallState, ChatId, ChatSettings};
use patchbay_llm::{Answer as ModelAnswer, Failure, FailureKind, Part};
use tokio::sync::watch;

use super::{search::tool, turns::Harness};
use crate::{
    chat::{
        answer::{failed, said},
        conversation::Conversation,
        item::{Answer, Call, Item},
        journal::{Journal, StoredConversation},
        toolbox::Toolbox,
        turn::Turn,
    },
    dispatch::nudges::Nudges,
};

const NO_TOOLS: Toolbox = Toolbox {
    servers: Vec::new(),
    tools: Vec::new(),
    system_prompt: String::new(),
    search: None,
};

fn turn(harness: &Harness, conversation: &Arc<Conversation>) -> Turn {
    let (_, stop) = watch::channel(false);
    Turn::new(&harness.engine, conversation, ("a turn".to_owned(), 1), stop)
}

/// An answer with two calls.
fn two_calls(stop_reason: &str, last_input: &str) -> ModelAnswer {
    let made = |input: &str| Part::ToolUse {
        id: "1".to_owned(),
        name: "echo".to_owned(),
        input: input.to_owned(),
    };
    ModelAnswer {
        parts: vec![Part::Text("So.".to_owned()), made("{}"), made(last_input)],
        stop_reason: Some(stop_reason.to_owned()),
        ..ModelAnswer::default()
    }
}

fn calls(conversation: &Conversation) -> Vec<Call> {
    let items = conversation.items().into_iter();
    let calls = items.filter_map(|item| match item {
        Item::Call(call) => Some(*call),
        _ => None,
    });
    calls.collect()
}

#[tokio::test]
async fn a_call_in_which_the_answer_was_cut_off_is_not_sent() {
    let harness = Harness::new().await;
    for (stop_reason, input, is_cut_off) in [
        ("maxTokens", "", true),
        ("maxTokens", "{\"a\":", true),
        ("maxTokens", "{}", false),
        ("toolUse", "{\"a\":", false),
    ] {
        let conversation = harness
            .engine
            .state
            .chats
            .create(ChatSettings::default())
            .unwrap();
        let answer = two_calls(stop_reason, input);
        let kept = said(
            &turn(&harness, &conversation),
            &NO_TOOLS,
            Answer::default(),
            answer,
        )
        .await;
        assert!(kept.is_ok());
        let calls = calls(&conversation);
        let errors = calls.iter().map(|call| {
            assert_eq!(call.state, ChatCallState::Failed);
            call.error.as_deref() == Some("The answer was cut off in this call. It was not sent.")
        });
        assert_eq!(errors.collect::<Vec<_>>(), [false, is_cut_off], "{calls:?}");
    }
    harness.engine.shutdown().await;
}

/// A conversation whose file cannot be written: its folder is a file.
fn unwritable(folder: &tempfile::TempDir) -> Arc<Conversation> {
    let blocked = folder.path().join("blocked");
    std::fs::write(&blocked, "not a folder").unwrap();
    Arc::new(Conversation::new(
        ChatId("c".to_owned()),
        StoredConversation::default(),
        Some(Journal::new(blocked.join("c.jsonl"), 0)),
        Arc::new(Nudges::new()),
        None,
    ))
}

/// The provider was paid for it.
#[tokio::test]
async fn an_answer_that_cannot_be_saved_is_shown_and_its_calls_do_not_run() {
    let harness = Harness::new().await;
    let conversation = unwritable(&harness.folder);
    let tools = Toolbox {
        tools: vec![tool("s", "echo", "", "{}")],
        ..NO_TOOLS
    };
    let answer = two_calls("toolUse", "{\"a\":");
    let kept = said(&turn(&harness, &conversation), &tools, Answer::default(), answer).await;
    assert!(kept.is_err());
    let items = conversation.items();
    assert!(
        matches!(&items[0], Item::Answer(answer) if answer.text == "So."),
        "{items:?}"
    );
    let calls = calls(&conversation);
    assert_eq!(calls[0].state, ChatCallState::NotRun);
    assert_eq!(
        calls[0].error.as_deref(),
        Some("The conversation could not be saved, so this call was not sent.")
    );
    assert_eq!(calls[1].state, ChatCallState::Failed, "as it was");
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_failure_keeps_its_cause_if_the_part_of_the_answer_cannot_be_saved() {
    let harness = Harness::new().await;
    let conversation = unwritable(&harness.folder);
    let partial = Answer {
        text: "So f".to_owned(),
        ..Answer::default()
    };
    let failure = Failure {
        kind: FailureKind::Overloaded,
        cause: "The provider is overloaded.".to_owned(),
        next: "Try again later.".to_owned(),
        status: None,
        retry_after: None,
        exchange: None,
    };
    let ended = failed(&turn(&harness, &conversation), partial, failure).await;
    assert!(ended.is_err());
    let items = conversation.items();
    assert!(
        matches!(&items[..], [Item::Answer(answer), Item::Notice(notice)]
            if answer.text == "So f" && notice.cause == "The provider is overloaded."),
        "{items:?}"
    );
    harness.engine.shutdown().await;
}
