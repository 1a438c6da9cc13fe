//! `patchbay` with third-party servers.

use crate::programs::{Patchbay, everything, ours, peer, quoted};

/// The numbers of a request are sent exactly as typed.
#[test]
fn everything_gets_the_number_as_written() {
    let Some(server) = everything() else { return };
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&[
        "tools",
        "call",
        "--stdio",
        &server,
        "get-sum",
        r#"{"a":9007199254740993,"b":1}"#,
    ]);
    let ended = ended.code(0);
    assert!(
        ended.json()["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("sum"),
        "{}",
        ended.stdout
    );
    let call = recording.find("clientToServer", "tools/call");
    assert!(
        call.contains(r#""arguments":{"a":9007199254740993,"b":1}"#),
        "{call}"
    );
}

#[test]
fn everything_is_legacy_and_lists_all_pages() {
    let Some(server) = everything() else { return };
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&["tools", "list", "--stdio", &server]);
    let ended = ended.code(0);
    let tools = ended.json()["tools"].as_array().unwrap().len();
    assert!(tools >= 12, "{tools} tools: {}", ended.stdout);
    // `auto` tries a modern handshake first; the probe and its rejection are in the log.
    recording.find("clientToServer", "server/discover");
    recording.find("serverToClient", "-32601");
    recording.find("clientToServer", r#""initialize""#);
}

#[test]
fn everything_has_resources_templates_and_prompts() {
    let Some(server) = everything() else { return };
    let patchbay = Patchbay::new();
    for (args, member) in [
        (["resources", "list"], "resources"),
        (["resources", "templates"], "resourceTemplates"),
        (["prompts", "list"], "prompts"),
    ] {
        let ended = patchbay
            .run(&[args[0], args[1], "--era", "legacy", "--stdio", &server])
            .code(0);
        let page: serde_json::Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
        assert!(!page[member].as_array().unwrap().is_empty(), "{}", ended.stdout);
    }
    let listed = patchbay.run(&["resources", "list", "--era", "legacy", "--stdio", &server]);
    let uri = listed.code(0).json()["resources"][0]["uri"]
        .as_str()
        .unwrap()
        .to_owned();
    let read = patchbay.run(&["resources", "read", "--era", "legacy", "--stdio", &server, &uri]);
    let read = read.code(0).json();
    assert_eq!(read["contents"][0]["uri"], uri.as_str(), "{read}");
    let prompt = patchbay
        .run(&[
            "prompts",
            "get",
            "--era",
            "legacy",
            "--stdio",
            &server,
            "simple-prompt",
        ])
        .code(0);
    assert!(prompt.json()["messages"].is_array(), "{}", prompt.stdout);
}

/// Both eras, from the same server.
#[test]
fn time_speaks_both_eras() {
    let Some(server) = peer("PATCHBAY_PEERS_PYTHON", "mcp-server-time") else {
        return;
    };
    let patchbay = Patchbay::new();
    for (era, opening) in [("modern", "server/discover"), ("legacy", "initialize")] {
        let (ended, recording) = patchbay.recorded(&[
            "tools",
            "call",
            "--era",
            era,
            "--stdio",
            &server,
            "get_current_time",
            r#"{"timezone":"Europe/Berlin"}"#,
        ]);
        let ended = ended.code(0);
        assert!(ended.stdout.contains("Europe/Berlin"), "{era}: {}", ended.stdout);
        let first = recording.raws("clientToServer")[0];
        assert!(first.contains(opening), "{era}: {first}");
    }
}

#[test]
fn auto_detects_the_modern_era_of_git() {
    let Some(server) = peer("PATCHBAY_PEERS_PYTHON", "mcp-server-git") else {
        return;
    };
    let patchbay = Patchbay::new();
    let (ended, recording) = patchbay.recorded(&["tools", "list", "--stdio", &server]);
    let ended = ended.code(0);
    assert!(ended.stdout.contains("git_status"), "{}", ended.stdout);
    assert!(
        recording
            .raws("clientToServer")
            .iter()
            .all(|raw| !raw.contains(r#""initialize""#))
    );
}

#[test]
fn a_tool_that_fails_ends_with_4_and_its_result() {
    let Some(server) = peer("PATCHBAY_PEERS_PYTHON", "mcp-server-time") else {
        return;
    };
    let patchbay = Patchbay::new();
    let ended = patchbay.run(&[
        "tools",
        "call",
        "--stdio",
        &server,
        "get_current_time",
        r#"{"timezone":"Nowhere/Nothing"}"#,
    ]);
    let ended = ended.code(4);
    assert_eq!(ended.json()["isError"], true, "{}", ended.stdout);
}

#[test]
fn an_rmcp_server_echoes() {
    let server = quoted(&ours("patchbay-rmcp-server"));
    let patchbay = Patchbay::new();
    for era in ["auto", "legacy", "modern"] {
        let ended = patchbay
            .run(&[
                "tools",
                "call",
                "--era",
                era,
                "--stdio",
                &server,
                "echo",
                r#"{"text":"hello"}"#,
            ])
            .code(0);
        assert_eq!(ended.json()["content"][0]["text"], "hello", "{era}");
    }
}
