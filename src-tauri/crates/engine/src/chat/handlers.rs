//! Handlers of the chat.

mod branching;

pub(crate) use self::branching::{chat_branch, chat_edit, chat_fork, chat_regenerate};

use std::{collections::HashSet, sync::Arc};

use patchbay_contract::*;
use patchbay_protocol::json;

use super::{
    attach, calls,
    chats::locate,
    conversation::{Attachment, CallDecision, Conversation},
    export,
    item::{Answer, Item, Origin, User, now_ms, text_block},
    rules, toolbox, turn, view,
};
use crate::{
    dispatch::error::{fail, vault_failed},
    dispatch::nudges::Topic,
    dispatch::streams::Events,
    state::Engine,
};

/// The maximum size of a message, in bytes.
const LARGEST_MESSAGE: usize = 1 << 20;
/// The maximum number of calls that the user makes in one answer.
const MOST_CALLS: usize = 256;
/// The message of a turn that goes on after an answer.
const GO_ON: &str = "Go on.";

async fn find(engine: &Engine, id: &ChatId) -> Result<Arc<Conversation>, CommandError> {
    engine.state.chats.get(id).await
}

/// Opens the vault, so that its secrets are masked in what is kept. While it stays closed, nothing is: what is not known cannot
/// be masked.
async fn reveal(engine: &Engine) -> Result<(), CommandError> {
    let revealed = engine.state.vault.reveal().await.map_err(vault_failed);
    revealed.map_err(|error| CommandError {
        message: format!(
            "The secrets in the vault have to be known so that they are masked in the conversation. {}",
            error.message
        ),
        ..error
    })
}

fn invalid(why: impl Into<String>) -> CommandError {
    fail(ErrorCode::InvalidParams, why)
}

pub(crate) async fn chat_list(
    engine: &Engine,
    params: ChatListParams,
) -> Result<ChatListResponse, CommandError> {
    engine.state.chats.list(params.search.as_deref()).await
}

pub(crate) async fn chat_locate(
    engine: &Engine,
    params: ChatLocateParams,
) -> Result<ChatLocateResponse, CommandError> {
    locate::locate(engine, &params.seq).await
}

pub(crate) async fn chat_create(
    engine: &Engine,
    params: ChatCreateParams,
) -> Result<ChatCreateResponse, CommandError> {
    check_settings(&params.settings)?;
    let settings = masked_settings(engine, params.settings).await?;
    let conversation = engine.state.chats.create(settings)?;
    Ok(ChatCreateResponse {
        chat_id: conversation.id.clone(),
    })
}

pub(crate) async fn chat_rename(engine: &Engine, params: ChatRenameParams) -> Result<Done, CommandError> {
    let title = params.title.trim().to_owned();
    if title.is_empty() || title.chars().count() > 200 || title.contains(char::is_control) {
        return Err(invalid("A name has 1 to 200 characters and no line breaks."));
    }
    reveal(engine).await?;
    let title = engine.state.masked(title);
    find(engine, &params.chat_id).await?.rename(title).await?;
    Ok(Done {})
}

pub(crate) async fn chat_remove(engine: &Engine, params: ChatRemoveParams) -> Result<Done, CommandError> {
    engine.state.chats.remove(&params.chat_id).await?;
    Ok(Done {})
}

pub(crate) async fn chat_export(
    engine: &Engine,
    params: ChatExportParams,
) -> Result<ChatExportResponse, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    let text = export::text(&conversation, params.format)?;
    let title = conversation.lock().title();
    Ok(ChatExportResponse {
        text: engine.state.masked(text),
        file_name: export::file_name(&title, &conversation.id, params.format),
    })
}

pub(crate) async fn chat_settings_set(
    engine: &Engine,
    params: ChatSettingsSetParams,
) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    check_settings(&params.settings)?;
    let mut settings = masked_settings(engine, params.settings).await?;
    let change = |known: &mut ChatSettings| {
        // An alias stays, even if a front did not know it yet.
        keep_aliases(&mut settings.aliases, std::mem::take(&mut known.aliases));
        *known = settings;
    };
    conversation.change_settings(change).await?;
    Ok(Done {})
}

