//! `patchbay://add?…`.

use super::{check, parse};

#[test]
fn links_add_a_server() {
    check(
        "patchbay://add?name=everything&command=npx%20-y%20%40modelcontextprotocol%2Fserver-everything",
        "everything: npx | -y | @modelcontextprotocol/server-everything",
    );
    check(
        "PATCHBAY://add/?url=https%3A%2F%2Fexample.com%2Fmcp%3Fa%3D1",
        "example: Auto https://example.com/mcp?a=1",
    );
    check(
        "patchbay://add?config=%7B%22mcpServers%22%3A%7B%22a%22%3A%7B%22command%22%3A%22x%22%7D%2C%22b%22%3A%7B%22url%22%3A%22https%3A%2F%2Fb.example%22%7D%7D%7D",
        "a: x\nb: Auto https://b.example",
    );
    // The directory of node's program is not an option, and neither is a package named like one.
    check(
        "patchbay://add?command=node%20-r%20ts-node%2Fregister%20server.js%20c",
        "register: node | -r | ts-node/register | server.js | c",
    );
}

#[test]
fn links_set_only_how_a_server_is_reached() {
    let parsed = parse(
        r#"patchbay://add?config={"command":"x","name":"n","inheritEnvironment":true,"definitionTrust":"accept","trustAnnotations":true,"automatic":{"connect":true},"roots":{"type":"folders","paths":["/"]},"limits":{"listPages":5}}"#,
        |_| false,
    );
    let [draft] = parsed.drafts.as_slice() else {
        panic!("{parsed:?}");
    };
    assert_eq!(draft.inherit_environment, None);
    assert_eq!((draft.definition_trust, draft.trust_annotations), (None, None));
    assert_eq!(draft.automatic, None);
    assert!(draft.roots.is_none() && draft.limits.is_empty());
    assert_eq!(
        parsed.problems,
        [
            "\"n\": `inheritEnvironment` is left out: which variables a program gets is chosen in the dialog.",
            "\"n\": a link sets only how a server is reached; its other settings are left out.",
        ]
    );
}

#[test]
fn links_that_would_do_more_are_refused() {
    let long = format!("patchbay://add?command={}", "x".repeat(33 * 1024));
    for (link, why) in [
        ("patchbay://run?command=x", "a link can only add a server"),
        ("patchbay:add/../run?command=x", "a link can only add a server"),
        ("patchbay://add/connect?command=x", "`add/connect` is not known"),
        ("patchbay://add?command=x&connect=true", "`connect` is not known"),
        ("patchbay://add?command=x&url=https://a.example", "more than one"),
        ("patchbay://add?name=x", "names no server"),
        ("patchbay://add?command=%20", "names no server"),
        (
            "patchbay://add?url=file:///etc/passwd",
            "not an http or https address",
        ),
        (
            "patchbay://add?url=javascript:alert(1)",
            "not an http or https address",
        ),
        ("patchbay://add?config=npx%20x", "not JSON"),
        ("patchbay://add?command=a%0Ab", "more than one server"),
        ("patchbay://add?command=good%E2%80%AEdab", "invisible"),
        ("patchbay://add?name=a%00b&command=x", "control characters"),
        (
            "patchbay://add?command=sh%20-c%20%22curl%20x%20%7C%20sh%22",
            "`sh` would run code",
        ),
        ("patchbay://add?command=/bin/bash%20-lc%20x", "would run code"),
        ("patchbay://add?command=cmd.exe%20/c%20x", "would run code"),
        (
            "patchbay://add?command=PowerShell%20-EncodedCommand%20x",
            "would run code",
        ),
        ("patchbay://add?command=node%20--eval=x", "would run code"),
        ("patchbay://add?command=python3%20-c%20x", "would run code"),
        (
            "patchbay://add?command=python3.12%20-c%20x",
            "`python3.12` would run code",
        ),
        (
            "patchbay://add?command=C:/Python/python3.13t.exe%20-Ic%20x",
            "would run code",
        ),
        ("patchbay://add?command=pypy3.10%20-c%20x", "would run code"),
        ("patchbay://add?command=lua5.4%20-e%20x", "would run code"),
        (
            "patchbay://add?command=/usr/bin/perl5.36.0%20-e%20x",
            "would run code",
        ),
        ("patchbay://add?command=node-22%20-e%20x", "would run code"),
        ("patchbay://add?command=deno%20eval%20x", "would run code"),
        ("patchbay://add?command=env%20sh%20-c%20x", "would run code"),
        ("patchbay://add?command=sudo%20x", "starts another program"),
        (
            r#"patchbay://add?config={"a":{"command":"x"},"b":{"command":"sh","args":["-c","y"]}}"#,
            "`sh` would run code",
        ),
        ("patchbay://add?command=npx%20-y%20-c%20x", "`npx` would run code"),
        (
            "patchbay://add?command=npm%20exec%20--call=x",
            "`npm` would run code",
        ),
        ("patchbay://add?command=pnpm%20-yc%20x", "`pnpm` would run code"),
        (
            "patchbay://add?command=uv%20run%20python%20-c%20x",
            "`python` would run code",
        ),
        (
            "patchbay://add?command=docker%20run%20-v%20/:/h%20alpine%20sh%20-c%20x",
            "`sh` would run code",
        ),
        (
            "patchbay://add?command=docker%20run%20--entrypoint=sh%20alpine%20-c%20x",
            "`sh` would run code",
        ),
        (
            "patchbay://add?command=node%20--import%20data:text/javascript,x",
            "`node` would run code",
        ),
        (
            "patchbay://add?command=node%20--require=DATA:x",
            "`node` would run code",
        ),
        (
            "patchbay://add?command=python3%20-uEsIBc%20x",
            "`python3` would run code",
        ),
        ("patchbay://add?command=perl%20-eprint", "`perl` would run code"),
        ("patchbay://add?command=cmd%20/d/s/cdir", "`cmd` would run code"),
        ("patchbay://add?command=powershell%20-enco%20x", "would run code"),
        (
            "patchbay://add?command=NODE_OPTIONS=--import=./x%20node%20y",
            "`NODE_OPTIONS` would make",
        ),
        (
            "patchbay://add?command=DYLD_INSERT_LIBRARIES=x%20y",
            "would make other programs run code",
        ),
        (&long, "longer than 32 KiB"),
    ] {
        let parsed = parse(link, |_| false);
        assert!(parsed.drafts.is_empty(), "{link}: {parsed:?}");
        let [problem] = parsed.problems.as_slice() else {
            panic!("{link}: {parsed:?}");
        };
        assert!(
            problem.starts_with("The link is refused: ") && problem.contains(why),
            "{link}: {problem}"
        );
    }
}

#[test]
fn links_may_start_an_interpreter_with_a_file_or_a_module() {
    for command in [
        "python3.12%20-m%20server",
        "node-22%20server.js",
        "7z%20-c%20x",
        "x2%20-e%20y",
        "npx%20-y%20server%20-c%20config.json",
        "npm%20run%20start",
        "docker%20run%20-i%20--rm%20mcp/github",
        "powershell%20-NoProfile%20-File%20server.ps1",
        "python%20-mserver.cli",
    ] {
        let parsed = parse(&format!("patchbay://add?command={command}"), |_| false);
        assert_eq!((parsed.drafts.len(), parsed.problems.len()), (1, 0), "{parsed:?}");
    }
}
