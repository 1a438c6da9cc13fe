//! One answer: asked of a model, or written by the user in its place. It is kept together with the calls that it makes.

mod by_hand;
mod thoughts;

use std::{collections::HashSet, sync::Arc, time::Instant};

use patchbay_contract::*;
use patchbay_llm::{Answer as ModelAnswer, Delta, Failure, Part, Prompt, Provider, Wire};
use patchbay_protocol::{json, limits::Limits};
use patchbay_vault::VaultError;
use tokio::sync::mpsc;

use super::{
    calls::{Sources, compared, not_run_unsaved},
    conversation::StreamingAnswer,
    item::{Answer, Call, Item, has_ended, now_ms},
    prompt::{self, PromptOptions},
    toolbox::{Searches, Toolbox, unknown_tool},
    turn::Turn,
};
use crate::{
    calls::schema_check, convert, dispatch::error::vault_failed, inputs::models, state::EngineState,
};

/// How many pieces of an answer wait to be shown.
const PIECES: usize = 64;
/// The maximum number of problems of arguments that are kept.
const MOST_PROBLEMS: usize = 10;

/// Why a call is not sent whose arguments have no end.
const CUT_OFF: &str = "The answer was cut off in this call. It was not sent.";

/// Who answers in place of a model.
pub(super) const BY_HAND: &str = "You";

/// How a request for an answer ended.
pub(super) enum AskOutcome {
    /// With an answer.
    Said {
        /// The ids of its calls.
        calls: Vec<String>,
        /// The tokens of request and answer, as far as they are known.
        tokens: u64,
    },
    /// The user stopped it.
    Stopped,
    /// There is no answer. The notice says why.
    Failed,
}

/// Gets the next answer. `tools` are afterwards those that its calls are of.
pub(super) async fn ask(turn: &Turn, tools: &mut Toolbox) -> Result<AskOutcome, CommandError> {
    match turn.conversation.settings().answers {
        ChatAnswers::Manual {} => by_hand::ask(turn, tools).await,
        ChatAnswers::Model { provider_id, model } => by_model(turn, tools, &provider_id, &model).await,
    }
}

async fn by_model(
    turn: &Turn,
    tools: &Toolbox,
    provider_id: &ProviderId,
    model: &str,
) -> Result<AskOutcome, CommandError> {
    let state = &turn.engine.state;
    let by = format!("{model} · {}", state.models.name(provider_id));
    turn.conversation.set_phase(ChatPhase::Answering);
    let Some(reached) = turn.unless_stopped(reach(turn, provider_id)).await else {
        return Ok(AskOutcome::Stopped);
    };
    let (provider, wire) = reached?;
    let options = PromptOptions {
        api: provider.api,
        blocks_of: format!("{provider_id} {model}"),
    };
    let settings = turn.conversation.settings();
    let (items, as_is) = turn.conversation.for_model();
    let params = params(state, (&items, &as_is), &settings, tools, &options);
    let prompt = match Prompt::of_conversation(&params) {
        Ok(prompt) => Prompt {
            thinking: thoughts::asked(&settings.thinking, provider.api, &items, &options.blocks_of),
            ..prompt
        },
        Err(failure) => return failed(turn, Answer::default(), failure).await,
    };
    turn.conversation.ask(&by).await?;
    let (begun, at_ms) = (Instant::now(), now_ms());
    begin_live(turn, &by, at_ms);
    let ended = generate(turn, &provider, &wire, model, &prompt).await;
    let part = turn.conversation.lock().streaming.clone();
    let (text, thinking) = part.map(|part| (part.text, part.thinking)).unwrap_or_default();
    let partial = Answer {
        at_ms,
        by,
        by_model: true,
        text,
        thinking,
        blocks_of: options.blocks_of,
        took_ms: convert::ms(begun.elapsed()),
        ..Answer::default()
    };
    let outcome = match ended {
        Some(Ok(answer)) => said(turn, tools, partial, answer).await,
        Some(Err(failure)) => failed(turn, partial, failure).await,
        None => {
            let kept = keep_partial(turn, partial, "You stopped it.").await;
            kept.map(|()| AskOutcome::Stopped)
        }
    };
    // What arrived is shown until it is kept.
    turn.conversation.touch(|state, _| state.streaming = None);
    outcome
}