/// Settings are written: what the user says in them has no known secret.
async fn masked_settings(engine: &Engine, settings: ChatSettings) -> Result<ChatSettings, CommandError> {
    if settings.system_prompt.is_empty() {
        return Ok(settings);
    }
    reveal(engine).await?;
    Ok(ChatSettings {
        system_prompt: engine.state.masked(settings.system_prompt),
        ..settings
    })
}

/// Adds the aliases that are missing, unless they are taken.
fn keep_aliases(aliases: &mut Vec<ChatAlias>, known: Vec<ChatAlias>) {
    let taken: HashSet<String> = aliases.iter().map(|alias| alias.alias.clone()).collect();
    let tool_of = |alias: &ChatAlias| (alias.server_id.clone(), alias.tool.clone());
    let named: HashSet<(ServerId, String)> = aliases.iter().map(tool_of).collect();
    let missing = known
        .into_iter()
        .filter(|known| !taken.contains(&known.alias) && !named.contains(&tool_of(known)));
    aliases.extend(missing);
}

fn check_settings(settings: &ChatSettings) -> Result<(), CommandError> {
    toolbox::check(&settings.aliases).map_err(invalid)?;
    if settings.max_tokens == 0 {
        return Err(invalid("An answer needs at least one token."));
    }
    if !(1..=1_000).contains(&settings.max_rounds) {
        return Err(invalid("A turn has 1 to 1,000 answers."));
    }
    if settings
        .temperature
        .is_some_and(|value| !(0.0..=2.0).contains(&value))
    {
        return Err(invalid("The temperature is between 0 and 2."));
    }
    if matches!(settings.thinking, ChatThinking::Budget { tokens } if !(1_024..=1_000_000).contains(&tokens))
    {
        return Err(invalid("A budget for thinking has 1,024 to 1,000,000 tokens."));
    }
    if !(2..=10_000).contains(&settings.max_tools) {
        return Err(invalid(
            "A model gets 2 to 10,000 tools at once: the search tool and what it found.",
        ));
    }
    if settings.max_tool_tokens.is_some_and(|tokens| tokens < 1_000) {
        return Err(invalid("The definitions of tools need at least 1,000 tokens."));
    }
    if settings.system_prompt.len() > LARGEST_MESSAGE {
        return Err(invalid("The system prompt has more than 1 MiB."));
    }
    Ok(())
}

pub(crate) async fn chat_tools(
    engine: &Engine,
    params: ChatToolsParams,
) -> Result<ChatToolsResponse, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    let tools = toolbox::collect(engine, &conversation, None).await?;
    Ok(ChatToolsResponse {
        servers: tools.servers,
        tools: tools.tools.into_iter().map(|tool| tool.view).collect(),
        system_prompt: tools.system_prompt,
        search: tools.search,
    })
}

pub(crate) async fn chat_attach(
    engine: &Engine,
    params: ChatAttachParams,
) -> Result<ChatAttachment, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    attach::attach(engine, &conversation, params.server_id, params.source).await
}

pub(crate) async fn chat_keep_current(
    engine: &Engine,
    params: ChatKeepCurrentParams,
) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    match attach::keep_current(engine, &conversation, &params.id, params.keep_current) {
        true => Ok(Done {}),
        false => Err(invalid("Only an attached resource can be kept current.")),
    }
}

pub(crate) async fn chat_detach(engine: &Engine, params: ChatDetachParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    conversation.touch(|state, revision| {
        state.attached.retain(|attached| attached.view.id != params.id);
        state.revision = revision;
    });
    Ok(Done {})
}

