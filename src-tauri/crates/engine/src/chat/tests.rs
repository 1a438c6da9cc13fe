//! Conversations without servers: files, rules, what a model is sent, and turns with the scripted provider.

mod answers;
mod at_once;
mod attachments;
mod branches;
mod calls;
mod carried;
mod files;
mod located;
mod prompts;
mod search;
mod secrets;
mod stopping;
mod tasks;
mod thinking;
mod turns;

use std::cell::Cell;

use patchbay_contract::{ChatCallState, ServerId, ToolHints};

use super::item::{Answer, Call, Item, User, text_block};

thread_local! {
    /// Turns run on the thread of the test.
    static DOOMED: Cell<bool> = const { Cell::new(false) };
}

/// Where a turn may die.
pub(super) fn strike() {
    assert!(!DOOMED.get(), "the turn is killed");
}

fn user(id: &str, text: &str) -> Item {
    Item::User(User {
        id: id.to_owned(),
        at_ms: 1.0,
        blocks: format!("[{}]", text_block(text)),
        from: None,
        masked: Vec::new(),
        origins: Vec::new(),
    })
}

fn answer(id: &str, text: &str, calls: u32) -> Item {
    Item::Answer(Answer {
        id: id.to_owned(),
        at_ms: 2.0,
        by: "m".to_owned(),
        text: text.to_owned(),
        calls,
        ..Answer::default()
    })
}

fn call(id: &str, of: &str, state: ChatCallState) -> Call {
    Call {
        id: id.to_owned(),
        answer: of.to_owned(),
        at_ms: 3.0,
        alias: "echo".to_owned(),
        server_id: Some(ServerId("s".to_owned())),
        server_name: "S".to_owned(),
        tool: "echo".to_owned(),
        hints: ToolHints::default(),
        arguments: r#"{"n":9007199254740993}"#.to_owned(),
        edited: None,
        problems: Vec::new(),
        not_checked: None,
        state,
        asked_because: None,
        decided_by: None,
        request_seq: None,
        response_seq: None,
        duration_ms: None,
        result: None,
        error: None,
        found: Vec::new(),
        cut_from: None,
        masked: Vec::new(),
        carried: Vec::new(),
        compared_in_part: false,
    }
}
