//! Model providers: what a server asks of a model (`sampling/createMessage`) is converted to the wire of a provider, sent, and
//! its streamed answer converted back.
//!
//! ```text
//! params -> Prompt::parse -> anthropic | chat (body) -> http -> events -> Answer -> result
//! ```
//!
//! Deliberately not here: who decides whether a request is sent and answered (`patchbay-engine`), where keys are stored
//! (`patchbay-vault`), and answers written by hand, which need no provider. Schemas and the arguments of tools stay the
//! text they are; nothing here makes numbers of them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod answer;
mod anthropic;
mod api;
mod chat;
mod choice;
mod failure;
mod json_text;
mod models;
mod prompt;
mod provider;
mod stream;
mod thinking;

pub use answer::{Answer, Delta, Part, Usage};
pub use api::Api;
pub use choice::{Candidate, Choice, choose};
pub use failure::{Failure, FailureKind};
pub use models::{LOCAL, LocalProvider, Model, Price};
pub use prompt::{Preferences, Prompt};
pub use provider::{Provider, Wire, parse_base_url};
pub use thinking::{Thinking, Thought};

#[cfg(test)]
mod tests;
