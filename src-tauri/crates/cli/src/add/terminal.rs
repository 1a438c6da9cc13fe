//! What a review says, asks and prints, and adding what was reviewed.

use patchbay_contract::ServerId;
use patchbay_engine::Engine;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    exit::Problem,
    oneshot::{keyboard::Keyboard, passphrase},
    output,
};

/// Prints the result for one server: `Added weather`.
pub(crate) fn report(what: &str, name: &str, server_id: &ServerId, json: bool) {
    let line = match json {
        true => serde_json::json!({ "name": name, "serverId": server_id }).to_string(),
        false => format!("{what} {name}"),
    };
    // A reader that has closed stdout needs no result.
    let _ = output::answer(line.as_bytes());
}

/// Runs a command that stores secrets. A locked vault is opened first, if there is somebody to ask.
pub(crate) async fn with_vault<P: Serialize, R: DeserializeOwned>(
    engine: &Engine,
    command: &str,
    params: &P,
) -> Result<R, Problem> {
    let unreadable = |error: serde_json::Error| Problem::internal("A command could not be run.", &error);
    let text = serde_json::to_string(params).map_err(unreadable)?;
    let answer = match engine.call(command, &text).await {
        Err(error) if passphrase::opened(engine, &error).await => engine.call(command, &text).await?,
        answer => answer?,
    };
    serde_json::from_str(&answer).map_err(unreadable)
}

/// Asks a question that is answered with yes or no.
pub(crate) async fn is_confirmed(keyboard: &Keyboard, question: &str) -> bool {
    let line = keyboard.line(&format!("{question}? [y/N] ")).await;
    let line = line.unwrap_or_default();
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}

/// `Add this server` or `Add these 3 servers`.
pub(super) fn add_how_many(count: usize) -> String {
    match count {
        1 => "Add this server".to_owned(),
        count => format!("Add these {count} servers"),
    }
}
