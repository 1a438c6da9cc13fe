//! The exchanges that run, to cancel them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_client::Connection;
use patchbay_contract::{CommandError, ErrorCode, ExchangeId};

use crate::error::fail;

/// The exchanges that can be cancelled, by id.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    running: Mutex<HashMap<u64, Connection>>,
}

impl Exchanges {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Connection>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels one; none of that id is running: it has ended, which is what was wanted.
    pub(crate) async fn cancel(&self, id: &ExchangeId) -> Result<(), CommandError> {
        let number =
            id.0.parse()
                .map_err(|_| fail(ErrorCode::InvalidParams, format!("`{id}` is no exchange's id.")))?;
        let connection = self.lock().get(&number).cloned();
        if let Some(connection) = connection {
            connection
                .cancel(number, Some("Cancelled by the user".to_owned()))
                .await;
        }
        Ok(())
    }

    /// Whether one of that id is running.
    pub(crate) fn is_running(&self, id: u64) -> bool {
        self.lock().contains_key(&id)
    }

    /// Cancels all that run.
    pub(crate) async fn cancel_all(&self) {
        let running: Vec<(u64, Connection)> = self
            .lock()
            .iter()
            .map(|(id, connection)| (*id, connection.clone()))
            .collect();
        for (id, connection) in running {
            connection
                .cancel(id, Some("Interrupted by the user".to_owned()))
                .await;
        }
    }

    /// Enters an exchange until the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>, id: u64, connection: Connection) -> Running {
        self.lock().insert(id, connection);
        Running {
            id,
            exchanges: self.clone(),
        }
    }
}

/// Takes its exchange out of the list when dropped.
#[derive(Debug)]
pub(crate) struct Running {
    id: u64,
    exchanges: Arc<Exchanges>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.exchanges.lock().remove(&self.id);
    }
}
