//! Tells connected servers that their roots changed, by whatever: their settings, a shared set, a decision of the user, or a
//! folder that was removed, came back, or can be read no more.

use std::{
    sync::Weak,
    time::{Duration, Instant},
};

use patchbay_client::State;
use patchbay_protocol::{Era, methods, views::ServerCapabilities};

use crate::{connections::ConnectionHandle, state::EngineState};

/// The pause between two looks at the folders of connected servers. The file systems do not report everything (permissions of
/// a folder above, a network drive), so they are asked.
const PAUSE: Duration = Duration::from_secs(2);
/// The pause is at least so many times as long as the look before took: at most 2 % of the time is spent on it.
const SHARE: u32 = 50;

/// Looks at the roots of a server, and notifies it if they changed and that was declared. The modern era has no such
/// notification: the server asks again when it needs them.
pub(crate) async fn announce(live: &ConnectionHandle) {
    if live.roots.recheck().await
        && live.status().state == State::Ready
        && live.era() == Era::Legacy
        && ServerCapabilities::new(&live.status().client_capabilities_json).has_part("roots", "listChanged")
        && let Some(connection) = &live.connection
    {
        connection.notify(methods::ROOTS_LIST_CHANGED, None).await;
    }
}

/// Looks at the folders of all connected servers from time to time, as long as the engine is open. Servers without roots cost
/// nothing.
pub(crate) async fn watch(engine: Weak<EngineState>) {
    let mut pause = PAUSE;
    loop {
        tokio::time::sleep(pause).await;
        let Some(state) = engine.upgrade() else { return };
        if state.is_closing() {
            return;
        }
        let begun = Instant::now();
        for live in state.connections.open() {
            if live.roots.has_folders() {
                announce(&live).await;
            }
        }
        pause = PAUSE.max(begun.elapsed() * SHARE);
    }
}
