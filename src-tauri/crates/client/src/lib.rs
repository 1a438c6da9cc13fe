//! One live connection with a server: lifecycle of both eras, correlation, timeouts, progress, cancellation.
//!
//! Starting processes and recording bytes is deliberately not here (`patchbay-transport`), nor is any decision about
//! what to send: nothing is sent that was not asked for or that the protocol does not oblige us to send.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod actor;
mod call;
mod command;
mod connection;
mod events;
mod exchange;
mod inputs;
mod notifications;
mod options;
mod pending;
mod pending_inputs;
mod round;
mod status;
mod status_publisher;

pub use connection::{Connection, connect, panics::caught, supervisor::Supervisor};
pub use exchange::{
    Answer, Challenge, Exchange, ExchangeEvent, Finished, Outcome, Progress, RawMessage, Request, Unanswered,
};
pub use inputs::{
    CallEnd, Input, InputKind, InputReply, InputRequest, InputWatch, MOST_DURING, OpenExchange,
};
pub use notifications::{CountedNotification, NotificationQueue, NotificationReceiver};
pub use options::{ClientInfo, ConnectOptions, EraChoice, Timeouts, Verdict};
pub use patchbay_transport::{
    Environment, EnvironmentSource, Exit, Failure, ProcessInfo, StderrTail, StdioConfig,
};
pub use status::{
    EraVerdict, Handshake, Notices, ServerInfo, State, Status, TaskReport, task_progress::TaskProgress,
};
