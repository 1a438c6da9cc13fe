//! A conversation as a document: Markdown for people, JSON with everything that is kept.

use std::fmt::Write as _;

use patchbay_contract::{ChatCallState, ChatFormat, ChatId, CommandError, ErrorCode};
use patchbay_protocol::json;

use super::{
    conversation::Conversation,
    item::{Call, Item, Line, VERSION, media_words},
};
use crate::dispatch::error::fail_with;

/// The document.
pub(super) fn text(conversation: &Conversation, format: ChatFormat) -> Result<String, CommandError> {
    let (title, created_at_ms, settings) = {
        let state = conversation.lock();
        (state.title(), state.created_at_ms, state.settings.clone())
    };
    let items = conversation.items();
    match format {
        ChatFormat::Markdown => Ok(markdown(&title, &items)),
        ChatFormat::Json => {
            let items: Vec<Line> = items.iter().map(Item::line).collect();
            let branches: Vec<_> = {
                let state = conversation.lock();
                let aside = state.aside().into_iter();
                aside
                    .map(|item| serde_json::json!({ "after": state.branches.parent(item.id()), "item": item.line() }))
                    .collect()
            };
            let document = serde_json::json!({
                "format": "patchbay-conversation",
                "version": VERSION,
                "id": conversation.id,
                "title": title,
                "createdAtMs": created_at_ms,
                "settings": settings,
                "items": items,
                "otherBranches": branches,
            });
            serde_json::to_string_pretty(&document)
                .map_err(|error| fail_with(ErrorCode::Internal, "The conversation was not exported.", error))
        }
    }
}

/// A name for the document's file.
pub(super) fn file_name(title: &str, id: &ChatId, format: ChatFormat) -> String {
    let keep = |c: char| match c.is_alphanumeric() {
        true => c,
        false => '-',
    };
    let name: String = title.chars().take(50).map(keep).collect();
    let name = name.trim_matches('-');
    let end = match format {
        ChatFormat::Markdown => "md",
        ChatFormat::Json => "json",
    };
    match name.is_empty() {
        true => format!("conversation-{id}.{end}"),
        false => format!("{name}.{end}"),
    }
}

fn markdown(title: &str, items: &[Item]) -> String {
    let mut out = format!("# {}\n", if title.is_empty() { "Conversation" } else { title });
    for item in items {
        out.push('\n');
        match item {
            Item::User(user) => {
                let from = user
                    .from
                    .as_ref()
                    .map_or(String::new(), |from| format!(" (from {from})"));
                let _ = writeln!(out, "## User{from}\n\n{}", user.text());
                for block in json::array(&user.blocks).unwrap_or_default() {
                    out += &attached(block);
                }
            }
            Item::Answer(answer) => {
                let _ = writeln!(out, "## {}\n\n{}", answer.by, answer.text);
                if let Some(why) = &answer.incomplete {
                    let _ = writeln!(out, "\n*Incomplete: {why}*");
                }
            }
            Item::Call(call) => out += &call_text(call),
            Item::Notice(notice) => {
                let _ = writeln!(out, "> {} {}", notice.cause, notice.next);
            }
        }
    }
    out
}

/// What a message has besides its texts. Bytes are said in words: a document for people has no room for them.
fn attached(raw: &str) -> String {
    let block = json::Object::parse(raw).ok();
    let resource = block.as_ref().and_then(|block| block.get("resource"));
    match (media_words(raw), resource) {
        (Some(words), None) => format!("\n*Attached: {words}*\n"),
        (Some(words), Some(resource)) => {
            let uri = json::Object::parse(resource)
                .ok()
                .and_then(|resource| resource.string("uri"));
            format!("\n*Attached: {}, {words}*\n", uri.unwrap_or_default())
        }
        (None, Some(resource)) => fenced("json", resource),
        (None, None) => String::new(),
    }
}

fn call_text(call: &Call) -> String {
    let state = match call.state {
        ChatCallState::Done => "done",
        ChatCallState::ToolError => "the tool reported an error",
        ChatCallState::Failed => "no result",
        ChatCallState::Denied => "denied",
        ChatCallState::Cancelled => "cancelled",
        ChatCallState::NotRun => "not run",
        ChatCallState::Interrupted => "interrupted",
        ChatCallState::Waiting | ChatCallState::Queued | ChatCallState::Running => "in progress",
    };
    let by = call
        .decided_by
        .as_ref()
        .map_or(String::new(), |by| format!(", decided by {by}"));
    let mut out = format!("### Call of {} ({}): {state}{by}\n", call.tool, call.server_name);
    out += &fenced("json", &call.arguments);
    if let Some(edited) = &call.edited {
        out += "\nSent instead:\n";
        out += &fenced("json", edited);
    }
    if let Some(result) = call.result.as_ref().or(call.error.as_ref()) {
        out += &match call.cut_from {
            Some(size) => format!("\nResult, cut from {size} bytes:\n"),
            None => "\nResult:\n".to_owned(),
        };
        out += &fenced("", result);
    }
    out
}

/// A block of code whose fence is longer than any in the text.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{fence}{language}\n{text}\n{fence}\n")
}
