//! The app without a window: configured servers, their connections, tools, calls and the views of the traffic log.
//!
//! Every front (the window, `patchbay serve`, the command line) drives the same [`Engine`]: [`Engine::call`] returns one
//! result, [`Engine::open_stream`] sends events, [`Engine::body`] returns bytes. All commands are in one list,
//! `patchbay_contract::commands!`; a command without a handler does not compile.
//!
//! Deliberately not here: transports (`transport`), the lifecycle of a connection (`client`), storing records (`traffic`),
//! and anything that knows a window, a browser's socket or a terminal.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod authorization;
mod calls;
mod chat;
mod connections;
mod convert;
mod dispatch;
mod engine;
mod files;
mod inputs;
mod lists;
mod servers;
mod state;
mod subscriptions;
mod traffic_views;

pub use calls::{AppDocument, Ask, Ended};
pub use chat::NO_ANSWER_EXPECTED;
pub use dispatch::app::oneshot::check_object;
pub use dispatch::error::EngineError;
pub use dispatch::streams::StreamHandle;
pub use dispatch::{guarded, stream_end};
pub use engine::Body;
pub use engine::options::{BrowserChoice, EngineOptions, EnvironmentChoice, SecretsChoice, StoreChoice};
pub use files::diagnostics::start_diagnostics;
pub use inputs::{
    Answers, Checked, Choice, ElicitationForm, ElicitationRule, Field, FieldKind, InputChain, InputQuestion,
    Responder, Response, Roots, SamplingRule,
};
pub use lists::ListedPages;
pub use patchbay_client::{InputKind, InputReply};
pub use patchbay_config::{
    FileError, TextError, is_bare_address, is_json, open_private, read_text, read_text_from,
    secrets::without as without_secrets,
};
pub use patchbay_protocol::views::{with_controls_marked, with_hidden_marked};
pub use patchbay_traffic::recording::RecordingError;
pub use patchbay_vault::{Keychain, KeychainError};
pub use servers::terminal::quoted;
pub use state::Engine;
pub use traffic_views::{CheckedRecording, RecordingViolation, check_recording};
