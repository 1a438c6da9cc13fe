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
            "patchbay://add?command=Npm_Config_Call=x%20npx%20y",
            "`Npm_Config_Call` would make",
        ),
        (
            "patchbay://add?command=_JAVA_OPTIONS=x%20java%20-jar%20y.jar",
            "`_JAVA_OPTIONS` would make",
        ),
        (
            "patchbay://add?command=docker%20run%20-e%20BUN_OPTIONS=x%20y",
            "`BUN_OPTIONS` would make",
        ),
        (
            "patchbay://add?command=docker%20run%20-iteNODE_OPTIONS=x%20y",
            "`NODE_OPTIONS` would make",
        ),
        (
            "patchbay://add?command=podman%20run%20--env=JDK_JAVA_OPTIONS=x%20y",
            "`JDK_JAVA_OPTIONS` would make",
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

/// What the word after an option is depends on the option.
#[test]
fn links_hide_no_code_behind_the_value_of_an_option() {
    for command in [
        "npx --registry https://r -c 'curl x | sh'",
        "npx --loglevel silent -c x",
        "npx -y -p server -c x",
        "npm --prefix /tmp exec -c x",
        "pnpm -C /tmp -c exec x",
        "pnpm -w exec -c x",
        "npx --node-options=--import=./x.mjs y",
        "node --import ./x.mjs -e y",
        "node -r ./x.cjs -e y",
        "ts-node -P tsconfig.json -e y",
        "bun -d x -e y",
        "bun exec y",
        "deno -q eval y",
        "deno repl --eval y",
        "python -W ignore -c y",
        "python -X dev -Wd -c y",
        "ruby -I lib -e y",
        "perl -I lib -e y",
        "php -d a=b -r y",
        "osascript -l JavaScript -e y",
        "bash -o pipefail -c y",
        "bash %2Bo posix -c y",
        "bash -euo pipefail -c y",
        "bash -euoc pipefail y",
        "bash --rcfile x -c y",
        "busybox sh -c y",
        "cmd x /c y",
        "pwsh -WorkingDirectory x -Command y",
        "powershell /Command y",
        "pnpm -w sh -c y",
        "uv run -v sh -c y",
        "docker run -u node alpine sh -c y",
        "docker run --name x --entrypoint sh img -c y",
        "docker run --entrypoint python -v /a:/b img -c y",
        // Programs that only start another one.
        "setsid sh -c y",
        "setsid -w -- /bin/bash -lc y",
        "stdbuf -o0 python3 -c y",
        "chrt 1 npx -c y",
        "anything --with=node -e y",
        "script -qc y /dev/null",
        "script /dev/null --command y",
        "flock /tmp/x -c y",
        "su - user -c y",
        "rbash -c y",
        "ash -c y",
        "mksh -c y",
        "awk 'BEGIN{system(\"y\")}'",
        "setsid gawk 'BEGIN{y}'",
        "busybox mawk y",
    ] {
        let parsed = parse(&format!("patchbay://add?command={command}"), |_| false);
        assert!(parsed.drafts.is_empty(), "{command}: {parsed:?}");
        assert!(
            parsed.problems[0].contains("would run code"),
            "{command}: {parsed:?}"
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
        // Options of the script.
        "python%20server.py%20-directory%20/x",
        "python%20-u%20-W%20ignore%20server.py%20-config%20c.yaml",
        "python%20-um%20server%20-config%20c.yaml",
        "node%20--no-warnings%20dist/index.js%20-env%20prod",
        "node%20--import=./x.mjs%20server.js%20-verbose",
        "node%20--%20server.js%20-e%20x",
        "bun%20run%20server.ts%20-env%20prod",
        "deno%20run%20--allow-net%20-c%20deno.json%20server.ts%20-env%20prod",
        "bash%20-eo%20pipefail%20server.sh%20-c%20x",
        "powershell%20-ExecutionPolicy%20Bypass%20-File%20server.ps1%20-e%20prod",
        "uv%20run%20--directory%20/x/python%20server.py%20-config%20c.yaml",
        // Words that are no programs, and programs that run none of their words.
        "my-server%20--shell%20bash",
        "my-server%20--runtime=node%20server.js%20-e%20prod",
        "setsid%20bash%20server.sh%20-c%20x",
        "stdbuf%20-oL%20python3%20-u%20server.py%20-c%20x",
        // Values of the options of a container.
        "docker%20run%20-i%20--rm%20--name%20node%20-e%20TOKEN=x%20img",
        "docker%20run%20-i%20--name=node%20-e%20TOKEN=x%20img",
        "docker%20run%20-w%20/usr/src/node%20-u%20node%20-e%20K=v%20img",
    ] {
        let parsed = parse(&format!("patchbay://add?command={command}"), |_| false);
        assert_eq!((parsed.drafts.len(), parsed.problems.len()), (1, 0), "{parsed:?}");
    }
}
