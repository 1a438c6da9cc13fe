//! Restarting a server when files change.

use serde::{Deserialize, Serialize};

use crate::ServerId;

/// When a program is restarted because files changed. Pasted and imported settings never say so: a build runs programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct FileWatchDraft {
    /// Whether files are watched while the server is connected. The other settings are kept while this is off.
    pub on: bool,
    /// Files and folders with all that is in them. Relative ones begin at the working directory.
    pub paths: Vec<String>,
    /// What is not watched in these folders, one pattern each, as in a `.gitignore`; later ones take precedence. `.git`,
    /// `node_modules`, `target`, `__pycache__`, `.venv` and temporary files of editors are never watched unless a pattern
    /// with `!` says so.
    pub ignored: Vec<String>,
    /// How long nothing may change before the build and the restart begin, in milliseconds: 50 to 60,000, 300 by default.
    pub quiet_ms: u32,
    /// The program that is run before the restart; none if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub build: Option<BuildDraft>,
}

impl Default for FileWatchDraft {
    fn default() -> Self {
        Self {
            on: false,
            paths: Vec::new(),
            ignored: Vec::new(),
            quiet_ms: 300,
            build: None,
        }
    }
}

/// A program that is run before a server is restarted, in its working directory and with its environment. If it fails, the
/// server is not restarted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct BuildDraft {
    /// A path, or a name looked up in PATH.
    pub command: String,
    /// Its arguments, one each; no shell interprets them.
    pub args: Vec<String>,
    /// How long it may take, in milliseconds: 1,000 to 3,600,000, 300,000 by default. Then it is ended, and has failed.
    pub timeout_ms: u32,
}

impl Default for BuildDraft {
    fn default() -> Self {
        Self {
            command: String::new(),
            args: Vec::new(),
            timeout_ms: 300_000,
        }
    }
}

/// What is watched for a server, in the list of servers. Absent if nothing is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchItem {
    /// What happens now.
    pub state: FileWatchState,
    /// The files that changed last, at most 3, relative to the working directory if they are in it.
    pub changed: Vec<String>,
    /// How many files changed last.
    pub changed_count: u32,
    /// How often the server was restarted since watching began.
    pub restarts: u32,
}

/// What happens to a server whose files are watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileWatchState {
    /// Watching begins: the folders are listed.
    Starting {},
    /// Nothing has changed since.
    Watching {},
    /// Files change; the build and the restart begin when nothing changes any more.
    Settling {},
    /// Files have been changing for long without a pause. The restart still waits for the pause.
    Busy {},
    /// The build runs.
    Building {
        /// Since when, in ms since the Unix epoch.
        since_at_ms: f64,
    },
    /// The build failed: the server runs on as it is.
    BuildFailed {},
    /// The build succeeded; the restart waits until the pending requests have ended.
    WaitingForCalls {
        /// How many requests are pending.
        pending: u32,
        /// When it no longer waits, in ms since the Unix epoch.
        until_at_ms: f64,
    },
    /// The connection is closed and opened again.
    Restarting {},
    /// Each of the last restarts led to the next change: no more until the user restarts it.
    Looping {
        /// A file that changed each time.
        path: String,
    },
    /// A file or folder is not there; it is watched when it is back.
    Missing {
        /// Its path.
        path: String,
    },
    /// Nothing is watched, or the server could not be restarted.
    Failed {
        /// Why, in a sentence.
        cause: String,
        /// What the user can do, in a sentence.
        next: String,
    },
    /// The user stopped it, until the next connect.
    Stopped {},
}

/// Parameters of `file_watch_start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchStartParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `file_watch_stop`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchStopParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `file_watch_restart`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchRestartParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `file_watch_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchGetParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `file_watch_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileWatchGetResponse {
    /// As in the list of servers; none if nothing is watched.
    pub item: Option<FileWatchItem>,
    /// The absolute paths that are watched.
    pub paths: Vec<String>,
    /// How many folders that is; none where the system watches a folder with all that is in it.
    pub folders: Option<u32>,
    /// The last build, or the one that runs.
    pub build: Option<BuildItem>,
}

/// A build, running or ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BuildItem {
    /// The program.
    pub command: String,
    /// Its arguments, with secrets masked.
    pub args: Vec<String>,
    /// When it began, in ms since the Unix epoch.
    pub began_at_ms: f64,
    /// How it ended; none while it runs.
    pub end: Option<BuildEnd>,
    /// What it printed to stdout and stderr, as it came: the newest 64 KiB, without escape sequences, secrets masked.
    pub output: String,
    /// How many bytes of its output before that are not kept.
    pub dropped_bytes: f64,
    /// How many changes of files during the build were taken for its own: they cause no build.
    pub set_aside: u32,
    /// Some of these files, at most 3.
    pub set_aside_paths: Vec<String>,
}

/// How a build ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BuildEnd {
    /// Whether the server is restarted.
    pub succeeded: bool,
    /// In words: the exit code, the signal, that it did not end in time, or why it could not be started.
    pub words: String,
    /// How long it took, in ms.
    pub duration_ms: f64,
}
