//! What is done with a call that waits for a decision: the one judgement, for calls that an answer has just made and for
//! those that already wait when a rule is added.

use patchbay_contract::{ChatDecision, ChatRuleScope, CommandError, ErrorCode, ServerId};

use super::super::{
    conversation::{CallDecision, Conversation},
    item::{Call, Item},
    rules::{self, CallContext, Verdict},
};
use super::carried;
use crate::{dispatch::error::fail, state::Engine};

/// Judges a call by the rules and by what the model has done before it in its turn.
pub(super) fn judge(engine: &Engine, conversation: &Conversation, server: &ServerId, call: &Call) -> Verdict {
    let always = engine.state.chats.rules.all();
    let state = conversation.lock();
    let items = || state.items.iter().map(|entry| &entry.item);
    let asked = CallContext {
        server,
        server_name: &call.server_name,
        tool: &call.tool,
        hints: call.hints,
        trusted: trusts_annotations(engine, server),
        repeats: repeats(items(), call),
        calls: of_answer(items(), &call.answer).count(),
        changed: engine.state.definitions.is_unreviewed(server, &call.tool),
        carries: carried::because(call),
    };
    rules::decide(&state.settings, &always, &asked)
}

/// Whether the user trusts what a server says about its tools.
fn trusts_annotations(engine: &Engine, server: &ServerId) -> bool {
    let server = engine.state.servers.get(server).ok();
    server.is_some_and(|server| server.draft.trust_annotations == Some(true))
}

/// Checks a rule that the user makes of a decision about calls of these servers.
///
/// # Errors
/// It would go by what a server says about its tools, and the user does not trust that.
pub(in crate::chat) fn check_rule(
    engine: &Engine,
    covers: &ChatRuleScope,
    servers: &[ServerId],
) -> Result<(), CommandError> {
    let refused = match covers {
        ChatRuleScope::ReadOnly {} => servers.iter().find(|server| !trusts_annotations(engine, server)),
        ChatRuleScope::Tool { .. } | ChatRuleScope::Server {} => None,
    };
    let Some(server) = refused else { return Ok(()) };
    let name = engine.state.servers.get(server)?.draft.name;
    Err(fail(
        ErrorCode::InvalidParams,
        format!(
            "A rule for read-only tools needs a server whose annotations you trust. If you trust what {name} says about its tools, say so in its settings."
        ),
    ))
}

/// Runs the calls that wait and that a rule covers now. One that still asks says why.
pub(in crate::chat) fn run_covered(engine: &Engine, conversation: &Conversation) {
    for call in conversation.waiting() {
        let Some(server) = &call.server_id else { continue };
        match judge(engine, conversation, server, &call) {
            Verdict::Run(by) => {
                let decision = ChatDecision::Run {
                    edited_json: None,
                    remember: None,
                };
                conversation.decide(&call.id, CallDecision { decision, by });
            }
            Verdict::Ask(Some(because)) => conversation.explain(&call.id, because),
            Verdict::Ask(None) => {}
        }
    }
}

/// The calls of an answer.
fn of_answer<'a>(
    items: impl DoubleEndedIterator<Item = &'a Item>,
    answer: &str,
) -> impl Iterator<Item = &'a Call> {
    // They are together, near the end.
    items
        .rev()
        .filter_map(as_call)
        .skip_while(move |call| call.answer != answer)
        .take_while(move |call| call.answer == answer)
}

fn as_call(item: &Item) -> Option<&Call> {
    match item {
        Item::Call(call) => Some(call),
        _ => None,
    }
}

/// How many equal calls were made before this one, in its answer and in the answers directly before it in this turn, as far
/// as each of them makes one.
pub(in crate::chat) fn repeats<'a>(items: impl DoubleEndedIterator<Item = &'a Item>, call: &Call) -> usize {
    let is_equal = |other: &Call| other.alias == call.alias && other.arguments == call.arguments;
    let before = items
        .rev()
        .skip_while(|item| item.id() != call.id)
        .skip(1)
        .take_while(|item| !matches!(item, Item::User(_)));
    // The answer that is looked at, and whether it makes an equal call. The call's own does.
    let (mut answer, mut has_one) = (call.answer.as_str(), true);
    let mut count = 0;
    for other in before.filter_map(as_call) {
        if other.answer != answer {
            if !has_one {
                return count;
            }
            (answer, has_one) = (&other.answer, false);
        }
        if is_equal(other) {
            (count, has_one) = (count + 1, true);
        }
    }
    count
}
