//! Other versions of what was said: a message that is edited, an answer or a failed step that is asked for again, a conversation
//! that goes on as another one.
//!
//! No call is repeated: what follows the message or the answer stays as another branch, with its results.

use patchbay_contract::*;

use super::{GO_ON, LARGEST_MESSAGE, find, invalid, message, reveal};
use crate::{
    chat::{
        answer::BY_HAND,
        conversation::Conversation,
        item::{Item, User, has_ended, now_ms, text_block},
        turn,
    },
    dispatch::error::fail,
    state::Engine,
};
use patchbay_protocol::json;

fn gone() -> CommandError {
    let why = "The item is not in the conversation (any more).";
    fail(ErrorCode::NotFound, why)
}

pub(crate) async fn chat_fork(
    engine: &Engine,
    params: ChatForkParams,
) -> Result<ChatCreateResponse, CommandError> {
    let original = find(engine, &params.chat_id).await?;
    let all = original.items();
    let end = match &params.before {
        None => all.len(),
        Some(before) => {
            let found = all.iter().position(|item| item.id() == before);
            found.ok_or_else(gone)?
        }
    };
    let (title, settings) = {
        let state = original.lock();
        (state.title(), state.settings.clone())
    };
    let conversation = engine.state.chats.create(settings)?;
    let copies = all.into_iter().take(end).map(|item| {
        let unmasked = original.original(item.id());
        (settled(item), unmasked.map(settled))
    });
    let copies: Vec<(Item, Option<Item>)> = copies.collect();
    if let Some(last) = copies.last().map(|(item, _)| item.id().to_owned()) {
        conversation.copy(copies).await?;
        conversation.show(last).await?;
    }
    let title: String = format!("{title} (fork)").chars().take(200).collect();
    conversation.rename(title).await?;
    Ok(ChatCreateResponse {
        chat_id: conversation.id.clone(),
    })
}

/// A copied call does not run: its original does.
fn settled(item: Item) -> Item {
    match item {
        Item::Call(mut call) if !has_ended(call.state) => {
            call.state = ChatCallState::NotRun;
            call.error = Some("The conversation was forked before this call ended.".to_owned());
            Item::Call(call)
        }
        other => other,
    }
}

pub(crate) async fn chat_edit(engine: &Engine, params: ChatEditParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    turn::check(&conversation)?;
    if params.text.len() > LARGEST_MESSAGE {
        return Err(invalid("The message has more than 1 MiB. Shorten it."));
    }
    reveal(engine).await?;
    // Another front may have begun a turn meanwhile.
    let _beginning = turn::begin(&conversation).await?;
    let (head, edited) = {
        let state = conversation.lock();
        let Some(Item::User(user)) = state.item(&params.item) else {
            return Err(gone());
        };
        if user.from.is_some() {
            return Err(invalid(
                "A message of a prompt cannot be edited. Edit your message after it, or attach the prompt again.",
            ));
        }
        let head = state.branches.parent(&user.id).map(str::to_owned);
        (head, edited(state.as_it_was(user), &params.text, state.next_id()))
    };
    if edited.blocks == "[]" {
        return Err(invalid("The message is empty."));
    }
    conversation.branch(head, vec![Item::User(edited)]).await?;
    turn::start(engine, &conversation)?;
    Ok(Done {})
}

/// The message with another text. What was attached stays.
fn edited(user: &User, text: &str, id: String) -> User {
    let is_text = |block: &&str| {
        json::Object::parse(block).is_ok_and(|block| block.string("type").as_deref() == Some("text"))
    };
    let blocks = json::array(&user.blocks).unwrap_or_default().into_iter();
    let attached: Vec<String> = blocks
        .filter(|block| !is_text(block))
        .map(str::to_owned)
        .collect();
    // What was masked in them before a restart stays masked.
    let masked = match attached.is_empty() {
        true => Vec::new(),
        false => user.masked.clone(),
    };
    let text = (!text.trim().is_empty()).then(|| text_block(text));
    let blocks: Vec<String> = attached.into_iter().chain(text).collect();
    User {
        id,
        at_ms: now_ms(),
        blocks: format!("[{}]", blocks.join(",")),
        from: None,
        masked,
        // The blocks of servers are before the text.
        origins: user.origins.clone(),
    }
}

pub(crate) async fn chat_regenerate(
    engine: &Engine,
    params: ChatRegenerateParams,
) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    let _beginning = turn::begin(&conversation).await?;
    let before = before(&conversation, &params.item)?;
    let items = conversation.items();
    let end = items.iter().position(|item| *item.id() == before);
    let items = &items[..end.map_or(0, |at| at + 1)];
    let more = match turn::ends_with_an_answer(items) {
        true => {
            let first = conversation.lock().next_number();
            message(first, GO_ON.to_owned(), &[])
        }
        false => Vec::new(),
    };
    conversation.branch(Some(before), more).await?;
    turn::start(engine, &conversation)?;
    Ok(Done {})
}

/// What an answer or a failed step follows: with a notice goes the incomplete answer that it is about.
fn before(conversation: &Conversation, id: &str) -> Result<String, CommandError> {
    let state = conversation.lock();
    let items: Vec<&Item> = state.items.iter().map(|entry| &entry.item).collect();
    let mut at = items.iter().position(|item| item.id() == id).ok_or_else(gone)?;
    match items[at] {
        Item::Answer(answer) if answer.by_model || answer.by == BY_HAND => {}
        Item::Answer(_) => return Err(invalid("This answer is from a prompt, not of a model.")),
        Item::Notice(_) => {
            let is_partial =
                |item: &Item| matches!(item, Item::Answer(answer) if answer.incomplete.is_some());
            if at > 0 && is_partial(items[at - 1]) {
                at -= 1;
            }
        }
        Item::User(_) | Item::Call(_) => return Err(invalid("Only an answer can be asked for again.")),
    }
    let before = at.checked_sub(1).and_then(|at| items.get(at));
    let before = before.ok_or_else(|| invalid("There is nothing before it to answer."))?;
    Ok(before.id().to_owned())
}

pub(crate) async fn chat_branch(engine: &Engine, params: ChatBranchParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    let _beginning = turn::begin(&conversation).await?;
    let leaf = {
        let state = conversation.lock();
        if !state.branches.knows(&params.item) {
            return Err(gone());
        }
        state.branches.leaf(&params.item)
    };
    conversation.show(leaf).await?;
    Ok(Done {})
}
