//! Bytes to frames and back over stdio: starts a server's program, taps every byte it writes, ends it and all it
//! started.
//!
//! A frame is recorded before anybody sees it, and before it is written. Decoding, pairing and timeouts of requests are
//! deliberately not here (see `patchbay-client`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod about;
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
    StdioConfig,
};
pub use tap::{FRAME_LIMIT, NotRecorded, Tap, UNSENT_LIMIT};
