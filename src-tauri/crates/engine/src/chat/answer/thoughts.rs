//! What a model thinks: how much is asked for, and what its provider gets back while a turn uses tools.

use patchbay_contract::{ChatEffort, ChatThinking};
use patchbay_llm::{Api, Part, Thinking};

use crate::{
    chat::{
        item::{Item, text_block},
        prompt::CALL,
    },
    state::EngineState,
};

/// How much the model is asked to think. With a budget, Anthropic takes no turn that began without a thought of that model,
/// so that one goes on without.
pub(super) fn asked(thinking: &ChatThinking, api: Api, items: &[Item], blocks_of: &str) -> Option<Thinking> {
    match thinking {
        ChatThinking::Default {} => None,
        ChatThinking::Effort { effort } => Some(Thinking::Effort(match effort {
            ChatEffort::Low => "low",
            ChatEffort::Medium => "medium",
            ChatEffort::High => "high",
        })),
        ChatThinking::Budget { tokens } => {
            let turn = items
                .iter()
                .rev()
                .take_while(|item| !matches!(item, Item::User(_)));
            let first = turn.filter_map(|item| match item {
                Item::Answer(answer) => Some(answer),
                _ => None,
            });
            let began_without = first
                .last()
                .is_some_and(|answer| answer.blocks.is_empty() || answer.blocks_of != blocks_of);
            (api != Api::Anthropic || !began_without).then_some(Thinking::Budget(*tokens))
        }
    }
}

/// The parts of an answer with thoughts, as its provider wants them back; none if there are no thoughts.
pub(super) fn kept(state: &EngineState, parts: &[Part]) -> Vec<String> {
    if !parts.iter().any(|part| matches!(part, Part::Thought(_))) {
        return Vec::new();
    }
    let mut blocks = Vec::with_capacity(parts.len());
    for part in parts {
        blocks.push(match part {
            Part::Thought(thought) => {
                let block = thought.block();
                // One with a secret could not be sent back as it was, and changed it would be refused.
                if state.masked(block.clone()) != block {
                    return Vec::new();
                }
                block
            }
            Part::Text(text) => text_block(&state.masked(text.clone())),
            Part::ToolUse { .. } => CALL.to_owned(),
        });
    }
    blocks
}
