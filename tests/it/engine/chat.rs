//! Conversations with real servers. The scripted model calls what the last message says, so the test decides each step.

mod approval;
mod context;
mod located;
mod subscribed;
mod three_servers;
mod wire;

use serde_json::{Value, json};

use super::{
    connected,
    definitions::{CHANGED, Changing, HARMLESS, OTHER, accept, refresh, remembering},
    inputs::first_pending,
};
use crate::{
    client::run_test,
    harness::{Harness, Stream},
    http::server::Server,
    programs::{ours, quoted, scripted},
};

/// A conversation as a front sees it.
struct Chat<'a> {
    harness: &'a Harness,
    id: Value,
    stream: Stream,
    items: Vec<Value>,
    phase: String,
    attached: Value,
    settings: Value,
}

impl<'a> Chat<'a> {
    /// Begins one that uses the tools of the harness's server.
    async fn begin(harness: &'a Harness, provider: &Server) -> Self {
        Self::begin_in("chatCompletions", harness, provider).await
    }

    /// Begins one in a wire format.
    async fn begin_in(api: &str, harness: &'a Harness, provider: &Server) -> Self {
        let saved = harness
            .call(
                "provider_save",
                json!({
                    "providerId": null, "name": "Scripted", "api": api,
                    "baseUrl": provider.url.replace("/v1", "/open/v1"), "key": { "type": "none" },
                    "defaultModel": "script",
                }),
            )
            .await;
        let answers = json!({ "type": "model", "providerId": saved["providerId"], "model": "script" });
        let settings = json!({ "answers": answers, "servers": [harness.server] });
        let made = harness
            .call("chat_create", json!({ "settings": &settings }))
            .await;
        let id = made["chatId"].clone();
        Self {
            harness,
            stream: harness.open("chat_open", json!({ "chatId": id })),
            id,
            items: Vec::new(),
            phase: String::new(),
            attached: Value::Null,
            settings,
        }
    }

    /// The same conversation in another window.
    fn beside(&self) -> Self {
        Self {
            harness: self.harness,
            id: self.id.clone(),
            stream: self.harness.open("chat_open", json!({ "chatId": self.id })),
            items: Vec::new(),
            phase: String::new(),
            attached: Value::Null,
            settings: self.settings.clone(),
        }
    }

    async fn send(&self, text: &str) {
        let params = json!({ "chatId": self.id, "text": text });
        self.harness.call("chat_send", params).await;
    }

    /// Chooses another model of the provider.
    async fn model(&mut self, name: &str) {
        self.settings["answers"]["model"] = json!(name);
        self.set(self.settings.clone()).await;
    }

    /// Changes the settings.
    async fn set(&self, settings: Value) {
        let params = json!({ "chatId": self.id, "settings": settings });
        self.harness.call("chat_settings_set", params).await;
    }

    async fn decide(&self, call: &Value, decision: Value) {
        let params = json!({ "chatId": self.id, "calls": [call["id"]], "decision": decision });
        self.harness.call("chat_decide", params).await;
    }

    /// Sends a message, and waits for the call that the model makes to wait for the user.
    async fn ask(&mut self, text: &str) -> Value {
        let before = self.calls().len();
        self.send(text).await;
        self.until(|chat| chat.calls().len() > before && chat.last_call()["state"] == "waiting")
            .await;
        self.last_call()
    }

    /// Waits for the end of the turn; returns the text of its last answer.
    async fn answered(&mut self) -> String {
        self.until(|chat| {
            chat.phase == "idle" && chat.items.last().is_some_and(|item| item["type"] == "answer")
        })
        .await;
        let text = &self.items.last().unwrap()["text"]["inline"];
        text.as_str().unwrap().to_owned()
    }

