//! What crosses between the Rust half and the UI: every command, its parameters and its answer, once.
//!
//! * `call(name, params)` answers once; `open_stream(name, params)` answers many times; `body(id)` gives bytes.
//! * camelCase on the wire; tagged unions; lists page. JSON payloads of MCP cross as *text*, never as values.
//! * Nothing here is 64 bits wide, because JavaScript is not: sizes and times are `f64`, [`Seq`] is a string.
//!
//! Deliberately not here: any of our other crates' types (engine converts at the edge) and any behaviour.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod app;
mod authorization;
mod authorization_draft;
mod commands;
mod connection;
mod doctor;
mod error;
mod exchange;
mod ids;
mod input;
mod list;
mod prompt;
mod resource;
mod server;
mod subscription;
mod task;
mod tool;
mod traffic;
mod vault;

pub use app::*;
pub use authorization::*;
pub use authorization_draft::*;
pub use connection::*;
pub use doctor::*;
pub use error::*;
pub use exchange::*;
pub use ids::*;
pub use input::*;
pub use list::*;
pub use prompt::*;
pub use resource::*;
pub use server::*;
pub use subscription::*;
pub use task::*;
pub use tool::*;
pub use traffic::*;
pub use vault::*;

#[cfg(feature = "export")]
pub mod export;
