//! The command line: it prints the address and waits, or reports that a user is needed.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::{
    harness::page::Page,
    http::server::Server,
    programs::{Ended, Patchbay},
};

/// Runs a command that requests consent, and gives it. Returns how it ended, with its stderr.
pub(super) fn consenting(patchbay: &Patchbay, args: &[&str]) -> Ended {
    let mut command = patchbay.command(args);
    command.env("PATCHBAY_LOG", "trace");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        said.push_str(&line);
        said.push('\n');
        let address = line.split_whitespace().find(|word| word.contains("/authorize?"));
        let mut page = address.map(Page::get);
        while let Some(next) = page.as_ref().and_then(|page| page.header("location")) {
            page = Some(Page::get(next));
        }
    }
    let mut ended: Ended = child.wait_with_output().unwrap().into();
    ended.stderr = said;
    ended
}

#[test]
fn the_address_is_printed_and_waited_for() {
    let server = Server::of("oauth", "fair");
    let patchbay = Patchbay::new();
    let ended = consenting(&patchbay, &["tools", "call", "--url", &server.url, "echo", "{}"]).code(0);
    assert_eq!(ended.json()["content"][0]["text"], "{}", "{ended:?}");
    let told = server.report("seen");
    assert!(
        told.iter().any(|line| line.contains("tools/call echo [token 1]")),
        "{told:#?}"
    );
}

#[test]
fn without_a_browser_it_ends_with_7_and_says_what_to_do() {
    let server = Server::of("oauth", "fair");
    let patchbay = Patchbay::new();
    let ended = patchbay
        .run(&["tools", "list", "--url", &server.url, "--no-browser"])
        .code(7);
    assert!(ended.stdout.is_empty(), "{ended:?}");
    assert!(
        ended.stderr.contains("--no-browser") || ended.stderr.contains("browser"),
        "{ended:?}"
    );
    assert!(
        !server
            .report("seen")
            .iter()
            .any(|line| line.contains("GET /authorize"))
    );
}

/// The user is also needed if a token lacks scopes, for the first request or a later one.
#[test]
fn missing_scopes_without_a_user_end_with_7() {
    let no_browser = |part: &str, command: &[&str]| {
        let server = Server::of("oauth", part);
        let args = [command, &["--url", &server.url, "--no-browser"]].concat();
        let ended = Patchbay::new().run(&args);
        let asked = server.report("seen");
        let further = |line: &&String| line.contains("/authorize") || line.contains("POST /token");
        assert_eq!(asked.iter().find(further), None, "{ended:?}");
        ended
    };
    let list = ["tools", "list"];
    let write = ["tools", "call", "write", "{}"];
    for (part, command, scope) in [
        ("scope-without-token", &list[..], "mcp:read"),
        ("token-optional", &write[..], "mcp:write"),
    ] {
        let ended = no_browser(part, command).code(7);
        assert!(ended.stdout.is_empty(), "{ended:?}");
        assert!(
            ended.stderr.contains(scope) && ended.stderr.contains("browser"),
            "{ended:?}"
        );
        let ended = no_browser(part, &[command, &["--json"]].concat()).code(7);
        let last = ended.stderr.lines().last().unwrap();
        let problem: serde_json::Value = serde_json::from_str(last).unwrap();
        assert_eq!(problem["code"], "authorizationRequired", "{ended:?}");
    }
    let echo = ["tools", "call", "echo", "{}"];
    assert_eq!(no_browser("token-optional", &echo).code, Some(0));
    // A 403 for another reason than scopes is not an authorization problem.
    let forbidden = ["tools", "call", "forbidden", "{}"];
    let ended = no_browser("token-optional", &forbidden).code(2);
    assert!(ended.stderr.contains("403"), "{ended:?}");
}
