//! Calls of tools in Chat Completions whose providers number them in other ways.

use crate::answer::{Arguments, Arriving, Part, Progress};
use crate::chat;

fn entry(index: &str, id: &str, name: &str, arguments: &str) -> String {
    format!(
        r#"{{{index}"id":{id},"type":"function","function":{{"name":{name},"arguments":"{}"}}}}"#,
        arguments.replace('"', "\\\"")
    )
}

fn finished(arriving: Arriving) -> Vec<(String, String, String)> {
    let parts = arriving.end("model", Arguments::Checked).unwrap().parts;
    let calls = parts.into_iter().map(|part| match part {
        Part::ToolUse { id, name, input } => (id, name, input),
        other => panic!("{other:?}"),
    });
    calls.collect()
}

/// The calls of a stream with one entry in each event.
fn streamed(entries: &[String]) -> Vec<(String, String, String)> {
    let (mut arriving, mut progress) = (Arriving::default(), Progress::default());
    for entry in entries {
        let data = format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{entry}]}}}}]}}"#);
        chat::event(&data, &mut arriving, &mut progress).unwrap();
    }
    finished(arriving)
}

fn whole(entries: &[String]) -> Vec<(String, String, String)> {
    let (mut arriving, mut progress) = (Arriving::default(), Progress::default());
    let body = format!(
        r#"{{"choices":[{{"message":{{"tool_calls":[{}]}},"finish_reason":"tool_calls"}}]}}"#,
        entries.join(",")
    );
    chat::whole(&body, &mut arriving, &mut progress).unwrap();
    finished(arriving)
}

fn call(id: &str, name: &str, input: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), input.to_owned())
}

/// As Ollama sends them.
#[test]
fn calls_that_all_have_number_0_are_told_apart_by_their_ids() {
    let calls = [
        entry(r#""index":0,"#, r#""call_a""#, r#""greet""#, r#"{"name":"Ada"}"#),
        entry(r#""index":0,"#, r#""call_b""#, r#""wait""#, r#"{"n":1}"#),
    ];
    let expected = [
        call("call_a", "greet", r#"{"name":"Ada"}"#),
        call("call_b", "wait", r#"{"n":1}"#),
    ];
    assert_eq!(streamed(&calls), expected);
    assert_eq!(streamed(&[calls.join(",")]), expected);
    assert_eq!(whole(&calls), expected);
}

#[test]
fn arguments_belong_to_the_newest_call_of_their_number() {
    let more = |piece| entry(r#""index":0,"#, "null", "null", piece);
    let calls = [
        entry(r#""index":0,"#, r#""call_a""#, r#""greet""#, r#"{"name":"#),
        more(r#""Ada"}"#),
        entry(r#""index":0,"#, r#""call_b""#, r#""greet""#, ""),
        more(r#"{"name":"#),
        // Repeated, as some do.
        entry(r#""index":0,"#, r#""call_b""#, r#""greet""#, r#""Bob"}"#),
    ];
    assert_eq!(
        streamed(&calls),
        [
            call("call_a", "greet", r#"{"name":"Ada"}"#),
            call("call_b", "greet", r#"{"name":"Bob"}"#)
        ]
    );
}

#[test]
fn calls_of_a_whole_message_need_neither_numbers_nor_ids() {
    let calls = [
        entry(r#""index":0,"#, r#""""#, r#""greet""#, "{}"),
        entry(r#""index":0,"#, "null", r#""wait""#, r#"{"n":1}"#),
    ];
    assert_eq!(
        whole(&calls),
        [
            call("call_0", "greet", "{}"),
            call("call_1", "wait", r#"{"n":1}"#)
        ]
    );
}

#[test]
fn arguments_that_are_an_object_are_taken_as_they_are() {
    let calls = [
        r#"{"id":"call_a","function":{"name":"greet","arguments":{"name": "Ada", "n": 1.0}}}"#.to_owned(),
        entry(r#""index":1,"#, r#""call_b""#, r#""wait""#, r#"{"n":1}"#),
    ];
    let expected = [
        call("call_a", "greet", r#"{"name":"Ada","n":1.0}"#),
        call("call_b", "wait", r#"{"n":1}"#),
    ];
    assert_eq!(streamed(&calls), expected);
    assert_eq!(whole(&calls), expected);
}

/// With `{}` it would run, with other arguments than the model was about to give it.
#[test]
fn a_call_that_was_cut_off_before_its_arguments_has_none() {
    let answer = |stop_reason: &str, kept| {
        let mut arriving = Arriving::default();
        for index in 0..2 {
            arriving.tool(index, &format!("call_{index}"), "greet").unwrap();
        }
        arriving.stop_reason = Some(stop_reason.to_owned());
        arriving.end("model", kept)
    };
    let inputs = |stop_reason: &str| {
        let answer = answer(stop_reason, Arguments::AsWritten).unwrap();
        let inputs = answer.parts.iter().map(|part| match part {
            Part::ToolUse { input, .. } => input.clone(),
            other => panic!("{other:?}"),
        });
        (inputs.collect::<Vec<_>>(), answer.ends_within_a_call())
    };
    let written = |inputs: [&str; 2]| inputs.map(str::to_owned).to_vec();
    assert_eq!(inputs("maxTokens"), (written(["{}", ""]), true));
    assert_eq!(inputs("toolUse"), (written(["{}", "{}"]), false));
    assert!(answer("maxTokens", Arguments::Checked).is_err());
    assert!(answer("toolUse", Arguments::Checked).is_ok());
}
