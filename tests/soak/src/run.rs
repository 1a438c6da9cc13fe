//! One generated server: everything a user can do with it, then what must be true.

use std::sync::Arc;
use std::time::Duration;

use patchbay_contract::{EraChoice, ServerId};
use patchbay_engine::Engine;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::host::{Host, Server};
use crate::random::Random;
use crate::script::{Script, Transport};

/// Longer than any of it takes with its own timeouts.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a connection that is not settled is left alone before it is looked at again.
const SETTLING: Duration = Duration::from_millis(20);

/// The program behind a stdio server, quoted for a shell.
pub(crate) fn bridge() -> String {
    let bridge = std::env::current_exe()
        .unwrap()
        .with_file_name("patchbay-soak-bridge");
    format!("'{}'", bridge.display())
}

/// How a run ended.
pub(crate) struct Ran {
    /// The state after everything, e.g. `ready` or `failed: Connect`.
    pub(crate) state: String,
    pub(crate) server: Arc<Server>,
    /// The numbers of its connections in the log.
    pub(crate) connections: Vec<i64>,
    /// Whether all that was sent had arrived.
    pub(crate) complete: bool,
    /// The rules that a valid server is said to violate.
    pub(crate) violations: Vec<String>,
}

/// Runs one script; an error is a sentence.
pub(crate) async fn run(engine: &Engine, host: &Host, bridge: &str, script: Script) -> Result<Ran, String> {
    let key = format!("s{}", script.number);
    let server = host.add(&key, script.clone());
    let ended = timeout(PATIENCE, act(engine, host, bridge, &key, &script, &server)).await;
    host.remove(&key);
    match ended {
        Ok(ran) => ran.map(|(state, connections, complete, violations)| Ran {
            state,
            server,
            connections,
            complete,
            violations,
        }),
        Err(_) => Err(format!("it did not end within {PATIENCE:?}")),
    }
}

type Acted = (String, Vec<i64>, bool, Vec<String>);

async fn act(
    engine: &Engine,
    host: &Host,
    bridge: &str,
    key: &str,
    script: &Script,
    server: &Server,
) -> Result<Acted, String> {
    let mut random = script.random(50_000);
    let mut draft = match script.transport {
        Transport::Stdio => engine
            .draft_of_command(&format!("{bridge} {} {key}", host.stdio))
            .unwrap(),
        Transport::Http => engine.draft_of_url(&format!("http://{}/{key}/mcp", host.http)),
    };
    draft.name = key.to_owned();
    // A valid server answers, however busy the machine is.
    draft.timeouts.request_ms = if script.is_valid() { 20_000 } else { 400 };
    draft.timeouts.max_total_ms = draft.timeouts.request_ms * 3;
    draft.era = match (
        script.is_modern(),
        random.chance(if script.is_valid() { 0 } else { 20 }),
    ) {
        (_, true) => EraChoice::Auto,
        (true, _) => EraChoice::Modern,
        (false, _) => EraChoice::Legacy,
    };
    let id = engine.add_server(draft).await.map_err(|error| error.message)?;
    let connected = engine.connect(&id).await.map_err(|error| error.message)?;
    if let (Err(failure), true) = (&connected, script.is_valid()) {
        return Err(format!("a valid server could not be connected to: {failure:?}"));
    }
    let mut connections = vec![connection(engine, &id).await];
    if connected.is_ok() {
        for _ in 0..3 + random.below(6) {
            one_action(engine, &id, &mut random, !script.is_valid()).await;
        }
    }
    let state = named_state(engine, &id).await?;
    server.be_fair();
    let complete = state == "ready" && script.transport == Transport::Stdio && {
        // Over one pipe everything that was sent before is read before the answer.
        let ping = if script.is_modern() { "tools/list" } else { "ping" };
        asked(engine, &id, ping).await
    };
    let violations = match script.is_valid() {
        true => accusations(engine, connections[0]).await?,
        false => Vec::new(),
    };
    call(engine, "connection_close", json!({"serverId": id})).await?;
    // The next connect works, with the usual patience.
    let listed = call(engine, "server_list", json!({})).await?;
    let item = listed["items"]
        .as_array()
        .and_then(|all| all.iter().find(|item| item["id"] == json!(id)));
    let mut draft = item.ok_or("the server is not in the list")?["draft"].clone();
    draft["timeouts"]["requestMs"] = json!(20_000);
    draft["timeouts"]["maxTotalMs"] = json!(20_000);
    call(engine, "server_update", json!({"serverId": id, "draft": draft})).await?;
    if let Err(failure) = engine.connect(&id).await.map_err(|error| error.message)? {
        return Err(format!("after {state} the next connect failed: {failure:?}"));
    }
    connections.push(connection(engine, &id).await);
    call(engine, "tool_list", list(&id))
        .await
        .map_err(|error| format!("after {state} the tools were not listed: {error}"))?;
    call(engine, "server_remove", json!({"serverId": id})).await?;
    Ok((state, connections, complete, violations))
}

