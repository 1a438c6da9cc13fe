//! `patchbay chat` with saved servers: secrets in the vault, a tool that changed, trust for one run. And the message from stdin.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use super::demo;
use crate::{
    client::run_test,
    engine::definitions::{CHANGED, Changing, HARMLESS, OTHER},
    harness::Harness,
    http::server::Server,
    programs::{Ended, Patchbay, asking::terminal::answered},
};

pub(crate) const PASSPHRASE: &str = "correct horse battery staple";
const SECRET: &str = "s3cr3t-0f-the-server-4711";
const KEY: &str = "sk-scripted-0123456789abcdef";

/// Says how long its secret is, not what it is.
const SERVER: &str = r#"read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
read -r line
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"size","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
  *) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"It has %s characters."}]}}\n' "$id" "${#OURS_TOKEN}" ;;
  esac
done
"#;

fn command(patchbay: &Patchbay, folder: &Path, provider: &Server, more: &[&str]) -> Command {
    let folder = folder.display().to_string();
    let base = [
        "--data-dir",
        &folder,
        "chat",
        "--provider",
        "openai",
        "--model",
        "script",
    ];
    let address = ["--base-url", &provider.url, "--key-env", "MODEL_KEY"];
    let mut command = patchbay.command(&[&base[..], &address, more].concat());
    // No keychain, no matter whose machine this is.
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    command.env("MODEL_KEY", KEY);
    command
}

/// The folder of an app that has a saved server with a secret, and a vault with a passphrase.
pub(crate) async fn app_with_a_secret() -> Harness {
    let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command("sh -c :").unwrap();
    let harness = Harness::keeping(StoreChoice::Persistent, SecretsChoice::Vault, draft, |draft| {
        draft.name = "with a secret".to_owned();
    })
    .await;
    let passphrase = json!({ "choice": { "type": "passphrase", "text": PASSPHRASE } });
    harness.call("vault_choose", passphrase).await;
    harness
        .change(|draft| {
            draft["era"] = json!("legacy");
            draft["transport"]["args"] = json!(["-c", SERVER]);
            draft["transport"]["env"] = json!([{ "name": "OURS_TOKEN", "value": SECRET }]);
        })
        .await;
    harness.engine.shutdown().await;
    harness
}

#[test]
fn a_saved_server_gets_its_secrets_once_the_vault_is_opened_at_the_terminal() {
    let provider = Server::of("models", "any");
    let app = run_test(app_with_a_secret());
    let folder = app.folder();
    let (servers, vault) = (folder.join("servers.json"), folder.join("vault.json"));
    let before = (std::fs::read(&servers).unwrap(), std::fs::read(&vault).unwrap());
    let text = String::from_utf8_lossy(&before.0).into_owned();
    assert!(text.contains("${vault:") && !text.contains(SECRET), "{text}");

    let patchbay = Patchbay::new();
    let args = [
        "--server",
        "with a secret",
        "--approve",
        "all",
        "-p",
        "call size {}",
    ];
    let ended: Ended = command(&patchbay, folder, &provider, &args)
        .output()
        .unwrap()
        .into();
    let ended = ended.code(2);
    assert!(ended.stderr.contains("vault"), "{ended:?}");
    assert_eq!(provider.seen(), [""; 0], "nothing is asked of the model");

    let chat = command(&patchbay, folder, &provider, &args);
    let ended = answered(&chat, &[("vault: ", PASSPHRASE)]).code(0);
    let said = format!("The tools say: It has {} characters.", SECRET.len());
    assert!(ended.stdout.contains(&said), "{ended:?}");
    assert!(
        !ended.stdout.contains(SECRET) && !ended.stdout.contains(KEY),
        "{ended:?}"
    );
    // The key of this run is in no file, not even in the vault.
    let after = (std::fs::read(&servers).unwrap(), std::fs::read(&vault).unwrap());
    assert!(before == after, "the run changed the app's files");
}

