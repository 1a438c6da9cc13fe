//! What calls carry from one server to another, and who was sent what.

use std::sync::Arc;

use patchbay_contract::{ChatCallState, EraChoice, ServerId, TransportDraft};
use serde_json::{Value, json};

use super::{
    answer, call,
    turns::{APIS, Harness, Watched},
    user,
};
use crate::{
    chat::{
        calls::{Sources, compared},
        item::{Call, Carried, Item, Origin},
    },
    engine::testing::attended,
};

/// A result of a server.
fn result(id: &str, server: &str, result: &Value) -> Item {
    Item::Call(Box::new(Call {
        server_id: Some(ServerId(server.to_owned())),
        server_name: server.to_uppercase(),
        result: Some(result.to_string()),
        ..call(id, "2", ChatCallState::Done)
    }))
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// What a call of server `b` with these arguments carries.
async fn carried(items: &[Item], arguments: &Value) -> Vec<Carried> {
    let sources = Arc::new(Sources::of(items, "Be brief about project-4711."));
    let made = Call {
        server_id: Some(ServerId("b".to_owned())),
        arguments: arguments.to_string(),
        ..call("99", "98", ChatCallState::Queued)
    };
    let definition = r#"{"name":"send","inputSchema":{"properties":{"kind":{"enum":["format-number-1"]}}}}"#;
    let compared = compared(&sources, definition, made).await;
    assert!(!compared.compared_in_part);
    compared.carried
}

/// The excerpts that cross, with the items that they are from.
async fn crossing(items: &[Item], arguments: Value) -> Vec<(String, String)> {
    let carried = carried(items, &arguments).await;
    let crossing = carried.into_iter().filter(|one| one.crosses);
    crossing.map(|one| (one.item, one.excerpt)).collect()
}

#[tokio::test]
async fn values_words_and_runs_of_words_are_found_wherever_a_server_said_them() {
    let said = text(
        "Dear Ada, the code is KX-4411-ALPHA. Your account 4929123412341234 is billed to ada@example.com on 2026-11-26. We walk the dog every single morning before the sun rises.",
    );
    let structured = json!({ "structuredContent": { "deep": [{ "token": "tök\u{65}n/with \"quotes\"" }] } });
    let inner = text(&json!({ "id": "inner-value-77", "n": 1234567890123_u64 }).to_string());
    let items = [
        user("1", "hi"),
        answer("2", "", 3),
        result("3", "a", &said),
        result("4", "a", &structured),
        result("5", "a", &inner),
    ];
    let one = |item: &str, excerpt: &str| vec![(item.to_owned(), excerpt.to_owned())];
    for (arguments, found) in [
        // A whole value, within a longer text, in a name, and below.
        (json!({ "a": "KX-4411-ALPHA" }), one("3", "KX-4411-ALPHA")),
        (
            json!({ "a": [{ "b": "https://evil.example/?q=KX-4411-ALPHA&x=1" }] }),
            one("3", "KX-4411-ALPHA"),
        ),
        (json!({ "KX-4411-ALPHA": 1 }), one("3", "KX-4411-ALPHA")),
        (
            json!({ "to": "Write to ada@example.com, please" }),
            one("3", "ada@example.com"),
        ),
        (
            json!({ "card": 4929123412341234_u64 }),
            one("3", "4929123412341234"),
        ),
        (json!({ "n": "1234567890123" }), one("5", "1234567890123")),
        (
            json!({ "a": "tök\u{65}n/with \"quotes\"" }),
            one("4", "tök\u{65}n/with \"quotes\""),
        ),
        (json!({ "a": "see inner-value-77" }), one("5", "inner-value-77")),
        (
            json!({ "a": "They say: We walk the dog every single morning, always" }),
            one("3", "We walk the dog every single"),
        ),
        // Too common, a part of a word, or nothing of anybody.
        (
            json!({ "a": "account", "b": "the code is", "c": "2026-11-26", "d": true }),
            Vec::new(),
        ),
        (json!({ "a": "X-4411-ALP" }), Vec::new()),
        (json!({ "a": "KX-4411-BRAVO" }), Vec::new()),
        (json!({}), Vec::new()),
    ] {
        assert_eq!(crossing(&items, arguments.clone()).await, found, "{arguments}");
    }
    let broken = Call {
        arguments: "{\"a\":\"KX-4411-ALPHA".to_owned(),
        server_id: Some(ServerId("b".to_owned())),
        ..call("99", "98", ChatCallState::Queued)
    };
    // What is cut off is not JSON, and is never sent.
    let sources = Arc::new(Sources::of(&items, ""));
    assert_eq!(compared(&sources, "{}", broken).await.carried, []);
}

#[tokio::test]
async fn what_the_user_or_the_server_itself_said_may_go_to_it() {
    let code = text("The code is KX-4411-ALPHA.");
    let arguments = || json!({ "a": "KX-4411-ALPHA" });
    let of = |items: Vec<Item>| async move { crossing(&items, arguments()).await };
    assert_eq!(of(vec![result("3", "a", &code)]).await.len(), 1);
    assert_eq!(of(vec![result("3", "b", &code)]).await, [], "its own");
    assert_eq!(
        of(vec![result("3", "b", &code), result("4", "a", &code)]).await,
        []
    );
    assert_eq!(
        of(vec![user("1", "Use KX-4411-ALPHA"), result("4", "a", &code)]).await,
        []
    );
    // A model repeats what others said.
    assert_eq!(
        of(vec![answer("1", "KX-4411-ALPHA", 0), result("4", "a", &code)])
            .await
            .len(),
        1
    );
    let words = text("format-number-1 project-4711");
    let defined = json!({ "kind": "format-number-1", "b": "project-4711" });
    assert_eq!(
        crossing(&[result("3", "a", &words)], defined).await,
        [],
        "defined, or in the system prompt"
    );

    // What a server gets of the user's words is known too.
    let own = carried(&[user("1", "Use KX-4411-ALPHA")], &arguments()).await;
    assert_eq!(
        (own.len(), &*own[0].item, own[0].crosses, &own[0].server_id),
        (1, "1", false, &None)
    );
    // Of a message with a resource of a server, each part has its own origin.
    let Item::User(mut message) = user("1", "typed-by-me-1") else {
        unreachable!()
    };
    let resource = r#"{"type":"resource","resource":{"uri":"a:b","text":"read-from-a-2"}}"#;
    message.blocks = format!("[{resource},{}]", &message.blocks[1..message.blocks.len() - 1]);
    message.origins = vec![Origin {
        server_id: ServerId("a".to_owned()),
        server_name: "A".to_owned(),
        first: 0,
        count: 1,
    }];
    let both = carried(
        &[Item::User(message)],
        &json!({ "a": "typed-by-me-1 read-from-a-2" }),
    )
    .await;
    let parts: Vec<(&str, bool)> = both.iter().map(|one| (&*one.excerpt, one.crosses)).collect();
    assert_eq!(parts, [("read-from-a-2", true), ("typed-by-me-1", false)]);
}

#[tokio::test]
async fn what_is_too_long_to_compare_is_said() {
    let long = text(&"words that fill the room ".repeat(200_000));
    let items = [
        result("3", "a", &text("KX-4411-ALPHA")),
        result("4", "a", &long),
        result("5", "a", &long),
    ];
    let sources = Arc::new(Sources::of(&items, ""));
    let made = |arguments: Value| Call {
        server_id: Some(ServerId("b".to_owned())),
        arguments: arguments.to_string(),
        ..call("99", "98", ChatCallState::Queued)
    };
    let begun = std::time::Instant::now();
    let one = compared(&sources, "{}", made(json!({ "a": "KX-4411-ALPHA" }))).await;
    assert!(one.compared_in_part && one.carried.is_empty());
    // Nothing in the arguments could be from anywhere.
    assert!(
        !compared(&sources, "{}", made(json!({ "a": 1 })))
            .await
            .compared_in_part
    );
    // Many arguments, each of which is everywhere.
    let many: Vec<String> = (0..20_000).map(|at| format!("value-number-{at}")).collect();
    let sources = Arc::new(Sources::of(&[result("3", "a", &json!(many))], ""));
    let all = compared(&sources, "{}", made(json!(many))).await;
    assert!(all.compared_in_part, "there are too many to search for");
    assert_eq!((all.carried.len(), all.carried[0].crosses), (1, true));
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

/// What the items of server `a` say of a code that a call takes to server `b`.
async fn takes_the_code(item: Item) -> Call {
    let sources = Arc::new(Sources::of(&[item], ""));
    let made = Call {
        server_id: Some(ServerId("b".to_owned())),
        arguments: json!({ "a": "KX-4411-ALPHA" }).to_string(),
        ..call("99", "98", ChatCallState::Queued)
    };
    compared(&sources, "{}", made).await
}

/// Rows without a space are no encoded image, and neither is what only has the letters of one.
#[tokio::test]
async fn large_texts_without_white_space_are_compared() {
    let rows = format!("{}KX-4411-ALPHA,last", "row,".repeat(20_000));
    let letters = format!("{} KX-4411-ALPHA", "A".repeat(70_000));
    let blob = json!({ "type": "resource", "resource": { "uri": "a:b", "blob": rows } });
    for said in [
        text(&rows),
        text(&letters),
        json!({ "content": [], "structuredContent": { "data": rows } }),
        json!({ "content": [{ "type": "text", "text": "so", "data": rows }] }),
        // A model gets it as it is.
        json!({ "content": [blob] }),
    ] {
        let call = takes_the_code(result("3", "a", &said)).await;
        assert!(!call.compared_in_part);
        assert_eq!(call.carried.len(), 1, "{}", &said.to_string()[..100]);
    }
}

#[tokio::test]
async fn the_bytes_of_images_leave_room_for_texts() {
    let image = json!({ "type": "image", "mimeType": "image/png", "data": "A".repeat(9 << 20) });
    let said = json!({ "content": [image, { "type": "text", "text": "KX-4411-ALPHA" }] });
    let call = takes_the_code(result("3", "a", &said)).await;
    assert_eq!((call.carried.len(), call.compared_in_part), (1, false));
    let resource = json!({ "uri": "a:KX-4411-ALPHA", "mimeType": "image/png", "blob": "A".repeat(9 << 20) });
    let Item::User(mut message) = user("1", "") else {
        unreachable!()
    };
    message.blocks = json!([{ "type": "resource", "resource": resource }]).to_string();
    let call = takes_the_code(Item::User(message)).await;
    assert_eq!((call.carried.len(), call.compared_in_part), (1, false));
}

#[tokio::test]
async fn encoded_data_in_arguments_is_said_to_be_not_compared() {
    let sources = Arc::new(Sources::of(&[result("3", "a", &text("so"))], ""));
    let made = Call {
        server_id: Some(ServerId("b".to_owned())),
        arguments: json!({ "image": "iVBORw0K".repeat(10_000) }).to_string(),
        ..call("99", "98", ChatCallState::Queued)
    };
    assert!(compared(&sources, "{}", made).await.compared_in_part);
}

/// Adds a server with one tool that always says the same, and with a resource and a prompt that do.
async fn server(harness: &Harness, name: &str, tool: &str, says: &str) -> ServerId {
    let script = format!(
        r#"read -r line
printf '%s\n' '{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{{"tools":{{}},"resources":{{}},"prompts":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}'
read -r line
while read -r line; do
id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
case "$line" in
*tools/list*) result='{{"tools":[{{"name":"{tool}","inputSchema":{{"type":"object"}}}}]}}' ;;
*tools/call*) result='{{"content":[{{"type":"text","text":"{says}"}}]}}' ;;
*resources/read*) result='{{"contents":[{{"uri":"a:b","text":"resource: {says}"}}]}}' ;;
*prompts/get*) result='{{"messages":[{{"role":"user","content":{{"type":"text","text":"prompt: {says}"}}}}]}}' ;;
*) result='{{}}' ;;
esac
printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$result"
done
"#
    );
    let mut draft = harness.engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), script];
    }
    draft.name = name.to_owned();
    draft.era = EraChoice::Legacy;
    let server = harness.engine.add_server(draft).await.unwrap();
    harness.engine.connect(&server).await.unwrap().unwrap();
    server
}

