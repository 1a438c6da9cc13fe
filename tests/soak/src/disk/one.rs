//! One session with a fault, and the next start.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use patchbay_test_server::faults::Faults;
use serde_json::Value;
use tokio::sync::mpsc;

use super::kinds::{Kind, On, SLOW};
use super::{Stage, key, verify};
use crate::host::Server;
use crate::kills::{MARK, nothing_runs};
use crate::script::Transport;
use crate::watchdog;

/// Longer than a session takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long a fault lasts after it was first met: the log tries again after half a second.
const FAULT: Duration = Duration::from_millis(800);
/// How often it is looked whether a fault was met.
const LOOK: Duration = Duration::from_millis(20);

/// How many operations a session has when nothing fails.
pub(super) async fn counted(stage: &Arc<Stage>, kind: &Kind) -> Result<u32, String> {
    let disk = Disk::new(stage, 0, kind)?;
    disk.faults
        .strike(kind.kinds, u32::MAX, 0, kind.action)
        .map_err(|error| error.to_string())?;
    let ended = disk.session(kind).await?;
    watchdog::alive(format!("disk, the operations of {}", kind.name));
    match ended.is_complete() {
        true => Ok(disk.faults.counted()),
        false => Err(format!("a session without a fault: {}", ended.tail())),
    }
}

/// One session. Returns how many operations were struck.
pub(super) async fn session(
    stage: &Arc<Stage>,
    session: usize,
    kind: &Kind,
    number: u32,
) -> Result<u32, String> {
    let disk = Disk::new(stage, session, kind)?;
    let count = if kind.once { 1 } else { u32::MAX };
    disk.faults
        .strike(kind.kinds, number, count, kind.action)
        .map_err(|error| error.to_string())?;
    let ended = disk.session(kind).await?;
    let struck = disk.faults.struck();
    disk.verify(kind, &ended, struck)
        .await
        .map_err(|error| format!("{error}; {}", ended.tail()))?;
    Ok(struck)
}

/// What a session said, and whether it was killed.
struct Ended {
    lines: Vec<String>,
    stderr: String,
    was_killed: bool,
}

impl Ended {
    fn is_complete(&self) -> bool {
        self.lines.last().is_some_and(|line| line == "ended")
    }

    /// The last that it said.
    fn tail(&self) -> String {
        let last = &self.lines[self.lines.len().saturating_sub(6)..];
        format!("it said {last:?} {}", self.stderr)
    }
}

/// The folder and the servers of a session.
struct Disk {
    folder: tempfile::TempDir,
    faults: Faults,
    stage: Arc<Stage>,
    number: usize,
    servers: [Arc<Server>; 2],
}

impl Drop for Disk {
    fn drop(&mut self) {
        for transport in [Transport::Stdio, Transport::Http] {
            self.stage.host.remove(&key(transport, self.number));
        }
    }
}

impl Disk {
    fn new(stage: &Arc<Stage>, number: usize, kind: &Kind) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        for name in ["files", "tmp"] {
            let mut private = fs::DirBuilder::new();
            std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
            private
                .create(folder.path().join(name))
                .map_err(|error| error.to_string())?;
        }
        let below = match kind.on {
            On::Files => folder.path().join("files"),
            On::Pipes => "pipe:".into(),
            On::Sockets => "socket:".into(),
        };
        let faults = Faults::new(&stage.library, &folder.path().join("control"), &below);
        Ok(Self {
            faults: faults.map_err(|error| error.to_string())?,
            folder,
            stage: stage.clone(),
            number,
            servers: stage.serve(number),
        })
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// A program of ours, in a session of its own, by which the guardian is found, which inherits no variable.
    fn command(&self, what: &str, faults: Option<&Faults>) -> Result<Command, String> {
        let stderr = File::create(self.folder.path().join("stderr")).map_err(|error| error.to_string())?;
        let mut command = Command::new("setsid");
        if let Some(faults) = faults {
            // The variables are those of the program, not of what starts it.
            command.args(["env", "FAULTS_CALLS=1"]);
            for (name, value) in faults.variables() {
                command.arg(format!("{name}={}", value.display()));
            }
        }
        command
            .arg(std::env::current_exe().map_err(|error| error.to_string())?)
            .arg(what)
            .arg(self.files())
            .env("TMPDIR", self.folder.path().join("tmp"))
            .env(MARK, self.mark())
            // No keychain, no matter whose machine this is.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
            .stdout(Stdio::piped())
            .stderr(stderr);
        Ok(command)
    }

