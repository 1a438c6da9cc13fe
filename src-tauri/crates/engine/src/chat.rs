//! The chat: conversations between the user, a model and the tools of several servers.
//!
//! ```text
//! journal <- conversation <- chats          on disk, in memory, all of them
//!                 ^
//! turn -> answer (a model, or the user in its place) -> calls (rules, the user, the server) -> answer -> …
//! ```
//!
//! A conversation is a list of items. What happens is written to its file before it takes effect: a call that was sent is
//! in the file as running, and after a crash it is shown as interrupted, never sent again.
//!
//! Deliberately not here: the wire of providers (`patchbay-llm`), how a call is sent (`calls`), questions of servers that
//! arise below a call (`inputs`).

mod answer;
mod attach;
mod calls;
mod chats;
mod conversation;
mod export;
pub(crate) mod handlers;
mod item;
mod journal;
mod prompt;
mod rules;
mod toolbox;
mod turn;
mod view;

pub(crate) use chats::Chats;
pub use conversation::NO_ANSWER_EXPECTED;
pub(crate) use item::Masker;
pub(crate) use view::body;

#[cfg(test)]
mod tests;
