//! The user stops a turn: nothing is sent after that, and nothing that a server does or does not do keeps it running.

#![cfg(unix)]

use std::{sync::Arc, time::Duration};

use patchbay_contract::{ChatCallState, ChatRule, ChatRuleScope, ChatSettings, ServerId};
use patchbay_traffic::{Filter, Kind, Row};
use serde_json::json;
use tokio::{sync::watch, time::timeout};

use super::{call, turns::Harness};
use crate::{
    chat::{
        calls,
        conversation::Conversation,
        item::{Call, Item},
        toolbox::Toolbox,
        turn::Turn,
    },
    engine::testing::legacy_script,
};

pub(super) const LONG: Duration = Duration::from_secs(20);

/// Says that its tools changed when it is told to, and then never lists them.
const SERVER: &str = r#"
changed=
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $changed$line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    changed*'"tools/list"'*) ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' "$id" ;;
    *'"change"'*) changed=changed; printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n' ;;
  esac
done
"#;

fn covering(server: &ServerId) -> ChatSettings {
    let rule = ChatRule {
        covers: ChatRuleScope::Server {},
        server_id: server.clone(),
        at_ms: 1.0,
    };
    ChatSettings {
        servers: vec![server.clone()],
        rules: vec![rule],
        ..ChatSettings::default()
    }
}

/// Calls of one conversation that a rule covers.
struct Covered {
    harness: Harness,
    server: ServerId,
    conversation: Arc<Conversation>,
    ids: Vec<String>,
}

impl Covered {
    async fn new(count: usize) -> Self {
        let harness = Harness::new().await;
        let server = legacy_script(&harness.engine, SERVER).await;
        let listing = json!({ "serverId": server, "refresh": false, "cursor": null });
        harness.call("tool_list", listing).await;
        let conversation = harness.engine.state.chats.create(covering(&server)).unwrap();
        let ids: Vec<String> = (1..=count).map(|id| id.to_string()).collect();
        let made = ids.iter().map(|id| {
            // Each is of an answer of its own: many calls of one answer would be asked about.
            let call = Call {
                server_id: Some(server.clone()),
                arguments: json!({ "n": id }).to_string(),
                ..call(id, &format!("a{id}"), ChatCallState::Queued)
            };
            Item::Call(Box::new(call))
        });
        conversation.put(made.collect()).await.unwrap();
        Self {
            harness,
            server,
            conversation,
            ids,
        }
    }

    async fn run(&self, stop: watch::Receiver<bool>) {
        let tools = Toolbox {
            servers: Vec::new(),
            tools: Vec::new(),
            system_prompt: String::new(),
            search: None,
        };
        let named = ("a turn".to_owned(), 1);
        let turn = Turn::new(&self.harness.engine, &self.conversation, named, stop);
        let run = calls::run_all(&turn, &tools, self.ids.clone());
        timeout(LONG, run).await.expect("it goes on").unwrap();
    }

    fn states(&self) -> Vec<ChatCallState> {
        let calls = self.ids.iter().map(|id| self.conversation.call(id));
        calls.map(|call| call.unwrap().state).collect()
    }

    /// Asserts that no call was sent.
    async fn none_was_sent(self) {
        assert_eq!(self.states(), vec![ChatCallState::NotRun; self.ids.len()]);
        assert_eq!(sent(&self.harness, "tools/call").await, 0);
        self.harness.engine.shutdown().await;
    }
}

/// All requests.
pub(super) async fn requests(harness: &Harness) -> Vec<Row> {
    let state = &harness.engine.state;
    state.recorder.flush().await.unwrap();
    let requests = Filter::default().kinds(&[Kind::Request]);
    state.store.rows(&requests, 0, 1_000).await.unwrap()
}

/// How many requests with this method there are.
pub(super) async fn sent(harness: &Harness, method: &str) -> usize {
    let rows = requests(harness).await;
    let rows = rows.iter();
    rows.filter(|row| row.method.as_deref() == Some(method)).count()
}

#[tokio::test]
async fn calls_that_a_rule_covers_are_sent() {
    let covered = Covered::new(3).await;
    let (_go_on, stop) = watch::channel(false);
    covered.run(stop).await;
    assert_eq!(covered.states(), vec![ChatCallState::Done; 3]);
    assert_eq!(sent(&covered.harness, "tools/call").await, 3);
    covered.harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_stopped_turn_sends_none_of_the_calls_that_a_rule_covers() {
    let covered = Covered::new(64).await;
    let (_stopped, stop) = watch::channel(true);
    covered.run(stop).await;
    covered.none_was_sent().await;
}

#[tokio::test]
async fn a_call_is_not_sent_if_the_turn_is_stopped_while_it_is_written() {
    let covered = Covered::new(1).await;
    let (stopped, stop) = watch::channel(false);
    let file = covered.conversation.file().await;
    tokio::join!(covered.run(stop), async {
        stopped.send(true).unwrap();
        drop(file);
    });
    covered.none_was_sent().await;
}

#[tokio::test]
async fn a_call_is_not_sent_if_the_turn_is_stopped_while_the_tools_are_listed() {
    let covered = Covered::new(1).await;
    let live = covered.harness.engine.state.live(&covered.server).unwrap();
    let mut notices = live.connection.as_ref().unwrap().notices();
    let text = r#"{"jsonrpc":"2.0","method":"change"}"#;
    let change = json!({ "serverId": covered.server, "text": text, "repeats": null });
    covered.harness.call("message_send", change).await;
    let changed = notices.wait_for(|notices| notices.tools_changed == 1);
    timeout(LONG, changed).await.unwrap().unwrap();
    let (stopped, stop) = watch::channel(false);
    let mut conversation = covered.conversation.watch();
    let is_running = || covered.states() == [ChatCallState::Running];
    tokio::join!(covered.run(stop), async {
        while !is_running() {
            conversation.changed().await.unwrap();
        }
        // It would be listed before it is called.
        stopped.send(true).unwrap();
    });
    covered.none_was_sent().await;
}

/// The first listing never ends either.
#[tokio::test]
async fn a_turn_is_stopped_while_a_server_lists_its_tools() {
    let harness = Harness::new().await;
    let silent = SERVER.replace("\nchanged=\n", "\nchanged=changed\n");
    let server = legacy_script(&harness.engine, &silent).await;
    let settings = json!({ "answers": { "type": "manual" }, "servers": [server] });
    let made = harness.call("chat_create", json!({ "settings": settings })).await;
    let mut chat = harness.watch(made["chatId"].clone());
    harness.send(&chat, "hi").await;
    chat.until(|chat| chat.phase() == "answering").await;
    harness.call("chat_stop", json!({ "chatId": chat.id })).await;
    let stopped = chat.until(|chat| chat.items.len() == 2 && chat.phase() == "idle");
    timeout(LONG, stopped).await.expect("it goes on");
    assert_eq!(chat.last()["kind"], "stopped", "{}", chat.last());
    harness.engine.shutdown().await;
}
