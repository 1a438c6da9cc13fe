//! The connections: at most one per server, several servers at a time. The details of an ended connection are kept until
//! the next.

pub(crate) mod doctor;
pub(crate) mod environment;
mod handle;
pub(crate) mod handlers;
pub(crate) mod owned;
pub(crate) mod proxy;
mod slot;
mod start;
mod view;

use std::sync::Arc;

use patchbay_client::{Connection, Environment, Notices, State};
use patchbay_config::Server;
use patchbay_contract::{CommandError, ConnectionItem, ErrorCode, FailureItem, ServerId};
use patchbay_traffic::Origin;
use tokio::task::JoinSet;

use crate::{
    calls::tasks::take_reports,
    dispatch::error::{fail, fail_with},
    dispatch::nudges::Topic,
    files::eras,
    lists,
    servers::automatic::ConnectionObserver,
    servers::file_watch,
    servers::stored,
    state::{Engine, EngineState},
};
pub(crate) use handle::ConnectionHandle;
use owned::TaskKind;
pub(crate) use slot::Connections;
use slot::Slot;
pub(crate) use start::{build_of, http_settings, mask_settings, program_of, start};

impl EngineState {
    /// The current or last connection of a server, for the list of servers.
    pub(crate) fn connection_item(&self, id: &ServerId) -> ConnectionItem {
        self.connections
            .find(id)
            .map_or_else(ConnectionItem::default, |live| {
                view::item(&live.status(), |text| self.masked(text))
            })
    }

    /// A server that may be connected.
    pub(crate) fn enabled(&self, id: &ServerId) -> Result<Server, CommandError> {
        let server = self.servers.get(id)?;
        match server.draft.disabled {
            false => Ok(server),
            true => Err(fail(
                ErrorCode::NotConnected,
                format!("\"{}\" is disabled. Enable it first.", server.draft.name),
            )),
        }
    }

    /// The current or last connection of a server.
    pub(crate) fn live(&self, id: &ServerId) -> Option<ConnectionHandle> {
        self.connections.find(id)
    }

    /// The connection of a server, if it can send requests.
    pub(crate) fn ready(&self, id: &ServerId) -> Result<(ConnectionHandle, Connection), CommandError> {
        let server = self.servers.get(id)?;
        if self.exchanges.is_stopped() {
            return Err(fail(
                ErrorCode::NotConnected,
                "Everything was cancelled; nothing more is sent.",
            ));
        }
        let live = self.connections.find(id);
        let ready = live.and_then(|live| {
            let connection = live.connection.clone()?;
            (live.status().state == State::Ready).then_some((live, connection))
        });
        ready.ok_or_else(|| {
            let why = self
                .connections
                .find(id)
                .map(|live| live.status().why_not_ready());
            let name = server.draft.name;
            fail(
                ErrorCode::NotConnected,
                format!(
                    "\"{name}\" is not connected. {}",
                    why.unwrap_or_else(|| "Connect first.".to_owned())
                ),
            )
        })
    }
}

