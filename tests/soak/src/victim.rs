//! `patchbay-soak victim`: a program that uses Patchbay's engine as the window does, until it is killed.

use std::io::Write as _;
use std::path::Path;

use patchbay_contract::EraChoice;
use patchbay_engine::{Engine, EngineOptions, StoreChoice};
use serde_json::json;
use tokio::sync::mpsc;

use crate::run::{bridge, call};

/// Connects to four servers and calls their tools for ever. Each line on stdout is the beginning of a phase.
pub(crate) async fn run(folder: &Path, stdio: &str, http: &str) -> Result<(), String> {
    say("open");
    let engine = Engine::open(EngineOptions {
        store: StoreChoice::Persistent,
        ..EngineOptions::within(folder)
    })
    .await
    .map_err(|error| error.to_string())?;
    say("add");
    let mut servers = Vec::new();
    for key in ["kill-0", "kill-1", "kill-2", "kill-3"] {
        let mut draft = match key {
            // It is deaf to the end of its stdin and to being asked to end, and so is what it starts.
            "kill-0" => engine
                .draft_of_command(&format!(
                    "sh -c \"trap '' TERM; (while :; do sleep 1; done) & {} {stdio} {key}; while :; do sleep 1; done\"",
                    bridge()
                ))
                .map_err(|error| error.message)?,
            "kill-1" => engine
                .draft_of_command(&format!("{} {stdio} {key}", bridge()))
                .map_err(|error| error.message)?,
            _ => engine.draft_of_url(&format!("http://{http}/{key}/mcp")),
        };
        draft.name = key.to_owned();
        draft.era = match key {
            "kill-0" | "kill-2" => EraChoice::Modern,
            _ => EraChoice::Legacy,
        };
        // They are found by a variable.
        draft.inherit_environment = Some(true);
        // They do not always answer.
        draft.timeouts.request_ms = 1_000;
        draft.timeouts.max_total_ms = 2_000;
        servers.push(engine.add_server(draft).await.map_err(|error| error.message)?);
    }
    say("connect");
    for id in &servers {
        call(&engine, "connection_open", json!({"serverId": id})).await?;
    }
    say("ready");
    for id in &servers {
        let _ = engine.connect(id).await;
    }
    say("call");
    loop {
        for id in &servers {
            let call = json!({"serverId": id, "name": "name-0", "argumentsJson": "{}", "metaJson": null, "timeouts": null});
            let (sink, mut events) = mpsc::channel(4);
            let stream = engine.open_stream("tool_call", &call.to_string(), sink);
            let Ok(_stream) = stream else { continue };
            while events.recv().await.is_some() {}
        }
    }
}

fn say(phase: &str) {
    println!("{phase}");
    let _ = std::io::stdout().flush();
}
