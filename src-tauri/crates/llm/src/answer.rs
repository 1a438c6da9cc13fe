//! A model's answer, as it arrives and as the result of `sampling/createMessage`.

use patchbay_protocol::json::{self, Kind};
use patchbay_traffic::Seq;
use tokio::sync::mpsc;

use crate::json_text::{ObjectText, array};
use crate::{Failure, FailureKind, Thought};

/// The maximum size of an answer, in bytes.
pub(crate) const MOST_BYTES: usize = 4 << 20;
/// The stop reason of an answer that was cut off by the maximum number of tokens.
const MAX_TOKENS: &str = "maxTokens";
/// The maximum number of parts of an answer.
const MOST_PARTS: usize = 256;

/// A piece of an answer, in the order of arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More of what the model thinks before it answers. It is not part of the answer.
    Thinking(String),
    /// The model calls a tool; its arguments follow.
    ToolUse {
        /// The tool's name.
        name: String,
    },
    /// More of the arguments of the last called tool: a piece of JSON text.
    ToolInput(String),
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// What the model thought before the next part.
    Thought(Thought<'static>),
    /// Text.
    Text(String),
    /// A call of a tool.
    ToolUse {
        /// The id that its result refers to.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments: JSON text of an object; from [`Provider::converse`](crate::Provider::converse) any text.
        input: String,
    },
}

/// What is done with the arguments of calls that are not a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// They make the whole answer malformed.
    Checked,
    /// They are kept as the model wrote them, so that it can be told.
    AsWritten,
}

/// How many tokens were used, as far as the provider says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of the request.
    pub input: Option<u64>,
    /// Of the answer.
    pub output: Option<u64>,
}

impl Usage {
    /// Both together; what is not known counts as none.
    #[must_use]
    pub fn total(self) -> u64 {
        self.input.unwrap_or(0).saturating_add(self.output.unwrap_or(0))
    }
}

/// A complete answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Its parts; at least one that is not a thought.
    pub parts: Vec<Part>,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the provider's own word for anything else.
    pub stop_reason: Option<String>,
    /// The used tokens.
    pub usage: Usage,
    /// The HTTP exchange that it is from.
    pub exchange: Option<Seq>,
}

impl Answer {
    /// Whether it ends within the arguments of a call, because it reached the maximum number of tokens.
    #[must_use]
    pub fn ends_within_a_call(&self) -> bool {
        let last = match self.parts.last() {
            Some(Part::ToolUse { input, .. }) => input,
            _ => return false,
        };
        self.stop_reason.as_deref() == Some(MAX_TOKENS) && json::well_formed(last).is_err()
    }

    /// The result of `sampling/createMessage`. Several parts become an array of blocks, which exists since 2025-11-25.
    #[must_use]
    pub fn to_result(&self) -> String {
        let mut blocks: Vec<String> = self.parts.iter().filter_map(block).collect();
        let content = match blocks.len() {
            1 => blocks.remove(0),
            _ => array(blocks),
        };
        let result = ObjectText::new()
            .string("role", "assistant")
            .raw("content", &content)
            .string("model", &self.model);
        match &self.stop_reason {
            Some(reason) => result.string("stopReason", reason),
            None => result,
        }
        .end()
    }
}

fn block(part: &Part) -> Option<String> {
    match part {
        // Not part of the answer: a server does not get it.
        Part::Thought(_) => None,
        Part::Text(text) => Some(
            ObjectText::new()
                .string("type", "text")
                .string("text", text)
                .end(),
        ),
        Part::ToolUse { id, name, input } => Some(
            ObjectText::new()
                .string("type", "tool_use")
                .string("id", id)
                .string("name", name)
                .raw("input", input)
                .end(),
        ),
    }
}

/// What an event added.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    deltas: Vec<Delta>,
    /// The last event of the answer was read.
    pub(crate) is_complete: bool,
    /// The answer has its end, but more events (the usage) may follow.
    pub(crate) may_end: bool,
}

impl Progress {
    pub(crate) fn push(&mut self, delta: Delta) {
        self.deltas.push(delta);
    }

    /// Passes the deltas on; waits while the receiver is slow.
    pub(crate) async fn pass_on(&mut self, deltas: &mpsc::Sender<Delta>) {
        for delta in self.deltas.drain(..) {
            // Without a receiver the whole answer is still returned.
            let _ = deltas.send(delta).await;
        }
    }
}

/// An answer that is arriving. Parts are identified by the provider's index.
#[derive(Debug, Default)]
pub(crate) struct Arriving {
    parts: Vec<(Slot, Part)>,
    bytes: usize,
    pub(crate) model: String,
    pub(crate) stop_reason: Option<String>,
    pub(crate) usage: Usage,
}

/// The place of a part that may grow: Chat Completions number the calls of tools only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Thought(i64),
    Text(i64),
    Tool(i64),
    /// Of a call that is whole: the next one has its number.
    Ended,
}

impl Arriving {
    /// Adds text.
    pub(crate) fn text(&mut self, index: i64, more: &str) -> Result<(), Failure> {
        self.grow(more.len())?;
        match self.part(Slot::Text(index)) {
            Some(Part::Text(text)) => text.push_str(more),
            _ if more.is_empty() => {}
            _ => self.add(Slot::Text(index), Part::Text(more.to_owned()))?,
        }
        Ok(())
    }

    /// Begins a thought.
    pub(crate) fn thought(&mut self, index: i64, thought: Thought<'static>) -> Result<(), Failure> {
        if let Thought::Signed { text, .. } | Thought::Redacted { data: text } = &thought {
            self.grow(text.len())?;
        }
        self.add(Slot::Thought(index), Part::Thought(thought))
    }