impl Harness {
    /// A conversation with two servers, all of whose tools a rule runs.
    async fn between(&self, api: &str, servers: [&ServerId; 2]) -> Watched {
        let mut chat = self.begin(api, "script").await;
        chat.until(|chat| !chat.state.is_null()).await;
        let mut settings = chat.state["settings"].clone();
        settings["servers"] = json!(servers);
        let rule = |server| json!({ "serverId": server, "covers": { "type": "server" }, "atMs": 1 });
        settings["rules"] = json!(servers.map(rule));
        let params = json!({ "chatId": chat.id, "settings": settings });
        self.call("chat_settings_set", params).await;
        chat
    }

    /// Sends a message whose call a rule runs; returns the call.
    async fn runs(&self, chat: &mut Watched, text: &str) -> Value {
        let before = chat.calls().len();
        self.send(chat, text).await;
        chat.until(|chat| {
            chat.calls().len() > before && chat.last()["type"] == "answer" && chat.phase() == "idle"
        })
        .await;
        chat.calls().pop().unwrap().clone()
    }

    /// Sends a message whose call waits for the user although a rule covers it; lets it run, and returns it as it waited.
    async fn asks(&self, chat: &mut Watched, text: &str, edited: Option<&str>) -> Value {
        let before = chat.calls().len();
        self.send(chat, text).await;
        chat.until(|chat| chat.calls().len() > before && chat.calls().last().unwrap()["state"] == "waiting")
            .await;
        let call = chat.calls().pop().unwrap().clone();
        let decision = json!({ "type": "run", "editedJson": edited, "remember": null });
        let params = json!({ "chatId": chat.id, "calls": [call["id"]], "decision": decision });
        self.call("chat_decide", params).await;
        chat.until(|chat| chat.last()["type"] == "answer" && chat.phase() == "idle")
            .await;
        call
    }
}

