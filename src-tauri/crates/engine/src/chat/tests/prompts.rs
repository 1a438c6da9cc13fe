//! What a model is sent of a conversation.

use patchbay_contract::{ChatCallState, ChatSettings};
use patchbay_llm::{Api, Prompt};
use serde_json::{Value, json};

use super::{answer, call, user};
use crate::chat::{
    item::{Answer, Call, Item, User},
    prompt::{CALL, PromptOptions, params},
    toolbox::Toolbox,
};

/// Only one takes images in results.
fn api(images_in_results: bool) -> Api {
    match images_in_results {
        true => Api::Anthropic,
        false => Api::ChatCompletions,
    }
}

fn sent(items: &[Item], images_in_results: bool) -> Value {
    let tools = Toolbox {
        servers: Vec::new(),
        tools: Vec::new(),
        system_prompt: "Be brief.".to_owned(),
        search: None,
    };
    let options = PromptOptions {
        api: api(images_in_results),
        blocks_of: "p m".to_owned(),
    };
    let text = params(items, &ChatSettings::default(), &tools, &options, &|_, text| text);
    assert!(Prompt::of_conversation(&text).is_ok(), "{text}");
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
            api: Api::Anthropic,
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

fn message(blocks: &Value) -> Item {
    let Item::User(message) = user("1", "hi") else {
        unreachable!()
    };
    Item::User(User {
        blocks: blocks.to_string(),
        ..message
    })
}

fn content_of(blocks: &Value, images_in_results: bool) -> Vec<Value> {
    let all = sent(&[message(blocks)], images_in_results);
    all["messages"][0]["content"].as_array().unwrap().clone()
}

/// A request has a limited number of blocks, and a conversation with more of them could never be answered again.
#[test]
fn thousands_of_blocks_become_a_few() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let done = |blocks: Vec<Value>, images_in_results| {
        let result = json!({ "content": blocks }).to_string();
        let done = ended(ChatCallState::Done, Some(&result), None);
        let all = sent(&[user("1", "hi"), answer("2", "", 1), done], images_in_results);
        let content = &all["messages"][2]["content"][0]["content"];
        content.as_array().unwrap().clone()
    };
    let small = done(vec![text("a"); 12_000], false);
    assert_eq!(
        (small.len(), small[0]["text"].as_str().unwrap().len()),
        (1, 23_999)
    );

    let large = done(vec![text(&"b".repeat(1_000)); 1_000], false);
    let words = large[0]["text"].as_str().unwrap();
    assert!(words.len() < 264_000, "{}", words.len());
    assert!(
        words.ends_with(
            "[The text has 1000 bytes; the model gets the first 144.]\n[Further blocks of the result, which are left out: 737.]"
        ),
        "{}",
        &words[words.len() - 300..]
    );

    let image = json!({ "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=" });
    let images = done(vec![image.clone(); 12_000], true);
    assert_eq!(images.len(), 101, "and a note");
    let few = vec![text("a"), text("b"), image.clone(), text("c")];
    assert_eq!(done(few.clone(), true), few);

    let both = [vec![text("a"); 12_000], vec![image; 12_000]].concat();
    assert_eq!(content_of(&json!(both), true).len(), 102);
    let few = vec![text("a"); 100];
    assert_eq!(content_of(&json!(few), true), few);
}

#[test]
fn a_tool_that_the_model_invented_goes_back_under_a_name_that_providers_take() {
    for (alias, sent_as) in [
        ("multi_tool_use.parallel", "multi_tool_use_parallel"),
        ("", "tool"),
        ("echo", "echo"),
    ] {
        let item = Item::Call(Box::new(Call {
            alias: alias.to_owned(),
            ..call("3", "2", ChatCallState::Failed)
        }));
        let all = sent(&[user("1", "hi"), answer("2", "", 1), item], false);
        assert_eq!(all["messages"][1]["content"][0]["name"], sent_as);
    }
}

#[test]
fn audio_goes_only_to_a_provider_that_takes_it() {
    let audio = |kind: &str, data: &str| json!({ "type": "audio", "mimeType": kind, "data": data });
    let resource = |kind: &str, data: &str| json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": kind, "blob": data } });
    let blocks = json!([
        audio("audio/wav", "UklG\nRg=="),
        audio("audio/ogg", "T2dnUw=="),
        audio("audio/wav", "no base64!"),
        resource("audio/mpeg", "SUQz"),
        resource("audio/ogg", "T2dnUw=="),
    ]);
    let words = |text: &str| json!({ "type": "text", "text": text });
    let of = |kind: &str| {
        words(&format!(
            "[audio, {kind}: shown to the user. This provider does not take such audio.]"
        ))
    };
    let of_resource = |kind: &str| {
        words(&format!(
            "[The resource a:b is {kind}. Its bytes are not given to the model.]"
        ))
    };
    assert_eq!(
        content_of(&blocks, false),
        [
            audio("audio/wav", "UklGRg=="),
            of("audio/ogg"),
            of("audio/wav"),
            audio("audio/mpeg", "SUQz"),
            of_resource("audio/ogg"),
        ]
    );
    assert_eq!(
        content_of(&blocks, true),
        [
            of("audio/wav"),
            of("audio/ogg"),
            of("audio/wav"),
            of_resource("audio/mpeg"),
            of_resource("audio/ogg"),
        ]
    );
}

#[test]
fn an_image_is_base64_to_its_end_or_not_given() {
    let image = |data: &str| json!({ "type": "image", "mimeType": "image/png", "data": data });
    let blocks = json!([
        image("iVBORw0KGgoA\r\nAAANSUhEUgAA\nAAE="),
        image("iVBORw0KGgoAAAANSUhEUg … and more"),
    ]);
    let given = content_of(&blocks, true);
    assert_eq!(given[0], image("iVBORw0KGgoAAAANSUhEUgAAAAE="));
    assert_eq!(given[1]["type"], "text", "{}", given[1]);
}

/// A server may send anything; a request with it could not be made.
#[test]
fn content_that_cannot_be_read_is_given_as_it_is() {
    let blocks = json!([
        { "type": "text", "text": 5 },
        { "type": "audio", "mimeType": "audio/wav" },
        { "type": "audio", "data": "UklGRg==" },
        { "type": "resource", "resource": { "uri": "a:b", "mimeType": "audio/wav", "blob": 5 } },
        { "type": "image", "data": 5 },
        7,
    ]);
    for images_in_results in [true, false] {
        let given = content_of(&blocks, images_in_results);
        assert_eq!(given.len(), 6);
        assert!(given.iter().all(|block| block["type"] == "text"), "{given:?}");
        assert_eq!(given[0]["text"], r#"{"text":5,"type":"text"}"#);
    }
    let odd = r#"{"content":[{"type":"text","text":5}]}"#;
    let odd = result_of(ended(ChatCallState::Done, Some(odd), None));
    assert_eq!(odd["content"][0]["text"], r#"{"type":"text","text":5}"#);
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
