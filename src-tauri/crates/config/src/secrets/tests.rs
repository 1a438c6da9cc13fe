use patchbay_contract::{EnvVar, HttpHeader, HttpKind, ProxyDraft, ServerDraft, TransportDraft};

use super::{in_args, masked_json, of, part, parts, without};

/// The secrets among arguments: which argument, the name, the value.
fn found_in(args: &[String]) -> Vec<String> {
    let found = in_args(args).into_iter();
    found
        .map(|(at, name, range)| format!("{at} {name} {}", &args[at][range]))
        .collect()
}

#[test]
fn an_address_shows_all_but_its_password() {
    let address = "postgres://me:p:w@host/db?x=a@b";
    assert_eq!(
        part("DATABASE_URL", address).map(|range| &address[range]),
        Some("p:w")
    );
    for value in [
        "postgres://me@host/db",
        "https://host/path:with@sign",
        "me:pw@host",
        "https://me:@host",
    ] {
        assert_eq!(part("DATABASE_URL", value), None, "{value}");
    }
}

#[test]
fn secrets_among_arguments() {
    let args = [
        "-y",
        "server",
        "--api-key",
        "a-long-key",
        "--token=the-token",
        "-e",
        "DB_PASSWORD=hidden-one",
        "--key-file",
        "/srv/key",
        "--secret",
        "--verbose",
        "x=1",
        "redis://:pass-word@host",
    ]
    .map(str::to_owned);
    assert_eq!(
        found_in(&args),
        [
            "3 --api-key a-long-key",
            "4 --token the-token",
            "6 DB_PASSWORD hidden-one",
            "12  pass-word"
        ]
    );
}

#[test]
fn secrets_in_headers_among_arguments() {
    let args = [
        "-y",
        "mcp-remote",
        "https://example.com/sse",
        "--header",
        "Authorization: Bearer sk-live-123",
        "--header=Authorization: Bearer cGFkZGVk==",
        "-H",
        "X-Api-Key:no-space=",
        "-HCookie: session=1",
        "Authorization: alone",
        "--header",
        "Authorization: ",
        "--header",
        "X-Team: tools",
        "-v",
        "secrets:/run/secrets",
        "token://host/path",
        "What is the key: this one",
    ]
    .map(str::to_owned);
    assert_eq!(
        found_in(&args),
        [
            "4 Authorization sk-live-123",
            "5 Authorization cGFkZGVk==",
            "7 X-Api-Key no-space=",
            "8 Cookie session=1",
            "9 Authorization alone",
        ]
    );
}

/// Words of a secret are not taken for a scheme.
#[test]
fn only_a_scheme_is_no_part_of_the_secret_of_a_header() {
    for (name, value, secret) in [
        ("X-Note", "correct horse battery", "correct horse battery"),
        ("X-Api-Key", "Bearer key-1", "key-1"),
        ("x-auth", "dpop key-2", "key-2"),
        ("Authorization", "Own key-3", "key-3"),
        ("proxy-authorization", "Basic key-4", "key-4"),
        ("Authorization", "key-5", "key-5"),
        ("Authorization", "key-6 key-7", "key-6 key-7"),
    ] {
        let draft = ServerDraft::new(
            "s",
            TransportDraft::Http {
                url: "https://x.example".to_owned(),
                kind: HttpKind::Auto,
                headers: vec![HttpHeader {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    is_secret: true,
                }],
                proxy: ProxyDraft::App,
                ca_file: None,
                client_certificate: None,
                accepted_fingerprint: None,
            },
        );
        let found = of(&draft, &[]);
        let found: Vec<&str> = found.iter().map(|(_, secret)| secret.expose()).collect();
        assert_eq!(found, [secret], "{name}: {value}");
    }
    assert_eq!(
        found_in(&["-H", "X-Api-Key: two words"].map(str::to_owned)),
        ["1 X-Api-Key two words"]
    );
}

