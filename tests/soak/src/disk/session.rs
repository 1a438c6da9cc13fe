//! `patchbay-soak session`: a short session that writes every file of ours, as a front does. What is said on stdout is stored.
//! `patchbay-soak reopened`: what the next Patchbay finds.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use patchbay_contract::{EraChoice, HttpHeader, TransportDraft};
use patchbay_engine::{Engine, EngineOptions, SecretsChoice, StoreChoice, start_diagnostics};
use patchbay_test_server::models::{KEY, ModelProvider};
use patchbay_traffic::Direction;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::run::{bridge, call, list};

pub(super) const PASSPHRASE: &str = "a-passphrase-of-the-test";
/// In a header, in a variable, and the key of a provider.
pub(super) const SECRETS: [&str; 3] = ["s3cr3t-0f-the-header-4711", "s3cr3t-0f-the-variable-4712", KEY];
/// How often what was refused is tried again: a disk that works again is used at once.
const AGAIN: Duration = Duration::from_millis(100);

async fn open(folder: &Path) -> Result<Engine, String> {
    let options = EngineOptions {
        store: StoreChoice::Persistent,
        secrets: SecretsChoice::Vault,
        ..EngineOptions::within(folder)
    };
    Engine::open(options).await.map_err(|error| error.to_string())
}

/// The session. `stdio` is an address and a key, `http` an address with a key as its path. Each step is repeated until it is done: a user would do the same.
pub(crate) async fn run(folder: &Path, stdio: &str, http: &str) -> Result<(), String> {
    // A program goes on without diagnostics.
    let _ = start_diagnostics(Some(folder));
    let provider = ModelProvider::start().map_err(|error| error.to_string())?;
    let engine = until("opened", async || open(folder).await).await;
    let choice = json!({"choice": {"type": "passphrase", "text": PASSPHRASE}});
    until("vault", async || {
        call(&engine, "vault_choose", choice.clone()).await
    })
    .await;
    let over_http = until("server", async || add(&engine, http_draft(&engine, http)).await).await;
    let over_stdio = until("second", async || {
        add(&engine, stdio_draft(&engine, stdio)?).await
    })
    .await;
    for id in [&over_http, &over_stdio] {
        until("connected", async || {
            let connected = engine.connect(id).await.map_err(|error| error.message)?;
            connected.map_err(|failure| format!("{}: {}", failure.cause, failure.next))
        })
        .await;
        until("listed", async || call(&engine, "tool_list", list(id)).await).await;
        until("called", async || called(&engine, id).await).await;
        rows(&engine).await;
    }
    let renamed = until("server_list", async || {
        call(&engine, "server_list", json!({})).await
    })
    .await;
    let items = renamed["items"].as_array();
    let item = items.and_then(|items| items.iter().find(|item| item["id"] == json!(over_http)));
    let mut draft = item.ok_or("the server is not in the list")?["draft"].clone();
    draft["name"] = json!("renamed");
    let update = json!({"serverId": over_http, "draft": draft});
    until("renamed", async || {
        call(&engine, "server_update", update.clone()).await
    })
    .await;
    chat(&engine, &provider).await;
    let proxy = json!({
        "settings": {"mode": "none", "url": "http://proxy.test:1", "user": "", "bypass": ""},
        "password": {"type": "none"},
    });
    until("proxy", async || call(&engine, "proxy_set", proxy.clone()).await).await;
    let roots = json!({"rootSetId": null, "name": "roots", "folders": []});
    until("roots", async || {
        call(&engine, "root_set_save", roots.clone()).await
    })
    .await;
    for number in 1..=2 {
        let state = json!({"stateJson": format!("{{\"number\":{number}}}")});
        until(&format!("ui {number}"), async || {
            call(&engine, "ui_state_set", state.clone()).await
        })
        .await;
    }
    let second = json!({"serverId": over_stdio});
    until("removed", async || {
        call(&engine, "server_remove", second.clone()).await
    })
    .await;
    rows(&engine).await;
    engine.shutdown().await;
    drop(engine);
    again(folder).await
}

/// The next start, which reads all files, and changes what it has read.
async fn again(folder: &Path) -> Result<(), String> {
    let engine = until("opened again", async || open(folder).await).await;
    let passphrase = json!({"passphrase": PASSPHRASE});
    until("unlocked", async || {
        call(&engine, "vault_unlock", passphrase.clone()).await
    })
    .await;
    let state = until("ui read", async || call(&engine, "ui_state_get", json!({})).await).await;
    if state["stateJson"] != "{\"number\":2}" {
        return Err(format!("the state of the UI is gone: {state}"));
    }
    let next = json!({"stateJson": "{\"number\":3}"});
    until("ui 3", async || call(&engine, "ui_state_set", next.clone()).await).await;
    let roots = json!({"rootSetId": null, "name": "more", "folders": []});
    until("more roots", async || {
        call(&engine, "root_set_save", roots.clone()).await
    })
    .await;
    rows(&engine).await;
    engine.shutdown().await;
    say("ended");
    Ok(())
}

/// A provider with a key, and a conversation with an answer.
async fn chat(engine: &Engine, provider: &ModelProvider) {
    let provider = json!({
        "providerId": null, "name": "p", "api": "anthropic", "baseUrl": format!("{}/v1", provider.origin()),
        "key": {"type": "set", "text": SECRETS[2]}, "defaultModel": "talk",
    });
    let saved = until("provider", async || {
        call(engine, "provider_save", provider.clone()).await
    })
    .await;
    let model = json!({"type": "model", "providerId": saved["providerId"], "model": "talk"});
    let settings = json!({"settings": {"answers": model, "maxRounds": 4}});
    let made = until("chat", async || {
        call(engine, "chat_create", settings.clone()).await
    })
    .await;
    let message = json!({"chatId": made["chatId"], "text": "a message"});
    until("message", async || {
        call(engine, "chat_send", message.clone()).await
    })
    .await;
    answered(engine, &made["chatId"]).await;
}