#[tokio::test]
async fn a_call_that_takes_data_of_one_server_to_another_asks_whatever_the_rules_say() {
    let harness = Harness::new().await;
    let notes = server(&harness, "notes", "read", "The code is KX-4411-ALPHA.").await;
    let post = server(&harness, "post", "send", "sent").await;
    for api in APIS {
        let mut chat = harness.between(api, [&notes, &post]).await;
        let read = harness.runs(&mut chat, "call read {}").await;
        assert_eq!((&read["state"], &read["carried"]), (&json!("done"), &json!([])));

        let call = harness
            .asks(&mut chat, r#"call send {"text":"Hello: RESULT"}"#, None)
            .await;
        let carried = &call["carried"][0];
        let from = json!({
            "item": read["id"], "serverId": notes, "serverName": "notes", "excerpt": "KX-4411-ALPHA", "crosses": true,
        });
        assert_eq!(carried, &from, "{call}");
        assert_eq!(
            call["askedBecause"],
            "The arguments carry data of notes to post. No rule covers that."
        );
        let ended = chat.calls().pop().unwrap();
        assert_eq!(
            (&ended["state"], &ended["carried"][0]),
            (&json!("done"), &from),
            "it stays in sight"
        );

        // Back to the server that it came from, and what the user writes, a rule runs.
        harness.runs(&mut chat, "call read {}").await;
        let back = harness.runs(&mut chat, r#"call read {"q":"RESULT"}"#).await;
        assert_eq!(back["carried"][0]["crosses"], false, "{back}");
        let mut other = harness.between(api, [&notes, &post]).await;
        harness.runs(&mut other, "call read {}").await;
        let typed = harness
            .runs(&mut other, r#"call send {"text":"KX-4411-ALPHA"}"#)
            .await;
        let from_user = typed["carried"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["serverId"].is_null());
        assert_eq!(from_user.unwrap()["excerpt"], "KX-4411-ALPHA", "{typed}");
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn what_was_attached_and_what_is_edited_into_arguments_is_compared_too() {
    let harness = Harness::new().await;
    let notes = server(&harness, "notes", "read", "The code is KX-4411-ALPHA.").await;
    let post = server(&harness, "post", "send", "sent").await;
    for source in [
        json!({ "type": "resource", "uri": "a:b" }),
        json!({ "type": "prompt", "name": "p", "argumentsJson": null }),
    ] {
        let mut chat = harness.between("chatCompletions", [&notes, &post]).await;
        let params = json!({ "chatId": chat.id, "serverId": notes, "source": source });
        harness.call("chat_attach", params).await;
        // The model writes what is attached, which the message of the user does not say.
        harness.send(&chat, "call send {}").await;
        chat.until(|chat| {
            chat.calls().len() == 1 && chat.last()["type"] == "answer" && chat.phase() == "idle"
        })
        .await;
        let sent = &chat.items.iter().find(|item| item["servers"] == json!(["notes"]));
        assert!(sent.is_some(), "{:#?}", chat.items);
        let mut settings = chat.state["settings"].clone();
        settings["rules"] = json!([]);
        let params = json!({ "chatId": chat.id, "settings": settings });
        harness.call("chat_settings_set", params).await;
        let edited = r#"{"text":"KX-4411-ALPHA"}"#;
        let call = harness.asks(&mut chat, "call send {}", Some(edited)).await;
        assert_eq!(
            (&call["carried"], &call["askedBecause"]),
            (&json!([]), &Value::Null)
        );
        let ended = chat.calls().pop().unwrap();
        assert_eq!(ended["carried"][0]["crosses"], true, "{ended}");
    }
    harness.engine.shutdown().await;
}

fn seen(chat: &Watched) -> Vec<(String, String)> {
    let all = chat.state["seen"].as_array().unwrap().iter();
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    all.map(|one| (text(one, "by"), text(one, "upTo"))).collect()
}

#[tokio::test]
async fn models_were_sent_what_is_before_their_answers_in_every_branch() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "script").await;
    let model = async |chat: &Watched, name: &str| {
        let mut settings = chat.state["settings"].clone();
        settings["answers"]["model"] = json!(name);
        let params = json!({ "chatId": chat.id, "settings": settings });
        harness.call("chat_settings_set", params).await;
    };
    let script = |up_to: &str| ("script · Scripted".to_owned(), up_to.to_owned());
    harness.send(&chat, "one").await;
    chat.ended(2).await;
    assert_eq!(seen(&chat), [script("2")]);
    // One that failed was sent the message, and the part of an answer that is kept is its own.
    model(&chat, "529").await;
    harness.send(&chat, "two").await;
    chat.until(|chat| chat.items.len() == 4 && chat.phase() == "idle")
        .await;
    let failing = ("529 · Scripted".to_owned(), "3".to_owned());
    assert_eq!(seen(&chat), [failing.clone(), script("2")]);
    // Another model answers: what failed is another branch, and was sent the message all the same.
    model(&chat, "talk").await;
    let again = json!({ "chatId": chat.id, "item": "4" });
    harness.call("chat_regenerate", again).await;
    chat.until(|chat| chat.last()["type"] == "answer" && chat.items.len() == 4 && chat.phase() == "idle")
        .await;
    let talk = ("talk · Scripted".to_owned(), "5".to_owned());
    assert_eq!(seen(&chat), [failing.clone(), script("2"), talk.clone()]);
    let edit = json!({ "chatId": chat.id, "item": "3", "text": "other" });
    harness.call("chat_edit", edit).await;
    chat.until(|chat| chat.last()["id"] == "7" && chat.phase() == "idle")
        .await;
    let before = |(by, _): &(String, String)| (by.clone(), "2".to_owned());
    let expected = [
        before(&failing),
        script("2"),
        ("talk · Scripted".to_owned(), "7".to_owned()),
    ];
    assert_eq!(seen(&chat), expected, "nobody else was sent the new message");
    harness.engine.shutdown().await;

    let again = Harness {
        engine: attended(&harness.folder).await,
        ..harness
    };
    let mut reopened = again.watch(chat.id.clone());
    reopened.until(|chat| chat.items.len() == 4).await;
    assert_eq!(seen(&reopened), expected, "all of it is in the file");
    again.engine.shutdown().await;
}