/// What a model is sent. That has no secret, unless the user said so of the item that it is in.
fn params(
    state: &EngineState,
    (items, as_is): (&[Item], &HashSet<String>),
    settings: &ChatSettings,
    tools: &Toolbox,
    options: &PromptOptions,
) -> String {
    if as_is.is_empty() {
        return state.masked(prompt::params(items, settings, tools, options, &|_, text| text));
    }
    prompt::params(items, settings, tools, options, &|item, text| match item
        .is_some_and(|item| as_is.contains(item))
    {
        true => text,
        false => state.masked(text),
    })
}

/// The way to the provider, once the vault is open: its secrets have to be known.
async fn reach(turn: &Turn, provider_id: &ProviderId) -> Result<(Provider, Wire), CommandError> {
    let state = &turn.engine.state;
    let reached = state.models.reach(provider_id, turn.operation).await?;
    state.vault.reveal().await.map_err(not_revealed)?;
    Ok(reached)
}

/// Why a model is not asked: without the vault it is not known what has to be masked.
fn not_revealed(error: VaultError) -> CommandError {
    let error = vault_failed(error);
    let message = format!(
        "The secrets in the vault have to be known so that no model gets them. {}",
        error.message
    );
    CommandError { message, ..error }
}

/// Lets the model answer, and shows what arrives; none if the user stopped it.
async fn generate(
    turn: &Turn,
    provider: &Provider,
    wire: &Wire,
    model: &str,
    prompt: &Prompt<'_>,
) -> Option<Result<ModelAnswer, Failure>> {
    let (sender, mut deltas) = mpsc::channel(PIECES);
    let mut generating = Box::pin(provider.converse(wire, model, prompt, &sender));
    let ended = loop {
        tokio::select! {
            biased;
            () = turn.stopped() => break None,
            Some(delta) = deltas.recv() => arrived(turn, delta),
            ended = &mut generating => break Some(ended),
        }
    };
    // Dropped here if it was stopped: that closes the connection, which stops the model.
    drop(generating);
    while let Ok(delta) = deltas.try_recv() {
        arrived(turn, delta);
    }
    ended
}

/// Shows that an answer begins.
fn begin_live(turn: &Turn, by: &str, at_ms: f64) {
    turn.conversation.touch(|state, revision| {
        state.streaming = Some(StreamingAnswer {
            number: revision,
            by: by.to_owned(),
            at_ms,
            text: String::new(),
            thinking: String::new(),
            calls: Vec::new(),
        });
    });
}

/// Shows a piece of the answer.
fn arrived(turn: &Turn, delta: Delta) {
    turn.conversation.touch(|state, _| {
        let Some(part) = &mut state.streaming else { return };
        match delta {
            Delta::Text(text) => part.text += &text,
            Delta::Thinking(text) => part.thinking += &text,
            Delta::ToolUse { name } => part.calls.push(ChatLiveCall {
                alias: name,
                bytes: 0,
            }),
            Delta::ToolInput(text) => {
                if let Some(call) = part.calls.last_mut() {
                    call.bytes = call.bytes.saturating_add(convert::count(text.len()));
                }
            }
        }
    });
}

