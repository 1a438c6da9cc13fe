//! `patchbay chat` with three servers at once, in both wire formats: what models do, well-behaved and not.

use serde_json::Value;

use super::{chat, chat_with, demo};
use crate::{
    http::server::Server,
    programs::{Ended, scripted},
};

const APIS: [&str; 2] = ["openai", "anthropic"];

/// Two programs and a server over HTTP.
struct Three {
    demo: String,
    other: String,
    http: Server,
}

impl Three {
    fn start() -> Self {
        Self {
            demo: demo(),
            other: scripted("legacy"),
            http: Server::start("modern"),
        }
    }

    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let servers = [
            "--stdio",
            &self.demo,
            "--stdio",
            &self.other,
            "--url",
            &self.http.url,
        ];
        let rest = ["--approve", "all", "--json"];
        [&servers[..], &rest[..], more].concat()
    }
}

fn events(ended: &Ended) -> Vec<Value> {
    let lines = ended.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// Runs a model that says what its name says, and returns the exit code with the events.
fn run(three: &Three, provider: &Server, api: &str, model: &str) -> (Option<i32>, Vec<Value>) {
    let more = ["--key-env", "MODEL_KEY", "--max-rounds", "2", "-p", "Hello"];
    let more = match api {
        "anthropic" => &more[..],
        _ => &more[2..],
    };
    let ended = chat_with(provider, api, model, &three.arguments(more));
    (ended.code, events(&ended))
}

#[test]
fn parallel_calls_reach_three_servers_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    // The arguments arrive in pieces. Two servers have a tool `echo`: each has its own name.
    let text = "call greet {\"name\":\"Ada\"}\ncall echo {\"text\":\"one\"}\ncall progress {\"n\":1}";
    for api in APIS {
        let more = ["--key-env", "MODEL_KEY", "-p", text];
        let more = match api {
            "anthropic" => &more[..],
            _ => &more[2..],
        };
        let ended = chat(&provider, api, &three.arguments(more)).code(0);
        let told = events(&ended);
        let results = of_type(&told, "tool_result");
        assert_eq!(results.len(), 3, "{told:#?}");
        assert!(
            results.iter().all(|result| result["state"] == "done"),
            "{results:#?}"
        );
        let calls = of_type(&told, "tool_call");
        assert_eq!(calls[0]["argumentsJson"], r#"{"name":"Ada"}"#);
        let request = provider.seen().pop().unwrap();
        for tool in ["greet", "echo", "progress"] {
            assert!(request.contains(&format!("\"{tool}\"")), "{tool}: {request}");
        }
        let done = told.last().unwrap();
        assert_eq!(
            (&done["outcome"], &done["rounds"]),
            (&"answered".into(), &2.into())
        );
    }
}

#[test]
fn what_a_model_says_is_told_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        for (model, text, reason) in [
            ("talk", "Hello, wörld", "endTurn"),
            ("short", "Hello, wörld", "maxTokens"),
            ("think", "Thought.", "endTurn"),
        ] {
            let (code, told) = run(&three, &provider, api, model);
            assert_eq!(code, Some(0), "{api} {model}: {told:#?}");
            let answers = of_type(&told, "text");
            assert_eq!(answers[0]["text"], text, "{api} {model}");
            assert_eq!(answers[0]["stopReason"], reason, "{api} {model}");
            let thinking = &answers[0]["thinking"];
            match model {
                "think" => assert_eq!(thinking, "Let me think.", "{api}"),
                _ => assert_eq!(*thinking, Value::Null, "{api} {model}"),
            }
            assert_eq!(told.last().unwrap()["text"], text, "{api} {model}");
        }
        let (code, told) = run(&three, &provider, api, "refuse");
        assert_eq!(code, Some(0), "{api}: {told:#?}");
        assert_eq!(told.last().unwrap()["text"], "I will not do that.");
    }
}

#[test]
fn a_provider_that_fails_ends_with_6_and_the_cause_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        for (model, words) in [
            ("529", "overloaded"),
            ("429", "Slow down"),
            ("500", "500"),
            ("cut", ""),
            ("unfinished", "ended before the answer did"),
            ("half-call", "ended before the answer did"),
            ("malformed", "JSON"),
            ("error", "Overloaded"),
            ("empty", "answered nothing"),
        ] {
            let (code, told) = run(&three, &provider, api, model);
            assert_eq!(code, Some(6), "{api} {model}: {told:#?}");
            let done = told.last().unwrap();
            assert_eq!(done["outcome"], "failed", "{api} {model}");
            assert!(
                done["text"].as_str().unwrap().contains(words),
                "{api} {model}: {done}"
            );
            assert_eq!(of_type(&told, "tool_call").len(), 0, "{api} {model}");
        }
    }
}

