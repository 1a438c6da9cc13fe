//! The environment of the programs that Patchbay starts.

use serde::{Deserialize, Serialize};

use crate::{FailureItem, PathSource, ServerId};

/// Which shell is run for the environment of programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ShellChoice {
    /// The login shell if the desktop started Patchbay, otherwise none: a terminal passes on what its shell has set up.
    #[default]
    Automatic,
    /// The user's login shell.
    Login,
    /// Another shell, which the user chose.
    Program,
    /// None: programs get the environment that Patchbay was started with.
    None,
}

/// The settings of the environment. A member that is not known here makes them unreadable: they are of a newer version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EnvironmentSettings {
    /// Which shell is run.
    pub shell: ShellChoice,
    /// The chosen shell: an absolute path, or a name looked up in `PATH`. Kept in other modes.
    pub program: String,
    /// Folders before those of `PATH`: absolute, or below the home folder (`~/bin`).
    pub path_before: Vec<String>,
    /// Folders after those of `PATH`.
    pub path_after: Vec<String>,
}

/// Parameters of `environment_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct EnvironmentGetParams {}

/// Response of `environment_get`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentGetResponse {
    /// The settings.
    pub settings: EnvironmentSettings,
    /// Whether a shell can be run for the environment: not on Windows.
    pub can_run_shell: bool,
    /// How long a shell may take, in seconds.
    pub limit_s: u32,
    /// The file of the settings.
    pub file: String,
}

/// Parameters of `environment_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentSetParams {
    /// The settings.
    pub settings: EnvironmentSettings,
}

/// Parameters of `environment_read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentReadParams {
    /// Runs the shell again, if the settings name one.
    pub again: bool,
}

/// Response of `environment_read`: what programs are started with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentReadResponse {
    /// Where it came from.
    pub source: PathSource,
    /// The shell that was run, or should have been; none if none had to be.
    pub shell: Option<String>,
    /// Why it was not read from the shell; the environment that Patchbay was started with is used then.
    pub problem: Option<FailureItem>,
    /// When it was read.
    pub at_ms: f64,
    /// How long that took.
    pub took_ms: f64,
    /// The number of variables.
    pub variables: u32,
    /// The home folder, which `~` means; none if it is not known.
    pub home: Option<String>,
    /// The folders of `PATH`, in its order: at most 500.
    pub path: Vec<PathEntry>,
    /// How many more folders it has.
    pub more: u32,
    /// The connected servers whose program was started with another environment. They get this one when they are restarted.
    pub outdated: Vec<ServerId>,
}

/// A folder of `PATH`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PathEntry {
    /// The folder, as it is in `PATH`. Empty: the working directory of the program.
    pub folder: String,
    /// Where it came from.
    pub from: PathEntryOrigin,
}

/// Where a folder of `PATH` came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PathEntryOrigin {
    /// The settings, before those of the environment.
    Before,
    /// The environment.
    Environment,
    /// The settings, after those of the environment.
    After,
}
