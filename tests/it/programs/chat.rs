//! `patchbay chat` with the scripted model, which calls what the message says, and with the user in its place.

mod formats;
#[cfg(unix)]
pub(super) mod saved;
#[cfg(unix)]
mod weather;

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::Value;

#[cfg(unix)]
use crate::programs::asking::terminal::answered;
use crate::{
    http::server::Server,
    programs::{Ended, Patchbay, ours, quoted, scripted},
};

fn demo() -> String {
    format!("{} demo-server", quoted(&ours("patchbay")))
}

/// Runs it with the scripted model of an API.
fn chat(provider: &Server, api: &str, more: &[&str]) -> Ended {
    chat_with(provider, api, "script", more)
}

/// Runs it with a model that behaves in another way.
fn chat_with(provider: &Server, api: &str, model: &str, more: &[&str]) -> Ended {
    let patchbay = Patchbay::new();
    command(&patchbay, provider, (api, model), more)
        .output()
        .unwrap()
        .into()
}

/// The command with a model of an API.
pub(super) fn command(
    patchbay: &Patchbay,
    provider: &Server,
    (api, model): (&str, &str),
    more: &[&str],
) -> Command {
    let base = match api {
        "anthropic" => provider.url.clone(),
        _ => provider.url.replace("/v1", "/open/v1"),
    };
    let args = ["chat", "--provider", api, "--base-url", &base, "--model", model];
    let mut command = patchbay.command(&[&args[..], more].concat());
    command.env("MODEL_KEY", "sk-scripted-0123456789abcdef");
    command
}

/// The events of `--json` while the model calls `greet`.
fn greeted(provider: &Server, approve: &str) -> Vec<Value> {
    let (demo, text) = (demo(), r#"call greet {"name":"Ada"}"#);
    let args = ["--json", "--stdio", &demo, "--approve", approve, "-p", text];
    let ended = chat(provider, "openai", &args).code(0);
    let lines = ended.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_model_uses_the_tools_of_two_servers_and_the_answer_is_on_stdout() {
    let provider = Server::of("models", "any");
    let (demo, other) = (demo(), scripted("legacy"));
    for (api, key) in [
        ("openai", &[][..]),
        ("anthropic", &["--key-env", "MODEL_KEY"][..]),
    ] {
        let text = "call greet {\"name\":\"Ada\"}\ncall progress {\"n\":1}";
        let servers = [
            "--stdio",
            &demo,
            "--stdio",
            &other,
            "--approve",
            "all",
            "-p",
            text,
        ];
        let ended = chat(&provider, api, &[&servers[..], key].concat()).code(0);
        assert!(
            ended.stdout.starts_with("The tools say: Hello, Ada!"),
            "{ended:?}"
        );
        assert!(ended.stderr.contains(r#"call greet of "#), "{ended:?}");
        assert!(!ended.stderr.contains("The tools say"), "{ended:?}");
    }
}

#[test]
fn every_step_is_an_event() {
    let provider = Server::of("models", "any");
    let told = greeted(&provider, "read-only");
    let types: Vec<&str> = told.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "model_request",
            "text",
            "tool_call",
            "tool_result",
            "model_request",
            "text",
            "done"
        ]
    );
    let (call, result, done) = (&told[2], &told[3], &told[6]);
    assert_eq!((&call["tool"], &call["id"]), (&"greet".into(), &result["id"]));
    assert!(
        result["decidedBy"]
            .as_str()
            .unwrap()
            .starts_with("rule: run read-only tools"),
        "{result}"
    );
    assert_eq!(result["state"], "done");
    assert_eq!(
        (&done["outcome"], &done["rounds"]),
        (&"answered".into(), &2.into())
    );
    assert_eq!(done["text"], "The tools say: Hello, Ada!");

    let told = greeted(&provider, "none");
    assert!(
        told.iter().any(|event| event["type"] == "input_request"),
        "{told:?}"
    );
    let result = told.iter().find(|event| event["type"] == "tool_result").unwrap();
    assert_eq!(result["state"], "denied");
    assert!(
        told.last().unwrap()["text"]
            .as_str()
            .unwrap()
            .contains("No calls run here"),
        "{told:?}"
    );
}

#[test]
fn the_limit_of_answers_ends_with_8_and_a_failure_with_6() {
    let provider = Server::of("models", "any");
    let endless = "again\ncall greet {\"name\":\"Ada\"}";
    let args = [
        "--stdio",
        &demo(),
        "--approve",
        "all",
        "--max-rounds",
        "3",
        "-p",
        endless,
    ];
    let ended = chat(&provider, "openai", &args).code(8);
    assert!(
        ended.stderr.contains("paused after 3 answers") && ended.stderr.contains("--max-rounds"),
        "{ended:?}"
    );
    assert_eq!(ended.stdout, "");
    let tokens = [&args[..], &["--max-turn-tokens", "10"]].concat();
    let ended = chat(&provider, "openai", &tokens).code(8);
    assert!(ended.stderr.contains("--max-turn-tokens for tokens"), "{ended:?}");
    assert!(ended.stderr.contains("paused after 18 tokens"), "{ended:?}");

    let failed = chat(&provider, "openai", &["--model", "529", "-p", "hi"]);
    assert_eq!(failed.code, Some(1), "a model is given once: {failed:?}");
    let refused = chat(&provider, "anthropic", &["-p", "hi"]).code(6);
    assert!(refused.stderr.contains("key"), "{refused:?}");
    let absent = ["--stdio", "/nowhere/server", "-p", "hi", "--approve", "none"];
    chat(&provider, "openai", &absent).code(2);
}

/// A server whose tool has an escape sequence in its name, and in the message of its progress.
#[cfg(unix)]
const ESCAPING: &str = r#"while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\("[^"]*"\|[0-9]*\).*/\1/p')
  case "$line" in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
  *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a\\u001b[1Ab","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
  *tools/call*)
    printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":"\\u001b]52;c;eA==\\u0007"}}\n' "$token"
    printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' "$id" ;;
  *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id" ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn escape_sequences_of_a_server_are_written_out() {
    let patchbay = Patchbay::new();
    let program = patchbay.folder().join("server.sh");
    std::fs::write(&program, ESCAPING).unwrap();
    let server = format!("sh {}", quoted(&program));
    let tool = "a\u{1b}[1Ab";
    let call = patchbay.run(&["tools", "call", "--era", "legacy", "--stdio", &server, tool]);
    let call = call.code(0);
    assert!(
        call.stderr.contains("progress 1: ⟨U+001B⟩]52;c;eA==⟨U+0007⟩"),
        "{call:?}"
    );
    assert!(!call.stderr.contains(['\u{1b}', '\u{7}']), "{call:?}");

    let provider = Server::of("models", "any");
    let args = ["--stdio", &server, "--approve", "ask", "-p", "call a__1Ab {}"];
    let chat = chat(&provider, "openai", &args).code(0);
    assert!(chat.stderr.contains("Run a⟨U+001B⟩[1Ab of "), "{chat:?}");
    assert!(!chat.stderr.contains('\u{1b}'), "{chat:?}");
}

