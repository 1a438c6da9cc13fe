//! The command line: it prints the address and waits, or says that it needs somebody.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::{
    http::server::Server,
    page::Page,
    programs::{Ended, Patchbay},
};

/// Runs a command that asks for consent, and gives it; how it ended, with what it said on stderr.
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
    let told = server.told("seen");
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
            .told("seen")
            .iter()
            .any(|line| line.contains("GET /authorize"))
    );
}