    async fn until(&mut self, is_it: impl Fn(&Self) -> bool) {
        while !is_it(self) {
            let event = self.stream.next().await.unwrap();
            match event["type"].as_str().unwrap() {
                "state" => {
                    self.phase = event["summary"]["phase"].as_str().unwrap().to_owned();
                    self.attached = event["attached"].clone();
                }
                "items" => event["items"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .for_each(|item| self.put(item)),
                "branch" => self.items.truncate(event["stay"].as_u64().unwrap() as usize),
                _ => {}
            }
        }
    }

    fn put(&mut self, item: &Value) {
        match self.items.iter_mut().find(|known| id(known) == id(item)) {
            Some(known) => *known = item.clone(),
            None => self.items.push(item.clone()),
        }
    }

    fn calls(&self) -> Vec<Value> {
        let calls = self.items.iter().filter(|item| item["type"] == "call");
        calls.map(|item| item["call"].clone()).collect()
    }

    fn last_call(&self) -> Value {
        self.calls().pop().unwrap()
    }
}

fn id(item: &Value) -> &Value {
    match item["type"] == "call" {
        true => &item["call"]["id"],
        false => &item["id"],
    }
}

fn run(edited: Option<&str>) -> Value {
    json!({ "type": "run", "editedJson": edited, "remember": null })
}

/// The texts of the calls that the server got.
async fn sent(harness: &Harness) -> Vec<String> {
    let rows = harness.all_rows().await;
    let calls = rows
        .iter()
        .filter(|row| row["method"] == "tools/call" && row["kind"] == "request");
    let mut texts = Vec::new();
    for call in calls {
        let record = harness.record(&call["seq"]).await;
        texts.push(record["raw"]["inline"].as_str().unwrap().to_owned());
    }
    texts
}

#[test]
fn the_user_decides_about_a_call_before_the_server_gets_it() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        let mut chat = Chat::begin(&harness, &provider).await;