/// A model repeats what a tool says, and a tool may say anything.
#[cfg(unix)]
#[test]
fn an_answer_does_not_control_the_terminal_and_is_unchanged_elsewhere() {
    let provider = Server::of("models", "any");
    let text = r#"call greet {"name":"\u001b]0;title\u0007\u009b2J\u2764\ufe0f"}"#;
    let server = demo();
    let args = ["--stdio", &server, "--approve", "all", "-p", text];
    let ended = chat(&provider, "openai", &args).code(0);
    let said = "\u{1b}]0;title\u{7}\u{9b}2J\u{2764}\u{fe0f}";
    assert!(ended.stdout.contains(said), "{ended:?}");

    let patchbay = Patchbay::new();
    let command = command(&patchbay, &provider, ("openai", "script"), &args);
    let shown = answered(&command, &[]).code(0).stdout;
    let marked = "⟨U+001B⟩]0;title⟨U+0007⟩⟨U+009B⟩2J\u{2764}\u{fe0f}";
    assert!(shown.contains(marked), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{shown}");
}

#[test]
fn the_user_answers_in_place_of_the_model() {
    let patchbay = Patchbay::new();
    let args = [
        "chat",
        "--provider",
        "manual",
        "--stdio",
        &demo(),
        "-p",
        "Greet Ada.",
    ];
    let mut child = patchbay
        .command(&args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = [
        // Nothing that could be sent: it is asked again.
        "",
        "{}",
        r#"{"calls":[{"name":"greet","arguments":{"name":"Ada"}}]}"#,
        "y",
        r#"{"text":"I try another.","calls":[{"name":"greet","arguments":{"name":"Bob"}}]}"#,
        "not him",
        "Done.",
    ];
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", lines.join("\n")).unwrap();
    drop(stdin);
    let ended = Ended::from(child.wait_with_output().unwrap()).code(0);
    assert_eq!(ended.stdout, "Done.\n");
    assert!(ended.stderr.contains("The reason: not him"), "{ended:?}");
    assert_eq!(
        ended.stderr.matches("The answer is empty.").count(),
        2,
        "{ended:?}"
    );

    let ended = patchbay.run(&args).code(1);
    assert!(ended.stderr.contains("The input ended"), "{ended:?}");
}

/// It could never be given.
#[test]
fn an_answer_that_is_refused_ends_the_chat_with_the_reason() {
    let patchbay = Patchbay::new();
    let mut child = patchbay
        .command(&["chat", "--provider", "manual", "-p", "Hello"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let calls = vec![r#"{"name":"greet"}"#; 257].join(",");
    // It stays open: the chat does not wait for another line.
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, r#"{{"calls":[{calls}]}}"#).unwrap();
    let ended = Ended::from(child.wait_with_output().unwrap()).code(1);
    assert!(ended.stderr.contains("at most 256 calls"), "{ended:?}");
    drop(stdin);
}