/// Keeps the answer of a model.
pub(super) async fn said(
    turn: &Turn,
    tools: &Toolbox,
    partial: Answer,
    answer: ModelAnswer,
) -> Result<AskOutcome, CommandError> {
    let tokens = answer.usage.total();
    let blocks = thoughts::kept(&turn.engine.state, &answer.parts);
    let ends_within_a_call = answer.ends_within_a_call();
    let mut calls = Vec::new();
    let mut text = String::new();
    for part in answer.parts {
        match part {
            Part::Thought(_) => {}
            Part::Text(more) => text += &more,
            Part::ToolUse { name, input, .. } => calls.push((name, input)),
        }
    }
    let last = calls.len().saturating_sub(1);
    // A model that was given a secret does not pass it on.
    let calls = calls.into_iter().enumerate().map(|(at, (alias, input))| {
        let (arguments, masked) = turn.conversation.masked_text(input);
        MadeCall {
            alias,
            arguments,
            masked,
            is_cut_off: ends_within_a_call && at == last,
        }
    });
    let kept = Answer {
        text,
        stop_reason: answer.stop_reason,
        input_tokens: answer.usage.input.map(convert::count),
        output_tokens: answer.usage.output.map(convert::count),
        seq: answer.exchange.map(|seq| seq.to_string()),
        blocks,
        ..partial
    };
    let calls = keep(turn, tools, kept, calls.collect()).await?;
    Ok(AskOutcome::Said { calls, tokens })
}

/// Keeps what arrived, and says why it is not more.
pub(super) async fn failed(
    turn: &Turn,
    partial: Answer,
    failure: Failure,
) -> Result<AskOutcome, CommandError> {
    let seq = failure.exchange.map(|seq| seq.to_string());
    let partial = Answer {
        seq: seq.clone(),
        ..partial
    };
    let kept = keep_partial(turn, partial, &failure.cause).await;
    let ModelFailure {
        cause,
        next,
        retry_after_ms,
    } = models::failure(failure);
    let next = match retry_after_ms {
        Some(wait) => format!("{next} The provider asks to wait {:.0} s.", wait / 1000.0),
        None => next,
    };
    let kind = ChatNoticeKind::Failed;
    let (cause, next) = (turn.engine.state.masked(cause), turn.engine.state.masked(next));
    let noticed = turn.conversation.notice(kind, &cause, &next, seq).await;
    noticed.and(kept)?;
    Ok(AskOutcome::Failed)
}

async fn keep_partial(turn: &Turn, partial: Answer, why: &str) -> Result<(), CommandError> {
    if partial.text.is_empty() && partial.thinking.is_empty() {
        return Ok(());
    }
    let answer = Answer {
        id: turn.conversation.lock().next_id(),
        incomplete: Some(why.to_owned()),
        blocks_of: String::new(),
        ..partial
    };
    turn.conversation.keep(vec![Item::Answer(answer)]).await
}

/// A call as an answer makes it.
struct MadeCall {
    alias: String,
    arguments: String,
    /// The secrets that are masked in the arguments.
    masked: Vec<String>,
    /// Whether the answer ends within the arguments.
    is_cut_off: bool,
}

/// Keeps an answer with its calls, and returns the ids of those that may run.
async fn keep(
    turn: &Turn,
    tools: &Toolbox,
    answer: Answer,
    calls: Vec<MadeCall>,
) -> Result<Vec<String>, CommandError> {
    let first = turn.conversation.lock().next_number();
    let answer = Answer {
        id: first.to_string(),
        calls: convert::count(calls.len()),
        blocks_of: match answer.blocks.is_empty() {
            true => String::new(),
            false => answer.blocks_of,
        },
        ..answer
    };
    let sources = sources(turn, !calls.is_empty()).await;
    let settings = turn.conversation.settings();
    let mut searches = Searches::new(tools, &settings);
    let mut items = vec![Item::Answer(answer.clone())];
    let mut ids = Vec::new();
    for (number, made) in (first + 1..).zip(calls) {
        let id = number.to_string();
        let call = new_call(
            (tools, &settings.aliases),
            &mut searches,
            &sources,
            &answer,
            id,
            made,
        )
        .await;
        ids.push(call.id.clone());
        items.push(Item::Call(Box::new(call)));
    }
    if let Err(error) = turn.conversation.put(items.clone()).await {
        let items = items.into_iter().map(not_saved).collect();
        // What was answered is shown. The turn ends with the first error.
        return turn.conversation.keep(items).await.and(Err(error));
    }
    Ok(ids)
}

/// An item of an answer that could not be written: its calls do not run.
fn not_saved(item: Item) -> Item {
    match item {
        Item::Call(call) if !has_ended(call.state) => Item::Call(Box::new(not_run_unsaved(*call))),
        item => item,
    }
}

