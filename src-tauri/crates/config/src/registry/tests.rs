use std::{cell::Cell, convert::Infallible};

use patchbay_contract::{HttpKind, RegistrySource, TransportDraft};
use serde_json::{Value, json};

use super::{document::is_registry, *};

fn npm() -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.ada/weather", "title": "Weather", "description": "Says how it is outside.", "version": "1.2.0",
        "websiteUrl": "https://example.com", "repository": { "url": "javascript:x", "source": "github" },
        "packages": [{
            "registryType": "npm", "identifier": "@ada/weather", "version": "1.2.0", "transport": { "type": "stdio" },
            "packageArguments": [
                { "type": "positional", "value": "serve" },
                { "type": "named", "name": "--units", "description": "Units", "choices": ["metric", "imperial"], "default": "metric" },
                { "type": "named", "name": "--dir", "value": "{root}/cache", "variables": { "root": { "description": "Where", "isRequired": true, "format": "filepath" } } },
                { "type": "named", "name": "--city", "valueHint": "city", "isRepeated": true, "description": "A city" },
                { "type": "named", "name": "--verbose", "format": "boolean" },
                { "type": "named", "name": "--stdio" }
            ],
            "environmentVariables": [
                { "name": "API_CODE", "description": "Yours", "isRequired": true, "isSecret": true },
                { "name": "LIMIT", "format": "number", "default": "5" },
                { "name": "HEADER", "value": "Bearer {code}", "variables": { "code": { "isSecret": true } } }
            ]
        }]
    })
}

