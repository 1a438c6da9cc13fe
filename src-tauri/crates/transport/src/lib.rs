//! Bytes to frames and back over stdio: starts a server's program, taps every byte it writes, ends it and all it
//! started.
//!
//! A frame is recorded before anybody sees it, and before it is written. Decoding, pairing and time-outs of requests are
//! deliberately not here (see `patchbay-client`).

mod environment;
mod failure;
mod stdio;

pub use environment::{Environment, EnvironmentSource};
pub use failure::Failure;
pub use stdio::{Exit, ProcessInfo, StdioConfig};
