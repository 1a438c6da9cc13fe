//! Transports: converts bytes to frames and back, starts a server's program, records every byte it writes, and ends it with
//! all its child processes.
//!
//! A frame is recorded before it is read, and before it is written. Deliberately not here: decoding, pairing and timeouts
//! of requests (see `patchbay-client`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod about;
mod at;
mod dialect;
mod ended;
mod failure;
pub mod framing;
mod http;
mod in_process;
mod intercept;
mod link;
mod stdio;
mod tap;

use at::at;

pub use about::{About, HttpPeer, OpenExchange, OpenStep, Peer, StreamState};
pub use dialect::Dialect;
pub use ended::Ended;
pub use failure::Failure;
// Part of a `Failure`.
pub use http::{HttpConfig, HttpKind, Reconnect};
pub use in_process::{InProcess, Messages};
pub use intercept::{Action, Intercepted, Interceptor};
pub use link::{BoxFuture, Connector, Event, Link, Outgoing, OutgoingKind, Received, Unanswered};
pub use patchbay_http::Refusal;
pub use stdio::{
    Environment, EnvironmentSource, Exit, NotStarted, ProcessInfo, SHUTDOWN_GRACE, StderrTail, Stdio,
    StdioConfig, TerminalRun, find_program, open_terminal, output_of, run_to_end,
};
pub use tap::{NotRecorded, Tap, UNSENT_LIMIT};