impl Engine {
    /// Starts connecting. Does nothing if the server is connected or connecting.
    pub(crate) async fn open_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.state.servers.get(id)?;
        let slot = self.state.connections.slot(id);
        let _gate = slot.gate.lock().await;
        self.open_slot(&slot, id).await
    }

    /// Closes a connection and waits until its server has ended. Closing a closed connection is not an error.
    pub(crate) async fn close_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.state.servers.get(id)?;
        let slot = self.state.connections.slot(id);
        let _gate = slot.gate.lock().await;
        self.state.authorizations.disconnected(id);
        slot.close().await;
        Ok(())
    }

    /// Closes and reopens a connection. Once it is being closed, it is reopened whether somebody still waits for that or not.
    #[expect(
        clippy::disallowed_methods,
        reason = "it ends when the connection begins; who closes that, also to shut down, waits for its gate"
    )]
    pub(crate) async fn restart_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.state.enabled(id)?;
        let slot = self.state.connections.slot(id);
        let gate = slot.gate.clone().lock_owned().await;
        let (engine, id) = (self.clone(), id.clone());
        let restarting = tokio::spawn(async move {
            let _gate = gate;
            slot.close().await;
            engine.open_slot(&slot, &id).await
        });
        restarting.await.unwrap_or_else(|error| {
            let why = "The server was stopped, but not started again. Connect it.";
            Err(fail_with(ErrorCode::Internal, why, error))
        })
    }

    /// Closes a connection and forgets its details.
    pub(crate) async fn forget_connection(&self, id: &ServerId) {
        let slot = self.state.connections.lock().remove(id);
        if let Some(slot) = slot {
            let _gate = slot.gate.lock().await;
            slot.close().await;
        }
    }

    /// Closes all connections concurrently and waits until all servers have ended.
    pub(crate) async fn close_connections(&self) {
        let slots: Vec<Arc<Slot>> = self.state.connections.lock().values().cloned().collect();
        let mut closing = JoinSet::new();
        for slot in slots {
            closing.spawn(async move {
                let _gate = slot.gate.lock().await;
                slot.close().await;
            });
        }
        while closing.join_next().await.is_some() {}
    }

    /// Connects and waits until requests can be sent. For one-shot commands.
    ///
    /// # Errors
    /// `NotFound` for an unknown server.
    pub async fn connect(&self, id: &ServerId) -> Result<Result<(), FailureItem>, CommandError> {
        self.open_connection(id).await?;
        let connection = self.state.live(id).and_then(|live| live.connection);
        let Some(connection) = connection else {
            return Err(fail(
                ErrorCode::NotConnected,
                "The connection was closed in the meantime.",
            ));
        };
        let status = connection.settled().await;
        Ok(match status.state {
            State::Ready => Ok(()),
            _ => Err(
                view::failure(&status, |text| self.state.masked(text)).unwrap_or_else(|| FailureItem {
                    step: "Connect".to_owned(),
                    cause: status.why_not_ready(),
                    next: "Try again.".to_owned(),
                    detail: None,
                    http_status: None,
                    certificate: None,
                    seq: None,
                }),
            ),
        })
    }

    async fn open_slot(&self, slot: &Arc<Slot>, id: &ServerId) -> Result<(), CommandError> {
        let closing = || fail(ErrorCode::NotConnected, "Patchbay is shutting down.");
        if self.state.is_closing() {
            return Err(closing());
        }
        self.state.enabled(id)?;
        file_watch::begin(&self.state, id);
        if slot.live().is_some_and(|live| live.is_open()) {
            return Ok(());
        }
        let (server, resolved, environment) = tokio::select! {
            biased;
            // The keychain may wait for the user, who closes Patchbay instead.
            () = self.state.closes() => return Err(closing()),
            prepared = self.prepared(id) => prepared?,
        };
        let live = slot.start(|| start(&self.state, &server, &resolved, environment, Origin::Client));
        self.state.nudges.connection_changed(id);
        let supervisor = live.supervisor.clone();
        let watching = watch(Arc::downgrade(&self.state), id.clone(), live);
        self.state
            .tasks
            .supervised(&supervisor, TaskKind::WatchStatus, watching);
        Ok(())
    }

    /// What a connection of a server begins with: the server as it is saved, with its secrets resolved, its environment.
    async fn prepared(&self, id: &ServerId) -> Result<(Server, Server, Arc<Environment>), CommandError> {
        loop {
            let server = self.state.enabled(id)?;
            let resolved = stored::resolved(&self.state, &server).await?;
            self.state.open_vault_for_proxy(&server).await?;
            self.state.open_vault_for_token(&server).await?;
            let environment = self.state.environment_of(&server).await;
            // The user may have changed the settings meanwhile, for example while the keychain asked.
            if self.state.enabled(id)? == server {
                return Ok((server, resolved, environment));
            }
        }
    }
}

