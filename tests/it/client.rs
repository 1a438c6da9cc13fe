//! `patchbay-client` over a real process: the scripted server's script in, the recorded traffic out.

mod faults;
mod session;
