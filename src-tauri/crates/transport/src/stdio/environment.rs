//! The environment that servers are started in.

mod path;
mod shell;

use std::{
    ffi::{OsStr, OsString},
    io::IsTerminal as _,
    time::Duration,
};

use crate::Failure;

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

/// Where an environment was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentSource {
    /// As our own process got it (from a terminal, usually).
    Inherited,
    /// As the user's login shell sets it up.
    LoginShell,
    /// As another shell, which the user chose, sets it up.
    ChosenShell,
}

/// The variables that servers are started with, and where they came from.
#[derive(Clone)]
pub struct Environment {
    /// All variables.
    pub vars: Vec<(OsString, OsString)>,
    /// Where they came from.
    pub source: EnvironmentSource,
    /// The shell that was run, or should have been: its file, or the name that was not found.
    pub shell: Option<String>,
    /// Why the shell did not print its variables, if it failed (the source is then `Inherited`).
    pub problem: Option<Failure>,
    /// The number of variables that were left out.
    pub withheld: usize,
}

/// Without the values, which may be secret, and without what the shell wrote to stderr.
impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Environment")
            .field("vars", &self.vars.len())
            .field("source", &self.source)
            .field("shell", &self.shell)
            .field("problem", &self.problem.as_ref().map(|problem| &problem.cause))
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
            shell: None,
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

    /// The environment that the user's login shell (`SHELL`, otherwise that of the account) sets up; the inherited one with a
    /// problem if the shell does not print it within `limit`.
    pub async fn from_login_shell(limit: Duration) -> Self {
        Self::inherited().in_login_shell(limit).await
    }

    /// The environment that a shell sets up when it is run as a login shell: the path of its file, or a name looked up in
    /// `PATH`. The inherited one with a problem if there is no such shell, or it does not print its variables within `limit`.
    pub async fn from_shell(program: &str, limit: Duration) -> Self {
        Self::inherited().in_shell(program, limit).await
    }

    async fn in_login_shell(self, limit: Duration) -> Self {
        let own = self.get("SHELL").filter(|shell| !shell.is_empty());
        let shell = match own {
            Some(shell) => Some(shell.to_owned()),
            None => shell::of_account().await,
        };
        match shell {
            Some(shell) => {
                self.printed_by(&shell, EnvironmentSource::LoginShell, limit)
                    .await
            }
            None => Self {
                problem: Some(shell::unknown()),
                ..self
            },
        }
    }

    async fn in_shell(self, program: &str, limit: Duration) -> Self {
        match shell::find(program, self.get("PATH")) {
            Ok(shell) => {
                self.printed_by(shell.as_os_str(), EnvironmentSource::ChosenShell, limit)
                    .await
            }
            Err(problem) => Self {
                shell: Some(program.to_owned()),
                problem: Some(problem),
                ..self
            },
        }
    }

    async fn printed_by(self, shell: &OsStr, source: EnvironmentSource, limit: Duration) -> Self {
        let shown = Some(shell.to_string_lossy().into_owned());
        match shell::variables(shell, limit).await {
            Ok(vars) => Self {
                vars,
                source,
                shell: shown,
                problem: None,
                withheld: 0,
            },
            Err(problem) => Self {
                shell: shown,
                problem: Some(problem),
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
            .find(|(set, _)| is_same(set, name))
            .map(|(_, value)| value.as_os_str())
    }
}

/// Whether two names are those of the same variable.
fn is_same(one: &OsStr, other: &str) -> bool {
    if cfg!(windows) {
        one.eq_ignore_ascii_case(other)
    } else {
        one == other
    }
}

#[cfg(test)]
mod tests;