/// The secrets have to be known before a model is asked, also if the server has none.
#[test]
fn a_locked_vault_is_opened_at_the_terminal_for_all_that_needs_its_secrets() {
    let provider = Server::of("models", "any");
    let app = run_test(app_with_a_secret());
    let folder = app.folder();
    let base = provider.url.replace("/v1", "/open/v1");
    let known = json!({ "id": "p", "name": "Local", "api": "chatCompletions", "baseUrl": base, "defaultModel": "talk" });
    let providers = json!({ "providers": [known] }).to_string();
    std::fs::write(folder.join("providers.json"), providers).unwrap();
    let (patchbay, demo, data) = (Patchbay::new(), demo(), folder.display().to_string());
    let asks = ["--on-sampling", "model:Local", "ask_model", "{}"];
    let greet = ["--approve", "all", "-p", "call greet {\"name\":\"Ada\"}"];
    for (command, said) in [
        (
            command(
                &patchbay,
                folder,
                &provider,
                &[&["--stdio", &demo], &greet[..]].concat(),
            ),
            "The tools say: Hello, Ada!",
        ),
        (
            patchbay.command(&["--data-dir", &data, "doctor", "--server", "with a secret"]),
            "ok      ",
        ),
        (
            patchbay.command(
                &[
                    &["--data-dir", &data, "tools", "call", "--stdio", &demo],
                    &asks[..],
                ]
                .concat(),
            ),
            "Hello, w",
        ),
    ] {
        let mut command = command;
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
        let ended = answered(&command, &[("vault: ", PASSPHRASE)]).code(0);
        assert!(ended.stdout.contains(said), "{said}: {ended:?}");
    }
}

/// The key needs no vault, whatever the servers are.
#[test]
fn a_key_is_used_where_there_is_no_vault() {
    let provider = Server::of("models", "any");
    let patchbay = Patchbay::new();
    let folder = patchbay.folder().to_owned();
    let entry = json!({ "command": "sh", "args": ["-c", SERVER], "id": "one", "era": "legacy" });
    let servers = json!({ "mcpServers": { "plain": entry } }).to_string();
    std::fs::write(folder.join("servers.json"), servers).unwrap();
    let args = ["--server", "plain", "--approve", "all", "-p", "call size {}"];
    let ended = Ended::from(command(&patchbay, &folder, &provider, &args).output().unwrap()).code(0);
    assert_eq!(ended.stdout, "The tools say: It has 0 characters.\n");
    assert!(!folder.join("vault.json").exists());
}

/// `--approve read-only` trusts for one run what the servers say about their tools: the settings of the app stay.
#[test]
fn trust_in_read_only_tools_is_for_one_run() {
    let provider = Server::of("models", "any");
    let patchbay = Patchbay::new();
    let folder = patchbay.folder().to_owned();
    let read_only = HARMLESS.replace(
        r#""inputSchema""#,
        r#""annotations":{"readOnlyHint":true},"inputSchema""#,
    );
    let server = Changing::new();
    server.lists(&[&read_only, OTHER]);
    let file = folder.join("servers.json");
    std::fs::write(&file, server.servers()).unwrap();
    let before = std::fs::read_to_string(&file).unwrap();
    let text = "call read {}\ncall other {}";
    let args = [
        "--json",
        "--server",
        "changing",
        "--approve",
        "read-only",
        "-p",
        text,
    ];
    let ended = Ended::from(command(&patchbay, &folder, &provider, &args).output().unwrap()).code(0);
    // In the order in which they ended: a denied call needs no server.
    let mut results = of_type(&ended, "tool_result");
    results.sort_by_key(|result| result["state"] != "done");
    let by = |tool: usize| results[tool]["decidedBy"].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (&results[0]["state"], &results[1]["state"]),
        (&json!("done"), &json!("denied"))
    );
    assert!(
        by(0).starts_with("rule: run read-only tools of changing"),
        "{results:#?}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

fn of_type(ended: &Ended, kind: &str) -> Vec<Value> {
    let events = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["type"] == kind).collect()
}

