use patchbay_contract::{AuthorizationDraft, AuthorizationMode, EnvVar, HttpKind, TransportDraft};

use super::{http, parse};

mod command_lines;
mod links;

/// The parsed drafts, one per line: `name: [KEY=value …] [(cwd)] command | arg | arg`, then `! problem`.
fn read(text: &str) -> String {
    let parsed = parse(text, |name| name == "taken");
    let mut lines: Vec<String> = parsed
        .drafts
        .into_iter()
        .map(|draft| {
            let (command, args, env, cwd) = match draft.transport {
                TransportDraft::Stdio {
                    command,
                    args,
                    env,
                    cwd,
                } => (command, args, env, cwd),
                TransportDraft::Http {
                    url, kind, headers, ..
                } => {
                    let headers: String = headers
                        .into_iter()
                        .map(|header| {
                            let secret = if header.is_secret { "*" } else { "" };
                            format!(" {secret}{}={}", header.name, header.value)
                        })
                        .collect();
                    return format!("{}: {kind:?} {url}{headers}", draft.name);
                }
            };
            let env: String = env
                .into_iter()
                .map(|EnvVar { name, value }| format!("{name}={value} "))
                .collect();
            let cwd = cwd.map(|cwd| format!("({cwd}) ")).unwrap_or_default();
            let words: Vec<String> = std::iter::once(command).chain(args).collect();
            format!("{}: {env}{cwd}{}", draft.name, words.join(" | "))
        })
        .collect();
    lines.extend(parsed.problems.into_iter().map(|problem| format!("! {problem}")));
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(read(text), expected, "read from: {text}");
}

#[test]
fn addresses() {
    check(
        "https://mcp.sentry.dev/mcp",
        "sentry: Auto https://mcp.sentry.dev/mcp",
    );
    check(
        " http://localhost:3000/sse ",
        "localhost:3000: Auto http://localhost:3000/sse",
    );
    check("HTTPS://a.example/mcp", "a: Auto HTTPS://a.example/mcp");
    check("http://127.0.0.1/", "127.0.0.1: Auto http://127.0.0.1/");
    check(
        "https://api.githubcopilot.com/mcp/\nhttps://mcp.example.co.uk",
        "githubcopilot: Auto https://api.githubcopilot.com/mcp/\nexample: Auto https://mcp.example.co.uk",
    );
}