pub(crate) async fn chat_send(engine: &Engine, params: ChatSendParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    turn::check(&conversation)?;
    if params.text.len() > LARGEST_MESSAGE {
        return Err(invalid(
            "The message has more than 1 MiB. Attach a part of it, or shorten it.",
        ));
    }
    reveal(engine).await?;
    let before = conversation.lock().attached.clone();
    let mut attached = Vec::with_capacity(before.len());
    for one in &before {
        attached.push(attach::again(engine, one).await?);
    }
    // Another front may have begun a turn while resources were read.
    let _beginning = turn::begin(&conversation).await?;
    if params.text.trim().is_empty() && attached.is_empty() {
        return Err(invalid("The message is empty."));
    }
    let first = conversation.lock().next_number();
    let items = message(first, params.text, &attached);
    conversation.put(items).await?;
    conversation.touch(|state, revision| {
        let sent = |one: &Attachment| attached.iter().any(|other| other.view.id == one.view.id);
        state.attached.retain(|one| !sent(one));
        state.revision = revision;
    });
    turn::start(engine, &conversation)?;
    Ok(Done {})
}

/// The items of a message: those of attached prompts, then one with the text and the resources.
fn message(first: u64, text: String, attached: &[Attachment]) -> Vec<Item> {
    let mut items = Vec::new();
    let (mut blocks, mut origins, at_ms) = (Vec::new(), Vec::new(), now_ms());
    let mut next = 0;
    let id = |items: &Vec<Item>| (first + items.len() as u64).to_string();
    for one in attached {
        let from = format!("the prompt {} of {}", one.view.name, one.view.server_name);
        for (is_assistant, content) in &one.messages {
            let count = json::array(content).map_or(0, |blocks| blocks.len());
            let origin = |first| {
                let server_id = one.view.server_id.clone()?;
                let server_name = one.view.server_name.clone();
                Some(Origin {
                    server_id,
                    server_name,
                    first,
                    count,
                })
            };
            match (one.view.is_prompt, is_assistant) {
                (false, _) => {
                    origins.extend(origin(next));
                    next += count;
                    blocks.push(content.trim_matches(['[', ']']).to_owned());
                }
                (true, false) => items.push(Item::User(User {
                    id: id(&items),
                    at_ms,
                    blocks: content.clone(),
                    from: Some(from.clone()),
                    masked: Vec::new(),
                    origins: origin(0).into_iter().collect(),
                })),
                (true, true) => items.push(Item::Answer(Answer {
                    id: id(&items),
                    at_ms,
                    by: from.clone(),
                    text: attach::text_of(content),
                    origins: origin(0).into_iter().collect(),
                    ..Answer::default()
                })),
            }
        }
    }
    let ends_with_an_answer = blocks.is_empty() && matches!(items.last(), Some(Item::Answer(_)));
    blocks.extend(written(&text, ends_with_an_answer));
    if !blocks.is_empty() {
        items.push(Item::User(User {
            id: id(&items),
            at_ms,
            blocks: format!("[{}]", blocks.join(",")),
            from: None,
            masked: Vec::new(),
            origins,
        }));
    }
    items
}

/// What the user writes, as a block; the model is asked to go on if nothing is written after what a prompt lets it say.
fn written(text: &str, after_an_answer: bool) -> Option<String> {
    match text.trim().is_empty() {
        false => Some(text_block(text)),
        true => after_an_answer.then(|| text_block(GO_ON)),
    }
}

pub(crate) async fn chat_continue(engine: &Engine, params: ChatContinueParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    let _beginning = turn::begin(&conversation).await?;
    let items = conversation.items();
    if items.is_empty() {
        return Err(invalid("The conversation is empty. Send a message first."));
    }
    if turn::ends_with_an_answer(&items) {
        let first = conversation.lock().next_number();
        conversation.put(message(first, GO_ON.to_owned(), &[])).await?;
    }
    turn::start(engine, &conversation)?;
    Ok(Done {})
}

