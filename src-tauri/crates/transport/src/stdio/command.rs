//! What is started: the configuration of a server made into a command, and the record of it.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Stdio as Pipe,
    sync::Arc,
};

use tokio::process::Command;

use super::{Environment, Exit, program};
use crate::{About, Failure, Peer};

/// How to start a server.
#[derive(Clone)]
pub struct StdioConfig {
    /// A path, or a name looked up in PATH.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables set on top of the environment.
    pub env: Vec<(String, String)>,
    /// The folder it starts in; the home folder if none.
    pub cwd: Option<PathBuf>,
    /// The environment it starts in.
    pub environment: Arc<Environment>,
}

impl StdioConfig {
    /// The folder that a server starts in: the configured one, otherwise the home folder.
    #[must_use]
    pub fn working_folder(&self) -> PathBuf {
        folder(self)
    }
}

/// Without arguments and the variables' values, which may be secret.
impl std::fmt::Debug for StdioConfig {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("StdioConfig")
            .field("command", &self.command)
            .field("cwd", &self.cwd)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

/// The process of a server, as it was really started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessInfo {
    /// As configured.
    pub command: String,
    /// The file that was run; none if it was not found.
    pub resolved: Option<PathBuf>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it was started in.
    pub cwd: PathBuf,
    /// The PATH it got.
    pub path: String,
    /// Names of the variables set for this server.
    pub env_names: Vec<String>,
    /// Names of the variables it got from our environment, sorted.
    pub inherited_names: Vec<String>,
    /// The number of variables of our environment that it did not get.
    pub withheld: usize,
    /// Its process id; none if it could not be started.
    pub pid: Option<u32>,
    /// How it ended; none while it runs.
    pub exit: Option<Exit>,
}

/// A link that could not be made: its program could not be started, its URL or its certificates cannot be used.
#[derive(Debug, Clone)]
pub struct NotStarted {
    /// What was tried.
    pub about: About,
    /// Why it failed.
    pub failure: Failure,
}

impl NotStarted {
    /// Of a process.
    pub(crate) fn process(info: ProcessInfo, failure: Failure) -> Box<Self> {
        Box::new(Self {
            about: About::new(Peer::Process(info)),
            failure,
        })
    }
}

/// The command that a configuration means, with its pipes; or why there is none.
pub(crate) fn prepare(config: &StdioConfig) -> Result<(Command, ProcessInfo), Box<NotStarted>> {
    let vars = variables(config);
    let path = vars
        .iter()
        .rev()
        .find(|(name, _)| is_path(name))
        .map(|(_, value)| value.clone());
    let mut info = ProcessInfo {
        command: config.command.clone(),
        resolved: None,
        args: config.args.clone(),
        cwd: folder(config),
        path: path.as_deref().unwrap_or_default().to_string_lossy().into_owned(),
        env_names: config.env.iter().map(|(name, _)| name.clone()).collect(),
        inherited_names: inherited_names(config),
        withheld: config.environment.withheld,
        pid: None,
        exit: None,
    };
    let searched = program::SearchPath {
        value: path.as_deref(),
        is_own: config.env.iter().any(|(name, _)| is_path(OsStr::new(name))),
        problem: config.environment.problem.as_ref(),
    };
    let resolved =
        program::check_cwd(&info.cwd).and_then(|()| program::resolve(&config.command, &info.cwd, searched));
    let program = match resolved {
        Ok(program) => program,
        Err(failure) => {
            return Err(NotStarted::process(info, failure));
        }
    };
    info.resolved = Some(program.clone());
    let mut command = Command::new(&program);
    command
        .args(&config.args)
        .current_dir(&info.cwd)
        .env_clear()
        .envs(vars);
    command
        .stdin(Pipe::piped())
        .stdout(Pipe::piped())
        .stderr(Pipe::piped());
    Ok((command, info))
}

/// The variables of a server: the environment, its own on top, and the folder it starts in.
pub(crate) fn variables(config: &StdioConfig) -> Vec<(OsString, OsString)> {
    let mut vars = config.environment.vars.clone();
    vars.push(("PWD".into(), folder(config).into()));
    vars.extend(config.env.iter().map(|(name, value)| (name.into(), value.into())));
    vars
}

/// The names of the variables that are not set for this server.
fn inherited_names(config: &StdioConfig) -> Vec<String> {
    let names = config
        .environment
        .vars
        .iter()
        .map(|(name, _)| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| config.env.iter().all(|(set, _)| set != name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_path(name: &OsStr) -> bool {
    if cfg!(windows) {
        name.eq_ignore_ascii_case("PATH")
    } else {
        name == "PATH"
    }
}

/// The folder a server starts in.
fn folder(config: &StdioConfig) -> PathBuf {
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    match (&config.cwd, config.environment.get(home)) {
        (Some(cwd), _) => cwd.clone(),
        (None, Some(home)) if Path::new(home).is_dir() => home.into(),
        (None, _) => std::env::temp_dir(),
    }
}
