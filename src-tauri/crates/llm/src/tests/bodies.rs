//! What is sent.

use super::*;
use crate::{anthropic, chat};

/// Everything a request of 2025-11-25 may have.
const FULL: &str = r#"{"systemPrompt":"Be \"brief\".","messages":[
{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","mimeType":"image/png","data":"iVBO"}]},
{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"look","input":{"n":9007199254740993,"x":1.10}}]},
{"role":"user","content":[{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"42"},{"type":"resource_link","uri":"a:b","name":"b"}],"isError":true}]}],
"maxTokens":100,"temperature":0.70,"stopSequences":["END"],"metadata":{"x":1},
"tools":[{"name":"look","description":"Looks","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}}],
"toolChoice":{"mode":"required"},"includeContext":"none"}"#;

#[test]
fn a_full_request_keeps_its_numbers_in_both_apis() {
    let prompt = Prompt::parse(FULL).unwrap();
    assert_eq!(
        anthropic::body("m", &prompt).unwrap(),
        r#"{"model":"m","max_tokens":100,"system":"Be \"brief\".","messages":[{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]},{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"look","input":{"n":9007199254740993,"x":1.10}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"42"},{"type":"text","text":"{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"b\"}"}],"is_error":true}]}],"temperature":0.70,"stop_sequences":["END"],"tools":[{"name":"look","description":"Looks","input_schema":{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}}],"tool_choice":{"type":"any"},"stream":true}"#
    );
    assert_eq!(
        chat::body("m", &prompt, false).unwrap(),
        r#"{"model":"m","messages":[{"role":"system","content":"Be \"brief\"."},{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"assistant","content":"I look.","tool_calls":[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993,\"x\":1.10}"}}]},{"role":"tool","tool_call_id":"t1","content":"Error: 42\n{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"b\"}"}],"max_tokens":100,"temperature":0.70,"stop":["END"],"tools":[{"type":"function","function":{"name":"look","description":"Looks","parameters":{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}}}],"tool_choice":"required","stream":true,"stream_options":{"include_usage":true}}"#
    );
    assert!(
        chat::body("m", &prompt, true)
            .unwrap()
            .contains(r#""max_completion_tokens":100"#)
    );
}

/// Each API has its own words for it, and gets back only the thoughts that are from it.
#[test]
fn thinking_is_asked_for_and_thoughts_go_back_unchanged() {
    const TEXT: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}},
{"role":"assistant","content":[{"type":"thinking","thinking":"Hm \"1.10\"","signature":"a+/=="},{"type":"redacted_thinking","data":"x"},{"type":"reasoning","name":"reasoning_content","text":"Hm"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"look","input":{}}]},
{"role":"user","content":[{"type":"tool_result","toolUseId":"t1","content":[]}]}],"maxTokens":100,"temperature":0.5}"#;
    let with = |thinking| Prompt {
        thinking,
        ..Prompt::of_conversation(TEXT).unwrap()
    };
    let effort = with(Some(Thinking::Effort("low")));
    let body = anthropic::body("m", &effort).unwrap();
    assert!(
        body.contains(r#""max_tokens":100,"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"}"#)
            && body.contains(r#"[{"type":"thinking","thinking":"Hm \"1.10\"","signature":"a+/=="},{"type":"redacted_thinking","data":"x"},{"type":"text","#)
            && !body.contains("temperature")
            && !body.contains("reasoning"),
        "{body}"
    );
    let body = chat::body("m", &effort, true).unwrap();
    assert!(
        body.contains(r#""max_completion_tokens":100,"reasoning_effort":"low""#)
            && body
                .contains(r#"{"role":"assistant","reasoning_content":"Hm","content":"I look.","tool_calls""#)
            && !body.contains("signature")
            && body.contains(r#""temperature":0.5"#),
        "{body}"
    );
    let budget = with(Some(Thinking::Budget(2000)));
    let body = anthropic::body("m", &budget).unwrap();
    let wanted = r#""max_tokens":2100,"thinking":{"type":"enabled","budget_tokens":2000}"#;
    assert!(body.contains(wanted), "{body}");
    let body = chat::body("m", &budget, false).unwrap();
    assert!(
        body.contains(r#""max_tokens":2100,"reasoning":{"max_tokens":2000}"#),
        "{body}"
    );
    let refused = chat::body("m", &budget, true).unwrap_err();
    assert!(refused.cause.contains("effort"), "{refused:?}");
    // A server cannot put words into the model's mind.
    assert!(Prompt::parse(TEXT).unwrap_err().cause.contains("no model takes"));
}

/// The Messages API refuses them, and with them each later request of the conversation.
#[test]
fn blank_texts_are_not_sent_to_anthropic() {
    let text = r#"{"systemPrompt":" \n","maxTokens":1,"messages":[
{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"hi "}]},
{"role":"assistant","content":[{"type":"text","text":"\n\n"}]},
{"role":"assistant","content":[{"type":"text","text":" "},{"type":"tool_use","id":"t1","name":"look","input":{}}]},
{"role":"user","content":[{"type":"tool_result","toolUseId":"t1","content":[{"type":"text","text":"\t"},{"type":"text","text":"42"}]}]}]}"#;
    assert_eq!(
        anthropic::body("m", &Prompt::parse(text).unwrap()).unwrap(),
        r#"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"hi "}]},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"look","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"42"}],"is_error":false}]}],"tools":[{"name":"look","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"},"stream":true}"#
    );
}

/// The Messages API refuses calls without the definition of any tool, so that a conversation would end with its last tool.
#[test]
fn calls_go_to_anthropic_also_when_no_tool_is_given_any_more() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"role":"assistant","content":{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}}},{{"role":"user","content":{{"type":"tool_result","toolUseId":"{id}","content":[]}}}}"#
        )
    };
    let messages = [call("1", "look"), call("2", "find"), call("3", "look")].join(",");
    let defined = r#""tools":[{"name":"find","input_schema":{"type":"object"}},{"name":"look","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"},"#;
    for (more, wanted) in [
        ("", defined),
        (r#","tools":[]"#, defined),
        (r#","toolChoice":{"mode":"required"}"#, defined),
        (
            r#","tools":[{"name":"other"}]"#,
            r#""tools":[{"name":"other","input_schema":{}}],"stream""#,
        ),
    ] {
        let text = format!(r#"{{"messages":[{messages}],"maxTokens":1{more}}}"#);
        let body = anthropic::body("m", &Prompt::parse(&text).unwrap()).unwrap();
        assert!(body.contains(wanted), "{more}: {body}");
    }
    let without = anthropic::body("m", &Prompt::parse(SIMPLE).unwrap()).unwrap();
    assert!(!without.contains("tool"), "{without}");
}

#[test]
fn audio_is_sent_where_the_api_takes_it() {
    let text = |kind: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":{{"type":"audio","mimeType":"{kind}","data":"UklG"}}}}],"maxTokens":1}}"#
        )
    };
    let wav = text("audio/wav");
    let prompt = Prompt::parse(&wav).unwrap();
    let body = chat::body("m", &prompt, false).unwrap();
    assert!(
        body.contains(r#"{"type":"input_audio","input_audio":{"data":"UklG","format":"wav"}}"#),
        "{body}"
    );
    assert_eq!(
        anthropic::body("m", &prompt).unwrap_err().cause,
        "The Messages API takes no audio."
    );
    let ogg = text("audio/ogg");
    let refused = chat::body("m", &Prompt::parse(&ogg).unwrap(), false).unwrap_err();
    assert_eq!(
        refused.cause,
        "Chat Completions take audio as WAV or MP3, not as audio/ogg."
    );
}

#[test]
fn a_request_that_cannot_be_read_says_where() {
    let message =
        |content: &str| format!(r#"{{"messages":[{{"role":"user","content":{content}}}],"maxTokens":1}}"#);
    for (params, cause) in [
        ("[1]".to_owned(), "The request is not a JSON object"),
        ("{}".to_owned(), "`messages` is missing."),
        (
            r#"{"messages":[],"maxTokens":1}"#.to_owned(),
            "`messages` is empty",
        ),
        (
            r#"{"messages":{},"maxTokens":1}"#.to_owned(),
            "`messages` is not an array.",
        ),
        (
            r#"{"messages":[1],"maxTokens":1}"#.to_owned(),
            "`messages[0]` is not an object.",
        ),
        (
            r#"{"messages":[{"role":"system"}],"maxTokens":1}"#.to_owned(),
            "`messages[0].role`",
        ),
        (
            message(r#"{"type":"video"}"#),
            r#"`messages[0].content` has the type "video""#,
        ),
        (
            message(r#"[{"type":"text"}]"#),
            "`messages[0].content[0].text` is not a string.",
        ),
        (
            message(r#"{"type":"tool_use","id":"1","name":"n","input":[]}"#),
            "`messages[0].content.input` is not an object.",
        ),
        (
            SIMPLE.replace("100", "0"),
            "`maxTokens` is not a positive integer.",
        ),
        (
            SIMPLE.replace("100", "\"5\""),
            "`maxTokens` is not a positive integer.",
        ),
        (
            SIMPLE.replace("100", "1,\"temperature\":\"hot\""),
            "`temperature` is not a number.",
        ),
        (
            SIMPLE.replace("100", "1,\"toolChoice\":{\"mode\":\"all\"}"),
            "`toolChoice.mode`",
        ),
        (
            SIMPLE.replace("100", "1,\"tools\":[{}]"),
            "`tools[0].name` is not a string.",
        ),
    ] {
        let failure = Prompt::parse(&params).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Request);
        assert!(failure.cause.starts_with(cause), "{params}: {}", failure.cause);
    }
}

#[test]
fn base_urls_are_checked_and_completed() {
    let address = |api, base: &str| {
        let provider = Provider {
            api,
            base_url: parse_base_url(base).unwrap(),
            key: None,
        };
        provider.address("models?limit=1").to_string()
    };
    assert_eq!(
        address(Api::Anthropic, "https://api.anthropic.com"),
        "https://api.anthropic.com/v1/models?limit=1"
    );
    assert_eq!(
        address(Api::Anthropic, "https://api.anthropic.com/v1/"),
        "https://api.anthropic.com/v1/models?limit=1"
    );
    assert_eq!(
        address(Api::ChatCompletions, "https://openrouter.ai/api/v1/"),
        "https://openrouter.ai/api/v1/models?limit=1"
    );
    for wrong in [
        "",
        "ftp://a/",
        "javascript:alert(1)",
        "https://user:pw@a/",
        "https://a/?key=1",
        "file:///etc/passwd",
    ] {
        assert!(parse_base_url(wrong).is_err(), "{wrong}");
    }
}
