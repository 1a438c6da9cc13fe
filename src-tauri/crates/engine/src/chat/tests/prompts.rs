//! What a model is sent of a conversation.

use patchbay_contract::{ChatCallState, ChatSettings};
use serde_json::{Value, json};

use super::{answer, call, user};
use crate::chat::{
    item::{Answer, Call, Item, User},
    prompt::{CALL, PromptOptions, params},
    toolbox::Toolbox,
};

fn sent(items: &[Item], images_in_results: bool) -> Value {
    let tools = Toolbox {
        servers: Vec::new(),
        tools: Vec::new(),
        system_prompt: "Be brief.".to_owned(),
        search: None,
    };
    let options = PromptOptions {
        images_in_results,
        blocks_of: "p m".to_owned(),
    };
    let text = params(items, &ChatSettings::default(), &tools, &options, &|_, text| text);
    assert!(patchbay_llm::Prompt::of_conversation(&text).is_ok(), "{text}");
    serde_json::from_str(&text).unwrap()
}

fn ended(state: ChatCallState, result: Option<&str>, error: Option<&str>) -> Item {
    Item::Call(Box::new(Call {
        result: result.map(str::to_owned),
        error: error.map(str::to_owned),
        ..call("3", "2", state)
    }))
}

fn result_of(item: Item) -> Value {
    let all = sent(&[user("1", "hi"), answer("2", "", 1), item], false);
    all["messages"][2]["content"][0].clone()
}

#[test]
fn every_call_has_its_result_and_numbers_stay_exact() {
    let result = r#"{"content":[{"type":"text","text":"1"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}"#;
    let items = [
        user("1", "hi"),
        answer("2", "I look.", 1),
        ended(ChatCallState::Done, Some(result), None),
        answer("4", "So.", 0),
        user("5", "on"),
    ];
    let all = sent(&items, true);
    assert_eq!(all["systemPrompt"], "Be brief.");
    let roles: Vec<&str> = all["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant", "user"]);
    let text = params(
        &items,
        &ChatSettings::default(),
        &Toolbox {
            servers: Vec::new(),
            tools: Vec::new(),
            system_prompt: String::new(),
            search: None,
        },
        &PromptOptions {
            images_in_results: true,
            blocks_of: String::new(),
        },
        &|_, text| text,
    );
    assert!(
        text.contains(r#""id":"call00003","name":"echo","input":{"n":9007199254740993}"#),
        "{text}"
    );
    assert_eq!(all["messages"][2]["content"][0]["content"][1]["type"], "image");
    // Where a provider takes text only, the image is named.
    let words = sent(&items, false)["messages"][2]["content"][0]["content"][1]["text"].clone();
    assert!(words.as_str().unwrap().contains("image/png"), "{words}");
}

/// Mistral takes no others.
#[test]
fn ids_of_calls_have_nine_letters_and_digits() {
    let mut ids = Vec::new();
    for number in ["3", "30", "50000"] {
        let done = Item::Call(Box::new(call(number, "2", ChatCallState::Done)));
        let all = sent(&[user("1", "hi"), answer("2", "", 1), done], false);
        let id = all["messages"][1]["content"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(all["messages"][2]["content"][0]["toolUseId"], json!(id));
        assert!(
            id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()),
            "{id}"
        );
        assert!(!ids.contains(&id), "{id}");
        ids.push(id);
    }
}

