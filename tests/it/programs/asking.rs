//! `--on-elicitation` and `--on-sampling`: rules, files, and answers typed at a terminal.
#![cfg(unix)]

mod tasks;
pub(crate) mod terminal;

use crate::{
    http::server::Server,
    programs::{Patchbay, chat, everything, scripted},
};
use terminal::answered;

/// The arguments of a call of the scripted server.
fn call<'a>(server: &'a str, tool: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "tools",
        "call",
        "--era",
        "legacy",
        "--timeout",
        "30",
        "--stdio",
        server,
        tool,
    ];
    args.extend(more);
    args
}

/// What is shown when these lines are typed.
fn typed(tool: &str, option: &str, lines: &[&str]) -> String {
    typed_with(tool, &[option, "ask"], lines)
}

fn typed_with(tool: &str, options: &[&str], lines: &[&str]) -> String {
    let (patchbay, server) = (Patchbay::new(), scripted("legacy"));
    let command = patchbay.command(&call(&server, tool, options));
    // Each line is typed at a prompt.
    let answers: Vec<_> = lines.iter().map(|line| (r"> \Z", *line)).collect();
    let ended = answered(&command, &answers);
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// The result on the terminal: quotes in the text of the tool are escaped.
fn result(shown: &str) -> String {
    let line = shown.lines().rev().find(|line| line.starts_with("{\"content\""));
    line.unwrap_or_else(|| panic!("{shown}")).replace('\\', "")
}

#[test]
fn a_form_is_filled_in_at_the_terminal() {
    // Too short, then right; the default; a wrong choice, then its number; nothing; what is no line break; and sent.
    let lines = ["A", "Ada", "", "blue", "1", "", "no", ":defaults", ""];
    let shown = typed("form", "--on-elicitation", &lines);
    assert_eq!(shown.matches("Press Enter to send it").count(), 3, "{shown}");
    for part in [
        "asks for input: Book a seat",
        "Your name (text, required)",
        "age (whole number, optional, default 9007199254740993)",
        "  2  green",
        "Enter one of the values, or its number from 1 to 2.",
        r#"Your answer: {"name":"Ada","age":9007199254740993,"colour":"red"}"#,
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(
        result(&shown).contains(
            r#""result":{"action":"accept","content":{"name":"Ada","age":9007199254740993,"colour":"red"}}"#
        ),
        "{shown}"
    );
}

#[test]
fn a_form_is_started_over_declined_and_cancelled() {
    let shown = typed(
        "form",
        "--on-elicitation",
        &["Ada", ":again", "::Bob", ":defaults", ""],
    );
    assert!(
        result(&shown).contains(r#""content":{"name":":Bob","age":9007199254740993,"colour":"green"}"#),
        "{shown}"
    );
    let declined = typed("form", "--on-elicitation", &["Ada", ":decline"]);
    assert!(
        result(&declined).contains(r#""result":{"action":"decline"}"#),
        "{declined}"
    );
    let cancelled = typed("form", "--on-elicitation", &[":cancel"]);
    assert!(
        result(&cancelled).contains(r#""result":{"action":"cancel"}"#),
        "{cancelled}"
    );
}

#[test]
fn sampling_is_answered_at_the_terminal() {
    let shown = typed("sampling", "--on-sampling", &["It is", "\"four\".", "."]);
    let result = result(&shown);
    assert!(result.contains("It isn") && result.contains("four"), "{shown}");
    let declined = typed("sampling", "--on-sampling", &[":decline"]);
    assert!(declined.contains("User rejected sampling request"), "{declined}");
}

/// Two calls of one answer: while the first asks for a form, the second waits for its approval.
#[test]
fn a_line_answers_only_the_question_that_was_shown_before_it() {
    let (provider, patchbay, server) = (Server::of("models", "any"), Patchbay::new(), scripted("legacy"));
    let asks = ["--approve", "ask", "--on-elicitation", "ask"];
    let says = ["--stdio", &server, "-p", "call form {}\ncall echo {}"];
    let more = [&asks[..], &says].concat();
    let command = chat::command(&patchbay, &provider, ("openai", "script"), &more);
    let answers = [
        ("Run form of .*against it: ", "y"),
        ("Run echo of .*against it: ", "not now"),
        ("Your name .*> ", "Ada"),
        ("age .*> ", ""),
        ("colour .*> ", ""),
        ("window .*> ", ""),
        ("Your answer: .*> ", ""),
    ];
    let shown = answered(&command, &answers).code(0).stdout;
    let said = shown.rsplit_once("The tools say: ").unwrap().1;
    assert!(
        said.contains(r#""content":{"name":"Ada","age":9007199254740993,"colour":"green"}"#),
        "{shown}"
    );
    assert!(said.contains("The reason: not now"), "{shown}");
}

#[test]
fn fixed_rules_come_before_the_simulator_and_that_before_the_terminal() {
    let declines = ["--simulate", "elicitation=decline"];
    let asks = ["--on-elicitation", "ask", "--on-sampling", "ask"];
    // Nobody is asked what is simulated, in whatever order the options are given.
    for options in [[&declines[..], &asks].concat(), [&asks[..], &declines].concat()] {
        let shown = typed_with("form", &options, &[]);
        assert!(!shown.contains("asks for input"), "{shown}");
        assert!(
            result(&shown).contains(r#""result":{"action":"decline"}"#),
            "{shown}"
        );
    }
    // What is not simulated is asked.
    let shown = typed_with("sampling", &[&declines[..], &asks].concat(), &["By hand", "."]);
    assert!(result(&shown).contains("By hand"), "{shown}");
    // A fixed rule answers what is simulated too.
    let fixed = ["--on-elicitation", "cancel"];
    let shown = typed_with("form", &[&declines[..], &fixed].concat(), &[]);
    assert!(
        result(&shown).contains(r#""result":{"action":"cancel"}"#),
        "{shown}"
    );
}

/// The timeout is also that of connecting, and so long enough for a busy machine.
#[test]
fn the_wait_for_an_answer_counts_against_the_timeout_only_if_that_is_set() {
    let (patchbay, server) = (Patchbay::new(), scripted("legacy"));
    let mut args = call(
        &server,
        "elicitation",
        &["--simulate", "elicitation=slow:12,decline"],
    );
    args[5] = "10";
    let ended = patchbay.run(&args).code(0);
    assert!(ended.stdout.contains("decline"), "{}", ended.stdout);
    args.push("--count-input-wait");
    patchbay.run(&args).code(5);
}

#[test]
fn without_a_terminal_nothing_is_started() {
    let (patchbay, server) = (Patchbay::new(), scripted("legacy"));
    for option in ["--on-elicitation", "--on-sampling"] {
        let ended = patchbay.run(&call(&server, "form", &[option, "ask"]));
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(
            ended.stderr.contains("`ask` needs a terminal"),
            "{}",
            ended.stderr
        );
        assert!(ended.stdout.is_empty());
    }
}

#[test]
fn an_answer_is_read_from_a_file() {
    let (patchbay, server) = (Patchbay::new(), scripted("legacy"));
    let file = patchbay.folder().join("answer.json");
    std::fs::write(
        &file,
        "\u{feff}{\n  \"action\": \"accept\",\n  \"content\": {\"price\": 1.10}\n}\n",
    )
    .unwrap();
    let given = format!("file:{}", file.display());
    let ended = patchbay
        .run(&call(&server, "form", &["--on-elicitation", &given]))
        .code(0);
    assert!(ended.stdout.contains(r#"{\"price\": 1.10}"#), "{}", ended.stdout);
    std::fs::write(&file, "[1]").unwrap();
    for (option, value) in [
        ("--on-elicitation", given.as_str()),
        ("--on-sampling", given.as_str()),
        ("--on-sampling", "file:/no/such/file"),
    ] {
        let ended = patchbay.run(&call(&server, "form", &[option, value]));
        assert_eq!(ended.code, Some(1), "{option} {value}");
    }
}

#[test]
fn what_is_declared_can_be_chosen_and_what_is_not_is_refused() {
    let (patchbay, server) = (Patchbay::new(), scripted("legacy"));
    let (ended, recording) = patchbay.recorded(&call(
        &server,
        "form",
        &[
            "--on-elicitation",
            "accept-defaults",
            "--on-sampling",
            "Hi",
            "--no-capability",
            "elicitation.form",
            "--experimental",
            r#"{"x":{"n":1.10}}"#,
            "--extensions",
            "{}",
            "--offer-revision",
            "2025-06-18",
        ],
    ));
    let ended = ended.code(0);
    assert!(
        ended.stdout.contains("-32601") && ended.stdout.contains("did not declare `elicitation`"),
        "{}",
        ended.stdout
    );
    let initialize = recording.find("clientToServer", r#""initialize""#);
    assert!(
        initialize.contains(
            r#""protocolVersion":"2025-06-18","capabilities":{"sampling":{},"experimental":{"x":{"n":1.10}},"extensions":{}}"#
        ),
        "{initialize}"
    );
    let unknown = scripted("unknown-version");
    let list = ["tools", "list", "--era", "legacy", "--stdio", &unknown];
    assert_eq!(patchbay.run(&list).code, Some(2));
    patchbay.run(&[&list[..], &["--any-revision"]].concat()).code(0);
}

/// The names of the tools of server-everything.
fn tools_of(server: &str, more: &[&str]) -> Vec<String> {
    let mut args = vec!["tools", "list", "--era", "legacy", "--stdio", server];
    args.extend([
        "--on-elicitation",
        "decline",
        "--on-sampling",
        "Hi",
        "--root",
        "/",
    ]);
    args.extend(more);
    let listed = Patchbay::new().run(&args).code(0).json();
    let tools = listed["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

/// It offers two of its tools only to clients that can answer with tasks.
#[test]
fn everything_has_its_requests_answered_as_tasks() {
    let Some(server) = everything() else { return };
    assert_eq!(tools_of(&server, &["--no-capability", "tasks"]).len(), 17);
    assert_eq!(tools_of(&server, &[]).len(), 19);
    let patchbay = Patchbay::new();
    for (tool, arguments, method, shown) in [
        (
            "trigger-sampling-request-async",
            r#"{"prompt":"Hi"}"#,
            "sampling/createMessage",
            "As you like",
        ),
        (
            "trigger-elicitation-request-async",
            "{}",
            "elicitation/create",
            "User provided the requested information",
        ),
    ] {
        let (ended, recording) = patchbay.recorded(&[
            "tools",
            "call",
            "--era",
            "legacy",
            "--stdio",
            &server,
            "--on-sampling",
            "As you like",
            "--on-elicitation",
            r#"{"action":"accept","content":{"name":"Ada"}}"#,
            tool,
            arguments,
        ]);
        let ended = ended.code(0);
        assert!(
            ended.stdout.contains("[COMPLETED]") && ended.stdout.contains(shown),
            "{tool}: {}",
            ended.stdout
        );
        recording.find("serverToClient", method);
        recording.find("serverToClient", "tasks/get");
        recording.find("serverToClient", "tasks/result");
        let result = recording.find("clientToServer", "related-task");
        assert!(result.contains("\"result\":"), "{result}");
    }
}