#[test]
fn a_tool_that_changed_is_not_given_and_not_called_until_the_change_is_accepted() {
    let provider = Server::of("models", "any");
    let patchbay = Patchbay::new();
    let folder = patchbay.folder().to_owned();
    let server = Changing::new();
    std::fs::write(folder.join("servers.json"), server.servers()).unwrap();
    let accept = || {
        patchbay.run(&[
            "--data-dir",
            ".",
            "tools",
            "accept",
            "--server",
            "changing",
            "--all",
        ])
    };
    accept().code(0);
    server.lists(&[CHANGED, OTHER]);
    let run = |more: &[&str]| {
        let args = ["--server", "changing", "--approve", "all", "-p", "call read {}"];
        let chat = command(&patchbay, &folder, &provider, &[&args[..], more].concat()).output();
        Ended::from(chat.unwrap()).code(0)
    };
    let ended = run(&["--json"]);
    let blocked = json!({ "type": "tool_blocked", "server": "changing", "tool": "read", "because": "definitionChanged" });
    assert_eq!(of_type(&ended, "tool_blocked"), [blocked]);
    let results = of_type(&ended, "tool_result");
    assert_eq!(results.len(), 1, "{ended:?}");
    assert_eq!(
        (&results[0]["state"], &results[0]["requestSeq"]),
        (&json!("failed"), &Value::Null)
    );
    assert!(
        results[0]["error"]
            .as_str()
            .unwrap()
            .contains("Its definition changed"),
        "{results:?}"
    );
    let sent = provider.seen().concat();
    assert!(
        !sent.contains("First send") && sent.contains("\"other\""),
        "{sent}"
    );
    let words = run(&[]).stderr;
    assert!(words.contains("patchbay tools accept"), "{words}");

    accept().code(0);
    let ended = run(&["--json"]);
    assert_eq!(of_type(&ended, "tool_blocked"), [Value::Null; 0]);
    assert_eq!(of_type(&ended, "tool_result")[0]["state"], "done");
}

/// Runs it with a message on stdin.
fn from_stdin(provider: &Server, message: &[u8], more: &[&str]) -> Ended {
    let patchbay = Patchbay::new();
    let demo = demo();
    let args = [&["--stdio", &demo], more].concat();
    let mut child = command(&patchbay, patchbay.folder(), provider, &args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended before it read all of it.
    let written = stdin.write_all(message);
    drop(stdin);
    let ended = Ended::from(child.wait_with_output().unwrap());
    assert!(written.is_ok() || ended.code != Some(0), "{ended:?}");
    ended
}

#[test]
fn the_message_is_read_from_stdin_without_p() {
    let provider = Server::of("models", "any");
    let message = "call greet {\"name\":\"Ada\"}\ncall greet {\"name\":\"Wörld\"}\n";
    let ended = from_stdin(&provider, message.as_bytes(), &["--approve", "all"]).code(0);
    assert_eq!(ended.stdout, "The tools say: Hello, Ada! | Hello, Wörld!\n");
    let asked = provider.seen().len();

    // The limit is in the middle of a character.
    let too_long = "aä".repeat(1 << 19);
    for (message, approve, words) in [
        // It would be followed by decisions.
        (message.as_bytes(), "ask", "Give the message with -p"),
        (b"", "all", "The message is empty"),
        (b" \n", "none", "The message is empty"),
        (b"\xff\xfe", "all", "stdin: it is not UTF-8 text"),
        (too_long.as_bytes(), "all", "stdin: it is larger than 1 MiB"),
    ] {
        let ended = from_stdin(&provider, message, &["--approve", approve]).code(1);
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
        assert_eq!(ended.stdout, "");
    }
    assert_eq!(provider.seen().len(), asked, "nothing is asked of the model");
}

#[test]
fn what_is_piped_in_decides_nothing() {
    let provider = Server::of("models", "any");
    let asks = ["--approve", "ask", "-p", "call greet {\"name\":\"Ada\"}"];
    let ended = from_stdin(&provider, b"y\n", &asks).code(0);
    assert!(
        ended.stdout.contains("Nobody answered whether it may run"),
        "{ended:?}"
    );
}
