//! `patchbay-client` with a real process: the scripted server's script as input, the recorded traffic as output.
#![cfg(unix)]

mod faults;
mod handshakes;
mod raw_messages;
pub(crate) mod session;
mod size;

pub(crate) use session::run_test;
