//! What is attached and what is wrong with it; two windows on one conversation.

use patchbay_contract::{EraChoice, TransportDraft};
use patchbay_engine::{SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use super::{Chat, run};
use crate::{
    client::run_test, engine::connected, harness::Harness, http::server::Server, programs::scripted,
};

/// A resource of 50 MB, one that is empty, and a prompt without messages.
const SERVER: &str = r#"read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"prompts":{}},"serverInfo":{"name":"s","version":"1"}}}'
read -r line
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *big://*)
    printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"big://one","text":"' "$id"
    head -c 50000000 /dev/zero | tr '\0' x
    printf '"}]}}\n' ;;
  *resources/read*) printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[]}}\n' "$id" ;;
  *prompts/get*) printf '{"jsonrpc":"2.0","id":%s,"result":{"messages":[]}}\n' "$id" ;;
  *) printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
"#;

#[test]
fn a_resource_of_50_mb_and_a_prompt_without_messages_are_refused_with_the_next_action() {
    let provider = Server::of("models", "any");
    run_test(async {
        let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command("sh -c :").unwrap();
        let harness = Harness::keeping(StoreChoice::Temporary, SecretsChoice::Memory, draft, |draft| {
            draft.era = EraChoice::Legacy;
            if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
                *args = ["-c", SERVER].map(str::to_owned).to_vec();
            }
        })
        .await;
        harness.connect().await.unwrap();
        let mut chat = Chat::begin(&harness, &provider).await;
        let refused = async |source: Value| {
            let params = json!({ "chatId": chat.id, "serverId": harness.server, "source": source });
            let error = harness.engine.call("chat_attach", &params.to_string()).await;
            error.unwrap_err().message
        };
        let big = refused(json!({ "type": "resource", "uri": "big://one" })).await;
        assert!(
            big.starts_with("big://one has 50.0 MB, more than the 4 MB") && big.contains("read a part of it"),
            "{big}"
        );
        let empty = refused(json!({ "type": "resource", "uri": "a://b" })).await;
        assert!(empty.starts_with("The resource has no content"), "{empty}");
        let prompt = refused(json!({ "type": "prompt", "name": "p", "argumentsJson": null })).await;
        assert!(
            prompt.starts_with("The prompt returned no messages") && prompt.contains("traffic log"),
            "{prompt}"
        );
        // The conversation goes on without them.
        chat.send("Hello").await;
        assert_eq!(chat.answered().await, "You said: Hello");
        harness.engine.shutdown().await;
    });
}

/// While a server is away, another one takes the name of its tool. When it is back, both have names of their own, and each
/// call goes where its name always went.
#[test]
fn an_alias_is_the_same_after_a_reconnect_although_another_server_has_the_tool_too() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let call = chat.ask("call echo {\"from\":\"first\"}").await;
        assert_eq!(call["serverId"], json!(harness.server));
        chat.decide(&call, run(None)).await;
        chat.answered().await;

        harness.of_server("connection_close").await;
        let mut draft = harness.engine.draft_of_command(&scripted("legacy")).unwrap();
        draft.name = "second".to_owned();
        draft.era = EraChoice::Legacy;
        let second = harness.engine.add_server(draft).await.unwrap();
        harness.engine.connect(&second).await.unwrap().unwrap();
        let mut settings = chat.settings.clone();
        settings["servers"] = json!([second, harness.server]);
        let params = json!({ "chatId": chat.id, "settings": settings });
        harness.call("chat_settings_set", params).await;

        let aliases = async || -> Vec<(Value, Value)> {
            let tools = harness.call("chat_tools", json!({ "chatId": chat.id })).await;
            let tools = tools["tools"].as_array().unwrap().clone();
            let echoes = tools.into_iter().filter(|tool| tool["tool"] == "echo");
            echoes
                .map(|tool| (tool["serverId"].clone(), tool["alias"].clone()))
                .collect()
        };
        let away = aliases().await;
        assert_eq!(away, [(json!(second), json!("second_echo"))]);
        harness.connect().await.unwrap();
        let back = aliases().await;
        assert_eq!(
            back,
            [
                (json!(second), json!("second_echo")),
                (json!(harness.server), json!("echo"))
            ]
        );
        let call = chat.ask("call echo {\"from\":\"later\"}").await;
        assert_eq!(call["serverId"], json!(harness.server));
        let call_of_second = {
            chat.decide(&call, run(None)).await;
            chat.answered().await;
            chat.ask("call second_echo {}").await
        };
        assert_eq!(call_of_second["serverId"], json!(second));
        harness.engine.shutdown().await;
    });
}

/// Two windows decide about the same call at once: it runs once.
#[test]
fn two_windows_on_one_conversation_see_the_same_and_a_call_runs_once() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let mut other = chat.beside();
        let call = chat.ask("call echo {\"n\":1}").await;
        other
            .until(|other| !other.calls().is_empty() && other.last_call()["state"] == "waiting")
            .await;
        let deny = json!({ "type": "deny", "reason": "too late" });
        tokio::join!(chat.decide(&call, run(None)), other.decide(&call, deny));
        chat.answered().await;
        other.answered().await;
        assert_eq!(chat.items, other.items);
        assert_eq!(chat.last_call()["state"], "done");
        assert_eq!(super::sent(&harness).await.len(), 1);
        // While a turn runs, the other window cannot start one.
        let call = chat.ask("call echo {\"n\":2}").await;
        let params = json!({ "chatId": other.id, "text": "me too" });
        let refused = harness.engine.call("chat_send", &params.to_string()).await;
        assert!(refused.unwrap_err().message.contains("is running"));
        chat.decide(&call, run(None)).await;
        chat.answered().await;
        harness.engine.shutdown().await;
    });
}
