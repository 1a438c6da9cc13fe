use super::*;

fn under(kind: DebuggerKind, waits: bool, line: &str) -> Result<String, String> {
    let mut words = line.split(' ').map(ToOwned::to_owned);
    let command = words.next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    let debugger = DebuggerDraft {
        kind,
        port: 9000,
        waits,
    };
    let (command, args) = debugged(&command, &args, &debugger)?;
    Ok([vec![command], args].concat().join(" "))
}

#[track_caller]
fn is(kind: DebuggerKind, line: &str, expected: &str) {
    assert_eq!(under(kind, false, line).as_deref(), Ok(expected));
}

#[track_caller]
fn is_refused(kind: DebuggerKind, line: &str, because: &str) {
    let why = under(kind, false, line).unwrap_err();
    assert!(why.contains(because), "{why}");
}

#[test]
fn node_gets_an_inspector() {
    let node = DebuggerKind::Node;
    is(
        node,
        "node dist/index.js --port 1",
        "node --inspect=127.0.0.1:9000 dist/index.js --port 1",
    );
    is(
        node,
        "/opt/node/bin/node x.js",
        "/opt/node/bin/node --inspect=127.0.0.1:9000 x.js",
    );
    assert_eq!(
        under(node, true, "tsx src/index.ts").unwrap(),
        "tsx --inspect-brk=127.0.0.1:9000 src/index.ts"
    );
    is_refused(node, "npx -y server", "starts another program");
    is_refused(node, "node --inspect x.js", "already have `--inspect`");
}

#[test]
fn python_is_started_by_debugpy() {
    let python = DebuggerKind::Debugpy;
    let listen = "-m debugpy --listen 127.0.0.1:9000";
    is(
        python,
        "python server.py x",
        &format!("python {listen} server.py x"),
    );
    is(
        python,
        "python3.13 -u -X dev -m server",
        &format!("python3.13 -u -X dev {listen} -m server"),
    );
    is(
        python,
        ".venv/bin/python -c pass",
        &format!(".venv/bin/python {listen} -c pass"),
    );
    assert_eq!(
        under(python, true, "python server.py").unwrap(),
        format!("python {listen} --wait-for-client server.py")
    );
    is_refused(python, "uvx server", "is not Python");
    is_refused(python, "pythonic x", "is not Python");
    is_refused(python, "python -u", "no file, module or code");
    is_refused(python, "python -m debugpy x", "already start debugpy");
}

#[test]
fn go_is_started_by_delve() {
    let go = DebuggerKind::Delve;
    let options = "--headless --api-version=2 --accept-multiclient --listen=127.0.0.1:9000 --log-dest=2";
    is(
        go,
        "./server -v x",
        &format!("dlv exec ./server {options} --continue -- -v x"),
    );
    is(go, "./server", &format!("dlv exec ./server {options} --continue"));
    is(
        go,
        "go run ./cmd/server -v",
        &format!("dlv debug ./cmd/server {options} --continue -- -v"),
    );
    is(
        go,
        "go run -race -tags x .",
        &format!("dlv debug . {options} --continue --build-flags=-race -tags x"),
    );
    assert_eq!(
        under(go, true, "./server").unwrap(),
        format!("dlv exec ./server {options}")
    );
    is_refused(go, "go test", "Only `go run`");
    is_refused(go, "go run", "no package");
    is_refused(go, "go run a.go b.go", "not a list of files");
    is_refused(go, "go run example.com/x@latest", "without its source");
    is_refused(go, "dlv exec ./server", "already is dlv");
}

#[test]
fn the_preview_says_how_to_attach() {
    let debugger = DebuggerDraft {
        kind: DebuggerKind::Debugpy,
        port: 5678,
        waits: false,
    };
    let args = ["server.py".to_owned()];
    let shown = debugger_preview("weather", "python", &args, &debugger);
    assert_eq!((shown.problem, shown.args.len()), (None, 5));
    assert!(
        shown.configuration.contains("\"port\": 5678") && shown.configuration.contains("Attach to weather")
    );
    assert!(shown.needs.unwrap().contains("pip install debugpy"));
    let shown = debugger_preview("weather", "uvx", &args, &debugger);
    assert_eq!(shown.command, "uvx", "as it would be without");
    assert!(shown.problem.unwrap().contains("not Python"));
}
