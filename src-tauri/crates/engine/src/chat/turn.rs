//! A turn: answers and the calls that they make, until an answer makes none, a limit is reached, or the user stops it.
//! Everything that it causes is recorded under one operation.

use std::sync::Arc;

use patchbay_client::caught;
use patchbay_contract::*;
use patchbay_traffic::OperationId;
use tokio::sync::{MutexGuard, watch};

use super::{
    answer::{self, AskOutcome},
    calls,
    conversation::Conversation,
    item::{Item, User},
    toolbox,
};
use crate::{
    connections::owned::OwnedTask,
    dispatch::error::{fail, internal},
    inputs::RunningTurn,
    state::Engine,
    traffic_views::CHAT_TURN,
};

/// A turn that runs.
pub(super) struct Turn {
    pub(super) engine: Engine,
    pub(super) conversation: Arc<Conversation>,
    pub(super) operation: OperationId,
    stop: watch::Receiver<bool>,
    /// What it causes names it as long as it runs.
    _named: RunningTurn,
}

impl Turn {
    /// The turn with this title and number of a conversation, which `stop` stops.
    pub(super) fn new(
        engine: &Engine,
        conversation: &Arc<Conversation>,
        (title, number): (String, u32),
        stop: watch::Receiver<bool>,
    ) -> Self {
        let operation = engine.state.begin(CHAT_TURN, title.as_str());
        let named = InputTurn {
            chat_id: conversation.id.clone(),
            title,
            number,
        };
        Self {
            operation,
            _named: engine.state.inputs.turns.enter(operation, named),
            engine: engine.clone(),
            conversation: conversation.clone(),
            stop,
        }
    }

    /// Completes when the user stops the turn.
    pub(super) async fn stopped(&self) {
        // Without its sender the turn is being dropped.
        let _ = self.stop.clone().wait_for(|stopped| *stopped).await;
    }

    /// What the work comes to; none if the user stops the turn before, and then the work goes no further.
    pub(super) fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
        // Passed on as it is, it would take its room in each future on the way.
        let work = Box::pin(work);
        async move {
            tokio::select! {
                biased;
                () = self.stopped() => None,
                done = work => Some(done),
            }
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }
}

/// How a turn ended.
enum End {
    Answered,
    Stopped,
    /// The notice is there already.
    Failed,
    Rounds(u32),
    Tokens(u64),
}

/// Starts a turn of a conversation whose last item asks for an answer.
pub(super) fn start(engine: &Engine, conversation: &Arc<Conversation>) -> Result<(), CommandError> {
    let named = {
        let state = conversation.lock();
        (state.title(), turns(state.items.iter().map(|entry| &entry.item)))
    };
    conversation.start(ChatPhase::Answering, |stop| {
        OwnedTask::spawn(run(Turn::new(engine, conversation, named, stop)))
    })
}

/// How many turns were begun. A message begins one, with the prompts that are attached to it; going on without one does not.
fn turns<'a>(items: impl Iterator<Item = &'a Item>) -> u32 {
    let (mut turns, mut last) = (0, None);
    for item in items {
        if let Item::User(User { at_ms, .. }) = item
            && last.replace(*at_ms) != Some(*at_ms)
        {
            turns += 1;
        }
    }
    turns
}

/// Checks that an answer can be asked for, before a message is added.
pub(super) fn check(conversation: &Conversation) -> Result<(), CommandError> {
    let state = conversation.lock();
    if let Some(why) = &state.read_only {
        return Err(fail(ErrorCode::InvalidParams, why.clone()));
    }
    match state.phase == ChatPhase::Idle && state.is_settled() {
        true => Ok(()),
        false => Err(fail(
            ErrorCode::InvalidParams,
            "A turn of this conversation is running. Stop it first, or wait for its end.",
        )),
    }
}

/// Waits until no other turn is about to begin, and checks that one can. None does while the guard is held.
pub(super) async fn begin(conversation: &Conversation) -> Result<MutexGuard<'_, ()>, CommandError> {
    let beginning = conversation.beginning.lock().await;
    check(conversation)?;
    Ok(beginning)
}

async fn run(turn: Turn) {
    // A turn that panics ends too: the conversation would stay as it is for ever.
    let end = caught(async {
        #[cfg(test)]
        super::tests::strike();
        rounds(&turn).await
    })
    .await
    .unwrap_or_else(|cause| Err(internal("chat_turn", &cause)));
    let conversation = &turn.conversation;
    let (kind, cause, next) = match end {
        Ok(End::Answered | End::Failed) => {
            conversation.set_phase(ChatPhase::Idle);
            return;
        }
        Ok(End::Stopped) => (
            ChatNoticeKind::Stopped,
            "You stopped this turn.".to_owned(),
            "Continue, or send another message.".to_owned(),
        ),
        Ok(End::Rounds(rounds)) => (
            ChatNoticeKind::Limit,
            format!("The turn paused after {rounds} answers, its limit."),
            "Continue for as many again, or raise the limit in the settings.".to_owned(),
        ),
        Ok(End::Tokens(tokens)) => (
            ChatNoticeKind::Limit,
            format!("The turn paused after {tokens} tokens; its limit is reached."),
            "Continue for as many again, or raise the limit in the settings.".to_owned(),
        ),
        Err(error) => (
            ChatNoticeKind::Failed,
            error.message,
            "Fix the cause, then continue.".to_owned(),
        ),
    };
    if let Err(error) = conversation.notice(kind, &cause, &next, None).await {
        // It is shown, and written with the next change.
        tracing::warn!(error = error.message, cause, "the end of a turn is not saved yet");
    }
    conversation.set_phase(ChatPhase::Idle);
}

async fn rounds(turn: &Turn) -> Result<End, CommandError> {
    let limits = turn.conversation.settings();
    let mut tokens = 0_u64;
    for _ in 0..limits.max_rounds.max(1) {
        // A server may take long to list its tools.
        let tools = toolbox::collect(&turn.engine, &turn.conversation, Some(turn.operation));
        let Some(tools) = turn.unless_stopped(tools).await else {
            return Ok(End::Stopped);
        };
        let mut tools = tools?;
        let (made, used) = match answer::ask(turn, &mut tools).await? {
            AskOutcome::Stopped => return Ok(End::Stopped),
            AskOutcome::Failed => return Ok(End::Failed),
            AskOutcome::Said { calls, tokens } => (calls, tokens),
        };
        if made.is_empty() {
            return Ok(End::Answered);
        }
        turn.conversation.set_phase(ChatPhase::Calling);
        calls::run_all(turn, &tools, made).await?;
        if turn.is_stopped() {
            return Ok(End::Stopped);
        }
        tokens = tokens.saturating_add(used);
        if tokens >= limits.max_turn_tokens.into() {
            return Ok(End::Tokens(tokens));
        }
    }
    Ok(End::Rounds(limits.max_rounds.max(1)))
}

/// Whether the last thing said is an answer, so that a model needs a message to go on.
pub(super) fn ends_with_an_answer(items: &[Item]) -> bool {
    let said = items.iter().rev().find(|item| !matches!(item, Item::Notice(_)));
    matches!(said, Some(Item::Answer(_)))
}