/// The model goes on to do the same: the bound on rounds ends it.
#[test]
fn calls_that_cannot_be_sent_end_at_the_bound_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        for (model, calls, words) in [
            ("tools", 4, "There is no tool \\\"look\\\""),
            ("broken-arguments", 4, "There is no tool"),
            ("whole", 2, "There is no tool"),
        ] {
            let (code, told) = run(&three, &provider, api, model);
            assert_eq!(code, Some(8), "{api} {model}: {told:#?}");
            let results = of_type(&told, "tool_result");
            assert_eq!(results.len(), calls, "{api} {model}: {told:#?}");
            for result in results {
                assert_eq!(result["state"], "failed", "{api} {model}");
                assert_eq!(result["requestSeq"], Value::Null, "{api} {model}");
            }
            assert!(
                told.iter().any(|event| event.to_string().contains(words)),
                "{told:#?}"
            );
            assert_eq!(told.last().unwrap()["outcome"], "limit");
        }
        // A tool that exists, with arguments that are not JSON, and with wrong types.
        let text = "call greet {\"name\":\ncall greet {\"name\":7}";
        let more = ["--key-env", "MODEL_KEY", "-p", text];
        let more = match api {
            "anthropic" => &more[..],
            _ => &more[2..],
        };
        let told = events(&chat(&provider, api, &three.arguments(more)).code(0));
        let results = of_type(&told, "tool_result");
        assert_eq!(results[0]["state"], "failed");
        assert!(
            results[0]["error"]
                .as_str()
                .unwrap()
                .contains("not a JSON object"),
            "{told:#?}"
        );
        let problems = of_type(&told, "tool_call")[1]["problems"].clone();
        assert!(problems[0].as_str().unwrap().starts_with("/name: "), "{problems}");
    }
}

/// The arguments for one of the formats.
fn with_key<'a>(api: &str, more: &[&'a str]) -> Vec<&'a str> {
    let key = match api {
        "anthropic" => &["--key-env", "MODEL_KEY"][..],
        _ => &[],
    };
    [key, more].concat()
}

#[test]
fn two_hundred_calls_at_once_are_asked_about_and_all_end_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        for (approve, state) in [("all", "done"), ("read-only", "denied")] {
            let servers = ["--stdio", &*three.demo, "--approve", approve, "--json"];
            let text = "call*200 greet {\"name\":\"Ada\"}";
            let more = with_key(api, &["-p", text]);
            let told = events(&chat(&provider, api, &[&servers[..], &more].concat()).code(0));
            let results = of_type(&told, "tool_result");
            assert_eq!(results.len(), 200, "{api} {approve}");
            assert!(
                results.iter().all(|result| result["state"] == state),
                "{results:#?}"
            );
            let asked = of_type(&told, "input_request");
            assert_eq!(asked.len(), 200, "{api} {approve}");
            let because = asked[199]["because"].as_str().unwrap();
            assert!(
                because.contains("200") || because.contains("in a row"),
                "{because}"
            );
        }
    }
}

/// Each answer makes the same call again: from the fourth on a rule does not cover it, and the bound on answers ends it.
#[test]
fn the_same_call_for_ever_is_asked_about_and_ends_at_the_bound_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        let text = "again\ncall greet {\"name\":\"Ada\"}";
        let servers = ["--stdio", &*three.demo, "--approve", "read-only", "--json"];
        let more = with_key(api, &["--max-rounds", "6", "-p", text]);
        let told = events(&chat(&provider, api, &[&servers[..], &more].concat()).code(8));
        let results = of_type(&told, "tool_result");
        let states: Vec<&Value> = results.iter().map(|result| &result["state"]).collect();
        assert_eq!(
            states,
            ["done", "done", "done", "denied", "denied", "denied"],
            "{api}"
        );
        let asked = of_type(&told, "input_request");
        let because = asked[0]["because"].as_str().unwrap();
        assert!(because.contains("for the 4th time in a row"), "{api}: {because}");
    }
}

/// The call has no result; the model is told, and answers.
#[test]
fn a_server_that_ends_during_its_call_is_told_to_the_model_in_both_formats() {
    let provider = Server::of("models", "any");
    let three = Three::start();
    for api in APIS {
        let text = "call crash {}\ncall greet {\"name\":\"Ada\"}";
        let more = with_key(api, &["-p", text]);
        let told = events(&chat(&provider, api, &three.arguments(&more)).code(0));
        let results = of_type(&told, "tool_result");
        let of = |state: &str| results.iter().filter(|result| result["state"] == state).count();
        assert_eq!((of("failed"), of("done")), (1, 1), "{api}: {results:#?}");
        let answer = told.last().unwrap()["text"].as_str().unwrap();
        assert!(
            answer.contains("may have run") && answer.contains("Hello, Ada!"),
            "{api}: {answer}"
        );
    }
}
