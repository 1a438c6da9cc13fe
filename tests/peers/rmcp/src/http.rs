//! The server over Streamable HTTP, both eras, without sessions.

use axum::Router;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::net::TcpListener;

use crate::Server;

/// How it responds to a call without earlier messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// With a JSON body.
    Json,
    /// With an event stream.
    Events,
}

/// Serves at `/mcp` for ever.
///
/// # Errors
/// The listener fails.
pub async fn serve_http(server: Server, listener: TcpListener, answers: Answers) -> Result<(), String> {
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = answers == Answers::Json;
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        LocalSessionManager::default().into(),
        config,
    );
    axum::serve(listener, Router::new().nest_service("/mcp", service))
        .await
        .map_err(|error| error.to_string())
}