#[test]
fn what_did_not_run_is_an_error_for_the_model() {
    let denied = result_of(ended(
        ChatCallState::Denied,
        None,
        Some("The user denied this call."),
    ));
    assert_eq!(
        denied,
        json!({"type": "tool_result", "toolUseId": "call00003", "isError": true,
            "content": [{"type": "text", "text": "The user denied this call."}]})
    );
    let interrupted = result_of(ended(ChatCallState::Interrupted, None, Some("It may have run.")));
    assert_eq!(interrupted["isError"], true);
    let empty = result_of(ended(ChatCallState::Done, Some(r#"{"content":[]}"#), None));
    assert_eq!(empty["content"][0]["text"], "[The result is empty.]");
    let blank = r#"{"content":[{"type":"text","text":""},{"type":"text","text":" \n"}]}"#;
    let blank = result_of(ended(ChatCallState::Done, Some(blank), None));
    assert_eq!(blank["content"], empty["content"]);
    let structured = result_of(ended(
        ChatCallState::Done,
        Some(r#"{"content":[],"structuredContent":{"a":1}}"#),
        None,
    ));
    assert_eq!(structured["content"][0]["text"], r#"{"a":1}"#);
}

#[test]
fn changed_arguments_and_cut_results_are_said() {
    let Item::Call(call) = ended(ChatCallState::Done, Some(r#"{"content":[]}"#), None) else {
        panic!();
    };
    let item = Item::Call(Box::new(Call {
        edited: Some(r#"{"n":1}"#.to_owned()),
        cut_from: Some(5e6),
        ..*call
    }));
    let text = result_of(item)["content"].to_string();
    assert!(
        text.contains("changed the arguments") && text.contains("5000000 bytes"),
        "{text}"
    );
    let long = format!(
        r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#,
        "é".repeat(200_000)
    );
    let cut = result_of(ended(ChatCallState::Done, Some(&long), None));
    let text = cut["content"][0]["text"].as_str().unwrap();
    assert!(
        text.len() < 300_000 && text.contains("400000 bytes"),
        "{}",
        text.len()
    );
}

#[test]
fn broken_arguments_are_sent_back_as_none() {
    let item = Item::Call(Box::new(Call {
        arguments: "{\"n\":".to_owned(),
        ..call("3", "2", ChatCallState::Failed)
    }));
    let all = sent(&[user("1", "hi"), answer("2", "", 1), item], false);
    assert_eq!(all["messages"][1]["content"][0]["input"], json!({}));
}

#[test]
fn attached_resources_say_where_they_are_from() {
    let blocks = r#"[{"type":"resource","resource":{"uri":"a:b","text":"Hello"}},{"type":"resource","resource":{"uri":"a:c","mimeType":"image/png","blob":"iVBORw0KGgo="}},{"type":"resource","resource":{"uri":"a:d","mimeType":"application/zip","blob":"aaaa"}}]"#;
    let item = Item::User(User {
        id: "1".to_owned(),
        at_ms: 0.0,
        blocks: blocks.to_owned(),
        from: None,
        masked: Vec::new(),
        origins: Vec::new(),
    });
    let content = sent(&[item], false)["messages"][0]["content"].clone();
    assert_eq!(content[0]["text"], "<resource uri=\"a:b\">\nHello\n</resource>");
    assert_eq!(
        content[1],
        json!({"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="})
    );
    assert!(content[2]["text"].as_str().unwrap().contains("application/zip"));
}

/// A provider refuses an image of another type than it is said to be, and with it the whole conversation.
#[test]
fn images_have_the_type_of_their_bytes_or_are_shown_to_the_user_only() {
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAE=";
    let svg = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";
    let image = |kind: &str, data: &str| json!({ "type": "image", "mimeType": kind, "data": data });
    let resource = |kind: &str, data: &str| json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": kind, "blob": data } });
    let blocks = json!([
        image("image/jpeg", PNG),
        resource("image/jpeg", PNG),
        image("image/svg+xml", svg),
        resource("image/svg+xml", svg),
        image("image/png", "né"),
    ]);
    let Item::User(message) = user("1", "hi") else {
        unreachable!()
    };
    let message = Item::User(User {
        blocks: blocks.to_string(),
        ..message
    });
    let result = json!({ "content": [image("image/jpeg", PNG), image("image/svg+xml", svg)] }).to_string();
    let done = ended(ChatCallState::Done, Some(&result), None);
    let all = sent(&[message, answer("2", "", 1), done], true);
    let words = |text: &str| json!({ "type": "text", "text": text });
    let png = image("image/png", PNG);
    let of_svg =
        words("[image, image/svg+xml: shown to the user. Providers take PNG, JPEG, GIF and WebP only.]");
    assert_eq!(
        all["messages"][0]["content"],
        json!([
            png,
            png,
            of_svg,
            words("[The resource a:b is image/svg+xml. Its bytes are not given to the model.]"),
            words("[image, image/png: shown to the user. Providers take PNG, JPEG, GIF and WebP only.]"),
        ])
    );
    let result = &all["messages"][2]["content"][0]["content"];
    assert_eq!(result, &json!([png, of_svg]));
}

/// A provider gets its own thoughts back, in their place, as long as the turn lasts; another one, and a later turn, does not.
#[test]
fn thoughts_go_back_to_their_model_within_their_turn() {
    let thought = r#"{"type":"thinking","thinking":"Hm.","signature":"s=="}"#;
    let thinking = |of: &str| {
        Item::Answer(Answer {
            id: "2".to_owned(),
            text: "I look.".to_owned(),
            calls: 1,
            blocks: vec![
                thought.to_owned(),
                super::text_block("I "),
                super::text_block("look."),
                CALL.to_owned(),
            ],
            blocks_of: of.to_owned(),
            ..Answer::default()
        })
    };
    let done = || ended(ChatCallState::Done, Some(r#"{"content":[]}"#), None);
    let types = |items: &[Item]| -> Vec<String> {
        let all = sent(items, false);
        let blocks = all["messages"][1]["content"].as_array().unwrap();
        blocks
            .iter()
            .map(|block| block["type"].as_str().unwrap().to_owned())
            .collect()
    };
    let within = [user("1", "hi"), thinking("p m"), done()];
    assert_eq!(types(&within), ["thinking", "text", "text", "tool_use"]);
    let all = sent(&within, false);
    let back = &all["messages"][1]["content"][0];
    assert_eq!(back, &serde_json::from_str::<Value>(thought).unwrap());
    assert_eq!(
        types(&[user("1", "hi"), thinking("p other"), done()]),
        ["text", "tool_use"]
    );
    assert_eq!(
        types(&[user("1", "hi"), thinking("p m"), done(), user("4", "on")]),
        ["text", "tool_use"]
    );
}