/// A call as the model made it: one that cannot be sent has failed already.
async fn new_call(
    (tools, known): (&Toolbox, &[ChatAlias]),
    searches: &mut Searches<'_>,
    sources: &Arc<Sources>,
    answer: &Answer,
    id: String,
    made: MadeCall,
) -> Call {
    let MadeCall {
        alias,
        arguments,
        masked,
        is_cut_off,
    } = made;
    let found = tools.find(&alias);
    let call = Call {
        id,
        answer: answer.id.clone(),
        at_ms: now_ms(),
        server_id: found.map(|tool| tool.view.server_id.clone()),
        server_name: found.map(|tool| tool.server_name.clone()).unwrap_or_default(),
        tool: found.map_or_else(|| alias.clone(), |tool| tool.view.tool.clone()),
        hints: found.map(|tool| tool.view.hints).unwrap_or_default(),
        problems: Vec::new(),
        not_checked: None,
        state: ChatCallState::Queued,
        alias,
        arguments,
        edited: None,
        asked_because: None,
        decided_by: None,
        request_seq: None,
        response_seq: None,
        duration_ms: None,
        result: None,
        error: None,
        found: Vec::new(),
        cut_from: None,
        masked,
        carried: Vec::new(),
        compared_in_part: false,
    };
    if is_cut_off {
        return ended_early(call, CUT_OFF.to_owned());
    }
    let search = tools.search.as_ref().map(|search| &search.alias);
    if search == Some(&call.alias) {
        return searched(searches, call);
    }
    let Some(tool) = found else {
        let error = unknown_tool(tools, known, &call.alias);
        return ended_early(call, error);
    };
    if let Err(error) = json::Object::parse(&call.arguments) {
        let error = format!("The arguments are not a JSON object: {error}. The call was not sent.");
        return ended_early(call, error);
    }
    let call = checked(tool.input_schema.as_deref(), call).await;
    compared(sources, &tool.view.given_json, call).await
}

/// What the arguments of calls may be from; nothing if there are no calls.
pub(super) async fn sources(turn: &Turn, is_needed: bool) -> Arc<Sources> {
    if !is_needed {
        return Arc::default();
    }
    let (items, prompt) = (
        turn.conversation.items(),
        turn.conversation.settings().system_prompt,
    );
    let made = tokio::task::spawn_blocking(move || Sources::of(&items, &prompt)).await;
    Arc::new(made.unwrap_or_default())
}

/// A search runs here and at once: no server gets anything.
fn searched(searches: &mut Searches<'_>, call: Call) -> Call {
    let call = Call {
        server_name: "Patchbay".to_owned(),
        ..call
    };
    match searches.search(&call.arguments) {
        Ok(found) => Call {
            state: ChatCallState::Done,
            result: Some(found.result),
            found: found.tools,
            ..call
        },
        Err(error) => ended_early(call, error),
    }
}

fn ended_early(call: Call, error: String) -> Call {
    Call {
        state: ChatCallState::Failed,
        error: Some(error),
        ..call
    }
}

/// The call with how the arguments that are sent differ from the tool's schema. The server decides whether that matters.
pub(super) async fn checked(schema: Option<&str>, call: Call) -> Call {
    let Some(schema) = schema.map(str::to_owned) else {
        return call;
    };
    let arguments = call.edited.as_ref().unwrap_or(&call.arguments).clone();
    let (problems, not_checked) = match schema_check::check(schema, arguments, &Limits::default()).await {
        SchemaCheck::Invalid { problems } => (problems, None),
        SchemaCheck::NotChecked { reason } => (Vec::new(), Some(reason)),
        SchemaCheck::Valid {} => (Vec::new(), None),
    };
    let words = |SchemaProblem { pointer, message, .. }: SchemaProblem| match pointer.is_empty() {
        true => message,
        false => format!("{pointer}: {message}"),
    };
    Call {
        problems: problems.into_iter().take(MOST_PROBLEMS).map(words).collect(),
        not_checked,
        ..call
    }
}
