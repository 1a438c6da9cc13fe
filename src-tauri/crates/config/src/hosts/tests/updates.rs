//! What an update leaves of our settings: values that the host has somewhere else.

use super::*;

/// One of our servers with these members, and what it is updated to by the server of the same name in `theirs`.
fn updated(ours: &str, path: &str, theirs: &str) -> (TransportDraft, Vec<String>) {
    let home = Home::new();
    home.write("ours.json", &format!("{{\"mcpServers\":{{\"one\":{ours}}}}}"));
    home.write(path, theirs);
    let ours = Servers::open(home.path("ours.json"), true).unwrap().all();
    let found = home.find(&ours);
    match &found.files[0].servers[0].comparison {
        HostComparison::Differs {
            transport,
            differences,
            ..
        } => (
            transport.clone(),
            differences.iter().map(|each| each.setting.clone()).collect(),
        ),
        other => panic!("{other:?}"),
    }
}

const HELD: &str = "${vault:0123456789abcdef0123456789abcdef}";

#[test]
fn a_stored_value_is_kept_where_the_host_has_a_placeholder() {
    let ours = format!(
        r#"{{"command":"npx","args":["old","--token","{HELD}"],"env":{{"API_KEY":"{HELD}","REGION":"{HELD}","SETTINGS":"{{\"token\":\"{HELD}\"}}"}}}}"#
    );
    for (path, theirs) in [
        (
            ".cursor/mcp.json",
            r#"{"mcpServers":{"one":{"command":"npx","args":["new","--token","${TOKEN}"],
                "env":{"API_KEY":"${env:API_KEY}","REGION":"${REGION}","SETTINGS":"{\"token\":\"${TOKEN}\"}"}}}}"#,
        ),
        (
            ".codex/config.toml",
            "[mcp_servers.one]\ncommand = \"npx\"\nargs = [\"new\", \"--token\", \"${TOKEN}\"]\nenv_vars = [\"API_KEY\", \"REGION\"]\n\
             env = { SETTINGS = '{\"token\":\"${TOKEN}\"}' }\n",
        ),
    ] {
        let (transport, differences) = updated(&ours, path, theirs);
        assert_eq!(differences, ["Arguments"], "{path}");
        let TransportDraft::Stdio { args, env, .. } = transport else {
            panic!("{transport:?}")
        };
        assert_eq!(args, ["new", "--token", HELD], "{path}");
        assert_eq!(env.len(), 3, "{path}: {env:?}");
        assert!(env.iter().all(|var| var.value.contains(HELD)), "{path}: {env:?}");
    }
}

#[test]
fn what_the_host_says_or_asks_for_is_taken() {
    let ours = format!(r#"{{"command":"npx","env":{{"API_KEY":"{HELD}","TOKEN":"{HELD}"}}}}"#);
    let theirs = r#"{"servers":{"one":{"command":"npx","args":["-y"],"env":{"API_KEY":"theirs","TOKEN":"${input:token}"}}}}"#;
    let (transport, _) = updated(&ours, "settings/Code/User/mcp.json", theirs);
    let TransportDraft::Stdio { env, .. } = transport else {
        panic!("{transport:?}")
    };
    let values: Vec<_> = env.iter().map(|var| var.value.as_str()).collect();
    assert_eq!(values, ["theirs", "${input:token}"]);
}

#[test]
fn the_header_of_a_server_is_kept_for_its_own_origin_only() {
    let ours = format!(
        r#"{{"url":"https://one.example/old","headers":{{"Authorization":"Bearer {HELD}","X-Custom":"{HELD}"}},"secretHeaders":["X-Custom"]}}"#
    );
    let theirs = |origin: &str| {
        format!(
            "[mcp_servers.one]\nurl = \"{origin}/new\"\nbearer_token_env_var = \"TOKEN\"\nenv_http_headers = {{ X-Custom = \"CUSTOM\" }}\n"
        )
    };
    let headers = |origin: &str| {
        let (transport, differences) = updated(&ours, ".codex/config.toml", &theirs(origin));
        let TransportDraft::Http { headers, .. } = transport else {
            panic!("{transport:?}")
        };
        let mut values: Vec<_> = headers
            .into_iter()
            .map(|each| (each.value, each.is_secret))
            .collect();
        values.sort();
        (values, differences)
    };
    let (values, differences) = headers("https://one.example");
    assert_eq!(
        values,
        [(HELD.to_owned(), true), (format!("Bearer {HELD}"), true)]
    );
    assert_eq!(differences, ["URL"]);
    let (values, _) = headers("https://other.example");
    assert_eq!(
        values,
        [
            ("${CUSTOM}".to_owned(), false),
            ("Bearer ${TOKEN}".to_owned(), true)
        ]
    );
}