    /// Adds to a thought: more text, and the signature, which comes last.
    pub(crate) fn thought_more(&mut self, index: i64, more: &str, sign: &str) -> Result<(), Failure> {
        self.grow(more.len() + sign.len())?;
        // Without its beginning it is shown, but cannot be sent back.
        if let Some(Part::Thought(Thought::Signed { text, signature })) = self.part(Slot::Thought(index)) {
            text.to_mut().push_str(more);
            signature.to_mut().push_str(sign);
        }
        Ok(())
    }

    /// Adds to a thought of Chat Completions.
    pub(crate) fn reasoning(&mut self, member: &str, more: &str) -> Result<(), Failure> {
        self.grow(more.len())?;
        match self.part(Slot::Thought(0)) {
            Some(Part::Thought(Thought::Member { text, .. })) => {
                text.to_mut().push_str(more);
                Ok(())
            }
            _ => {
                let thought = Thought::Member {
                    name: member.to_owned().into(),
                    text: more.to_owned().into(),
                };
                self.add(Slot::Thought(0), Part::Thought(thought))
            }
        }
    }

    /// Begins the call of a tool.
    pub(crate) fn tool(&mut self, index: i64, id: &str, name: &str) -> Result<(), Failure> {
        self.grow(id.len() + name.len())?;
        let part = Part::ToolUse {
            id: id.to_owned(),
            name: name.to_owned(),
            input: String::new(),
        };
        self.add(Slot::Tool(index), part)
    }

    /// The id of this call, if it has begun.
    pub(crate) fn tool_id(&self, index: i64) -> Option<&str> {
        let found = self.parts.iter().find(|(at, _)| *at == Slot::Tool(index));
        match found {
            Some((_, Part::ToolUse { id, .. })) => Some(id),
            _ => None,
        }
    }

    /// Ends this call, if it has begun, so that another one can begin with its number.
    pub(crate) fn end_tool(&mut self, index: i64) {
        for (slot, _) in self.parts.iter_mut().filter(|(at, _)| *at == Slot::Tool(index)) {
            *slot = Slot::Ended;
        }
    }

    /// Adds a piece of a call's arguments.
    pub(crate) fn tool_input(&mut self, index: i64, more: &str) -> Result<(), Failure> {
        self.grow(more.len())?;
        match self.part(Slot::Tool(index)) {
            Some(Part::ToolUse { input, .. }) => {
                input.push_str(more);
                Ok(())
            }
            _ => Err(Failure::malformed(
                "The provider sent arguments of a tool call that it did not begin.",
            )),
        }
    }

    fn part(&mut self, slot: Slot) -> Option<&mut Part> {
        let found = self.parts.iter_mut().find(|(at, _)| *at == slot);
        found.map(|(_, part)| part)
    }

    fn add(&mut self, slot: Slot, part: Part) -> Result<(), Failure> {
        if self.parts.len() >= MOST_PARTS {
            return Err(too_large(&format!("it has more than {MOST_PARTS} parts")));
        }
        if self.part(slot).is_some() {
            return Err(Failure::malformed(
                "The provider began the same part of its answer twice.",
            ));
        }
        self.parts.push((slot, part));
        Ok(())
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            return Err(too_large(&format!("it has more than {} MiB", MOST_BYTES >> 20)));
        }
        Ok(())
    }

    /// The complete answer of the requested model.
    pub(crate) fn end(self, asked: &str, kept: Arguments) -> Result<Answer, Failure> {
        let mut parts = Vec::with_capacity(self.parts.len());
        let is_cut_off = self.stop_reason.as_deref() == Some(MAX_TOKENS);
        let last = self.parts.len().saturating_sub(1);
        for (at, (_, part)) in self.parts.into_iter().enumerate() {
            parts.push(match part {
                Part::ToolUse { id, name, input } => Part::ToolUse {
                    input: match (kept, arguments(&name, &input, is_cut_off && at == last)) {
                        (_, Ok(object)) => object,
                        (Arguments::AsWritten, Err(_)) => input,
                        (Arguments::Checked, Err(failure)) => return Err(failure),
                    },
                    id,
                    name,
                },
                other => other,
            });
        }
        if parts.iter().all(|part| matches!(part, Part::Thought(_))) {
            let why = match self.stop_reason.as_deref() {
                Some(reason) => format!("The model answered nothing (stop reason: {reason})."),
                None => "The model answered nothing.".to_owned(),
            };
            let next = "Send it again, allow more tokens, or write the answer yourself.";
            return Err(Failure::new(FailureKind::Empty, why, next));
        }
        Ok(Answer {
            parts,
            model: if self.model.is_empty() {
                asked.to_owned()
            } else {
                self.model
            },
            stop_reason: self.stop_reason,
            usage: self.usage,
            exchange: None,
        })
    }
}

/// The arguments of a call: a JSON object; none at all are an empty one, unless the answer was cut off before them.
fn arguments(tool: &str, input: &str, is_cut_off: bool) -> Result<String, Failure> {
    if input.trim().is_empty() && !is_cut_off {
        return Ok("{}".to_owned());
    }
    if json::kind(input) != Kind::Object || json::well_formed(input).is_err() {
        return Err(Failure::malformed(format!(
            "The arguments of the model's call of {tool} are not a JSON object."
        )));
    }
    let mut compact = String::with_capacity(input.len());
    json::compact(input, &mut compact);
    Ok(compact)
}

fn too_large(why: &str) -> Failure {
    Failure::new(
        FailureKind::TooLarge,
        format!("The answer was stopped: {why}."),
        "Send it again with a smaller maxTokens.",
    )
}