        let call = chat.ask(r#"call greet {"name":"one"}"#).await;
        assert_eq!(
            sent(&harness).await,
            [""; 0],
            "nothing is sent before the decision"
        );
        chat.decide(&call, run(None)).await;
        assert!(chat.answered().await.contains("one"));
        let ended = chat.last_call();
        assert_eq!(
            (&ended["state"], &ended["decidedBy"]),
            (&json!("done"), &json!("You"))
        );

        let call = chat.ask(r#"call greet {"name":"two"}"#).await;
        let deny = json!({ "type": "deny", "reason": "It is late." });
        chat.decide(&call, deny).await;
        let told = chat.answered().await;
        assert!(told.contains("denied") && told.contains("It is late."), "{told}");
        assert_eq!(chat.last_call()["state"], "denied");

        let call = chat.ask(r#"call greet {"name":"three"}"#).await;
        let broken = json!({ "chatId": chat.id, "calls": [call["id"]], "decision": run(Some("[]")) });
        let refused = harness.engine.call("chat_decide", &broken.to_string()).await;
        assert!(refused.is_err(), "edited arguments are an object");
        chat.decide(&call, run(Some(r#"{"name":"changed"}"#))).await;
        let told = chat.answered().await;
        assert!(
            told.contains("The user changed the arguments") && told.contains("changed"),
            "{told}"
        );

        let sent = sent(&harness).await;
        assert_eq!(sent.len(), 2, "{sent:#?}");
        assert!(
            sent[0].contains(r#"{"name":"one"}"#) && sent[1].contains(r#"{"name":"changed"}"#),
            "{sent:#?}"
        );
        harness.engine.shutdown().await;
    });
}

/// The model gets a search tool in place of thousands, and what it finds from then on. The user decides about calls as ever.
#[test]
fn five_thousand_tools_are_found_by_a_search_tool() {
    let provider = Server::of("models", "any");
    run_test(async {
        let server = Changing::new();
        let number = |number: u32| {
            format!(
                r#"{{"name":"tool_{number}","description":"Does the work of number {number}.","inputSchema":{{"type":"object"}}}}"#
            )
        };
        let mut tools: Vec<String> = (0..5_000).map(number).collect();
        tools.extend([HARMLESS.to_owned(), OTHER.to_owned()]);
        let lists = |tools: &[String]| server.lists(&tools.iter().map(|tool| &**tool).collect::<Vec<_>>());
        lists(&tools);
        let harness = remembering(&server).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let given = async |chat: &Chat<'_>| {
            let all = harness.call("chat_tools", json!({ "chatId": chat.id })).await;
            let tools = all["tools"].as_array().unwrap().clone();
            let offered = tools.iter().filter(|tool| tool["offered"] == true);
            let names: Vec<String> = offered
                .map(|tool| tool["tool"].as_str().unwrap().to_owned())
                .collect();
            (all["search"].clone(), names)
        };
        let (search, offered) = given(&chat).await;
        assert_eq!(
            (&search["searched"], offered),
            (&json!(5_002), Vec::new()),
            "{search}"
        );
        assert!(
            search["because"].as_str().unwrap().contains("more than the 128"),
            "{search}"
        );

        // One that is not found yet cannot be called, and says what to do.
        chat.send("call read {}").await;
        chat.until(|chat| chat.calls().len() == 1).await;
        let told = chat.answered().await;
        assert!(told.contains("Find it with search_tools first"), "{told}");
        assert_eq!(sent(&harness).await, [""; 0]);

        chat.send(r#"call search_tools {"query":"reads a file"}"#).await;
        chat.until(|chat| chat.calls().len() == 2).await;
        let told = chat.answered().await;
        assert!(
            told.contains("1 of 5002 tools match") && told.contains("read (of"),
            "{told}"
        );
        let found = chat.last_call();
        assert_eq!(
            (&found["state"], &found["serverName"]),
            (&json!("done"), &json!("Patchbay"))
        );
        assert_eq!(given(&chat).await.1, ["read"]);

        // What was found is asked about like any other call.
        let call = chat.ask("call read {}").await;
        assert_eq!(sent(&harness).await, [""; 0]);
        chat.decide(&call, run(None)).await;
        chat.answered().await;
        assert_eq!(chat.last_call()["state"], "done");
        assert_eq!(sent(&harness).await.len(), 1);

        // A changed definition keeps it from the model, whether it was found or not.
        tools[5_000] = CHANGED.to_owned();
        lists(&tools);
        refresh(&harness).await;
        assert_eq!(given(&chat).await.1, [""; 0]);
        chat.send(r#"call search_tools {"query":"reads a file"}"#).await;
        chat.until(|chat| chat.calls().len() == 4).await;
        let told = chat.answered().await;
        assert!(told.contains("No tool of 5001 matches"), "{told}");
        chat.send(r#"call search_tools {"words":1}"#).await;
        chat.until(|chat| chat.calls().len() == 5).await;
        let told = chat.answered().await;
        assert!(told.contains("no string `query`"), "{told}");

        // With room for all of them there is no search; a limit of tokens brings it back.
        let set = async |chat: &Chat<'_>, tools: u32, tokens: Option<u32>| {
            let mut settings = chat.settings.clone();
            settings["maxTools"] = json!(tools);
            settings["maxToolTokens"] = json!(tokens);
            let params = json!({ "chatId": chat.id, "settings": settings });
            harness.call("chat_settings_set", params).await;
        };
        set(&chat, 10_000, None).await;
        let (search, offered) = given(&chat).await;
        assert_eq!(
            (search, offered.len()),
            (Value::Null, 5_002),
            "a blocked one is listed"
        );
        set(&chat, 10_000, Some(1_000)).await;
        let (search, _) = given(&chat).await;
        assert!(
            search["because"].as_str().unwrap().contains("more than the 1000"),
            "{search}"
        );
        harness.engine.shutdown().await;
    });
}

/// The provider fails after the call has run: the step is asked for again, the call is not.
#[test]
fn a_retried_step_does_not_repeat_a_call() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        for failing in ["529", "cut"] {
            let before = sent(&harness).await.len();
            let mut chat = Chat::begin(&harness, &provider).await;
            let call = chat.ask(r#"call greet {"name":"once"}"#).await;
            chat.model(failing).await;
            chat.decide(&call, run(None)).await;
            chat.until(|chat| chat.phase == "idle" && chat.items.last().unwrap()["type"] == "notice")
                .await;
            let notice = chat.items.last().unwrap()["id"].clone();
            chat.model("script").await;
            let params = json!({ "chatId": chat.id, "item": notice });
            harness.call("chat_regenerate", params).await;
            chat.until(|chat| chat.items.last().unwrap()["type"] != "notice")
                .await;
            let told = chat.answered().await;
            assert!(told.contains("The tools say:") && told.contains("once"), "{told}");
            assert_eq!(sent(&harness).await.len(), before + 1, "{failing}");
        }
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_server_that_ends_during_its_call_is_an_error_for_the_model_and_not_called_again() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let call = chat.ask("call crash {}").await;
        chat.decide(&call, run(None)).await;
        let told = chat.answered().await;
        assert!(
            told.contains("The connection was lost") && told.contains("may have run"),
            "{told}"
        );
        let ended = chat.last_call();
        assert_eq!(ended["state"], "failed", "{ended}");
        assert!(ended["requestSeq"].is_string(), "{ended}");
        assert_eq!(sent(&harness).await.len(), 1);

        // The conversation goes on: without the server, its tools are not given.
        chat.send("call crash {}").await;
        chat.until(|chat| chat.calls().len() == 2).await;
        let told = chat.answered().await;
        assert!(told.contains("crash"), "{told}");
        assert_eq!(chat.last_call()["state"], "failed");
        assert_eq!(sent(&harness).await.len(), 1);
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_definition_that_changes_while_a_call_waits_blocks_it_until_it_is_accepted() {
    let provider = Server::of("models", "any");
    run_test(async {
        let server = Changing::new();
        let harness = remembering(&server).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        let call = chat.ask("call read {}").await;
        server.lists(&[CHANGED, OTHER]);
        refresh(&harness).await;
        chat.decide(&call, run(None)).await;
        chat.until(|chat| chat.last_call()["definitionChanged"] == true)
            .await;
        let waits = chat.last_call();
        assert_eq!(waits["state"], "waiting");
        assert!(waits["askedBecause"].is_string(), "{waits}");
        assert_eq!(sent(&harness).await, [""; 0]);

        // Running it again does not help, accepting the change does.
        accept(&harness, json!(["read"])).await;
        chat.decide(&waits, run(None)).await;
        chat.answered().await;
        assert_eq!(chat.last_call()["state"], "done");
        assert_eq!(sent(&harness).await.len(), 1);

        // A change that is known already keeps the tool from the model.
        server.lists(&[OTHER]);
        refresh(&harness).await;
        server.lists(&[HARMLESS, OTHER]);
        refresh(&harness).await;
        let tools = harness.call("chat_tools", json!({ "chatId": chat.id })).await;
        let read = tools["tools"]
            .as_array()
            .unwrap()
            .iter()
            .find(|tool| tool["tool"] == "read");
        assert!(read.unwrap()["blocked"].is_string(), "{tools}");
        chat.send("call read {}").await;
        chat.until(|chat| chat.calls().len() == 2).await;
        chat.answered().await;
        assert_eq!(chat.last_call()["state"], "failed");
        assert_eq!(sent(&harness).await.len(), 1);
        harness.engine.shutdown().await;
    });
}

#[test]
fn what_a_call_asks_for_names_its_turn() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        let mut chat = Chat::begin(&harness, &provider).await;
        chat.send("Hello").await;
        chat.answered().await;
        let call = chat.ask("call elicitation {}").await;
        chat.decide(&call, run(None)).await;
        let item = first_pending(&harness, |_| true).await;
        // Over stdio it is only the one call under way.
        assert_eq!(item["turn"], Value::Null);
        let turn = json!({"chatId": chat.id, "title": "Hello", "number": 2});
        assert_eq!(item["during"][0]["turn"], turn, "{item}");
        chat.until(|chat| chat.last_call()["exchangeId"].is_string())
            .await;
        assert_eq!(chat.last_call()["exchangeId"], item["during"][0]["exchange"]);

        // Stopping the turn cancels the call; this server asks on.
        harness.call("chat_stop", json!({ "chatId": chat.id })).await;
        chat.until(|chat| chat.last_call()["state"] == "cancelled").await;
        first_pending(&harness, |item| item["callEnd"] == "cancelled").await;
        harness.engine.shutdown().await;
    });
}
