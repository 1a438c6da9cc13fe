//! How an engine is opened. Effects that differ between fronts are passed in here.

use std::path::PathBuf;

use crate::InputPolicy;

/// How to open an [`Engine`](crate::Engine).
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// One folder for everything (`--data-dir`); the user's own folders if none.
    pub data_dir: Option<PathBuf>,
    /// Where the traffic log is kept.
    pub store: StoreChoice,
    /// Where the environment of server processes is from.
    pub environment: EnvironmentChoice,
    /// The program that answers `demo-server`: the running executable, if it can.
    pub demo_program: Option<PathBuf>,
    /// Who we are in the lock's message: `the window` or `patchbay serve`.
    pub front: &'static str,
    /// Who answers what servers ask: somebody who looks, rules, or nobody.
    pub inputs: InputPolicy,
}

/// Where the traffic log is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreChoice {
    /// In the data folder, under a lock. Servers and UI state are written too.
    Persistent,
    /// In a temporary file that goes when the engine goes. Takes no lock and writes nothing else of the user's:
    /// configured servers are read, changes to them stay in memory.
    Temporary,
}

/// Where the environment of server processes is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvironmentChoice {
    /// Ours, as a terminal gave it to us.
    Inherited,
    /// The login shell's if the desktop started us, else ours.
    DesktopAware,
}
