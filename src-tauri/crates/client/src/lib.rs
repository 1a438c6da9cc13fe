//! One live connection with a server: lifecycle of both eras, correlation, time-outs, progress, cancellation.
//!
//! Starting processes and recording bytes is deliberately not here (`patchbay-transport`), nor is any decision about
//! what to send: nothing is sent that was not asked for or that the protocol does not oblige us to send.

mod actor;
mod board;
mod connection;
mod exchange;
mod options;
mod pending;
mod status;

pub use connection::{Connection, connect};
pub use exchange::{Answer, Exchange, ExchangeEvent, Finished, Outcome, Progress, Request};
pub use options::{ClientInfo, ConnectOptions, EraChoice, Timeouts};
pub use patchbay_transport::{
    Environment, EnvironmentSource, Exit, Failure, ProcessInfo, StderrTail, StdioConfig,
};
pub use status::{EraVerdict, Handshake, Notices, ServerInfo, State, Status};
