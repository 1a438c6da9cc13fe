//! The environment that servers are started in.

use std::{
    ffi::{OsStr, OsString},
    io::IsTerminal as _,
    process::Stdio as Pipe,
    time::Duration,
};

use process_wrap::tokio::CommandWrap;
use tokio::{io::AsyncReadExt as _, process::Command, time::timeout};

/// Variables that every program gets. The first two lines are the list of the MCP SDKs.
const PASSED: &[&str] = &[
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER", // Unix
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
    // Language, time, temporary files.
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    // Reaching the network from here.
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    // The desktop.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    // Version managers, package managers, runtimes.
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "FNM_DIR",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "DENO_INSTALL",
    "PYENV_ROOT",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "PIPX_HOME",
    "PIPX_BIN_DIR",
    "UV_CACHE_DIR",
    "UV_TOOL_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "NIX_PROFILES",
    "NIX_SSL_CERT_FILE",
    "HOMEBREW_PREFIX",
];
/// Beginnings of names that every program gets.
const PASSED_GROUPS: &[&str] = &["LC_", "XDG_", "NPM_CONFIG_"];
/// Parts of a name in such a group whose value is a secret.
const SECRET_PARTS: &[&str] = &["AUTH", "TOKEN", "PASSWORD", "SECRET", "KEY", "CERT"];

/// Whether every program gets this variable.
fn is_passed(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let in_group = PASSED_GROUPS.iter().any(|group| name.starts_with(group));
    let may_be_secret = SECRET_PARTS.iter().any(|part| name.contains(part));
    // A function that bash exports would be run by the next bash (as the MCP SDKs say).
    let is_function = value.to_string_lossy().starts_with("()");
    !is_function && (PASSED.contains(&name.as_str()) || in_group && !may_be_secret)
}

/// Printed before and after the variables: a login shell's start-up files may print anything around them.
const MARK: &[u8] = b"__PATCHBAY_ENV__";

/// How long a killed shell may take to be gone.
const REAPED_WITHIN: Duration = Duration::from_secs(1);

/// Where an environment was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentSource {
    /// As our own process got it (from a terminal, usually).
    Inherited,
    /// As the user's login shell sets it up.
    LoginShell,
}

/// The variables that servers are started with, and where they came from.
#[derive(Clone)]
pub struct Environment {
    /// All variables.
    pub vars: Vec<(OsString, OsString)>,
    /// Where they came from.
    pub source: EnvironmentSource,
    /// Why the login shell could not be asked, in a sentence, if it failed (the source is then `Inherited`).
    pub problem: Option<String>,
    /// The number of variables that were left out.
    pub withheld: usize,
}

/// Without the values, which may be secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Environment")
            .field("vars", &self.vars.len())
            .field("source", &self.source)
            .field("problem", &self.problem)
            .finish()
    }
}

impl Environment {
    /// The environment of this process.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn inherited() -> Self {
        Self {
            vars: std::env::vars_os().collect(),
            source: EnvironmentSource::Inherited,
            problem: None,
            withheld: 0,
        }
    }

    /// Only the variables that programs need to run: who and where the user is, the language, proxies and certificates,
    /// and the folders of version managers and package managers. No keys, no tokens.
    #[must_use]
    pub fn short(&self) -> Self {
        let vars: Vec<_> = self
            .vars
            .iter()
            .filter(|(name, value)| is_passed(name, value))
            .cloned()
            .collect();
        Self {
            withheld: self.withheld + self.vars.len() - vars.len(),
            vars,
            ..self.clone()
        }
    }

    /// The environment that the user's login shell (`$SHELL -l -i`) sets up; the inherited one with a problem if the
    /// shell does not tell it within `limit`.
    pub async fn from_login_shell(limit: Duration) -> Self {
        Self::inherited().in_login_shell(limit).await
    }

    async fn in_login_shell(self, limit: Duration) -> Self {
        let Some(shell) = self.get("SHELL").filter(|shell| !shell.is_empty()) else {
            return Self {
                problem: Some("SHELL is not set, so the login shell is not known.".into()),
                ..self
            };
        };
        match ask(shell, limit).await {
            Ok(vars) => Self {
                vars,
                source: EnvironmentSource::LoginShell,
                problem: None,
                withheld: 0,
            },
            Err(problem) => Self {
                problem: Some(format!("{} {problem}", shell.to_string_lossy())),
                ..self
            },
        }
    }

    /// Whether this process was started by a desktop (launcher, dock) and not from a terminal, so that its own
    /// environment may lack what the user's shell sets up.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn started_by_desktop() -> bool {
        let by_launcher = std::env::var("GIO_LAUNCHED_DESKTOP_FILE_PID")
            .is_ok_and(|pid| pid == std::process::id().to_string());
        let no_terminal = !std::io::stdin().is_terminal()
            && !std::io::stdout().is_terminal()
            && !std::io::stderr().is_terminal();
        // Every terminal sets TERM, and what it starts (a test, a script) inherits it.
        by_launcher || (no_terminal && std::env::var_os("TERM").is_none_or(|term| term == "dumb"))
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_os_str())
    }
}

/// Asks a shell for its variables; an error is the rest of a sentence that begins with the shell's name.
async fn ask(shell: &OsStr, limit: Duration) -> Result<Vec<(OsString, OsString)>, String> {
    let mark = String::from_utf8_lossy(MARK);
    let mut command = Command::new(shell);
    command
        .args(["-l", "-i", "-c"])
        .arg(format!("printf '%s' {mark}; command env -0; printf '%s' {mark}"))
        .stdin(Pipe::null())
        .stdout(Pipe::piped())
        .stderr(Pipe::null())
        .kill_on_drop(true);
    let mut wrap = CommandWrap::from(command);
    // Its own session: an interactive shell must not touch the terminal that we may have.
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessSession);
    let mut child = wrap
        .spawn()
        .map_err(|error| format!("could not be started: {error}."))?;
    let mut stdout = child.stdout().take().ok_or("has no output.")?;
    let mut output = Vec::new();
    let read = async {
        // Up to the second mark, not to the end: something the shell left running may hold its stdout.
        while between_marks(&output).is_none() {
            if !matches!(stdout.read_buf(&mut output).await, Ok(1..)) {
                break;
            }
        }
    };
    let in_time = timeout(limit, read).await;
    let _ = child.start_kill();
    // It was killed, so it ends at once; what does not is left to the runtime to reap.
    let _ = timeout(REAPED_WITHIN, child.wait()).await;
    if in_time.is_err() {
        return Err(format!("did not answer within {} s.", limit.as_secs_f32()));
    }
    let vars = parse(between_marks(&output).ok_or("did not print its variables.")?);
    if vars.is_empty() {
        Err("printed no variables.".to_owned())
    } else {
        Ok(vars)
    }
}

/// The text between the two marks, once both are there.
fn between_marks(output: &[u8]) -> Option<&[u8]> {
    let begin = memchr::memmem::find(output, MARK)? + MARK.len();
    let rest = output.get(begin..)?;
    rest.get(..memchr::memmem::find(rest, MARK)?)
}

/// The output of `env -0`, without the variables that describe the shell itself.
fn parse(text: &[u8]) -> Vec<(OsString, OsString)> {
    text.split(|byte| *byte == 0)
        .filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
            Some((os_string(entry.get(..at)?), os_string(entry.get(at + 1..)?)))
        })
        .filter(|(name, _)| !["_", "SHLVL", "PWD", "OLDPWD"].iter().any(|own| name == own))
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

#[cfg(test)]
mod tests;
