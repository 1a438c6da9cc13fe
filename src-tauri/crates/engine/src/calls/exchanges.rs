//! The exchanges in progress, so that they can be cancelled.

pub(super) mod follow;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_client::Connection;
use patchbay_contract::{CommandError, ErrorCode, ExchangeId};

use crate::{
    connections::owned::{TaskKind, TaskSet},
    dispatch::error::fail,
};

/// The reason in the cancellation that the server receives when the user cancels one exchange.
pub(super) const CANCELLED: &str = "Cancelled by the user";
/// The reason in it when everything is cancelled.
const INTERRUPTED: &str = "Interrupted by the user";

/// The exchanges that can be cancelled.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    table: Mutex<Table>,
    /// The cancellations of exchanges that began after everything was cancelled.
    cancelling: TaskSet,
}

#[derive(Debug, Default)]
struct Table {
    /// By id.
    running: HashMap<u64, RunningExchange>,
    /// Everything was cancelled; no exchange may begin.
    stopped: bool,
}

/// An exchange in progress.
#[derive(Debug)]
struct RunningExchange {
    connection: Connection,
    /// How many guards there are: the stream of a page that was reloaded may end after the new page follows the request.
    guards: usize,
}

impl Exchanges {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels one exchange. If it has already ended, nothing happens.
    pub(crate) async fn cancel(&self, id: &ExchangeId) -> Result<(), CommandError> {
        let number = id.0.parse().map_err(|_| {
            fail(
                ErrorCode::InvalidParams,
                format!("`{id}` is not the id of an exchange."),
            )
        })?;
        let connection = self
            .lock()
            .running
            .get(&number)
            .map(|exchange| exchange.connection.clone());
        if let Some(connection) = connection {
            connection.cancel(number, Some(CANCELLED.to_owned())).await;
        }
        Ok(())
    }

    /// Whether the exchange with this id is in progress.
    pub(crate) fn is_running(&self, id: u64) -> bool {
        self.lock().running.contains_key(&id)
    }

    /// Whether everything was cancelled, so that nothing may be sent.
    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Cancels all exchanges in progress, including those that are just being sent.
    pub(crate) async fn cancel_all(&self) {
        let running: Vec<(u64, Connection)> = {
            let mut table = self.lock();
            table.stopped = true;
            let all = table.running.iter();
            all.map(|(id, exchange)| (*id, exchange.connection.clone()))
                .collect()
        };
        for (id, connection) in running {
            connection.cancel(id, Some(INTERRUPTED.to_owned())).await;
        }
    }

    /// Registers an exchange until the guard is dropped, and any other guard of it.
    pub(crate) fn enter(self: &Arc<Self>, id: u64, connection: Connection) -> Running {
        let mut table = self.lock();
        if table.stopped {
            let connection = connection.clone();
            let supervisor = connection.supervisor();
            let cancelling = async move { connection.cancel(id, Some(INTERRUPTED.to_owned())).await };
            self.cancelling
                .supervised(&supervisor, TaskKind::CancelExchange, cancelling);
        }
        let guards = 0;
        let exchange = table
            .running
            .entry(id)
            .or_insert(RunningExchange { connection, guards });
        exchange.guards += 1;
        drop(table);
        Running {
            id,
            exchanges: self.clone(),
        }
    }
}

/// Keeps its exchange in the table until it and all other guards of the exchange are dropped.
#[derive(Debug)]
pub(crate) struct Running {
    id: u64,
    exchanges: Arc<Exchanges>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut table = self.exchanges.lock();
        if let Some(exchange) = table.running.get_mut(&self.id) {
            exchange.guards -= 1;
            if exchange.guards == 0 {
                table.running.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests;
