//! Makes of the command of a server the one that starts it under a debugger, and says how an editor attaches.

use patchbay_contract::{DebuggerDraft, DebuggerKind, DebuggerPreviewResponse};
use serde_json::json;

/// Options of `go run` that have their value in the next argument.
const GO_VALUES: &[&str] = &[
    "asmflags", "C", "exec", "gcflags", "ldflags", "mod", "modfile", "overlay", "p", "pkgdir", "tags",
];
/// Options of Python that have their value in the next argument.
const PYTHON_VALUES: &[&str] = &["-W", "-X", "--check-hash-based-pycs"];

/// A program and its arguments.
type Command = (String, Vec<String>);

/// The command under the debugger; an error says why there is none and what can be done.
pub fn debugged(command: &str, args: &[String], debugger: &DebuggerDraft) -> Result<Command, String> {
    let file = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let program = file
        .trim_end_matches(".exe")
        .trim_end_matches(".cmd")
        .to_lowercase();
    match debugger.kind {
        DebuggerKind::Node => node(command, &program, args, debugger),
        DebuggerKind::Debugpy => debugpy(command, &program, args, debugger),
        DebuggerKind::Delve => delve(command, &program, args, debugger),
    }
}

/// What the dialog shows of a debugger. Nothing is run.
pub fn debugger_preview(
    name: &str,
    command: &str,
    args: &[String],
    debugger: &DebuggerDraft,
) -> DebuggerPreviewResponse {
    let (started, problem) = match debugged(command, args, debugger) {
        Ok(started) => (started, None),
        Err(problem) => ((command.to_owned(), args.to_vec()), Some(problem)),
    };
    let port = debugger.port;
    let title = format!("Attach to {name}");
    let (configuration, attach, needs) = match debugger.kind {
        DebuggerKind::Node => (
            json!({ "name": title, "type": "node", "request": "attach", "address": "127.0.0.1", "port": port, "restart": true }),
            Some(format!("node inspect 127.0.0.1:{port}")),
            None,
        ),
        DebuggerKind::Debugpy => (
            json!({ "name": title, "type": "debugpy", "request": "attach", "connect": { "host": "127.0.0.1", "port": port } }),
            None,
            Some("debugpy, in the Python that runs the server: python -m pip install debugpy"),
        ),
        DebuggerKind::Delve => (
            json!({ "name": title, "type": "go", "request": "attach", "mode": "remote", "host": "127.0.0.1", "port": port }),
            Some(format!("dlv connect 127.0.0.1:{port}")),
            Some("Delve, on PATH: go install github.com/go-delve/delve/cmd/dlv@latest"),
        ),
    };
    DebuggerPreviewResponse {
        command: started.0,
        args: started.1,
        problem,
        needs: needs.map(ToOwned::to_owned),
        configuration: serde_json::to_string_pretty(&configuration).unwrap_or_default(),
        attach,
    }
}

fn node(command: &str, program: &str, args: &[String], debugger: &DebuggerDraft) -> Result<Command, String> {
    if !matches!(program, "node" | "nodejs" | "tsx") {
        return Err(format!(
            "`{command}` starts another program, which would not be debugged. Use node with the file of the server, \
             such as: node dist/index.js"
        ));
    }
    if let Some(own) = args.iter().find(|arg| arg.starts_with("--inspect")) {
        return Err(format!(
            "The arguments already have `{own}`. Remove it, or switch the debugger off."
        ));
    }
    let option = if debugger.waits {
        "--inspect-brk"
    } else {
        "--inspect"
    };
    let option = format!("{option}=127.0.0.1:{}", debugger.port);
    Ok((command.to_owned(), [vec![option], args.to_vec()].concat()))
}