/// Sends a nudge whenever the connection changes, and lists the tools once it is ready. Does not keep the connection alive.
async fn watch(engine: std::sync::Weak<EngineState>, id: ServerId, mut live: ConnectionHandle) {
    let Some(connection) = live.connection.take() else {
        return;
    };
    let (mut notices, mut progress) = (connection.notices(), connection.task_progress());
    drop(connection);
    let mut status = live.status.clone();
    let mut told = notices.borrow_and_update().clone();
    let mut listed = false;
    let mut sessions_lost = 0;
    let mut observer = ConnectionObserver::default();
    loop {
        let now = status.borrow_and_update().clone();
        let state = now.state;
        let Some(upgraded) = engine.upgrade().map(|state| Engine { state }) else {
            return;
        };
        observer.observe(&upgraded.state, &id, &now);
        if state == State::Ready && now.sessions_lost != sessions_lost {
            sessions_lost = now.sessions_lost;
            lists_may_differ(&upgraded.state, &id);
        }
        if state == State::Ready && !listed {
            listed = true;
            became_ready(upgraded, &id, live.clone());
        } else {
            drop(upgraded);
        }
        let changed = tokio::select! {
            changed = status.changed() => changed,
            changed = notices.changed() => changed,
            Ok(()) = progress.changed() => {
                let Some(state) = engine.upgrade() else { return };
                let latest = progress.borrow_and_update();
                if live.tasks.take_progress(&latest, |text| state.masked(text)) {
                    state.nudges.changed(Topic::Tasks(id.clone()));
                }
                continue;
            }
        };
        let Some(state) = engine.upgrade() else { return };
        state.nudges.connection_changed(&id);
        if changed.is_err() {
            // The connection has ended; its last status stays in the slot.
            observer.observe(&state, &id, &status.borrow());
            return;
        }
        let now = notices.borrow_and_update().clone();
        report_changes(&state, &live, &told, &now);
        told = now;
    }
}

/// Sends a nudge for everything that the server said has changed.
fn report_changes(state: &EngineState, live: &ConnectionHandle, before: &Notices, now: &Notices) {
    let id = &live.server_id;
    if now.tools_changed != before.tools_changed {
        state.nudges.changed(Topic::Tools(id.clone()));
    }
    if now.resources_changed != before.resources_changed {
        state.nudges.changed(Topic::Resources(id.clone()));
        state.nudges.changed(Topic::ResourceTemplates(id.clone()));
    }
    if now.prompts_changed != before.prompts_changed {
        state.nudges.changed(Topic::Prompts(id.clone()));
    }
    if now.task_updates != before.task_updates {
        let last = before.task_reports.back().map_or(0, |report| report.seq);
        take_reports(
            state,
            live,
            now.task_reports.iter().filter(|report| report.seq > last),
        );
        state.nudges.changed(Topic::Tasks(id.clone()));
    }
}

/// Sends a nudge for every list: a new session has begun, which may be with another instance of the server.
fn lists_may_differ(state: &EngineState, id: &ServerId) {
    for topic in [
        Topic::Tools,
        Topic::Resources,
        Topic::ResourceTemplates,
        Topic::Prompts,
        Topic::Tasks,
    ] {
        state.nudges.changed(topic(id.clone()));
    }
}

/// The tasks of a newly ready connection. They run concurrently, so that listing the tools does not wait for the disk.
fn became_ready(engine: Engine, id: &ServerId, live: ConnectionHandle) {
    let (state, supervisor) = (engine.state.clone(), live.supervisor.clone());
    // One-shot commands send only the requested messages.
    if state.lists_tools_automatically() {
        let listing = lists::list_when_ready(engine.clone(), id.clone());
        state
            .tasks
            .supervised(&supervisor, TaskKind::FirstListing, listing);
    }
    let remembering = remember(engine, live);
    state
        .tasks
        .supervised(&supervisor, TaskKind::RememberEra, remembering);
}

/// Stores the detected era of the server for the next connect.
async fn remember(engine: Engine, live: ConnectionHandle) {
    let state = &engine.state;
    let status = live.status();
    let Some(verdict) = &status.era_verdict else {
        return;
    };
    let found = verdict
        .remember
        .map(|found| eras::of_verdict(found, &live.transport));
    // An uncertain era is not stored, and a stored one that proved wrong is removed.
    let wrong = live
        .remembered
        .as_ref()
        .is_some_and(|kept| Some(eras::to_verdict(kept).era) != status.era);
    if (found.is_some() || wrong) && state.eras.set(&live.server_id, &live.transport, found).await {
        state.nudges.changed(Topic::Servers);
    }
}

pub(crate) use view::{details, extensions, failure};

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
