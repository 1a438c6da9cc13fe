//! Runs a shell for the variables that its start-up files set.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{ChildStderr, ChildStdout, Command},
    time::timeout,
};

use super::super::{Exit, output, program};
use crate::Failure;

/// The step that all failures here belong to.
const STEP: &str = "Read the environment of the shell";
/// What to do about a shell that cannot be used.
const CHOOSE: &str = "Choose another shell in Settings > Environment.";
/// Printed before and after the variables: start-up files may print anything around them.
const MARK: &str = "__PATCHBAY_ENV__";
/// [`MARK`] after the variables, each of which ends with a zero byte. The mark alone may be in a variable: dash sets `_` to the
/// last word of the command before.
const END: &str = "\0__PATCHBAY_ENV__";
/// Set to 1 for the shell, so that its start-up files can leave out what is for a person, like starting tmux. Those of many
/// users look at the second one already.
const RESOLVING: [&str; 2] = ["PATCHBAY_RESOLVING_ENVIRONMENT", "VSCODE_RESOLVING_ENVIRONMENT"];
/// The most that a shell may print, in bytes.
const MOST: usize = 4 << 20;
/// The most that is kept of the end of its stderr, for the error, in bytes.
const STDERR_LIMIT: usize = 2048;
/// How long a shell may take to end once it has closed its stdout.
const ENDS_WITHIN: Duration = Duration::from_secs(1);
/// How long the rest of its stderr is waited for, once it has ended.
const DRAIN: Duration = Duration::from_millis(200);

/// Names and values.
type Variables = Vec<(OsString, OsString)>;

/// The file of a shell: a path, or a name in `PATH`.
pub(super) fn find(name: &str, path: Option<&OsStr>) -> Result<PathBuf, Failure> {
    // A relative path would be looked for in our working directory, which the user does not know.
    let found = program::resolve(name, Path::new("/"), path);
    found.map_err(|why| Failure {
        step: STEP,
        cause: why.cause.replace("The program", "The shell"),
        next: CHOOSE.to_owned(),
        ..why
    })
}

/// The login shell of the user's account.
pub(super) async fn of_account() -> Option<OsString> {
    #[cfg(unix)]
    {
        // The account may be on a server of the network.
        let user = || nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten();
        let user = tokio::task::spawn_blocking(user).await.ok().flatten()?;
        Some(user.shell.into_os_string()).filter(|shell| !shell.is_empty())
    }
    #[cfg(not(unix))]
    None
}

/// That there is no login shell.
pub(super) fn unknown() -> Failure {
    let cause = "The login shell is not known: SHELL is not set, and the account has none.";
    Failure::new(STEP, cause, CHOOSE)
}

/// The options of a shell, and its commands that print a text and run `env`: they differ in few shells.
fn dialect(shell: &OsStr) -> (&'static [&'static str], [&'static str; 2]) {
    let name = Path::new(shell).file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        // Only without other options has it one for login shells.
        "csh" | "tcsh" => (&["-i", "-c"][..], ["printf", "env"]),
        "pwsh" | "pwsh-preview" => (&["-Login", "-Command"][..], ["& printf", "& env"]),
        "nu" => (&["-l", "-i", "-c"][..], ["^printf", "^env"]),
        _ => (&["-l", "-i", "-c"][..], ["printf", "command env"]),
    }
}

/// The arguments of a shell that prints its variables.
fn arguments(shell: &OsStr) -> Vec<String> {
    let (options, [print, env]) = dialect(shell);
    let command = format!("{print} '%s' {MARK}; {env} -0; {print} '%s' {MARK}");
    let options = options.iter().map(|&option| option.to_owned());
    options.chain([command]).collect()
}

/// The variables of a shell.
pub(super) async fn variables(shell: &OsStr, limit: Duration) -> Result<Variables, Failure> {
    let shown = shell.to_string_lossy();
    let mut command = Command::new(shell);
    command
        .args(arguments(shell))
        .envs(RESOLVING.map(|name| (name, "1")));
    let mut child = output::start(command)
        .map_err(|error| Failure::new(STEP, format!("{shown} could not be started: {error}."), CHOOSE))?;
    let mut printed = Printed {
        pipes: child.pipes(),
        ..Printed::default()
    };
    let in_time = timeout(limit, printed.read()).await.is_ok();
    let exit = match in_time && printed.between_marks().is_none() {
        true => timeout(ENDS_WITHIN, child.wait()).await.ok(),
        false => None,
    };
    child.kill().await;
    let vars = printed.between_marks().map(parse).unwrap_or_default();
    if !vars.is_empty() {
        return Ok(vars);
    }
    // What it wrote last may not have been read yet. Something that it left running may hold the pipe.
    let _ = timeout(DRAIN, printed.rest_of_stderr()).await;
    let exit = exit.and_then(Result::ok).map(Exit::from);
    let failure = match in_time {
        true => printed.failure(shell, exit),
        false => late(&shown, limit),
    };
    Err(match printed.last_words() {
        Some(words) => failure.with_detail(words),
        None => failure,
    })
}

