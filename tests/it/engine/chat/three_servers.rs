//! Three servers of other people at once, on Node, Python and Rust, and what models say to them in both wire formats.

use serde_json::{Value, json};

use super::{Chat, sent};
use crate::{
    client::run_test,
    engine::connected,
    harness::Harness,
    http::server::Server,
    programs::{everything, ours, peer, quoted},
};

const APIS: [&str; 2] = ["chatCompletions", "anthropic"];

/// A call of each of them.
const CALLS: &str = "call get-sum {\"a\":40,\"b\":2}
call get_current_time {\"timezone\":\"Europe/Berlin\"}
call rust_echo {\"text\":\"from Rust\"}";

/// The servers, all connected. The harness's own is the one on Node.
struct Three {
    harness: Harness,
    servers: Vec<Value>,
}

impl Three {
    /// None if the peers are not installed.
    async fn connected() -> Option<Self> {
        let (node, python) = (everything()?, peer("PATCHBAY_PEERS_PYTHON", "mcp-server-time")?);
        let harness = connected(&node).await;
        let mut servers = vec![json!(harness.server)];
        let rust = quoted(&ours("patchbay-rmcp-server"));
        for (name, line) in [("time", &python), ("rust", &rust)] {
            let mut draft = harness.engine.draft_of_command(line).unwrap();
            draft.name = name.to_owned();
            let server = harness.engine.add_server(draft).await.unwrap();
            harness.engine.connect(&server).await.unwrap().unwrap();
            servers.push(json!(server));
        }
        Some(Self { harness, servers })
    }

    /// A conversation with all of them, whose calls run by rules.
    async fn chat(&self, api: &str, model: &str, provider: &Server) -> Chat<'_> {
        let mut chat = Chat::begin_in(api, &self.harness, provider).await;
        let rule = |server| json!({ "covers": { "type": "server" }, "serverId": server, "atMs": 0 });
        chat.settings["servers"] = json!(self.servers);
        chat.settings["rules"] = self.servers.iter().map(rule).collect();
        chat.settings["maxRounds"] = json!(2);
        chat.model(model).await;
        chat
    }
}

/// Waits for the end of a turn that ends with an item of this type.
async fn ended(chat: &mut Chat<'_>, kind: &str) -> Value {
    chat.until(|chat| chat.phase == "idle" && chat.items.last().is_some_and(|item| item["type"] == kind))
        .await;
    chat.items.last().unwrap().clone()
}

#[test]
fn calls_in_pieces_and_at_once_reach_each_of_three_servers_in_both_formats() {
    let provider = Server::of("models", "any");
    run_test(async {
        let Some(three) = Three::connected().await else {
            return;
        };
        for api in APIS {
            let mut chat = three.chat(api, "script", &provider).await;
            chat.send(CALLS).await;
            chat.until(|chat| chat.calls().len() == 3).await;
            let told = chat.answered().await;
            for part in ["42", "Europe/Berlin", "from Rust"] {
                assert!(told.contains(part), "{api} {part}: {told}");
            }
            for (call, server) in chat.calls().iter().zip(&three.servers) {
                assert_eq!(
                    (&call["state"], &call["serverId"]),
                    (&json!("done"), server),
                    "{call:#}"
                );
                assert!(
                    call["decidedBy"]
                        .as_str()
                        .unwrap()
                        .starts_with("rule: run all tools of"),
                    "{call:#}"
                );
                assert_eq!(call["problems"], json!([]), "{call:#}");
            }
            // Two of them have a tool `echo`, under a name each.
            let request = provider.seen().pop().unwrap();
            for tool in ["get-sum", "get_current_time", "echo", "rust_echo"] {
                assert!(
                    request.contains(&format!("\"name\":\"{tool}\"")),
                    "{tool}: {request}"
                );
            }
        }
        assert_eq!(sent(&three.harness).await.len(), 6);
        three.harness.engine.shutdown().await;
    });
}

#[test]
fn text_thoughts_refusals_and_the_limit_of_tokens_beside_three_servers_in_both_formats() {
    let provider = Server::of("models", "any");
    run_test(async {
        let Some(three) = Three::connected().await else {
            return;
        };
        for api in APIS {
            for (model, text, reason, thinking) in [
                ("talk", "Hello, wörld", json!("endTurn"), Value::Null),
                ("short", "Hello, wörld", json!("maxTokens"), Value::Null),
                ("think", "Thought.", json!("endTurn"), json!("Let me think.")),
                ("refuse", "I will not do that.", Value::Null, Value::Null),
            ] {
                let mut chat = three.chat(api, model, &provider).await;
                chat.send("Hello").await;
                assert_eq!(chat.answered().await, text, "{api} {model}");
                let answer = chat.items.last().unwrap();
                assert_eq!(answer["thinking"], thinking, "{api} {model}");
                // A refusal has another name in each API.
                if model != "refuse" {
                    assert_eq!(answer["stopReason"], reason, "{api} {model}");
                }
            }
        }
        assert_eq!(sent(&three.harness).await, [""; 0]);
        three.harness.engine.shutdown().await;
    });
}

/// Nothing is called by an answer that is not complete, and the conversation goes on with a model that answers.
#[test]
fn overload_a_cut_stream_and_half_a_call_beside_three_servers_in_both_formats() {
    let provider = Server::of("models", "any");
    run_test(async {
        let Some(three) = Three::connected().await else {
            return;
        };
        for api in APIS {
            for (model, words) in [
                ("529", "overloaded"),
                ("429", "Slow down"),
                ("cut", ""),
                ("unfinished", "ended before the answer did"),
                ("half-call", "ended before the answer did"),
                ("error", "Overloaded"),
            ] {
                let mut chat = three.chat(api, model, &provider).await;
                chat.send(CALLS).await;
                let notice = ended(&mut chat, "notice").await;
                assert_eq!(notice["kind"], "failed", "{api} {model}: {notice}");
                let cause = notice["cause"].as_str().unwrap();
                assert!(
                    !cause.is_empty() && cause.contains(words),
                    "{api} {model}: {notice}"
                );
                assert_eq!(chat.calls(), [Value::Null; 0], "{api} {model}");
                chat.model("script").await;
                let params = json!({ "chatId": chat.id, "item": notice["id"] });
                three.harness.call("chat_regenerate", params).await;
                chat.until(|chat| chat.calls().len() == 3).await;
                let told = chat.answered().await;
                assert!(told.contains("from Rust"), "{api} {model}: {told}");
            }
        }
        assert_eq!(sent(&three.harness).await.len(), 36);
        three.harness.engine.shutdown().await;
    });
}
