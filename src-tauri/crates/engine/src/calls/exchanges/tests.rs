#![cfg(unix)]

use std::time::Duration;

use patchbay_client::{Outcome, Request};
use patchbay_contract::ExchangeId;

use crate::engine::testing::{attended, legacy_script};

/// A server that answers nothing after the handshake.
const SILENT: &str = r#"
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
while read -r line; do :; done
"#;

/// The stream of a page that was reloaded ended after the new page followed the call: the call could not be cancelled.
#[tokio::test]
async fn an_exchange_can_be_cancelled_while_anything_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = legacy_script(&engine, SILENT).await;
    let (_, connection) = engine.state.ready(&server).unwrap();
    let exchange = connection.request(Request::new("ping", None)).await;
    let exchanges = &engine.state.exchanges;
    let id = exchange.id;
    let before_reload = exchanges.enter(id, connection.clone());
    let after_reload = exchanges.enter(id, connection);
    drop(before_reload);
    assert!(exchanges.is_running(id));
    exchanges.cancel(&ExchangeId(id.to_string())).await.unwrap();
    let finished = tokio::time::timeout(Duration::from_secs(20), exchange.finished())
        .await
        .expect("the exchange was not cancelled");
    assert!(
        matches!(finished.outcome, Outcome::Cancelled),
        "{:?}",
        finished.outcome
    );
    drop(after_reload);
    assert!(!exchanges.is_running(id));
    engine.shutdown().await;
}
