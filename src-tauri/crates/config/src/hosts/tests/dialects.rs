//! The words of each host become the same settings.

use super::*;

#[test]
fn dialects_become_the_same_settings() {
    let home = Home::new();
    home.write(
        ".codex/config.toml",
        r#"
model = "x"
[mcp_servers.a]
command = "uvx"
args = ["srv"]
cwd = "/tmp"
enabled = false
env_vars = ["HELD", { name = "REMOTE", source = "remote" }]
env = { PORT = 1 }
[mcp_servers.b]
url = "https://b.example/mcp"
bearer_token_env_var = "B_TOKEN"
http_headers = { X-Plain = "1" }
env_http_headers = { X-Named = "B_NAMED" }
[mcp_servers.c]
url = "https://c.example/mcp"
bearer_token = "a-token"
"#,
    );
    assert_eq!(
        lines(&home.only()),
        [
            "a: uvx srv | HELD=${HELD} PORT=1 REMOTE=${REMOTE} /tmp (disabled)",
            "b: https://b.example/mcp Auto | Authorization: Bearer ${B_TOKEN}, X-Named: ${B_NAMED}, X-Plain: 1",
            "c: https://c.example/mcp Auto | Authorization: Bearer a-token",
        ]
    );
    let home = Home::new();
    home.write(
        ".config/goose/config.yaml",
        "extensions:\n  developer: {type: builtin, name: developer, enabled: true}\n  fetch:\n    type: stdio\n    cmd: uvx\n    args: [mcp-server-fetch]\n    envs: {A: b}\n    env_keys: [KEY]\n    enabled: false\n  remote: {type: streamable_http, uri: 'https://r.example/mcp', headers: {X: y}}\n  old: {type: sse, uri: 'https://o.example/sse'}\n",
    );
    assert_eq!(
        lines(&home.only()),
        [
            "fetch: uvx mcp-server-fetch | A=b KEY=${KEY} (disabled)",
            "old: https://o.example/sse Sse",
            "remote: https://r.example/mcp StreamableHttp | X: y",
        ]
    );
}

#[test]
fn what_a_host_would_read_or_run_for_a_server_is_said_to_be_left_out() {
    let home = Home::new();
    home.write(
        ".cursor/mcp.json",
        r#"{"mcpServers":{"x":{"command":"${workspaceFolder}/x","args":["--in=${PROJECT}","${HELD}"],"env":{"HELD":"1"},"envFile":".env","oauth":null},
            "y":{"url":"https://${HOST}/mcp","oauth":{"clientId":"c"},"headersHelper":"/bin/get"}}}"#,
    );
    let mut servers = home.only().servers;
    servers.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(
        servers[0].problems,
        [
            "`envFile` is left out: its variables are entered in the dialog",
            "its `command` has a placeholder (${workspaceFolder}); fill it in",
            "argument 1 has a placeholder (${PROJECT}); fill it in",
        ]
    );
    assert_eq!(
        servers[1].problems,
        [
            "`oauth` is left out: authorization is set in the dialog",
            "`headersHelper` is left out: headers are entered in the dialog",
            "its address has a placeholder (${HOST}); fill it in",
        ]
    );
}

#[test]
fn variables_of_gemini_are_placeholders() {
    let home = Home::new();
    home.write(
        ".gemini/settings.json",
        r#"{"mcpServers":{"g":{"command":"x","args":["--to=$HOST"],"env":{"API_KEY":"$MY_KEY","OLD":"${OLD}","PASSWORD":"pa$word$1$"}},
            "h":{"httpUrl":"https://h.example/mcp","headers":{"Authorization":"Bearer $TOKEN"}}}}"#,
    );
    let file = home.only();
    assert_eq!(
        lines(&file),
        [
            "g: x --to=${HOST} | API_KEY=${MY_KEY} OLD=${OLD} PASSWORD=pa$word$1$",
            "h: https://h.example/mcp StreamableHttp | Authorization: Bearer ${TOKEN}",
        ]
    );
    let of_h = file.servers.iter().find(|server| server.name == "h").unwrap();
    assert_eq!(of_h.secrets, []);
    // No other host has such variables.
    let home = Home::new();
    home.write(
        ".cursor/mcp.json",
        r#"{"mcpServers":{"c":{"command":"x","env":{"API_KEY":"$MY_KEY"}}}}"#,
    );
    assert_eq!(lines(&home.only()), ["c: x  | API_KEY=$MY_KEY"]);
}

#[test]
fn extensions_of_zed_are_not_servers() {
    let home = Home::new();
    home.write(
        ".config/zed/settings.json",
        r#"{"context_servers":{"mcp-server-github":{"settings":{"token":"x"}},"old":{"source":"extension"},"mine":{"command":"x","settings":{}}}}"#,
    );
    let file = home.only();
    assert_eq!(
        (lines(&file), file.problems),
        (vec!["mine: x".to_owned()], Vec::new())
    );
}
