//! Which thread runs a connection's actor: the caller's runtime, or a dedicated one.
//!
//! A server that is called many times a second wakes its actor for every answer. On the caller's runtime each time may
//! wake two workers (one that finds the task, one that looks for more); a dedicated thread is one wake, and nothing that
//! keeps the workers busy keeps an answer waiting.

use std::{sync::mpsc, thread};

use tokio::runtime::{Builder, Handle};

use crate::actor::Actor;

/// Lets the actor live until nothing is left of its server. Must be called within a Tokio runtime, which takes the actor
/// in if there can be no thread (or none was wanted).
#[expect(
    clippy::disallowed_methods,
    reason = "the actor ends when its last handle is dropped"
)]
pub(crate) fn start(actor: Actor, own_thread: bool) {
    let actor = if own_thread { on_thread(actor) } else { Some(actor) };
    if let Some(actor) = actor {
        tokio::spawn(actor.run());
    }
}

/// Gives the actor a thread; back if there can be none.
#[expect(
    clippy::disallowed_methods,
    reason = "the actor ends when its last handle is dropped, and its thread with it"
)]
fn on_thread(actor: Actor) -> Option<Actor> {
    let (give, given) = mpsc::sync_channel::<Actor>(1);
    let caller = Handle::current();
    let live = move || {
        let Ok(mut actor) = given.recv() else { return };
        match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => {
                actor.owns_thread = true;
                runtime.block_on(actor.run());
            }
            Err(_) => drop(caller.spawn(actor.run())),
        }
    };
    match thread::Builder::new().name("connection".into()).spawn(live) {
        Ok(_) => give.send(actor).err().map(|refused| refused.0),
        Err(_) => Some(actor),
    }
}

#[cfg(test)]
mod tests;
