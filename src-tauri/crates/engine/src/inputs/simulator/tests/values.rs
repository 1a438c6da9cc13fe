//! Samples of values, and scripts as text.

use super::{
    super::{answers, samples, script::Script},
    *,
};

#[test]
fn required_fields_without_a_default_get_a_value_that_matches() {
    for (property, valid, invalid) in [
        (r#"{"type":"string"}"#, r#""simulated""#, "7"),
        (
            r#"{"type":"string","format":"email"}"#,
            r#""someone@example.com""#,
            "7",
        ),
        (r#"{"type":"string","minLength":12}"#, r#""simulatedxxx""#, "7"),
        (r#"{"type":"string","maxLength":3}"#, r#""sim""#, "7"),
        (
            r#"{"type":"integer","minimum":9007199254740993}"#,
            "9007199254740993",
            r#""not a number""#,
        ),
        (
            r#"{"type":"integer","exclusiveMinimum":2}"#,
            "3",
            r#""not a number""#,
        ),
        (
            r#"{"type":"number","maximum":-1.50}"#,
            "-1.50",
            r#""not a number""#,
        ),
        (r#"{"type":"number"}"#, "0", r#""not a number""#),
        (r#"{"type":"boolean"}"#, "false", r#""not a boolean""#),
        (
            r#"{"type":"string","enum":["a","b"]}"#,
            r#""a""#,
            r#""not one of the choices""#,
        ),
        (
            r#"{"oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]}"#,
            r#""x""#,
            r#""not one of the choices""#,
        ),
        (
            r#"{"type":"array","minItems":2,"items":{"anyOf":[{"const":"p"},{"const":"q"},{"const":"r"}]}}"#,
            r#"["p","q"]"#,
            r#""not a list""#,
        ),
        (
            r#"{"type":"array","items":{"type":"string","enum":["a"]}}"#,
            "[]",
            r#""not a list""#,
        ),
        (r#"{"type":["null","string"]}"#, "null", r#""not null""#),
        (r#"{"default":"d","type":"string"}"#, r#""d""#, "7"),
        ("{}", r#""simulated""#, "7"),
    ] {
        let schema = format!(r#"{{"properties":{{"a\"b":{property}}},"required":["a\"b"]}}"#);
        assert_eq!(samples::valid_content(&schema), format!(r#"{{"a\"b":{valid}}}"#));
        assert_eq!(
            samples::invalid_content(&schema),
            format!(r#"{{"a\"b":{invalid}}}"#)
        );
    }
    assert_eq!(samples::invalid_content("{}"), r#""not an object""#);
    for odd in [
        "",
        "7",
        "[]",
        r#"{"properties":7}"#,
        r#"{"properties":{"a":7},"required":7}"#,
    ] {
        assert_eq!(samples::valid_content(odd), "{}", "{odd}");
    }
    // A server cannot exhaust the stack or the memory.
    let deep = format!("{}{{}}{}", r#"{"anyOf":["#.repeat(5_000), "]}".repeat(5_000));
    let schema = format!(r#"{{"properties":{{"a":{deep}}},"required":["a"]}}"#);
    assert_eq!(samples::valid_content(&schema), r#"{"a":null}"#);
    let long = r#"{"properties":{"a":{"type":"string","minLength":9999999999}},"required":["a"]}"#;
    assert!(samples::valid_content(long).len() < 11_000);
    let list = |items: &str| format!(r#"{{"type":"array","minItems":100,"items":{items}}}"#);
    let lists = list(&list(&list("{}")));
    let schema = format!(r#"{{"properties":{{"a":{lists}}},"required":["a"]}}"#);
    assert_eq!(
        samples::valid_content(&schema),
        r#"{"a":[]}"#,
        "it would be 12 MB"
    );
    let texts: Vec<String> = (0..200)
        .map(|n| format!(r#""{n}":{{"type":"string","minLength":10000}}"#))
        .collect();
    let names: Vec<String> = (0..200).map(|n| format!("\"{n}\"")).collect();
    let (texts, names) = (texts.join(","), names.join(","));
    let schema = format!(r#"{{"properties":{{{texts}}},"required":[{names}]}}"#);
    assert!(
        samples::valid_content(&schema).len() < 1_100_000,
        "it would be 2 MB"
    );
}

#[test]
fn pages_and_required_tools_are_answered_too() {
    let reply = |kind, params: &str, answer| Some(answers::reply(kind, params, answer));
    let page = r#"{"mode":"url","url":"https://x","elicitationId":"1","message":"m"}"#;
    let elicitation = |answer| reply(InputKind::Elicitation, page, answer);
    assert_eq!(
        elicitation(answers::FixedAnswer::Defaults),
        result(r#"{"action":"accept"}"#)
    );
    assert_eq!(
        elicitation(answers::FixedAnswer::Invalid),
        result(r#"{"action":"opened"}"#)
    );
    let tools = r#"{"messages":[],"maxTokens":1,"toolChoice":{"mode":"required"},"tools":[{"name":"look","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":3}},"required":["n"]}}]}"#;
    assert_eq!(
        reply(InputKind::Sampling, tools, answers::FixedAnswer::Defaults),
        result(
            r#"{"role":"assistant","content":{"type":"tool_use","id":"simulated_1","name":"look","input":{"n":3}},"model":"patchbay-simulator","stopReason":"toolUse"}"#
        )
    );
    let free = tools.replace("required\"}", "auto\"}");
    let Some(InputReply::Result(json)) = reply(InputKind::Sampling, &free, answers::FixedAnswer::Defaults)
    else {
        panic!("no result");
    };
    assert!(json.contains("endTurn"), "{json}");
}

#[test]
fn a_wrong_script_says_where() {
    for (text, why) in [
        ("", "it is empty; write a JSON array of answers"),
        ("[1,", "it is not JSON: "),
        ("{}", "it is not a JSON array of answers"),
        ("[]", "it has no answers"),
        (
            r#"["decline", 7]"#,
            "answer 2: 7 is neither a string nor an object",
        ),
        (
            r#"["maybe"]"#,
            "answer 1: “maybe” is not one of defaults, decline, cancel, noAnswer, invalid, ask",
        ),
        (
            "[{}]",
            "answer 1: it needs exactly one of answer, result, content, text, error",
        ),
        (
            r#"[{"result":{},"error":{}}]"#,
            "answer 1: it needs exactly one of answer, result, content, text, error",
        ),
        (r#"[{"result":[]}]"#, "answer 1: `result` is not an object"),
        (
            r#"[{"text":"x"}]"#,
            "answer 1: `text` answers sampling only; use `result`",
        ),
        (
            r#"[{"error":{"message":"m"}}]"#,
            "answer 1: `error.code` is not an integer",
        ),
        (
            r#"[{"error":{"code":1}}]"#,
            "answer 1: `error.message` is not a string",
        ),
        (
            r#"[{"answer":"decline","delayMs":-1}]"#,
            "answer 1: `delayMs` is not a number of milliseconds from 0 to 86400000",
        ),
        (
            r#"[{"delay":1,"answer":"decline"}]"#,
            "answer 1: `delay` is not known",
        ),
    ] {
        let said = Script::parse(text, InputKind::Elicitation).unwrap_err();
        assert!(said.starts_with(why), "{text}: {said}");
    }
    let large = format!("[\"{}\"]", "x".repeat(1 << 20));
    assert_eq!(
        Script::parse(&large, InputKind::Roots).unwrap_err(),
        "it is larger than 1 MiB"
    );
    let content = Script::parse(r#"[{"content":{}}]"#, InputKind::Sampling).unwrap_err();
    assert_eq!(
        content,
        "answer 1: `content` answers elicitation only; use `result`"
    );
    assert_eq!(
        Script::parse(r#"[{"text":"x"},"ask"]"#, InputKind::Sampling)
            .unwrap()
            .steps
            .len(),
        2
    );
}
