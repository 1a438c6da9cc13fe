//! Child processes: how they are started, without the variables that `cargo run` sets for this program.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Outcome, disk, place};

/// Variables that `cargo run` sets for this program. A child that is itself cargo, or an MCP server, must not see them.
const OF_CARGO: &[&str] = &[
    "CARGO",
    "CARGO_CRATE_NAME",
    "CARGO_BIN_NAME",
    "CARGO_PRIMARY_PACKAGE",
    "OUT_DIR",
];

/// A command, run in the clone, without cargo's own variables.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place::root());
    for (name, _) in env::vars_os() {
        let name_text = name.to_string_lossy();
        if OF_CARGO.contains(&&*name_text)
            || name_text.starts_with("CARGO_PKG_")
            || name_text.starts_with("CARGO_MANIFEST_")
        {
            command.env_remove(&name);
        }
    }
    command
}

/// `cargo` in the current directory, with the target folder of the environment.
pub(crate) fn cargo_here() -> Command {
    let mut command = command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if let Ok(here) = env::current_dir() {
        command.current_dir(here);
    }
    command
}

/// `cargo`, building into [`place::target`].
pub(crate) fn cargo() -> Command {
    let mut command = command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("CARGO_TARGET_DIR", place::target());
    command
}

/// `npm`, in a folder.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut command = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Runs to the end with all output on our stderr, because stdout is reserved for the verb's result (an address, numbers). A
/// nonzero exit code is an error that names the command.
pub(crate) fn must(command: &mut Command) -> Outcome {
    ended(command.stdout(Stdio::from(std::io::stderr())))
}

/// Runs to the end without redirecting output. The error names a full disk.
pub(crate) fn ended(command: &mut Command) -> Outcome {
    let shown = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(because(
            format!("`{shown}` ended with {status}"),
            disk::shortage(),
        )),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// An error with its cause, if that is known.
pub(crate) fn because(error: String, cause: Option<String>) -> String {
    cause.map_or_else(|| error.clone(), |cause| format!("{error}\n{cause}"))
}

/// An error of an installation or a build with advice, unless a full disk is its cause.
pub(crate) fn advised(error: String, advice: &str) -> String {
    match disk::shortage() {
        Some(cause) if error.contains(&cause) => error,
        Some(cause) => because(error, Some(cause)),
        None => format!("{error}\n{advice}"),
    }
}

/// Replaces this process with the program, so that signals and the exit code are the program's.
#[cfg(unix)]
pub(crate) fn start(program: &mut Command) -> Outcome {
    use std::os::unix::process::CommandExt as _;
    let error = program.exec();
    Err(format!("`{}` could not be started: {error}", shown(program)))
}

#[cfg(not(unix))]
pub(crate) fn start(program: &mut Command) -> Outcome {
    ended(program)
}

/// Runs to the end and returns its stdout, if it could be started and succeeded.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs to the end and returns its stdout. The error names the command, how it ended, what it wrote to stderr, and a full disk.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    let shown = shown(command);
    let ended = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{shown}` could not be started: {error}"))?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let error = format!("`{shown}` ended with {}: {}", ended.status, stderr.trim_end());
    Err(because(error, disk::shortage()))
}

/// A command as typed in a shell.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Finds a program on the PATH.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|dir| dir.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut sh = command("sh");
        sh.args(["-c", script]);
        sh
    }

    #[test]
    fn a_program_that_fails_says_why() {
        assert_eq!(output(&mut sh("echo answer; echo note >&2")).unwrap(), "answer\n");
        let error = output(&mut sh("echo boom >&2; exit 1")).unwrap_err();
        assert!(error.contains("exit status: 1: boom"), "{error}");
        let error = output(&mut command("patchbay-no-such-program")).unwrap_err();
        assert!(error.contains("could not be started"), "{error}");
    }
}
