//! Lines for a terminal.

use super::{check, parse};

#[test]
fn command_lines() {
    check(
        "npx -y @modelcontextprotocol/server-everything@2026.8.31",
        "everything: npx | -y | @modelcontextprotocol/server-everything@2026.8.31",
    );
    check(
        "$ uvx mcp-server-time --local-timezone=Europe/Berlin",
        "time: uvx | mcp-server-time | --local-timezone=Europe/Berlin",
    );
    check(
        "API_KEY='a b' LOG=1 node '/my path/weather/build/index.js'",
        "weather: API_KEY=a b LOG=1 node | /my path/weather/build/index.js",
    );
    check(
        "env A=1 python -m mcp_server_git",
        "git: A=1 python | -m | mcp_server_git",
    );
    check(
        "uv --directory /srv/x run weather.py",
        "weather: uv | --directory | /srv/x | run | weather.py",
    );
    check("node /code/weather.mjs", "weather: node | /code/weather.mjs");
    check(
        "cmd /c npx -y mcp-server-time",
        "time: cmd | /c | npx | -y | mcp-server-time",
    );
    check(
        "docker run -i --rm -e TOKEN mcp/github",
        "github: docker | run | -i | --rm | -e | TOKEN | mcp/github",
    );
    check(
        "./target/debug/my-server --flag",
        "my: ./target/debug/my-server | --flag",
    );
    check(
        "\"/my programs/server one\" x",
        "server one: /my programs/server one | x",
    );
    check("npx -y \\\n  foo \\\n  bar", "foo: npx | -y | foo | bar");
    check(
        "cd ~/proj && A=1 npm run start",
        "start: A=1 (~/proj) npm | run | start",
    );
    check(
        r#"srv '|' "&&" \; 'a | b' "it's > \" x""#,
        r#"srv: srv | | | && | ; | a | b | it's > " x"#,
    );
    check("npx foo\nnpx foo", "foo: npx | foo\nfoo 2: npx | foo");
    check("npx taken", "taken 2: npx | taken");
}

#[test]
fn lines_for_other_hosts() {
    check(
        "claude mcp add airtable --env KEY=v -- npx -y airtable-mcp-server",
        "airtable: KEY=v npx | -y | airtable-mcp-server",
    );
    check(
        "claude mcp add -s user fs npx -y server-fs /tmp",
        "fs: npx | -y | server-fs | /tmp",
    );
    check(
        "codex mcp add ctx --env A=1 -- npx -y ctx --flag",
        "ctx: A=1 npx | -y | ctx | --flag",
    );
    check(
        "claude mcp add-json w '{\"command\":\"w\",\"args\":[\"x\"]}'",
        "w: w | x",
    );
    check(
        "claude mcp add --transport http sentry https://mcp.sentry.dev/mcp --header 'Authorization: Bearer x'",
        "sentry: StreamableHttp https://mcp.sentry.dev/mcp *Authorization=Bearer x",
    );
    check(
        "claude mcp add -t sse asana https://mcp.asana.com/sse",
        "asana: Sse https://mcp.asana.com/sse",
    );
    check(
        "codex mcp add docs --url https://docs.example/mcp",
        "docs: Auto https://docs.example/mcp",
    );
}

#[test]
fn unusable_command_lines_are_reported() {
    check("", "! There is nothing to read yet.");
    check("npx 'foo", "! A quote is not closed in: npx 'foo");
    check(
        "https://example.com/mcp and more",
        "! An address must be alone on its line; remove `and`.",
    );
    check("A=1", "! There is no program in: A=1");
    check(
        "foo | tee log",
        "! `|` needs a shell, and none is used. Write it as: sh -c '…' (the line was: foo | tee log)",
    );
    check(
        "cd a && b && c",
        "! `&&` needs a shell, and none is used. Write it as: sh -c '…' (the line was: cd a && b && c)",
    );
}

#[test]
fn options_of_other_hosts_are_not_names() {
    check(
        "claude mcp add --transport http --client-id ID --client-secret --callback-port 8080 my-server https://a.example/mcp",
        "my-server: StreamableHttp https://a.example/mcp\n! \"my-server\": `--client-secret` is left out: the client secret is entered in the dialog.",
    );
    check(
        "codex mcp add github --url https://a.example/mcp --bearer-token-env-var GITHUB_PAT",
        "github: Auto https://a.example/mcp *Authorization=Bearer ${GITHUB_PAT}\n! \"github\": the header `Authorization` is a placeholder (Bearer ${GITHUB_PAT}); fill it in.",
    );
    check(
        "gemini mcp add -s user --timeout 5000 --trust myserver node s.js --timeout 1",
        "myserver: node | s.js | --timeout | 1",
    );
    check(
        "gemini mcp add --description \"My docs\" --include-tools=a,b docs https://a.example/mcp --x y",
        "docs: Auto https://a.example/mcp\n! \"docs\": `--include-tools` is left out: all tools are shown.\n! \"docs\": `--x` is left out: it is not known.",
    );
    check(
        "claude mcp add --new value name npx foo",
        "! `--new` is not known. Remove it, and its value if it has one, from: claude mcp add --new value name npx foo",
    );
    let line = "claude mcp add --client-id ID --callback-port=8080 my-server https://a.example/mcp";
    let authorization = parse(line, |_| false).drafts.remove(0).authorization.unwrap();
    assert_eq!(
        (authorization.client_id.as_deref(), authorization.redirect_port),
        (Some("ID"), Some(8080))
    );
}

#[test]
fn paths_of_windows_keep_their_backslashes() {
    check(
        r"C:\Users\me\server.exe --root C:\data",
        r"me: C:\Users\me\server.exe | --root | C:\data",
    );
    check(
        r#"{"a":{"command":"x","args":"--root C:\\data"},"b":{"command":"x --root C:\\data"}}"#,
        "a: x | --root | C:\\data\nb: x | --root | C:\\data\n! \"a\": `args` is one text; it was taken apart like a command line.",
    );
}

#[test]
fn a_line_break_in_quotes_belongs_to_the_line() {
    check(
        "claude mcp add-json weather '{\r\n  \"command\": \"w\",\r\n  \"args\": [\"x\"]\r\n}'\nnpx foo",
        "weather: w | x\nfoo: npx | foo",
    );
    check(
        "sh -c \"echo a\necho b\"",
        "echo a echo b: sh | -c | echo a\necho b",
    );
    check(
        "# don't\nnpx foo\n\nnpx 'bar\nnpx x",
        "foo: npx | foo\nx: npx | x\n! A quote is not closed in: npx 'bar",
    );
}
