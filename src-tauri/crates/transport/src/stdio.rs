//! A server's process and its three pipes.

use std::{path::PathBuf, sync::Arc};

use crate::Environment;

/// How to start a server.
#[derive(Debug, Clone)]
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

/// The process of a server, as it was really started.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Its process id; none if it could not be started.
    pub pid: Option<u32>,
    /// How it ended; none while it runs.
    pub exit: Option<Exit>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}