fn late(shown: &str, limit: Duration) -> Failure {
    let seconds = limit.as_secs_f32();
    Failure::new(
        STEP,
        format!("{shown} did not print its variables within {seconds} s."),
        "Find out what its start-up files wait for; they can leave that out when PATCHBAY_RESOLVING_ENVIRONMENT is 1. Or \
         choose another shell in Settings > Environment.",
    )
}

/// What a shell wrote.
#[derive(Default)]
struct Printed {
    pipes: (Option<ChildStdout>, Option<ChildStderr>),
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Printed {
    /// Reads up to the second mark and not to the end: something the shell left running may hold its stdout. Cancel safe.
    async fn read(&mut self) {
        while self.between_marks().is_none() && self.stdout.len() <= MOST {
            let (stdout, stderr) = &mut self.pipes;
            tokio::select! {
                goes_on = more(stdout, &mut self.stdout) => if !goes_on { return },
                goes_on = more(stderr, &mut self.stderr), if stderr.is_some() => if !goes_on { self.pipes.1 = None },
            }
            self.keep_last_words();
        }
    }

    async fn rest_of_stderr(&mut self) {
        while more(&mut self.pipes.1, &mut self.stderr).await {
            self.keep_last_words();
        }
    }

    fn keep_last_words(&mut self) {
        let surplus = self.stderr.len().saturating_sub(STDERR_LIMIT);
        self.stderr.drain(..surplus);
    }

    /// The text between the two marks, once both are there.
    fn between_marks(&self) -> Option<&[u8]> {
        let begin = memchr::memmem::find(&self.stdout, MARK.as_bytes())? + MARK.len();
        let rest = self.stdout.get(begin..)?;
        match rest.starts_with(MARK.as_bytes()) {
            true => Some(&[]),
            false => rest.get(..memchr::memmem::find(rest, END.as_bytes())?),
        }
    }

    /// Why there are no variables in it.
    fn failure(&self, shell: &OsStr, exit: Option<Exit>) -> Failure {
        let shown = shell.to_string_lossy();
        let has_none = "did not run the command that prints its variables.";
        let cause = match exit {
            _ if self.stdout.len() > MOST => format!("{shown} printed more than {} MiB.", MOST >> 20),
            _ if self.between_marks().is_some() => format!("{shown} printed no variables."),
            Some(exit) if exit != Exit::Code(0) => {
                format!("{shown} ended with {exit} before it printed its variables.")
            }
            _ if self.stdout.is_empty() => format!("{shown} printed nothing: it {has_none}"),
            _ => format!("{shown} {has_none}"),
        };
        let options = dialect(shell).0.join(" ");
        let next = format!(
            "Run it with {options} env in a terminal to see why, or choose another shell in Settings > Environment."
        );
        Failure::new(STEP, cause, next)
    }

    /// The end of what it wrote to stderr.
    fn last_words(&self) -> Option<String> {
        let mut kept = &*self.stderr;
        if kept.len() == STDERR_LIMIT {
            // Half a line may be half a secret, which is not recognized as one.
            kept = memchr::memchr(b'\n', kept).map_or(&[][..], |at| &kept[at..]);
        }
        let text = String::from_utf8_lossy(kept);
        // Lines of `set -x` are commands, which set variables.
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('+')).collect();
        let words = lines.join("\n").trim().to_owned();
        Some(words).filter(|words| !words.is_empty())
    }
}

/// Reads what is there; false at the end. Cancel safe.
async fn more(pipe: &mut Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) -> bool {
    match pipe {
        Some(pipe) => matches!(pipe.read_buf(into).await, Ok(1..)),
        None => false,
    }
}

/// The output of `env -0`, without the variables that describe the shell itself.
fn parse(text: &[u8]) -> Variables {
    text.split(|byte| *byte == 0)
        .filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
            Some((os_string(entry.get(..at)?), os_string(entry.get(at + 1..)?)))
        })
        .filter(|(name, _)| {
            let own = ["_", "SHLVL", "PWD", "OLDPWD"];
            !own.iter().chain(&RESOLVING).any(|own| name == own)
        })
        .collect()
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt as _;
    OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
