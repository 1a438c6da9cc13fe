//! Connecting by itself: at the start of Patchbay, and again after a connection was lost. Only where the settings of a server
//! say so, a bounded number of times, and never where a person would have to do something.

pub(crate) mod handlers;
mod plan;
mod state;

use std::{
    sync::Weak,
    time::{Duration, SystemTime},
};

use patchbay_client::{State, Status};
use patchbay_contract::{AutomaticDraft, AutomaticItem, ErrorCode, ServerId};
use patchbay_vault::State as VaultState;
use tokio::time::Instant;

pub(crate) use self::state::Automatic;
use self::{
    plan::{MOST, STEADY},
    state::Series,
};
use crate::{
    connections::{ConnectionHandle, owned::OwnedTask},
    convert,
    state::{Engine, EngineState},
};

impl Engine {
    /// Connects the servers whose settings say so. For fronts that stay open, once.
    pub fn connect_at_start(&self) {
        for server in self.state.servers.all() {
            if settings(&self.state, &server.id).connect {
                attempt_after(&self.state, &server.id, 1, Duration::ZERO);
            }
        }
    }

    /// The user connects, disconnects or restarts a server: from here on nothing happens by itself.
    pub(crate) fn taken_over(&self, server: &ServerId) {
        if self.state.automatic.forget(server) {
            self.state.nudges.connection_changed(server);
        }
    }
}

/// What is known of a connection that is watched.
#[derive(Debug, Default)]
pub(crate) struct ConnectionObserver {
    ready_at: Option<Instant>,
    has_ended: bool,
}

impl ConnectionObserver {
    /// Takes in the status of a connection, whenever it changes.
    pub(crate) fn observe(&mut self, state: &EngineState, server: &ServerId, status: &Status) {
        match status.state {
            State::Ready if self.ready_at.is_none() => {
                self.ready_at = Some(Instant::now());
                connected(state, server);
            }
            State::Failed if !self.has_ended => {
                self.has_ended = true;
                let ready_for = self.ready_at.map(|ready_at| ready_at.elapsed());
                // It may have been ready and lost before anybody looked.
                let was_ready = status.handshake.is_some().then_some(Duration::ZERO);
                let ready_for = ready_for.or(was_ready);
                failed(state, server, status, ready_for);
            }
            _ => {}
        }
    }
}

/// What the settings of a server say.
fn settings(state: &EngineState, server: &ServerId) -> AutomaticDraft {
    let server = state.servers.get(server).ok();
    server
        .filter(|server| !server.draft.disabled)
        .and_then(|server| server.draft.automatic)
        .unwrap_or_default()
}

/// A connection is ready. How many attempts it took counts until it has been ready for a while.
fn connected(state: &EngineState, server: &ServerId) {
    if let Some(series) = state.automatic.lock().get_mut(server) {
        (series.shown, series.task) = (None, None);
    }
}

/// A connection has failed, after it was ready for a time or before it was.
fn failed(state: &EngineState, server: &ServerId, status: &Status, ready_for: Option<Duration>) {
    // The user may have disconnected it before anybody looked: then it has no connection any more.
    let is_closed = |live: ConnectionHandle| live.connection.is_none();
    if state.is_closing() || state.live(server).is_some_and(is_closed) {
        return;
    }
    let is_own = state.automatic.is_connecting(server);
    // What the user began and never worked is the user's.
    if ready_for.is_none() && !is_own {
        return;
    }
    let before = state
        .automatic
        .lock()
        .get(server)
        .map_or(0, |series| series.attempts);
    let attempts = match ready_for {
        Some(time) if time >= STEADY => 0,
        _ => before,
    };
    if let Some(because) = plan::needs_user(status) {
        if is_own || settings(state, server).reconnect {
            ended(state, server, because, "Connect, and do what is asked for.");
        }
    } else if !settings(state, server).reconnect {
        match is_own {
            true => ended(
                state,
                server,
                "It did not connect when Patchbay started.",
                "See why below.",
            ),
            false => drop(state.automatic.forget(server)),
        }
    } else if attempts >= MOST {
        let because = format!("It was tried {MOST} times in a row.");
        ended(state, server, &because, "Remove the cause, then connect.");
    } else {
        let attempt = attempts + 1;
        attempt_after(state, server, attempt, plan::pause(attempt));
    }
}

/// Nothing more happens by itself.
fn ended(state: &EngineState, server: &ServerId, because: &str, next: &str) {
    let shown = AutomaticItem::Ended {
        because: because.to_owned(),
        next: next.to_owned(),
    };
    show(state, server, shown);
}

fn show(state: &EngineState, server: &ServerId, shown: AutomaticItem) {
    if let Some(series) = state.automatic.lock().get_mut(server) {
        series.shown = Some(shown);
    }
    state.nudges.connection_changed(server);
}

/// Begins an attempt after a pause, in place of what was planned before.
fn attempt_after(state: &EngineState, server: &ServerId, attempt: u32, pause: Duration) {
    let engine = state.itself.get().cloned().unwrap_or_default();
    let shown = AutomaticItem::Waiting {
        attempt,
        of: MOST,
        at_ms: convert::at_ms(SystemTime::now() + pause),
    };
    // The attempt looks for its series as soon as it runs, which may be at once: it waits for this lock.
    let mut all = state.automatic.lock();
    let series = Series {
        attempts: attempt,
        shown: Some(shown),
        task: Some(OwnedTask::spawn(run(engine, server.clone(), attempt, pause))),
    };
    let before = all.insert(server.clone(), series);
    drop(all);
    drop(before);
    state.nudges.connection_changed(server);
}

/// Waits, then connects. How it ends is told by the connection ([`ConnectionObserver`]).
async fn run(engine: Weak<EngineState>, server: ServerId, attempt: u32, pause: Duration) {
    tokio::time::sleep(pause).await;
    loop {
        let Some(state) = engine.upgrade() else { return };
        show(&state, &server, AutomaticItem::Connecting { attempt, of: MOST });
        let engine = Engine { state };
        match engine.open_connection(&server).await {
            Ok(()) => return begun(&engine.state, &server, attempt),
            Err(error) if error.code == ErrorCode::VaultNeeded => {
                show(&engine.state, &server, AutomaticItem::NeedsVault {});
            }
            Err(error) => return ended(&engine.state, &server, &error.message, "Connect again."),
        }
        let mut vault = engine.state.vault.states();
        drop(engine);
        if vault.wait_for(is_open).await.is_err() {
            return;
        }
    }
}

fn is_open(vault: &VaultState) -> bool {
    matches!(vault, VaultState::Ready { .. })
}

/// Says in the log who connects.
fn begun(state: &EngineState, server: &ServerId, attempt: u32) {
    let connection = state.live(server).and_then(|live| live.status().connection);
    if let Some(connection) = connection {
        let text = format!("Patchbay connects by itself: attempt {attempt} of {MOST}");
        // A closed store means that the engine is shutting down.
        let _ = state.recorder.lifecycle(connection, text, None, None);
    }
}

#[cfg(test)]
mod tests;
