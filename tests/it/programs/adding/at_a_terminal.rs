//! `patchbay add` at a terminal, of an app whose vault is locked.

use std::{path::Path, process::Command};

use serde_json::json;

use super::bundle;
use crate::{
    client::run_test,
    harness::Harness,
    programs::{
        Patchbay,
        asking::terminal::answered,
        chat::saved::{PASSPHRASE, app_with_a_secret},
    },
};

const SECRET: &str = "a-secret-that-nobody-sees-0815";

fn add(patchbay: &Patchbay, app: &Harness, args: &[&str]) -> Command {
    let folder = app.folder().display().to_string();
    let mut command = patchbay.command(&[&["--data-dir", &folder, "add"], args].concat());
    // No keychain, no matter whose machine this is.
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    command
}

fn servers(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("servers.json")).unwrap()
}

#[test]
fn a_secret_that_is_typed_after_a_plain_question_is_stored_as_a_secret() {
    let (patchbay, app) = (Patchbay::new(), run_test(app_with_a_secret()));
    let settings = json!({
        "key": { "type": "string", "title": "Key", "description": "", "required": true, "sensitive": true },
        "place": { "type": "string", "title": "Place", "description": "", "required": true },
    });
    let path = bundle(
        patchbay.folder(),
        &["${user_config.place}", "${user_config.key}"],
        &settings,
    );
    let answers = [
        ("Add this server. .y/N. ", "y"),
        ("Key: ", SECRET),
        ("Place: ", "Ulm"),
        ("vault: ", PASSPHRASE),
    ];
    let shown = answered(&add(&patchbay, &app, &[&path]), &answers).code(0).stdout;
    assert!(shown.ends_with("Added hello\n"), "{shown}");
    let saved = servers(app.folder());
    assert!(saved.contains("\"Ulm\"") && !saved.contains(SECRET), "{saved}");
}

#[test]
fn the_vault_is_opened_for_a_server_that_is_added_from_text() {
    let (patchbay, app) = (Patchbay::new(), run_test(app_with_a_secret()));
    let text = json!({ "mcpServers": { "weather": { "command": "x", "env": { "API_KEY": SECRET } } } });
    let command = add(&patchbay, &app, &["--yes", &text.to_string()]);
    let shown = answered(&command, &[("vault: ", PASSPHRASE)]).code(0).stdout;
    assert!(shown.ends_with("Added weather\n"), "{shown}");
    let saved = servers(app.folder());
    assert!(saved.contains("API_KEY") && !saved.contains(SECRET), "{saved}");
}
