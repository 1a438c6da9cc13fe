//! Says what a server that is slow to connect has done so far.

use std::time::Duration;

use patchbay_contract::{ConnectionGetParams, ConnectionGetResponse, ConnectionState, ServerId};
use patchbay_engine::Engine;

use super::server::call;
use crate::exit::Problem;

/// How long nothing is said.
const QUIET: Duration = Duration::from_millis(1500);

/// Waits for `connecting`; says once on stderr what it waits for.
pub(super) async fn said<T>(
    engine: &Engine,
    id: &ServerId,
    json: bool,
    connecting: impl Future<Output = T>,
) -> T {
    let mut connecting = Box::pin(connecting);
    tokio::select! {
        connected = &mut connecting => return connected,
        () = tokio::time::sleep(QUIET) => {}
    }
    let params = ConnectionGetParams {
        server_id: id.clone(),
    };
    // Only words: a connection that cannot be read is reported by its end.
    if let Ok(connection) = call::<_, ConnectionGetResponse>(engine, "connection_get", &params).await
        && let Some(words) = words(&connection)
    {
        Problem::notice(words).say(json);
    }
    connecting.await
}

/// What the server has done; none while it waits for a person.
fn words(connection: &ConnectionGetResponse) -> Option<String> {
    match (connection.connection.state, &connection.stray_line) {
        (ConnectionState::Connecting | ConnectionState::Negotiating, Some(line)) => Some(format!(
            "Waiting: the server wrote a line to stdout that is not JSON-RPC: \u{201c}{line}\u{201d}. \
             Have it log to stderr."
        )),
        (ConnectionState::Connecting | ConnectionState::Negotiating, None) => {
            Some("Waiting: the server has not answered yet.".to_owned())
        }
        _ => None,
    }
}
