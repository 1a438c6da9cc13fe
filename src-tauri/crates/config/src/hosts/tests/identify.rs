use patchbay_contract::{FileContent, FileText};

use super::*;

fn identified(name: &str, text: &str) -> FileContent {
    let files = [FileText {
        name: name.to_owned(),
        text: text.to_owned(),
    }];
    identify(&files, &[]).remove(0)
}

/// `host: server, server`, or the type of what it is.
fn said(name: &str, text: &str) -> String {
    match identified(name, text) {
        FileContent::Host { file } => {
            let names: Vec<&str> = file.servers.iter().map(|server| server.name.as_str()).collect();
            format!("{}: {}", file.place.host, names.join(", "))
        }
        FileContent::Registry {} => "registry".to_owned(),
        FileContent::Servers {} => "servers".to_owned(),
        FileContent::Unknown { reason } => reason,
    }
}

const COMMON: &str = r#"{"mcpServers":{"a":{"command":"x"},"b":{"url":"https://example.com/mcp"}}}"#;

#[test]
fn the_content_says_that_it_is_a_configuration_and_the_name_of_whom() {
    for (name, text, expected) in [
        ("claude_desktop_config.json", COMMON, "Claude Desktop: a, b"),
        ("/users/me/.cursor/mcp.json", COMMON, "Cursor: a, b"),
        (r"C:\Users\me\.lmstudio\mcp.json", COMMON, "LM Studio: a, b"),
        ("mcp_config.json", COMMON, "Windsurf: a, b"),
        ("/x/.gemini/settings.json", COMMON, "Gemini CLI: a, b"),
        // Cursor and LM Studio call it so.
        ("mcp.json", COMMON, "Host configuration: a, b"),
        (".mcp.json", COMMON, "Host configuration: a, b"),
        ("notes.txt", COMMON, "Host configuration: a, b"),
        (
            ".claude.json",
            r#"{"projects":{"/p":{"mcpServers":{"c":{"command":"x"}}}}}"#,
            "Claude Code: c",
        ),
        (
            "mcp.json",
            "{ // of VS Code\n\"servers\":{\"a\":{\"command\":\"x\"},},}",
            "VS Code: a",
        ),
        (
            "settings.json",
            r#"{"mcp":{"servers":{"a":{"command":"x"}}}}"#,
            "VS Code settings: a",
        ),
        (
            "settings.json",
            r#"{"context_servers":{"a":{"command":"x"}}}"#,
            "Zed: a",
        ),
        ("config.toml", "[mcp_servers.a]\ncommand = \"x\"\n", "Codex: a"),
        (
            "config.yml",
            "extensions:\n  a:\n    type: stdio\n    cmd: x\n",
            "Goose: a",
        ),
    ] {
        assert_eq!(said(name, text), expected, "{name}");
    }
}

#[test]
fn other_files_with_servers_are_known() {
    let registry = r#"{"name":"io.github.a/b","packages":[{"registryType":"npm","identifier":"x"}]}"#;
    assert_eq!(said("server.json", registry), "registry");
    assert_eq!(said("readme.json", r#"{"a":{"command":"x"}}"#), "servers");
    assert_eq!(said("one.json", r#"{"command":"x","args":["y"]}"#), "servers");
}

#[test]
fn what_has_no_servers_is_said_with_the_cause() {
    for (name, text, expected) in [
        ("a.json", "", "It is empty."),
        ("a.txt", "npx -y weather", "It is not a file with MCP servers."),
        ("a.json", "{", "It is not valid JSON"),
        ("a.toml", "[", "It is not valid TOML"),
        ("a.yaml", "a: [", "It is not valid YAML"),
        (
            "package.json",
            r#"{"name":"x","bugs":{"url":"https://x.example/bugs"}}"#,
            "It has no MCP servers.",
        ),
        (
            "settings.json",
            r#"{"editor.fontSize":12}"#,
            "It has no MCP servers.",
        ),
        // Of OpenAPI.
        (
            "api.json",
            r#"{"openapi":"3.1.0","servers":[{"url":"https://x"}]}"#,
            "It has no MCP servers.",
        ),
        ("list.json", "[1,2]", "It has no MCP servers."),
        (
            "machines.json",
            r#"{"servers":{"one":{"ip":"10.0.0.1"}}}"#,
            "It has no MCP servers. \"one\"",
        ),
    ] {
        let reason = said(name, text);
        assert!(reason.starts_with(expected), "{name}: {reason}");
    }
    let large = format!("{{\"x\":\"{}\"}}", "x".repeat(16 << 20));
    assert!(said("a.json", &large).starts_with("It is larger than 16 MiB"));
}

#[test]
fn a_configuration_with_nothing_but_problems_is_shown_with_them() {
    match identified("claude_desktop_config.json", r#"{"mcpServers":{"a":{}}}"#) {
        FileContent::Host { file } => assert!(file.servers.is_empty() && !file.problems.is_empty()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn servers_of_all_files_are_compared_and_named_together() {
    let folder = TempDir::new().unwrap();
    let ours = ours(
        folder.path(),
        vec![ServerDraft {
            name: "mine".to_owned(),
            ..one_command("x").unwrap()
        }],
    );
    let file = |name: &str| FileText {
        name: name.to_owned(),
        text: COMMON.to_owned(),
    };
    let found = identify(&[file("one.json"), file("two.json")], &ours);
    let names: Vec<String> = found
        .iter()
        .flat_map(|content| match content {
            FileContent::Host { file } => file.servers.clone(),
            _ => Vec::new(),
        })
        .map(|server| server.draft.name)
        .collect();
    assert_eq!(names, ["a", "b", "a 2", "b 2"]);
    let FileContent::Host { file } = &found[0] else {
        panic!("{found:?}")
    };
    assert!(matches!(file.servers[0].comparison, HostComparison::Same { .. }));
}
