//! The connections: at most one live per server, several servers at once. What is known of the last one stays after it
//! ended, until the next.

pub(crate) mod doctor;
pub(crate) mod environment;
mod handle;
pub(crate) mod handlers;
pub(crate) mod owned;
mod slot;
mod start;
mod view;

use std::sync::Arc;

use patchbay_client::{Connection, State};
use patchbay_contract::{CommandError, ConnectionItem, ErrorCode, FailureItem, ServerId};
use patchbay_traffic::Origin;
use tokio::task::JoinSet;

use crate::{
    dispatch::error::fail,
    dispatch::nudges::Topic,
    files::eras,
    lists,
    servers::stored,
    state::{Engine, EngineState},
};
pub(crate) use handle::ConnectionHandle;
pub(crate) use slot::Connections;
use slot::Slot;
pub(crate) use start::{http_settings, start};

impl EngineState {
    /// The present or last connection of a server, as the rail shows it.
    pub(crate) fn connection_item(&self, id: &ServerId) -> ConnectionItem {
        self.connections
            .find(id)
            .map_or_else(ConnectionItem::default, |live| {
                view::item(&live.status(), |text| self.masked(text))
            })
    }

    /// The present or last connection of a server.
    pub(crate) fn live(&self, id: &ServerId) -> Option<ConnectionHandle> {
        self.connections.find(id)
    }

