//! What is kept of an answer of a model, and which of its calls may run.

use std::sync::Arc;

use patchbay_contract::{ChatCallState, ChatSettings};
use patchbay_llm::{Answer as ModelAnswer, Part};
use tokio::sync::watch;

use super::turns::Harness;
use crate::chat::{
    answer::said,
    conversation::Conversation,
    item::{Answer, Call, Item},
    toolbox::Toolbox,
    turn::Turn,
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
        let conversation = harness.engine.state.chats.create(ChatSettings::default()).unwrap();
        let answer = two_calls(stop_reason, input);
        let kept = said(&turn(&harness, &conversation), &NO_TOOLS, Answer::default(), answer).await;
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
