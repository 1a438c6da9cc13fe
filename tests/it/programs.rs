//! Our programs and the peers' programs, and how tests run `patchbay`.

mod adding;
mod asking;
mod chat;
mod command_line;
mod environment;
mod faults;
mod groups;
mod importing;
#[cfg(unix)]
mod kills;
mod leftovers;
mod limits;
mod models;
mod real_peers;
mod recordings;
mod roots;

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::source::tree;

/// One of our own programs.
pub(crate) fn ours(name: &str) -> PathBuf {
    built().join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The folder of our own programs: `PATCHBAY_BIN_DIR`, or else they are built first, so that a test never runs an outdated
/// one. That takes time, so it must not count against a test's timeout.
pub(crate) fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| env::var_os("PATCHBAY_BIN_DIR").map_or_else(build, PathBuf::from))
}

fn build() -> PathBuf {
    let packages = ["patchbay-cli", "patchbay-rmcp", "patchbay-test-server"];
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .arg("build")
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .current_dir(tree::root())
        .status()
        .unwrap();
    assert!(status.success(), "our programs do not build");
    // target/debug/deps/it-… → target/debug
    env::current_exe()
        .unwrap()
        .parent()
        .and_then(Path::parent)
        .unwrap()
        .to_path_buf()
}

/// A peer installed by `cargo xtask test`; without it the test is skipped with a message.
pub(crate) fn peer(folder: &str, name: &str) -> Option<String> {
    let program = env::var_os(folder)
        .map(|folder| PathBuf::from(folder).join(name))
        .filter(|program| program.exists());
    if program.is_none() {
        skipped(&format!(
            "{name} is not installed; `cargo xtask test rust` installs it"
        ));
    }
    program.map(|program| quoted(&program))
}

/// npm `@modelcontextprotocol/server-everything`, as a command line.
pub(crate) fn everything() -> Option<String> {
    peer("PATCHBAY_PEERS_NODE", "mcp-server-everything")
}

/// Reports in the summary that something was skipped. Bypasses libtest's capture, which hides the output of passing tests.
pub(crate) fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {reason}");
}

/// A path, quoted for a command line.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// Our scripted server with a script.
pub(crate) fn scripted(part: &str) -> String {
    format!("{} {part}", quoted(&ours("patchbay-test-server")))
}

/// `patchbay` with separate folders.
pub(crate) struct Patchbay {
    folder: TempDir,
}

/// How a run of `patchbay` ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// As text; invalid UTF-8 is replaced.
    pub(crate) stdout: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) stderr: String,
}

impl Ended {
    /// Fails with the whole output unless the exit code is this one.
    pub(crate) fn code(self, expected: i32) -> Self {
        assert_eq!(
            self.code,
            Some(expected),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Stdout as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            bytes: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Patchbay {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    /// The folder that is deleted with it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The command, not started yet.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(ours("patchbay"));
        command.args(args).current_dir(self.folder()).stdin(Stdio::null());
        for (name, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
            ("TMPDIR", "tmp"),
        ] {
            let folder = self.folder().join(folder);
            fs::create_dir_all(&folder).unwrap();
            command.env(name, folder);
        }
        command
    }

    /// Runs it to the end.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.command(args).output().unwrap().into()
    }

    /// Runs it to the end and returns what `--record` wrote.
    pub(crate) fn recorded(&self, args: &[&str]) -> (Ended, Recording) {
        let file = self.folder().join("recording.jsonl");
        let mut with_file = args.to_vec();
        let path = file.to_string_lossy().into_owned();
        with_file.extend(["--record", &path]);
        let ended = self.run(&with_file);
        (ended, Recording::read(&file))
    }
}

/// What `--record` wrote.
pub(crate) struct Recording {
    pub(crate) lines: Vec<Value>,
}

impl Recording {
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
        Self {
            lines: lines.collect(),
        }
    }

    /// The raw texts in one direction.
    pub(crate) fn raws(&self, dir: &str) -> Vec<&str> {
        self.lines
            .iter()
            .filter(|line| line["dir"] == dir)
            .filter_map(|line| line["raw"].as_str())
            .collect()
    }

    /// The first raw text in one direction that contains `part`.
    pub(crate) fn find(&self, dir: &str, part: &str) -> &str {
        let raws = self.raws(dir);
        raws.iter()
            .find(|raw| raw.contains(part))
            .unwrap_or_else(|| panic!("no {dir} frame holds {part}: {raws:#?}"))
    }
}
