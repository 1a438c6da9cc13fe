//! The interface between the engine and the UI: every command with its parameters and its response, defined once.
//!
//! * `call(name, params)` returns one response; `open_stream(name, params)` yields events; `body(id)` returns bytes.
//! * camelCase on the wire; tagged unions; lists are paged. JSON payloads of MCP are *text*, never values.
//! * There are no 64-bit integers, because JavaScript has none: sizes and times are `f64`, [`Seq`] is a string.
//!
//! Deliberately not here: types of our other crates (the engine converts them) and any behavior.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod app;
mod authorization;
mod chat;
mod commands;
mod connection;
mod doctor;
mod error;
mod explore;
mod ids;
mod log_export;
mod server;
mod traffic;
mod vault;

pub use app::*;
pub use authorization::*;
pub use chat::*;
pub use connection::*;
pub use doctor::*;
pub use error::*;
pub use explore::*;
pub use ids::*;
pub use log_export::*;
pub use server::*;
pub use traffic::*;
pub use vault::*;

#[cfg(feature = "export")]
pub mod export;
