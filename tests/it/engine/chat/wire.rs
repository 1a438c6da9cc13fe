//! What is chosen in the settings of a conversation reaches the provider exactly, and what is not chosen does not.

use serde_json::{Value, json};

use super::Chat;
use crate::{
    client::run_test, engine::connected, harness::Harness, http::server::Server, programs::scripted,
};

/// What is chosen, and the members that the provider gets for it: the system prompt, and the rest in the words of each API.
struct Case {
    chosen: Value,
    system: &'static str,
    anthropic: &'static str,
    completions: &'static str,
}

const PLAIN: &str = r#""max_tokens":4096"#;

fn cases(server: &Value) -> Vec<Case> {
    let prompt = "Be \"brief\".";
    let case = |chosen, system, anthropic, completions| Case {
        chosen,
        system,
        anthropic,
        completions,
    };
    vec![
        case(json!({}), "", PLAIN, PLAIN),
        case(
            json!({ "temperature": 0.7, "maxTokens": 1234 }),
            "",
            r#""max_tokens":1234,"temperature":0.7"#,
            r#""max_tokens":1234,"temperature":0.7"#,
        ),
        case(
            json!({ "systemPrompt": prompt }),
            r#"Be \"brief\"."#,
            PLAIN,
            PLAIN,
        ),
        // The instructions of a server only if they are chosen, and said to be its.
        case(
            json!({ "systemPrompt": prompt, "instructionsOf": [server] }),
            r#"Be \"brief\".\n\n<instructions server=\"patchbay-test\">\nBe kind.\n</instructions>"#,
            PLAIN,
            PLAIN,
        ),
        case(
            json!({ "instructionsOf": [server] }),
            r#"<instructions server=\"patchbay-test\">\nBe kind.\n</instructions>"#,
            PLAIN,
            PLAIN,
        ),
        // The Messages API takes no temperature beside thinking.
        case(
            json!({ "thinking": { "type": "effort", "effort": "high" }, "temperature": 0.7 }),
            "",
            r#""max_tokens":4096,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"}"#,
            r#""max_tokens":4096,"reasoning_effort":"high","temperature":0.7"#,
        ),
        case(
            json!({ "thinking": { "type": "budget", "tokens": 2048 } }),
            "",
            r#""max_tokens":6144,"thinking":{"type":"enabled","budget_tokens":2048}"#,
            r#""max_tokens":6144,"reasoning":{"max_tokens":2048}"#,
        ),
    ]
}

/// The only tool that is given, as the engine shows it to the user, in the words of an API.
struct Given {
    name: String,
    description: String,
    schema: String,
}

impl Given {
    /// Excludes every other tool.
    async fn only(tool: &str, chat: &mut Chat<'_>) -> Self {
        let tools = chat
            .harness
            .call("chat_tools", json!({ "chatId": chat.id }))
            .await;
        let tools = tools["tools"].as_array().unwrap().clone();
        let others = tools.iter().filter(|each| each["tool"] != tool);
        let excluded = others.map(|each| json!({ "serverId": each["serverId"], "tool": each["tool"] }));
        chat.settings["excluded"] = excluded.collect();
        let shown = tools.iter().find(|each| each["tool"] == tool).unwrap();
        let text = shown["givenJson"].as_str().unwrap();
        let given: Value = serde_json::from_str(text).unwrap();
        // The text of the schema as it is: the members are in another order in a `Value`.
        let schema = text.split_once("\"inputSchema\":").unwrap().1;
        Self {
            name: given["name"].to_string(),
            description: given["description"].to_string(),
            schema: schema.strip_suffix('}').unwrap().to_owned(),
        }
    }

    fn anthropic(&self) -> String {
        let Self {
            name,
            description,
            schema,
        } = self;
        format!(r#"[{{"name":{name},"description":{description},"input_schema":{schema}}}]"#)
    }

    fn completions(&self) -> String {
        let Self {
            name,
            description,
            schema,
        } = self;
        format!(
            r#"[{{"type":"function","function":{{"name":{name},"description":{description},"parameters":{schema}}}}}]"#
        )
    }
}

/// The whole body that is expected.
fn body(api: &str, case: &Case, given: &Given) -> String {
    let Case {
        system,
        anthropic,
        completions,
        ..
    } = case;
    if api == "anthropic" {
        let (limit, rest) = anthropic.split_at(anthropic.find(',').unwrap_or(anthropic.len()));
        let system = match system.is_empty() {
            true => String::new(),
            false => format!(r#","system":"{system}""#),
        };
        let (thinking, rest) = match rest.contains("temperature") {
            true => ("", rest),
            false => (rest, ""),
        };
        return format!(
            r#"{{"model":"script",{limit}{thinking}{system},"messages":[{{"role":"user","content":[{{"type":"text","text":"Hello"}}]}}]{rest},"tools":{},"stream":true}}"#,
            given.anthropic()
        );
    }
    let system = match system.is_empty() {
        true => String::new(),
        false => format!(r#"{{"role":"system","content":"{system}"}},"#),
    };
    format!(
        r#"{{"model":"script","messages":[{system}{{"role":"user","content":"Hello"}}],{completions},"tools":{},"stream":true,"stream_options":{{"include_usage":true}}}}"#,
        given.completions()
    )
}

async fn sent_with(api: &str, case: &Case, harness: &Harness, provider: &Server) -> (String, String) {
    let mut chat = Chat::begin_in(api, harness, provider).await;
    let given = Given::only("echo", &mut chat).await;
    for (name, value) in case.chosen.as_object().unwrap() {
        chat.settings[name] = value.clone();
    }
    chat.set(chat.settings.clone()).await;
    chat.send("Hello").await;
    assert_eq!(chat.answered().await, "You said: Hello");
    let seen = provider.seen().pop().unwrap();
    let sent = seen.splitn(3, ' ').nth(2).unwrap().to_owned();
    (sent, body(api, case, &given))
}

#[test]
fn what_is_chosen_is_in_the_body_and_nothing_else_in_both_formats() {
    let provider = Server::of("models", "any");
    run_test(async {
        let harness = connected(&scripted("legacy")).await;
        for case in cases(&json!(harness.server)) {
            for api in ["anthropic", "chatCompletions"] {
                let (sent, expected) = sent_with(api, &case, &harness, &provider).await;
                assert_eq!(sent, expected, "{api} {}", case.chosen);
            }
        }
        harness.engine.shutdown().await;
    });
}