    fn mark(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// Runs a session to its end. A fault that lasts ends some time after it was met.
    async fn session(&self, kind: &Kind) -> Result<Ended, String> {
        let host = &self.stage.host;
        let mut command = self.command("session", Some(&self.faults))?;
        command
            .arg(format!("{} {}", host.stdio, key(Transport::Stdio, self.number)))
            .arg(format!("{}/{}", host.http, key(Transport::Http, self.number)));
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut said = lines(&mut child)?;
        let mut lines = Vec::new();
        let until = tokio::time::Instant::now() + PATIENCE;
        let mut met = None;
        loop {
            tokio::select! {
                line = said.recv() => match line {
                    Some(line) => lines.push(line),
                    None => break,
                },
                () = tokio::time::sleep(LOOK), if !kind.once => {
                    if met.is_none() && self.faults.struck() > 0 {
                        met = Some(Instant::now());
                    }
                    if met.is_some_and(|met| met.elapsed() > FAULT) && kind.name != SLOW.name {
                        self.faults.end().map_err(|error| error.to_string())?;
                    }
                }
                () = tokio::time::sleep_until(until) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    let last = &lines[lines.len().saturating_sub(5)..];
                    return Err(format!("it did not end within {PATIENCE:?}: {last:?} {}", self.stderr()));
                }
            }
        }
        let session = child.id();
        let status = child.wait().map_err(|error| error.to_string())?;
        nothing_runs(&self.mark(), session).await?;
        Ok(Ended {
            lines,
            stderr: self.stderr(),
            was_killed: status.signal() == Some(9),
        })
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default()
    }

    async fn verify(&self, kind: &Kind, ended: &Ended, struck: u32) -> Result<(), String> {
        if ended.was_killed != (kind.kills() && struck > 0) {
            return Err(format!("it was killed: {}", ended.was_killed));
        }
        if !ended.was_killed && !ended.is_complete() {
            return Err("it ended early".to_owned());
        }
        if ended.stderr.contains("panicked") {
            return Err("it panicked".to_owned());
        }
        verify::refusals(&ended.lines, kind.name == SLOW.name)?;
        verify::no_secret(self.folder.path())?;
        let found = self.reopened().await?;
        verify::stored(&ended.lines, &found)?;
        verify::traffic(&self.servers, &found, ended.was_killed)?;
        verify::no_secret(self.folder.path())?;
        verify::files(&self.files())?;
        verify::temporary(&self.folder.path().join("tmp"))?;
        verify::integrity(&self.files().join("traffic.sqlite"))
    }

    /// What the next Patchbay finds.
    async fn reopened(&self) -> Result<Value, String> {
        let mut child = self
            .command("reopened", None)?
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut said = lines(&mut child)?;
        let line = tokio::time::timeout(PATIENCE, said.recv()).await;
        if line.is_err() {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        let line = line.map_err(|_| "the next start did not end".to_owned())?;
        let line = line.filter(|_| status.success());
        let line = line.ok_or_else(|| format!("the next start failed: {}", self.stderr()))?;
        serde_json::from_str(&line).map_err(|error| error.to_string())
    }
}

/// The lines of a program, read by a thread of their own.
fn lines(child: &mut Child) -> Result<mpsc::UnboundedReceiver<String>, String> {
    let stdout = child.stdout.take().ok_or("it has no stdout")?;
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    Ok(lines)
}

/// The files in a folder and below it, and the folders if `folders`.
pub(super) fn below(folder: &Path, folders: bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = path.is_dir();
        if is_folder {
            below(&path, folders, found);
        }
        if folders || !is_folder {
            found.push(path);
        }
    }
}
