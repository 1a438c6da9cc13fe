//! `patchbay-client` over a real process: the scripted server's script in, the recorded traffic out.
#![cfg(unix)]

mod faults;
mod handshakes;
mod raw_messages;
pub(crate) mod session;
mod size;

pub(crate) use session::run_test;
