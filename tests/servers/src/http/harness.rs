//! The state that all connections of the server share.

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{reply::Reply, request::Request};

/// The received requests, and the open stream.
pub(crate) struct Harness {
    pub(crate) address: SocketAddr,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    seen: Vec<String>,
    /// The stream for unrequested messages, if a client holds one open.
    listener: Option<Reply>,
    /// The response that is returned after resuming.
    held: Option<String>,
    session_is_lost: bool,
}

impl Harness {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn saw(&self, request: &Request) {
        self.note(&request.in_words());
    }

    pub(crate) fn note(&self, what: &str) {
        self.state().seen.push(what.trim_end().to_owned());
    }

    /// All requests, one line each.
    pub(crate) fn seen(&self) -> String {
        self.state().seen.join("\n")
    }

    /// Opens a stream that starts with this piece: once it is read, the client gets unrequested messages here.
    pub(crate) fn listen(&self, reply: &mut Reply, first: &str) {
        let mut state = self.state();
        reply.stream();
        reply.piece(first);
        state.listener = reply.twin();
    }

    /// Sends an event on the stream for unrequested messages, if it is open.
    pub(crate) fn tell(&self, event: &str) {
        if let Some(listener) = &mut self.state().listener {
            listener.event(event);
        }
    }

    /// Ends that stream.
    pub(crate) fn hang_up(&self) {
        self.state().listener = None;
    }

    /// Keeps a response for a client that resumes.
    pub(crate) fn hold(&self, answer: String) {
        self.state().held = Some(answer);
    }

    pub(crate) fn held(&self) -> Option<String> {
        self.state().held.take()
    }

    /// Loses the session: its requests get 404 until a new one begins.
    pub(crate) fn lose_session(&self) {
        self.state().session_is_lost = true;
    }

    pub(crate) fn begin_session(&self) {
        self.state().session_is_lost = false;
    }

    pub(crate) fn session_is_lost(&self) -> bool {
        self.state().session_is_lost
    }
}
