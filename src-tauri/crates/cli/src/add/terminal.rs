//! What a review asks and prints.

use patchbay_contract::ServerId;

use crate::{
    exit::Problem,
    oneshot::{answer, keyboard::Keyboard},
    output::{self, visible},
};

/// Prints the result for one server: `Added weather`.
///
/// # Errors
/// It cannot be written. The server was added all the same.
pub(crate) async fn report(what: &str, name: &str, server_id: &ServerId, json: bool) -> Result<(), Problem> {
    let line = match json {
        true => serde_json::json!({ "name": name, "serverId": server_id }).to_string(),
        false => format!("{what} {name}"),
    };
    let told = answer(line).await.map(drop);
    told.map_err(|(_, problem)| problem.of(&format!("{what} {name}")))
}

/// Shows a review. Where nobody is asked and only JSON is wanted, only its notes.
pub(crate) fn show(review: &str, notes: &[String], asks: bool, json: bool) {
    if asks || !json {
        output::words(review);
        return;
    }
    for note in notes {
        Problem::notice(visible(note)).say(json);
    }
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