pub(crate) async fn call(engine: &Engine, name: &str, params: Value) -> Result<Value, String> {
    let answer = engine
        .call(name, &params.to_string())
        .await
        .map_err(|error| error.message)?;
    serde_json::from_str(&answer).map_err(|error| error.to_string())
}

pub(crate) fn list(id: &ServerId) -> Value {
    json!({"serverId": id, "refresh": true, "cursor": null})
}

/// The number of its connection in the log.
async fn connection(engine: &Engine, id: &ServerId) -> i64 {
    let details = call(engine, "connection_get", json!({"serverId": id}))
        .await
        .unwrap_or_default();
    let number = details["connection"]["connectionId"]
        .as_str()
        .and_then(|id| id.parse().ok());
    number.unwrap_or(-1)
}

/// The state that the connection settles in, which must be one that says how it is. It may be in the middle of a new session; the
/// time of the whole script is limited.
async fn named_state(engine: &Engine, id: &ServerId) -> Result<String, String> {
    loop {
        let details = call(engine, "connection_get", json!({"serverId": id})).await?;
        let connection = &details["connection"];
        let failure = &connection["failure"];
        let said = |part: &str| failure[part].as_str().is_some_and(|text| !text.trim().is_empty());
        match connection["state"].as_str().unwrap_or_default() {
            "ready" => return Ok("ready".to_owned()),
            "failed" if said("step") && said("cause") && said("next") => {
                return Ok(format!(
                    "failed: {}",
                    failure["step"].as_str().unwrap_or_default()
                ));
            }
            "connecting" | "negotiating" => tokio::time::sleep(SETTLING).await,
            _ => return Err(format!("its state is {connection}")),
        }
    }
}

/// The rules that the server is said to violate, each with the message.
async fn accusations(engine: &Engine, connection: i64) -> Result<Vec<String>, String> {
    let filter = json!({"filter": "has:violation", "offset": 0, "limit": 500});
    let rows = call(engine, "traffic_rows", filter).await?;
    let mut found = Vec::new();
    for row in rows["rows"].as_array().into_iter().flatten() {
        if row["connectionId"] == json!(connection.to_string()) {
            let record = call(engine, "traffic_record", json!({"seq": row["seq"]})).await?;
            found.push(format!("{} in {}", record["violations"], record["raw"]));
        }
    }
    Ok(found)
}

/// Whether a request got a result.
async fn asked(engine: &Engine, id: &ServerId, method: &str) -> bool {
    let params =
        json!({"serverId": id, "method": method, "paramsJson": null, "timeouts": null, "resentFrom": null});
    let events = stream(engine, "request_send", params, false).await;
    events
        .last()
        .is_some_and(|event| event["outcome"]["type"] == "result")
}

/// Reads a stream to its end. `cancel` cancels the exchange as soon as it has started.
async fn stream(engine: &Engine, name: &str, params: Value, cancel: bool) -> Vec<Value> {
    let (sink, mut events) = mpsc::channel(4);
    let Ok(_handle) = engine.open_stream(name, &params.to_string(), sink) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    while let Some(text) = events.recv().await {
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        let Some(event) = message.get("event") else { break };
        if cancel && event["type"] == "started" {
            let _ = call(
                engine,
                "exchange_cancel",
                json!({"exchangeId": event["exchangeId"]}),
            )
            .await;
        }
        all.push(event.clone());
    }
    all
}

/// One thing that a user does. How it ends is up to the server.
async fn one_action(engine: &Engine, id: &ServerId, random: &mut Random, cancels: bool) {
    // An answer to a cancelled request is an accusation, with reason.
    let cancel = random.chance(20) && cancels;
    let tool =
        json!({"serverId": id, "name": "name-0", "argumentsJson": "{}", "metaJson": null, "timeouts": null});
    let _ = match random.below(10) {
        0 => call(engine, "tool_list", list(id)).await.map(drop),
        1 => call(engine, "resource_list", list(id)).await.map(drop),
        2 => call(engine, "prompt_list", list(id)).await.map(drop),
        3 => call(engine, "resource_template_list", list(id)).await.map(drop),
        4 => {
            let read = json!({"serverId": id, "uri": "https://example.test/1", "timeouts": null});
            stream(engine, "resource_read", read, cancel).await;
            Ok(())
        }
        5 => {
            let get = json!({"serverId": id, "name": "name-0", "argumentsJson": null, "timeouts": null});
            stream(engine, "prompt_get", get, cancel).await;
            Ok(())
        }
        6 => call(engine, "log_level_set", json!({"serverId": id, "level": "debug"}))
            .await
            .map(drop),
        _ => {
            tokio::join!(
                stream(engine, "tool_call", tool.clone(), cancel),
                stream(engine, "tool_call", tool, false)
            );
            Ok(())
        }
    };
}