fn debugpy(
    command: &str,
    program: &str,
    args: &[String],
    debugger: &DebuggerDraft,
) -> Result<Command, String> {
    let version = program
        .strip_prefix("python")
        .or_else(|| program.strip_prefix("pypy"));
    let is_python = version.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'));
    if !is_python {
        return Err(format!(
            "`{command}` is not Python. Use the Python of the server's environment with its file or module, such as: \
             .venv/bin/python -m my_server"
        ));
    }
    // The options of Python itself come before `-m debugpy`.
    let mut own = 0;
    while let Some(arg) = args.get(own).filter(|arg| arg.starts_with('-')) {
        if arg == "-m" || arg == "-c" || arg == "-" {
            break;
        }
        own += if PYTHON_VALUES.contains(&arg.as_str()) {
            2
        } else {
            1
        };
    }
    let (own, rest) = args.split_at(own.min(args.len()));
    if rest.is_empty() || rest.first().is_some_and(|arg| arg == "-") {
        return Err("The arguments name no file, module or code to debug.".to_owned());
    }
    if rest.get(1).is_some_and(|module| module == "debugpy") {
        return Err(
            "The arguments already start debugpy. Remove that, or switch the debugger off.".to_owned(),
        );
    }
    let mut all = own.to_vec();
    all.extend(["-m", "debugpy", "--listen"].map(ToOwned::to_owned));
    all.push(format!("127.0.0.1:{}", debugger.port));
    if debugger.waits {
        all.push("--wait-for-client".to_owned());
    }
    all.extend_from_slice(rest);
    Ok((command.to_owned(), all))
}

fn delve(command: &str, program: &str, args: &[String], debugger: &DebuggerDraft) -> Result<Command, String> {
    if program == "dlv" {
        return Err(
            "The command already is dlv. Enter the server's own command, or switch the debugger off."
                .to_owned(),
        );
    }
    let (verb, target, build, rest) = match (program, args.split_first()) {
        ("go", Some((run, args))) if run == "run" => {
            let (flags, files, rest) = go_run(args)?;
            ("debug", files, flags, rest)
        }
        ("go", _) => return Err("Only `go run` starts a server. Use it, or the compiled program.".to_owned()),
        _ => ("exec", vec![command.to_owned()], Vec::new(), args.to_vec()),
    };
    let mut all = vec![verb.to_owned()];
    all.extend(target);
    all.extend(["--headless", "--api-version=2", "--accept-multiclient"].map(ToOwned::to_owned));
    all.push(format!("--listen=127.0.0.1:{}", debugger.port));
    // Stdout is the server's alone.
    all.push("--log-dest=2".to_owned());
    if !debugger.waits {
        all.push("--continue".to_owned());
    }
    if !build.is_empty() {
        all.push(format!("--build-flags={}", build.join(" ")));
    }
    if !rest.is_empty() {
        all.push("--".to_owned());
        all.extend(rest);
    }
    Ok(("dlv".to_owned(), all))
}

/// The arguments of `go run`: flags of the build, the package or files, the arguments of the program.
type GoRun = (Vec<String>, Vec<String>, Vec<String>);

fn go_run(args: &[String]) -> Result<GoRun, String> {
    let mut at = 0;
    while let Some(flag) = args.get(at).and_then(|arg| arg.strip_prefix('-')) {
        let name = flag.trim_start_matches('-');
        at += if GO_VALUES.contains(&name) { 2 } else { 1 };
    }
    let (flags, rest) = args.split_at(at.min(args.len()));
    let files = rest.iter().take_while(|arg| arg.ends_with(".go")).count();
    let (target, rest) = rest.split_at(files.max(1).min(rest.len()));
    match target {
        [] => Err("`go run` names no package to debug.".to_owned()),
        [package] if package.contains('@') => Err(format!(
            "`{package}` is compiled without its source at hand. Debug a package of a local module, such as ./cmd/server"
        )),
        [_] => Ok((flags.to_vec(), target.to_vec(), rest.to_vec())),
        _ => Err(
            "Delve debugs a package, not a list of files. Name the package, such as `go run .`".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests;