    /// The connection of a server, if requests can be sent on it.
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
    /// Starts connecting; does nothing if it is connected or about to be.
    pub(crate) async fn open_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.inner.servers.get(id)?;
        let slot = self.inner.connections.slot(id);
        let _gate = slot.gate.lock().await;
        self.open_slot(&slot, id).await
    }

    /// Shuts down and answers when nothing is left. Closing what is closed is no error.
    pub(crate) async fn close_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.inner.servers.get(id)?;
        let slot = self.inner.connections.slot(id);
        let _gate = slot.gate.lock().await;
        self.inner.authorizations.disconnected(id);
        slot.close().await;
        Ok(())
    }

    /// Close, then open.
    pub(crate) async fn restart_connection(&self, id: &ServerId) -> Result<(), CommandError> {
        self.inner.servers.get(id)?;
        let slot = self.inner.connections.slot(id);
        let _gate = slot.gate.lock().await;
        slot.close().await;
        self.open_slot(&slot, id).await
    }

    /// Shuts down and forgets all about the connection.
    pub(crate) async fn forget_connection(&self, id: &ServerId) {
        let slot = self.inner.connections.lock().remove(id);
        if let Some(slot) = slot {
            let _gate = slot.gate.lock().await;
            slot.close().await;
        }
    }

    /// Shuts all connections down at once and answers when nothing is left.
    pub(crate) async fn close_connections(&self) {
        let slots: Vec<Arc<Slot>> = self.inner.connections.lock().values().cloned().collect();
        let mut closing = JoinSet::new();
        for slot in slots {
            closing.spawn(async move {
                let _gate = slot.gate.lock().await;
                slot.close().await;
            });
        }
        while closing.join_next().await.is_some() {}
    }

    /// Connects and waits until requests can be sent; for one-shot commands.
    ///
    /// # Errors
    /// `NotFound` for an unknown server.
    pub async fn connect(&self, id: &ServerId) -> Result<Result<(), FailureItem>, CommandError> {
        self.open_connection(id).await?;
        let connection = self.inner.live(id).and_then(|live| live.connection);
        let Some(connection) = connection else {
            return Err(fail(
                ErrorCode::NotConnected,
                "The connection was closed meanwhile.",
            ));
        };
        let status = connection.settled().await;
        Ok(match status.state {
            State::Ready => Ok(()),
            _ => Err(
                view::failure(&status, |text| self.inner.masked(text)).unwrap_or_else(|| FailureItem {
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

    #[expect(
        clippy::disallowed_methods,
        reason = "it ends with the connection, whose status it watches"
    )]
    async fn open_slot(&self, slot: &Arc<Slot>, id: &ServerId) -> Result<(), CommandError> {
        if self.inner.is_closing() {
            return Err(fail(ErrorCode::NotConnected, "Patchbay is shutting down."));
        }
        let server = self.inner.servers.get(id)?;
        if slot.live().is_some_and(|live| live.is_open()) {
            return Ok(());
        }
        let resolved = stored::resolved(&self.inner, &server).await?;
        self.inner.reach_token(&server).await?;
        let environment = self.inner.environment.get().await;
        let live = start(&self.inner, &server, &resolved, environment, Origin::Client);
        slot.put(live.clone());
        self.inner.nudges.connection_changed(id);
        tokio::spawn(watch(Arc::downgrade(&self.inner), id.clone(), live));
        Ok(())
    }
}

/// Nudges whenever something about a connection changes, and lists the tools once it is ready. Holds no handle of the
/// connection: it must not keep it alive.
async fn watch(inner: std::sync::Weak<EngineState>, id: ServerId, mut live: ConnectionHandle) {
    let Some(notices) = live.connection.as_ref().map(Connection::notices) else {
        return;
    };
    live.connection = None;
    let mut status = live.status.clone();
    let mut notices = notices;
    let mut listed = false;
    loop {
        let state = status.borrow_and_update().state;
        let Some(engine) = inner.upgrade().map(|inner| Engine { inner }) else {
            return;
        };
        if state == State::Ready && !listed {
            listed = true;
            became_ready(engine, &id, live.clone());
        } else {
            drop(engine);
        }
        let before = notices.borrow_and_update().clone();
        let changed = tokio::select! {
            changed = status.changed() => changed.map(|()| before.clone()),
            changed = notices.changed() => changed.map(|()| notices.borrow().clone()),
        };
        let Some(inner) = inner.upgrade() else { return };
        inner.nudges.connection_changed(&id);
        match changed {
            Ok(now) => {
                if now.tools_changed != before.tools_changed {
                    inner.nudges.changed(Topic::Tools(id.clone()));
                }
                if now.resources_changed != before.resources_changed {
                    inner.nudges.changed(Topic::Resources(id.clone()));
                    inner.nudges.changed(Topic::ResourceTemplates(id.clone()));
                }
                if now.prompts_changed != before.prompts_changed {
                    inner.nudges.changed(Topic::Prompts(id.clone()));
                }
                if now.task_updates != before.task_updates {
                    inner.nudges.changed(Topic::Tasks(id.clone()));
                }
            }
            // The connection is over; what it said last stays in the slot.
            Err(_) => return,
        }
    }
}

/// What a ready connection begins with, beside each other: those who wait for the tools does not wait for the disk.
#[expect(
    clippy::disallowed_methods,
    reason = "both end with the connection: one list and one file"
)]
fn became_ready(engine: Engine, id: &ServerId, live: ConnectionHandle) {
    // One-shot commands send only what they were told to.
    if engine.inner.lists_tools_by_itself() {
        tokio::spawn(lists::list_when_ready(engine.clone(), id.clone()));
    }
    tokio::spawn(remember(engine, live));
}

/// Keeps what was found out about the server's era for the next connect.
async fn remember(engine: Engine, live: ConnectionHandle) {
    let inner = &engine.inner;
    let status = live.status();
    let Some(verdict) = &status.era_verdict else {
        return;
    };
    let found = verdict
        .remember
        .map(|found| eras::of_verdict(found, &live.transport));
    // What is not certain is not kept; what was kept and proved wrong even less.
    let wrong = live
        .remembered
        .as_ref()
        .is_some_and(|kept| Some(eras::to_verdict(kept).era) != status.era);
    if (found.is_some() || wrong) && inner.eras.set(&live.server_id, &live.transport, found).await {
        inner.nudges.changed(Topic::Servers);
    }
}

pub(crate) use view::{details, failure};
