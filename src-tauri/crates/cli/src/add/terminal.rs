//! What a review says, asks and prints, and adding what was reviewed.

use patchbay_contract::ServerAddResponse;
use patchbay_engine::{Engine, with_hidden_marked};
use serde::Serialize;

use crate::{
    exit::Problem,
    oneshot::{keyboard::Keyboard, passphrase},
    output,
};

/// Prints the result for one server.
pub(super) fn report(name: &str, added: &ServerAddResponse, json: bool) {
    let line = match json {
        true => serde_json::json!({ "name": name, "serverId": added.server_id }).to_string(),
        false => format!("Added {name}"),
    };
    // A reader that has closed stdout needs no result.
    let _ = output::answer(line.as_bytes());
}

/// Adds the server. A locked vault is opened first, if there is somebody to ask.
pub(super) async fn with_vault<P: Serialize>(
    engine: &Engine,
    command: &str,
    params: &P,
) -> Result<ServerAddResponse, Problem> {
    let unreadable = |error: serde_json::Error| Problem::internal("A command could not be run.", &error);
    let text = serde_json::to_string(params).map_err(unreadable)?;
    let answer = match engine.call(command, &text).await {
        Err(error) if passphrase::opened(engine, &error).await => engine.call(command, &text).await?,
        answer => answer?,
    };
    serde_json::from_str(&answer).map_err(unreadable)
}

/// Asks whether so many servers are added.
pub(super) async fn is_confirmed(count: usize) -> bool {
    let what = match count {
        1 => "Add this server".to_owned(),
        count => format!("Add these {count} servers"),
    };
    output::prompt(&format!("{what}? [y/N] "));
    let line = Keyboard::default().line().await.unwrap_or_default();
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Text of others on one line of a terminal: what hides, turns or breaks it is written out.
pub(super) fn visible(text: &str) -> String {
    with_hidden_marked(text).replace('\n', "\\n").replace('\t', "\\t")
}