#[test]
fn secrets_in_a_variable_with_an_object() {
    let value = r#"{"Authorization": "Bearer sk-1", "Notion-Version": "1", "more": {"apiKey":"k\"2", "n": 1}, "token": ""}"#;
    let found = parts("OPENAPI_MCP_HEADERS", value).into_iter();
    let found: Vec<_> = found
        .map(|(name, range)| format!("{name} {}", &value[range]))
        .collect();
    assert_eq!(found, ["Authorization sk-1", r#"apiKey k\"2"#]);
    let address = r#"{"url":"https://me:pw@host","token":"t"}"#;
    let found = parts("SETTINGS", address).into_iter();
    assert_eq!(found.map(|(name, _)| name).collect::<Vec<_>>(), ["token"]);
    for plain in ["{", "[]", "{\"a\":1}"] {
        assert_eq!(parts("HEADERS", plain), [], "{plain}");
    }
    let draft = with_variable("OPENAPI_MCP_HEADERS", value);
    let TransportDraft::Stdio { env, .. } = without(&draft).transport else {
        unreachable!("the transport does not change")
    };
    assert_eq!(
        env[0].value,
        r#"{"Authorization": "Bearer ${AUTHORIZATION}", "Notion-Version": "1", "more": {"apiKey":"${API_KEY}", "n": 1}, "token": ""}"#
    );
}

fn with_variable(name: &str, value: &str) -> ServerDraft {
    let (name, value) = (name.to_owned(), value.to_owned());
    ServerDraft::new(
        "s",
        TransportDraft::Stdio {
            command: "x".to_owned(),
            args: Vec::new(),
            env: vec![EnvVar { name, value }],
            cwd: None,
        },
    )
}

#[test]
fn a_secret_with_escapes_of_json_is_also_masked_as_a_program_reads_it() {
    let draft = with_variable(
        "SETTINGS",
        r#"{"token":"abc\/def","headers":{"Authorization":"Bearer k\"2"}}"#,
    );
    let inherited = [(r#"INHERITED"#.into(), r#"{"apiKey":"\u0061-key"}"#.into())];
    let found = of(&draft, &inherited);
    let found: Vec<&str> = found.iter().map(|(_, secret)| secret.expose()).collect();
    assert_eq!(
        found,
        [r#"k\"2"#, "k\"2", r"abc\/def", "abc/def", r"\u0061-key", "a-key"]
    );
}

#[test]
fn exports_have_placeholders() {
    let draft = ServerDraft::new(
        "s",
        TransportDraft::Stdio {
            command: "x".to_owned(),
            args: ["--token=abcdefgh", "--port", "1"].map(str::to_owned).to_vec(),
            env: [("API_KEY", "12345678"), ("MODE", "fast")]
                .map(|(name, value)| EnvVar {
                    name: name.to_owned(),
                    value: value.to_owned(),
                })
                .to_vec(),
            cwd: None,
        },
    );
    let TransportDraft::Stdio { args, env, .. } = without(&draft).transport else {
        unreachable!("the transport does not change")
    };
    assert_eq!(args, ["--token=${TOKEN}", "--port", "1"]);
    let env: Vec<_> = env.iter().map(|var| var.value.as_str()).collect();
    assert_eq!(env, ["${API_KEY}", "fast"]);
}

/// Each level is looked through by a call within a call.
#[test]
fn what_is_nested_without_end_is_replaced_from_some_level_on() {
    let nested = format!("{}\"text\"{}", "[".repeat(200_000), "]".repeat(200_000));
    let raw = serde_json::value::RawValue::from_string(nested).unwrap();
    let masked = masked_json("extra", &raw).unwrap();
    assert_eq!(
        masked.get(),
        format!("{}\"${{EXTRA}}\"{}", "[".repeat(100), "]".repeat(100))
    );
    let shallow = serde_json::value::RawValue::from_string("[[\"text\"]]".to_owned()).unwrap();
    assert!(masked_json("extra", &shallow).is_none());
}