pub(crate) async fn chat_stop(engine: &Engine, params: ChatStopParams) -> Result<Done, CommandError> {
    find(engine, &params.chat_id).await?.stop();
    Ok(Done {})
}

pub(crate) async fn chat_write(engine: &Engine, params: ChatWriteParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    if params.text.trim().is_empty() && params.calls.is_empty() {
        return Err(invalid("Write an answer, or choose a tool to call."));
    }
    let size = params
        .calls
        .iter()
        .map(|call| call.arguments_json.len())
        .sum::<usize>()
        + params.text.len();
    if params.calls.len() > MOST_CALLS || size > 4 * LARGEST_MESSAGE {
        return Err(invalid("An answer has at most 256 calls and 4 MiB."));
    }
    reveal(engine).await?;
    conversation.written(params)?;
    Ok(Done {})
}

pub(crate) async fn chat_decide(engine: &Engine, params: ChatDecideParams) -> Result<Done, CommandError> {
    let conversation = find(engine, &params.chat_id).await?;
    calls::check_edited(&params.decision)?;
    let remember = match &params.decision {
        ChatDecision::Run { remember, .. } => remember.as_ref(),
        ChatDecision::Deny { .. } => None,
    };
    if let Some(remember) = remember {
        let called = params.calls.iter().filter_map(|id| conversation.call(id));
        let servers: Vec<ServerId> = called.filter_map(|call| call.server_id).collect();
        calls::check_rule(engine, &remember.covers, &servers)?;
        for server in servers {
            add_rule(engine, &conversation, server, remember).await?;
        }
    }
    for id in &params.calls {
        let decided = CallDecision {
            decision: params.decision.clone(),
            by: "You".to_owned(),
        };
        // One that no longer waits was decided by another front.
        conversation.decide(id, decided);
    }
    // Of another call, the user may be changing the arguments.
    if remember.is_some() {
        calls::run_covered(engine, &conversation);
    }
    Ok(Done {})
}

async fn add_rule(
    engine: &Engine,
    conversation: &Conversation,
    server_id: ServerId,
    remember: &ChatRemember,
) -> Result<(), CommandError> {
    let rule = ChatRule {
        covers: remember.covers.clone(),
        server_id,
        at_ms: now_ms(),
    };
    if remember.always {
        engine
            .state
            .chats
            .rules
            .change(|all| rules::add(all, rule))
            .await?;
        engine.state.nudges.changed(Topic::Chats);
        return Ok(());
    }
    let change = |settings: &mut ChatSettings| rules::add(&mut settings.rules, rule);
    conversation.change_settings(change).await.map(drop)
}

pub(crate) async fn chat_send_as_is(
    engine: &Engine,
    params: ChatSendAsIsParams,
) -> Result<Done, CommandError> {
    find(engine, &params.chat_id)
        .await?
        .send_as_is(&params.item, params.as_is)?;
    Ok(Done {})
}

pub(crate) async fn chat_rules_get(
    engine: &Engine,
    _: ChatRulesGetParams,
) -> Result<ChatRulesGetResponse, CommandError> {
    Ok(ChatRulesGetResponse {
        rules: engine.state.chats.rules.all(),
    })
}

pub(crate) async fn chat_rule_remove(
    engine: &Engine,
    params: ChatRuleRemoveParams,
) -> Result<Done, CommandError> {
    let is_it = |rule: &ChatRule| rule.server_id == params.server_id && rule.covers == params.covers;
    engine
        .state
        .chats
        .rules
        .change(|rules| rules.retain(|rule| !is_it(rule)))
        .await?;
    engine.state.nudges.changed(Topic::Chats);
    Ok(Done {})
}

pub(crate) async fn chat_open(
    engine: Engine,
    params: ChatOpenParams,
    events: Events<ChatEvent>,
) -> Result<(), CommandError> {
    let conversation = find(&engine, &params.chat_id).await?;
    // A listener does not keep the engine alive.
    drop(engine);
    view::stream(conversation, events).await
}