fn one(document: &Value) -> Listed {
    let mut all = read(&document.to_string()).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

type Done = (TransportDraft, Vec<(String, String)>);

fn filled(option: &InstallOption, values: &Value) -> Result<Done, String> {
    let count = Cell::new(0);
    let new_name = || {
        count.set(count.get() + 1);
        Ok::<_, Infallible>(format!("{:032x}", count.get()))
    };
    match option.fill(&values.to_string(), new_name) {
        Ok(Filled { transport, secrets }) => {
            let secrets = secrets.into_iter();
            Ok((
                transport,
                secrets
                    .map(|(name, value)| (name, value.expose().to_owned()))
                    .collect(),
            ))
        }
        Err(FillError::Value(why)) => Err(why),
        Err(FillError::Name(never)) => match never {},
    }
}

/// The command and the arguments of a package without values.
fn line(package: Value) -> String {
    let listed = one(&json!({ "name": "a/b", "description": "", "packages": [package] }));
    assert_eq!(listed.options[0].blocker, None);
    match filled(&listed.options[0], &json!({})).unwrap().0 {
        TransportDraft::Stdio { command, args, .. } => format!("{command} {}", args.join(" ")),
        TransportDraft::Http { .. } => panic!("a program"),
    }
}

#[test]
fn a_package_is_a_form_and_becomes_a_program() {
    let listed = one(&npm());
    assert_eq!(
        (listed.title.as_str(), listed.version.as_str()),
        ("Weather", "1.2.0")
    );
    assert_eq!(listed.links, [("Home page", "https://example.com".to_owned())]);
    let option = &listed.options[0];
    assert_eq!(
        (option.label.as_str(), option.program.as_deref()),
        ("npm: @ada/weather 1.2.0", Some("npx"))
    );
    let schema: Value = serde_json::from_str(&option.schema().unwrap().unwrap()).unwrap();
    assert_eq!(schema["required"], json!(["root", "API_CODE"]));
    assert_eq!(
        schema["properties"]["--units"]["enum"],
        json!(["metric", "imperial"])
    );
    assert_eq!(schema["properties"]["API_CODE"]["format"], "password");
    assert_eq!(schema["properties"]["code"]["format"], "password");
    assert_eq!(schema["properties"]["--city"]["type"], "array");
    assert_eq!(schema["properties"]["LIMIT"]["default"], 5);
    assert_eq!(schema["properties"].get("--stdio"), None);
    assert_eq!(option.defaults().unwrap(), r#"{"--units":"metric","LIMIT":5}"#);

    let values = json!({ "--units": "metric", "root": "/w", "--city": ["Bonn", "Ulm"], "--verbose": true, "API_CODE": "c0de", "LIMIT": 7, "code": "t0ken" });
    let (transport, secrets) = filled(option, &values).unwrap();
    let TransportDraft::Stdio {
        command, args, env, ..
    } = transport
    else {
        panic!("a program");
    };
    assert_eq!(
        format!("{command} {}", args.join(" ")),
        "npx -y @ada/weather@1.2.0 serve --units metric --dir /w/cache --city Bonn --city Ulm --verbose --stdio"
    );
    let env: Vec<String> = env
        .iter()
        .map(|var| format!("{}={}", var.name, var.value))
        .collect();
    // In the vault, whatever they are called.
    let reference = |number: u32| format!("${{vault:{number:032x}}}");
    assert_eq!(
        env,
        [
            format!("API_CODE={}", reference(1)),
            "LIMIT=7".to_owned(),
            format!("HEADER=Bearer {}", reference(2))
        ]
    );
    assert_eq!(
        secrets
            .iter()
            .map(|(_, value)| value.as_str())
            .collect::<Vec<_>>(),
        ["c0de", "t0ken"]
    );
}

#[test]
fn what_is_optional_and_empty_is_left_out_and_what_is_required_is_named() {
    let option = &one(&npm()).options[0];
    let (transport, _) = filled(option, &json!({ "root": "/w", "API_CODE": "c" })).unwrap();
    let TransportDraft::Stdio { args, env, .. } = transport else {
        panic!("a program");
    };
    assert_eq!(
        args.join(" "),
        "-y @ada/weather@1.2.0 serve --dir /w/cache --stdio"
    );
    assert_eq!(env.len(), 1);
    assert_eq!(
        filled(option, &json!({ "root": "/w" })).unwrap_err(),
        "`API_CODE` is required."
    );
    let wrong = json!({ "root": "/w", "API_CODE": "c", "LIMIT": "x" });
    assert_eq!(filled(option, &wrong).unwrap_err(), "`LIMIT` is of another type.");
    let unknown = json!({ "root": "/w", "API_CODE": "c", "else": 1 });
    assert_eq!(
        filled(option, &unknown).unwrap_err(),
        "The server does not ask for `else`."
    );
}

#[test]
fn each_kind_of_package_has_its_runner() {
    assert_eq!(
        line(json!({ "registryType": "pypi", "identifier": "weather", "version": "1.0" })),
        "uvx weather@1.0"
    );
    assert_eq!(
        line(
            json!({ "registryType": "nuget", "identifier": "Weather", "version": "1.0", "packageArguments": [{ "type": "positional", "value": "x" }] })
        ),
        "dnx Weather@1.0 --yes -- x"
    );
    assert_eq!(
        line(
            json!({ "registryType": "oci", "identifier": "docker.io/ada/weather", "version": "1.0",
            "runtimeArguments": [{ "type": "named", "name": "--network", "value": "none" }],
            "environmentVariables": [{ "name": "KEY" }], "packageArguments": [{ "type": "positional", "value": "x" }] })
        ),
        "docker run -i --rm -e KEY --network none docker.io/ada/weather:1.0 x"
    );
    assert_eq!(
        line(json!({ "registryType": "oci", "identifier": "ghcr.io/ada/weather@sha256:00" })),
        "docker run -i --rm ghcr.io/ada/weather@sha256:00"
    );
    // Listed among the arguments of the runner.
    assert_eq!(
        line(
            json!({ "registryType": "npm", "identifier": "weather", "version": "1.0",
            "runtimeArguments": [{ "type": "named", "name": "-y" }, { "type": "positional", "value": "weather@1.0" }] })
        ),
        "npx -y weather@1.0"
    );
    // As it was written before 2025-09-16.
    assert_eq!(
        line(
            json!({ "registry_name": "npm", "name": "weather", "version": "1.0", "runtime_hint": "bunx",
            "package_arguments": [{ "type": "positional", "value": "x" }] })
        ),
        "bunx weather@1.0 x"
    );
}

#[test]
fn what_cannot_be_run_says_what_to_do_instead() {
    let blocker = |package: Value| {
        let listed = one(&json!({ "name": "a/b", "packages": [package] }));
        listed.options[0].blocker.clone().unwrap_or_default()
    };
    let bundle = blocker(
        json!({ "registryType": "mcpb", "identifier": "https://example.com/a.mcpb", "fileSha256": "ab" }),
    );
    assert!(
        bundle.contains("Download https://example.com/a.mcpb") && bundle.contains("has to be ab"),
        "{bundle}"
    );
    let http = json!({ "registryType": "npm", "identifier": "a", "transport": { "type": "streamable-http", "url": "http://localhost:1/mcp" } });
    assert!(blocker(http).contains("serves HTTP at http://localhost:1/mcp. Start it yourself"));
    assert!(blocker(json!({ "registryType": "cargo", "identifier": "a" })).contains("`cargo` cannot be run"));
    assert!(
        blocker(json!({ "registryType": "npm", "identifier": "--eval=x" }))
            .contains("is an option of the program")
    );
    assert!(blocker(json!({ "registryType": "npm", "identifier": "a\u{202e}b" })).contains("invisible ones"));
}

#[test]
fn an_address_has_variables_and_headers() {
    let document = json!({ "name": "com.example/crm", "description": "", "version": "1", "remotes": [
        { "type": "streamable-http", "url": "https://{tenant}.example.com/mcp{literal}",
          "variables": { "tenant": { "description": "Yours", "isRequired": true, "choices": ["eu", "us"] } },
          "headers": [{ "name": "X-Access", "value": "Key {key}", "isRequired": true, "variables": { "key": { "isSecret": true, "isRequired": true } } }, { "name": "X-Trace" }] },
        { "type": "sse", "url": "https://example.com/sse" },
    ] });
    let listed = one(&document);
    assert_eq!(listed.title, "crm");
    let (transport, secrets) = filled(&listed.options[0], &json!({ "tenant": "eu", "key": "k3y" })).unwrap();
    let TransportDraft::Http {
        url, kind, headers, ..
    } = transport
    else {
        panic!("an address");
    };
    // What is not declared is not a variable.
    assert_eq!(
        (url.as_str(), kind),
        ("https://eu.example.com/mcp{literal}", HttpKind::StreamableHttp)
    );
    let [header] = headers.as_slice() else {
        panic!("one header: the other was not entered");
    };
    assert_eq!((header.name.as_str(), header.is_secret), ("X-Access", true));
    assert!(header.value.starts_with("Key ${vault:"));
    assert_eq!(secrets[0].1, "k3y");
    assert!(matches!(
        listed.options[1].kind,
        InstallKind::Remote {
            kind: HttpKind::Sse,
            ..
        }
    ));
}

#[test]
fn the_shapes_of_the_api_are_read() {
    let wrapped = json!({ "server": npm(), "_meta": { "io.modelcontextprotocol.registry/official": { "status": "deprecated" } } });
    assert_eq!(one(&wrapped).status.as_deref(), Some("deprecated"));
    let versions = json!({ "servers": [wrapped, { "server": npm() }, 5], "metadata": { "count": 2 } });
    let all = read(&versions.to_string()).unwrap();
    assert_eq!(
        all.iter()
            .map(|listed| listed.status.is_some())
            .collect::<Vec<_>>(),
        [true, false]
    );
    for text in [npm().to_string(), versions.to_string()] {
        assert!(is_registry(&text));
    }
    // Configurations of hosts.
    for text in [
        r#"{"servers":{"a":{"command":"x"}}}"#,
        r#"{"mcpServers":{}}"#,
        r#"[{"name":"a","command":"x"}]"#,
        "npx x",
        "{",
    ] {
        assert!(!is_registry(text), "{text}");
    }
    let address = |text: &str| matches!(source(text), Some(RegistrySource::Url { .. }));
    assert!(
        address("https://example.com/server.json?x=1")
            && address("https://r.example/v0.1/servers/a%2Fb/versions")
    );
    assert!(
        !address("https://example.com/mcp")
            && !address("https://example.com/a.json --flag")
            && !address("npx a.json")
    );
    assert!(read("{").unwrap_err().starts_with("It is not valid JSON"));
    assert!(read("{}").unwrap_err().starts_with("It has no server"));
}

#[test]
fn what_hides_in_a_variable_called_description_refuses_the_package() {
    let argument = json!({ "type": "positional", "value": "{description}", "variables": { "description": { "value": "a\u{202e}b" } } });
    let package = json!({ "registryType": "npm", "identifier": "weather", "packageArguments": [argument] });
    let listed = one(&json!({ "name": "a/b", "packages": [package] }));
    let blocker = listed.options[0].blocker.clone().unwrap_or_default();
    assert!(blocker.contains("invisible ones"), "{blocker}");
}

#[test]
fn a_form_that_is_too_large_is_said_and_not_cut() {
    let variables = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|index| json!({ "name": format!("V{index}") }))
            .collect()
    };
    let blocker = |count: usize| {
        let package = json!({ "registryType": "npm", "identifier": "weather", "environmentVariables": variables(count) });
        let listed = one(&json!({ "name": "a/b", "packages": [package] }));
        listed.options[0].blocker.clone()
    };
    assert_eq!(blocker(200), None);
    assert!(blocker(201).unwrap_or_default().contains("more than 200 values"));
}

/// Each brace looks for its end: all of them together read the text once.
#[test]
fn a_text_of_nothing_but_braces_is_read_once() {
    let text = "{".repeat(1 << 20) + "}";
    let argument = json!({ "type": "positional", "value": text, "variables": { "x": {} } });
    let shown =
        line(json!({ "registryType": "npm", "identifier": "weather", "packageArguments": [argument] }));
    assert!(shown.ends_with(&text));
}
