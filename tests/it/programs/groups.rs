//! Disabled servers and groups on the command line.

use serde_json::json;

use super::{Ended, Patchbay, scripted};

/// A data folder with an enabled and a disabled server, which are in groups.
fn with_servers() -> Patchbay {
    let patchbay = Patchbay::new();
    let line = scripted("legacy");
    let words = shlex(&line);
    let entry = |id: &str, more: serde_json::Value| {
        let mut entry = json!({
            "command": words[0], "args": words[1..], "id": id, "era": "legacy", "inheritEnvironment": true,
        });
        entry
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        entry
    };
    let servers = json!({
        "mcpServers": {
            "on": entry("on", json!({"groups": ["Work"]})),
            "off": entry("off", json!({"disabled": true, "groups": ["Work", "Night"]})),
        },
        "serverGroups": ["Empty", "Work", "Night"],
    });
    std::fs::write(patchbay.folder().join("servers.json"), servers.to_string()).unwrap();
    patchbay
}

/// The words of a command line whose words may be in single quotes.
fn shlex(line: &str) -> Vec<String> {
    let words = line.split('\'').enumerate().flat_map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Runs `patchbay` with the servers of its folder.
fn run(patchbay: &Patchbay, args: &[&str]) -> Ended {
    let folder = patchbay.folder().display().to_string();
    patchbay.run(&[&["--data-dir", folder.as_str()][..], args].concat())
}

#[test]
fn a_disabled_server_is_used_only_when_that_is_said() {
    let patchbay = with_servers();
    let ended = run(&patchbay, &["tools", "list", "--server", "off"]).code(1);
    assert!(
        ended
            .stderr
            .contains("\"off\" is disabled. Enable it in Patchbay, or add --use-disabled"),
        "{}",
        ended.stderr
    );
    run(&patchbay, &["tools", "list", "--server", "off", "--use-disabled"]).code(0);
    run(&patchbay, &["tools", "list", "--server", "on"]).code(0);
    // For this run only.
    let text = std::fs::read_to_string(patchbay.folder().join("servers.json")).unwrap();
    assert!(text.contains("\"disabled\":true"), "{text}");
    run(&patchbay, &["tools", "list", "--server", "off"]).code(1);
}

#[test]
fn a_group_that_cannot_be_used_is_named_with_the_reason() {
    let patchbay = with_servers();
    for (group, why) in [
        (
            "Missing",
            "There is no group named \"Missing\". There are: \"Empty\", \"Work\", \"Night\".",
        ),
        ("Empty", "The group \"Empty\" has no servers."),
        ("Night", "The group \"Night\" has disabled servers only."),
    ] {
        let args = [
            "chat",
            "--provider",
            "manual",
            "--approve",
            "none",
            "-p",
            "hi",
            "--group",
            group,
        ];
        let ended = run(&patchbay, &args).code(1);
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    }
    // The one that can be used is, and the other is said.
    let args = [
        "chat",
        "--provider",
        "manual",
        "--approve",
        "none",
        "-p",
        "hi",
        "--group",
        "Work",
        "--server",
        "on",
    ];
    let ended = run(&patchbay, &args);
    assert!(
        ended.stderr.contains("\"off\" is disabled and not used."),
        "{}",
        ended.stderr
    );
}

/// A server that is in the file and cannot be read is not only said to be missing.
#[test]
fn a_server_or_group_that_is_missing_is_named_with_what_is_wrong_with_the_file() {
    let patchbay = Patchbay::new();
    let file = patchbay.folder().join("servers.json");
    std::fs::write(&file, r#"{"mcpServers":{"odd":{"command":1,"groups":["Work"]}}}"#).unwrap();
    let chat = ["chat", "--provider", "manual", "--approve", "none", "-p", "hi"];
    for (args, missing) in [
        (
            vec!["tools", "list", "--server", "odd"],
            "There is no server named \"odd\". No server is saved yet.",
        ),
        (
            [&chat[..], &["--group", "Work"]].concat(),
            "There is no group named \"Work\". There are no groups yet.",
        ),
    ] {
        let ended = run(&patchbay, &args).code(1);
        for said in [missing, "\"odd\" in servers.json is not shown: "] {
            assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
        }
    }
}
