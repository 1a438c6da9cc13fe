//! An answer that the user writes in place of the model.

use std::time::Instant;

use patchbay_contract::{ChatPhase, ChatWriteParams, CommandError};

use super::{AskOutcome, BY_HAND, MadeCall, keep};
use crate::{
    chat::{
        item::{Answer, now_ms},
        toolbox::{self, Toolbox},
        turn::Turn,
    },
    convert,
};

/// Waits for the user to answer. That may take long, and the user is shown the tools as they are then: servers may have been connected
/// or lost meanwhile.
pub(super) async fn ask(turn: &Turn, tools: &mut Toolbox) -> Result<AskOutcome, CommandError> {
    let written = turn.conversation.wait_for_writing();
    turn.conversation.set_phase(ChatPhase::Writing);
    let (begun, at_ms) = (Instant::now(), now_ms());
    let Some(Ok(ChatWriteParams { text, calls, .. })) = turn.unless_stopped(written).await else {
        return Ok(AskOutcome::Stopped);
    };
    if !calls.is_empty() {
        let now = toolbox::collect(&turn.engine, &turn.conversation, Some(turn.operation));
        // What was written is kept whatever comes of that.
        if let Some(Ok(now)) = turn.unless_stopped(now).await {
            *tools = now;
        }
    }
    let answer = Answer {
        at_ms,
        by: BY_HAND.to_owned(),
        text,
        took_ms: convert::ms(begun.elapsed()),
        ..Answer::default()
    };
    let calls = calls.into_iter().map(|call| MadeCall {
        alias: call.alias,
        arguments: call.arguments_json,
        masked: Vec::new(),
        is_cut_off: false,
    });
    let calls = keep(turn, tools, answer, calls.collect()).await?;
    Ok(AskOutcome::Said { calls, tokens: 0 })
}
