//! Items as the contract shows them, the stream of a conversation, and its bodies.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use patchbay_contract::*;
use patchbay_protocol::json;

use super::{
    conversation::{Conversation, Entry, State},
    item::{Call, Carried, Item, Origin, User},
};
use crate::{
    calls::{blocks_of, tool_result_of},
    dispatch::error::fail,
    dispatch::streams::Events,
    state::Engine,
    traffic_views::bodies::{INLINE, View, part},
};

/// How many items an event has.
const PAGE: usize = 200;
/// The minimum time between two events of what arrives.
const PACE: Duration = Duration::from_millis(30);
/// How much of what a model thinks is shown, in bytes.
const MOST_THINKING: usize = 64 << 10;
/// What ids of bodies in conversations begin with: `chat:CONVERSATION:ITEM:` and a view of the item's text.
const BODY: &str = "chat:";

/// Sends the conversation, then what changes, until the stream is closed.
pub(super) async fn stream(
    conversation: Arc<Conversation>,
    events: Events<ChatEvent>,
) -> Result<(), CommandError> {
    let mut changed = conversation.watch();
    let mut shown = Shown::default();
    loop {
        // Marked as seen before it is read, so that no change is missed.
        let revision = *changed.borrow_and_update();
        for event in shown.news(&conversation) {
            if events.send(event).await.is_err() {
                return Ok(());
            }
        }
        shown.revision = revision;
        if changed.changed().await.is_err() {
            return Ok(());
        }
        tokio::time::sleep(PACE).await;
    }
}

/// What a front has been sent.
#[derive(Default)]
struct Shown {
    revision: u64,
    streaming: Option<u64>,
    text: usize,
    thinking: usize,
    calls: Vec<ChatLiveCall>,
}

impl Shown {
    fn news(&mut self, conversation: &Conversation) -> Vec<ChatEvent> {
        let state = conversation.lock();
        let mut events = Vec::new();
        if state.revision > self.revision {
            events.push(ChatEvent::State {
                summary: state.summary(&conversation.id),
                settings: state.settings.clone(),
                attached: state
                    .attached
                    .iter()
                    .map(|attached| attached.view.clone())
                    .collect(),
                total: crate::convert::count(state.items.len()),
                versions: state.versions(),
                seen: state.seen(),
            });
        }
        if self.revision > 0
            && let Some(stay) = state.cut_since(self.revision)
        {
            let stay = crate::convert::count(stay);
            events.push(ChatEvent::Branch { stay });
        }
        let new = state.items.iter().filter(|entry| entry.revision > self.revision);
        let items: Vec<ChatItem> = new.map(|entry| item(&conversation.id, &state, entry)).collect();
        let pages = items.chunks(PAGE).map(<[ChatItem]>::to_vec);
        events.extend(pages.map(|items| ChatEvent::Items { items }));
        let number = state.streaming.as_ref().map(|streaming| streaming.number);
        if number != self.streaming {
            *self = Self {
                revision: self.revision,
                streaming: number,
                ..Self::default()
            };
            let at_ms = state.streaming.as_ref().map_or(0.0, |streaming| streaming.at_ms);
            let by = state.streaming.as_ref().map(|streaming| streaming.by.clone());
            events.push(ChatEvent::Live { by, at_ms });
        }
        if let Some(streaming) = &state.streaming {
            let more = ChatEvent::LiveMore {
                text: streaming.text[self.text..].to_owned(),
                thinking: streaming.thinking[self.thinking..].to_owned(),
                calls: streaming.calls.clone(),
            };
            let is_more = streaming.text.len() > self.text
                || streaming.thinking.len() > self.thinking
                || streaming.calls != self.calls;
            (self.text, self.thinking) = (streaming.text.len(), streaming.thinking.len());
            self.calls.clone_from(&streaming.calls);
            events.extend(is_more.then_some(more));
        }
        events
    }
}

/// An item for the UI.
fn item(chat: &ChatId, state: &State, entry: &Entry) -> ChatItem {
    let masked = state.masked_in(entry);
    let body = |id: &BodyId| BodyId(format!("{BODY}{chat}:{}:{id}", entry.item.id()));
    match &entry.item {
        Item::User(User {
            id,
            at_ms,
            blocks,
            from,
            origins,
            ..
        }) => ChatItem::User {
            id: id.clone(),
            at_ms: *at_ms,
            content: moved(blocks_of(blocks), &body),
            from: from.clone(),
            servers: servers(origins),
            masked,
        },
        Item::Answer(answer) => ChatItem::Answer {
            id: answer.id.clone(),
            at_ms: answer.at_ms,
            by: answer.by.clone(),
            by_model: answer.by_model,
            text: (!answer.text.is_empty()).then(|| TextBody {
                inline: (answer.text.len() <= INLINE).then(|| answer.text.clone()),
                body: body(&BodyId(format!("s:0:0-{}", json::quote(&answer.text).len()))),
                size: answer.text.len() as f64,
                pretty: None,
            }),
            thinking: (!answer.thinking.is_empty()).then(|| start(&answer.thinking, MOST_THINKING)),
            calls: answer.calls,
            stop_reason: answer.stop_reason.clone(),
            incomplete: answer.incomplete.clone(),
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            took_ms: answer.took_ms,
            seq: answer.seq.clone().map(Seq),
            masked,
        },
        Item::Call(kept) => ChatItem::Call {
            call: ChatCall {
                masked,
                ..call(entry, kept.as_ref().clone(), &body)
            },
        },
        Item::Notice(notice) => ChatItem::Notice {
            id: notice.id.clone(),
            at_ms: notice.at_ms,
            kind: notice.kind,
            cause: notice.cause.clone(),
            next: notice.next.clone(),
            seq: notice.seq.clone().map(Seq),
        },
    }
}