/// Waits for the answer; a turn that failed is continued, as a user would.
async fn answered(engine: &Engine, chat: &Value) {
    let search = json!({"search": null});
    loop {
        let list = call(engine, "chat_list", search.clone())
            .await
            .unwrap_or_default();
        let item = &list["items"][0];
        if item["phase"] == "idle" {
            if item["messages"].as_u64() >= Some(2) {
                return say("done answered");
            }
            let _ = call(engine, "chat_continue", json!({"chatId": chat})).await;
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn http_draft(engine: &Engine, http: &str) -> patchbay_contract::ServerDraft {
    let mut draft = engine.draft_of_url(&format!("http://{http}/mcp"));
    draft.name = "first".to_owned();
    draft.era = EraChoice::Legacy;
    if let TransportDraft::Http { headers, .. } = &mut draft.transport {
        headers.push(HttpHeader {
            name: "X-Ours".to_owned(),
            value: SECRETS[0].to_owned(),
            is_secret: true,
        });
    }
    draft
}

fn stdio_draft(engine: &Engine, stdio: &str) -> Result<patchbay_contract::ServerDraft, String> {
    let command = format!("{} {stdio}", bridge());
    let mut draft = engine.draft_of_command(&command).map_err(|error| error.message)?;
    draft.name = "second".to_owned();
    draft.era = EraChoice::Legacy;
    // It is found by a variable.
    draft.inherit_environment = Some(true);
    if let TransportDraft::Stdio { env, .. } = &mut draft.transport {
        env.push(patchbay_contract::EnvVar {
            name: "OURS_TOKEN".to_owned(),
            value: SECRETS[1].to_owned(),
        });
    }
    Ok(draft)
}

async fn add(
    engine: &Engine,
    draft: patchbay_contract::ServerDraft,
) -> Result<patchbay_contract::ServerId, String> {
    engine.add_server(draft).await.map_err(|error| error.message)
}

async fn called(engine: &Engine, id: &patchbay_contract::ServerId) -> Result<(), String> {
    let call =
        json!({"serverId": id, "name": "name-0", "argumentsJson": "{}", "metaJson": null, "timeouts": null});
    let (sink, mut events) = mpsc::channel(4);
    let _stream = engine
        .open_stream("tool_call", &call.to_string(), sink)
        .map_err(|error| error.message)?;
    let mut last = String::new();
    while let Some(event) = events.recv().await {
        if event.contains("outcome") || event.contains("\"error\"") {
            last = event;
        }
    }
    match last.contains("\"type\":\"result\"") {
        true => Ok(()),
        false => Err(last),
    }
}

/// Says how many records can be seen: they are stored.
async fn rows(engine: &Engine) {
    let page = json!({"filter": "", "offset": 0, "limit": 1});
    let rows = until("rows", async || call(engine, "traffic_rows", page.clone()).await).await;
    say(&format!("records {}", rows["total"]));
}

/// Repeats a step until it is done, and says so.
async fn until<T>(step: &str, mut attempt: impl AsyncFnMut() -> Result<T, String>) -> T {
    loop {
        match attempt().await {
            Ok(done) => {
                say(&format!("done {step}"));
                return done;
            }
            Err(error) => say(&format!("refused {step}: {}", error.replace('\n', " "))),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn say(line: &str) {
    println!("{line}");
    let _ = std::io::stdout().flush();
}

/// Opens the folder, unlocks the vault and prints what is there, as JSON.
pub(crate) async fn reopened(folder: &Path) -> Result<(), String> {
    let engine = open(folder).await?;
    let passphrase = json!({"passphrase": PASSPHRASE});
    let unlocked = call(&engine, "vault_unlock", passphrase).await;
    let of = async |name: &str, params: Value| {
        call(&engine, name, params)
            .await
            .unwrap_or_else(|error| json!({"error": error}))
    };
    let page = |filter: &str| json!({"filter": filter, "offset": 0, "limit": 1});
    let found = json!({
        "notices": of("app_info", json!({})).await["notices"],
        "unlocked": unlocked.err(),
        "vault": of("vault_get", json!({})).await,
        "servers": of("server_list", json!({})).await["items"],
        "providers": of("provider_list", json!({})).await,
        "roots": of("root_set_list", json!({})).await,
        "chats": of("chat_list", json!({"search": null})).await["items"],
        "proxy": of("proxy_get", json!({})).await["settings"],
        "ui": of("ui_state_get", json!({})).await["stateJson"],
        "records": of("traffic_rows", page("")).await["total"],
        "pending": of("traffic_rows", page("kind:request status:pending")).await["total"],
        "frames": frames(&engine).await?,
    });
    engine.shutdown().await;
    say(&found.to_string());
    Ok(())
}

/// Every frame of the log: its connection, whether its HTTP exchange is known, whether it was sent, its text.
async fn frames(engine: &Engine) -> Result<Vec<Value>, String> {
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let open = || file.reopen().map_err(|error| error.to_string());
    engine
        .export_recording(open()?)
        .await
        .map_err(|error| error.message)?;
    let read = patchbay_traffic::recording::read(std::io::BufReader::new(open()?));
    let mut frames = Vec::new();
    for frame in read {
        let frame = frame.map_err(|error| error.to_string())?;
        if let Some(direction) = frame.direction {
            let is_sent = direction == Direction::ClientToServer;
            let text = String::from_utf8_lossy(&frame.bytes);
            frames.push(json!([frame.connection, frame.http.is_some(), is_sent, text]));
        }
    }
    Ok(frames)
}