#[test]
fn json_of_every_host() {
    check(
        r#"{"mcpServers":{"a":{"command":"x","args":["1",2,true],"env":{"K":"v","N":1.10}}}}"#,
        "a: K=v N=1.10 x | 1 | 2 | true",
    );
    check(
        r#"{"servers":{"a":{"type":"stdio","command":"x","cwd":"/c"}},"inputs":[]}"#,
        "a: (/c) x",
    );
    check(r#"{"mcp":{"servers":{"a":{"command":"x"}}}}"#, "a: x");
    check(
        r#"{"context_servers":{"z":{"command":{"path":"x","args":["y"],"env":{"K":"v"}}}}}"#,
        "z: K=v x | y",
    );
    check(
        r#"{"command":"npx","args":["-y","@scope/mcp-server-foo"]}"#,
        "foo: npx | -y | @scope/mcp-server-foo",
    );
    check(
        r#"[{"name":"n","command":"x"},{"name":"n","command":"y"}]"#,
        "n: x\nn 2: y",
    );
    check(r#"{"b":{"command":"x"},"a":{"command":"y"}}"#, "b: x\na: y");
    check("\"torn\": {\n \"command\": \"x\"\n},", "torn: x");
    check(
        r#"{"mcpServers":{"l":{"command":"npx -y foo"}}}"#,
        "l: npx | -y | foo",
    );
}

#[test]
fn json_of_servers_at_an_address() {
    check(
        r#"{"mcpServers":{"a":{"url":"https://a/mcp","headers":{"X-Team":"t","Authorization":"Bearer ${TOKEN}"}}}}"#,
        "a: Auto https://a/mcp X-Team=t *Authorization=Bearer ${TOKEN}\n! \"a\": the header `Authorization` is a placeholder (Bearer ${TOKEN}); fill it in.",
    );
    check(
        r#"{"servers":{"h":{"type":"http","url":"https://h"},"s":{"type":"sse","url":"https://s"}}}"#,
        "h: StreamableHttp https://h\ns: Sse https://s",
    );
    check(
        r#"{"mcpServers":{"w":{"serverUrl":"https://w"},"g":{"httpUrl":"https://g"}}}"#,
        "w: Auto https://w\ng: StreamableHttp https://g",
    );
    check(
        r#"{"type":"streamable-http","url":"https://mcp.linear.app/mcp"}"#,
        "linear: StreamableHttp https://mcp.linear.app/mcp",
    );
    check(
        r#"{"mcpServers":{"b":{"url":"https://b","command":"x"},"q":{"type":"quic","url":"https://q"}}}"#,
        "q: Auto https://q\n! \"b\": it has both a `command` and an address.\n! \"q\": the transport `quic` is not known; both HTTP transports are tried.",
    );
}

#[test]
fn json_may_have_comments_and_trailing_commas_only() {
    check(
        "{ // mine\n \"a\": {\"command\": \"x//y\", /* b */ \"args\": [\"1\",],},\n}",
        "a: x//y | 1",
    );
    check(
        "{\"a\": }",
        "! This is not valid JSON: expected value at line 1 column 7.",
    );
}

#[test]
fn json_of_zed_may_be_disabled_or_alone() {
    let parsed = parse(r#"{"source":"custom","enabled":false,"command":"x"}"#, |_| false);
    assert!(parsed.drafts[0].disabled);
    check(r#"{"command":{"path":"x","args":["y"]}}"#, "x: x | y");
    check(r#"{"command":{"command":"x"}}"#, "command: x");
}

#[test]
fn placeholders_are_noted_wherever_they_are() {
    check(
        r#"{"a":{"command":"x","args":["${BASE:-/tmp}/${input:i}","${vault:0123456789abcdef0123456789abcdef}","${input:i}","-c","echo ${X}","${}"],"cwd":"${env:H}"}}"#,
        "a: (${env:H}) x | ${BASE:-/tmp}/${input:i} | ${vault:0123456789abcdef0123456789abcdef} | ${input:i} | -c | echo ${X} | ${}
! \"a\": argument 1 has a placeholder (${BASE:-/tmp}); fill it in.
! \"a\": argument 3 has a placeholder (${input:i}); fill it in.
! \"a\": its `cwd` has a placeholder (${env:H}); fill it in.",
    );
}

#[test]
fn json_may_follow_comments_and_be_in_a_fence() {
    for text in [
        "// Zed settings\n//\n{\"a\":{\"command\":\"x\"}}",
        "\u{feff}/* { */\n /**/ {\"a\":{\"command\":\"x\"}}",
        "```json\n{\"a\":{\"command\":\"x\"}}\n```",
        "```jsonc\r\n// mine\n\"a\":{\"command\":\"x\"},\n",
    ] {
        check(text, "a: x");
    }
    check("```sh\nnpx foo\n```", "foo: npx | foo");
    check("/* open", "*: /* | open");
    check("//host/x", "x: //host/x");
    check(
        "// mine\n[{\"command\": 1",
        "! This is not valid JSON: EOF while parsing an object at line 2 column 14.",
    );
    check("```json\n{\"name\":\"x/y\",\"packages\":[]}\n```", "");
}

#[test]
fn one_bad_server_causes_one_problem() {
    check(
        r#"{"mcpServers":{"h":{"url":"https://x","type":"stdio"},"n":5,"g":{"command":"x"},"e":{"command":""},"k":{"command":"y","env":{"T":"${input:t}"}}}}"#,
        "g: x\nk: T=${input:t} y\n! \"h\": its `type` is stdio, but it has an address and no `command`.\n! \"n\": not a server but 5.\n! \"e\": its `command` is empty.\n! \"k\": the variable `T` is a placeholder (${input:t}); fill it in.",
    );
}

#[test]
fn addresses_without_a_scheme() {
    check(
        "localhost:3000/mcp",
        "localhost:3000: Auto http://localhost:3000/mcp",
    );
    check("127.0.0.1:8080", "127.0.0.1:8080: Auto http://127.0.0.1:8080");
    check("mcp.sentry.dev/mcp", "sentry: Auto https://mcp.sentry.dev/mcp");
    check("weather.py", "weather: weather.py");
    check("bin.d/server", "bin.d: bin.d/server");
}

#[test]
fn servers_on_one_host_are_named_by_their_paths() {
    check(
        "http://127.0.0.1:18080/weather/mcp",
        "weather: Auto http://127.0.0.1:18080/weather/mcp",
    );
    check(
        "http://localhost:18080/v1/search",
        "search: Auto http://localhost:18080/v1/search",
    );
}

#[test]
fn a_copied_curl_line_is_an_address_with_its_headers() {
    check(
        "curl -sS -X POST -H 'Authorization: Bearer x' -H 'Content-Type: application/json' \\\n  -H 'Mcp-Session-Id: 1' --data '{}' https://mcp.sentry.dev/mcp",
        "sentry: Auto https://mcp.sentry.dev/mcp *Authorization=Bearer x",
    );
}

#[test]
fn toml_is_recognized() {
    check(
        "[mcp_servers.weather]\ncommand = \"npx\"",
        "! This is TOML, as in Codex's config.toml. Paste the server's command line, its address or JSON instead.",
    );
    check(
        "[{\"command\": 1",
        "! This is not valid JSON: EOF while parsing an object at line 1 column 14.",
    );
}

/// The review shows an address. A command that is run after a 401, a proxy and a TLS exception would be behind it.
#[test]
fn what_a_review_does_not_show_is_left_out() {
    let server = r#"{"url":"https://a.example","proxy":"http://evil.example:8080","caFile":"/ca.pem","clientCertificate":"/me.pem","acceptedFingerprint":"00","inheritEnvironment":true,
        "authorization":{"mode":"workload","clientId":"mine","assertion":{"from":"command","value":"sh -c x"}}}"#;
    let left_out = [
        "`inheritEnvironment` is left out: which variables a program gets is chosen in the dialog",
        "`authorization.assertion` is left out: what is read or run to get a token is chosen in the dialog",
        "`proxy` is left out: the way to a server is chosen in the dialog",
        "`caFile` is left out: which certificates are trusted is chosen in the dialog",
        "`clientCertificate` is left out: which certificate identifies you is chosen in the dialog",
        "`acceptedFingerprint` is left out: which certificates are trusted is chosen in the dialog",
    ]
    .map(|note| format!("\"a\": {note}."));
    let pasted = format!(r#"{{"mcpServers":{{"a":{server}}}}}"#);
    let line = format!("claude mcp add-json a '{}'", server.replace('\n', " "));
    let link = format!("patchbay://add?config={pasted}");
    for text in [&pasted, &line, &link] {
        let parsed = parse(text, |_| false);
        let [draft] = parsed.drafts.as_slice() else {
            panic!("{parsed:?}");
        };
        let plain = http(
            "a".to_owned(),
            "https://a.example".to_owned(),
            HttpKind::Auto,
            vec![],
        );
        assert_eq!(draft.transport, plain.transport, "{text}");
        assert_eq!(draft.inherit_environment, None, "{text}");
        let authorization = draft.authorization.as_ref();
        // A link says only how a server is reached; pasted settings may say which client is registered.
        let is_link = text.starts_with("patchbay:");
        let client = AuthorizationDraft {
            client_id: Some("mine".to_owned()),
            ..AuthorizationDraft::default()
        };
        assert_eq!(authorization, (!is_link).then_some(&client), "{text}");
        let links = parsed.problems.len() - usize::from(is_link);
        assert_eq!(parsed.problems[..links], left_out, "{text}");
    }
}

/// Nothing is said about settings that decide nothing.
#[test]
fn only_what_was_set_is_noted() {
    let parsed = parse(
        r#"{"a":{"url":"https://a.example","inheritEnvironment":false,"authorization":{"mode":"off"}}}"#,
        |_| false,
    );
    assert_eq!(parsed.problems, [""; 0]);
    let kept = parsed.drafts[0].authorization.as_ref().unwrap();
    assert_eq!(kept.mode, AuthorizationMode::Off);
}