/// The names of the servers that a message is from, each once.
fn servers(origins: &[Origin]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for origin in origins {
        if !names.contains(&origin.server_name) {
            names.push(origin.server_name.clone());
        }
    }
    names
}

fn call(entry: &Entry, call: Call, body: &impl Fn(&BodyId) -> BodyId) -> ChatCall {
    ChatCall {
        result: call.result.as_deref().map(|raw| {
            let mut view = tool_result_of(raw);
            view.content = moved(view.content, body);
            if let Some(structured) = &mut view.structured {
                structured.json = moved_text(structured.json.clone(), body);
            }
            view
        }),
        raw: call
            .result
            .as_ref()
            .filter(|_| call.cut_from.is_none())
            .map(|raw| TextBody {
                inline: None,
                body: body(&View::frame(0).id()),
                size: raw.len() as f64,
                pretty: None,
            }),
        id: call.id,
        at_ms: call.at_ms,
        alias: call.alias,
        server_id: call.server_id,
        server_name: call.server_name,
        tool: call.tool,
        hints: call.hints,
        arguments_json: call.arguments,
        edited_json: call.edited,
        problems: call.problems,
        not_checked: call.not_checked,
        state: call.state,
        asked_because: call.asked_because,
        definition_changed: entry.definition_changed,
        decided_by: call.decided_by,
        progress: entry.progress.clone(),
        exchange_id: entry.exchange.clone(),
        request_seq: call.request_seq.map(Seq),
        response_seq: call.response_seq.map(Seq),
        duration_ms: call.duration_ms,
        error: call.error,
        cut_from: call.cut_from,
        masked: None,
        carried: call.carried.into_iter().map(carried).collect(),
        compared_in_part: call.compared_in_part,
    }
}

fn carried(kept: Carried) -> ChatCarried {
    ChatCarried {
        item: kept.item,
        server_id: kept.server_id,
        server_name: kept.server_name,
        excerpt: kept.excerpt,
        crosses: kept.crosses,
    }
}

/// Content whose bodies are in the conversation.
fn moved(mut content: Vec<ContentItem>, to: &impl Fn(&BodyId) -> BodyId) -> Vec<ContentItem> {
    for item in &mut content {
        match item {
            ContentItem::Text { text, .. } | ContentItem::ResourceText { text, .. } => {
                *text = moved_text(text.clone(), to);
            }
            ContentItem::Image { body, .. }
            | ContentItem::Audio { body, .. }
            | ContentItem::ResourceBlob { body, .. } => *body = to(body),
            ContentItem::Unknown { json, .. } => *json = moved_text(json.clone(), to),
            ContentItem::ResourceLink { .. } => {}
        }
    }
    content
}

fn moved_text(text: TextBody, to: &impl Fn(&BodyId) -> BodyId) -> TextBody {
    TextBody {
        body: to(&text.body),
        pretty: text.pretty.as_ref().map(to),
        ..text
    }
}

/// The beginning of a text, at most `most` bytes.
pub(super) fn start(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}

/// A body of a conversation; none if the id is not of one.
pub(crate) async fn body(engine: &Engine, id: &BodyId) -> Result<Option<Bytes>, CommandError> {
    let Some(rest) = id.0.strip_prefix(BODY) else {
        return Ok(None);
    };
    let unknown = || fail(ErrorCode::NotFound, format!("There is no body `{id}`."));
    let mut parts = rest.splitn(3, ':');
    let (Some(chat), Some(item), Some(view)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(unknown());
    };
    let view: View = view.parse().map_err(|()| unknown())?;
    let conversation = engine.state.chats.get(&ChatId(chat.to_owned())).await?;
    let text = match conversation.lock().item(item) {
        Some(Item::User(user)) => user.blocks.clone(),
        Some(Item::Answer(answer)) => json::quote(&answer.text),
        Some(Item::Call(call)) => call.result.clone().unwrap_or_default(),
        Some(Item::Notice(_)) | None => return Err(unknown()),
    };
    part(view, text.into()).await?.map(Some).ok_or_else(unknown)
}
