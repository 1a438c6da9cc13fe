//! Which environment the program of a server needs, and whether it still has an earlier one.

use std::sync::Arc;

use patchbay_client::Environment;
use patchbay_config::Server;
use patchbay_contract::TransportDraft;

use crate::{
    connections::{ConnectionHandle, start::passed},
    state::EngineState,
};

impl EngineState {
    /// The environment to start a server with. Waits for the shell, if it has to be run and a program is started.
    pub(crate) async fn environment_of(&self, server: &Server) -> Arc<Environment> {
        match server.draft.transport {
            TransportDraft::Stdio { .. } => self.environment.get().await,
            TransportDraft::Http { .. } => Arc::new(Environment::inherited()),
        }
    }

    /// Whether the program of a connection runs with another environment than it would be started with now.
    pub(crate) fn has_old_environment(&self, live: &ConnectionHandle) -> bool {
        let runs = live.is_open() && live.status().process.is_some();
        let Some(now) = self.environment.known().filter(|_| runs) else {
            return false;
        };
        let Ok(server) = self.servers.get(&live.server_id) else {
            return false;
        };
        let mut now = passed(&server.draft, now).vars.clone();
        let mut then = live.environment.vars.clone();
        // A shell prints its variables in any order.
        now.sort_unstable();
        then.sort_unstable();
        now != then
    }
}
