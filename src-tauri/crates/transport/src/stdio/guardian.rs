//! Ends the servers that are left when this process ends, even when it is killed with no chance to clean up.
//!
//! The guardian is one small `sh` per process of ours, in its own process group, ignoring the signals that a terminal
//! sends. It reads from a pipe which groups we start (`+PGID`) and which have ended (`-PGID`). When we are gone, however that
//! came about, the pipe ends, and it ends the groups that are left, and on Linux what has left them ([`super::strays`]). On Windows the job does the same (`job.rs`).
//!
//! A server joins a group that the guardian knows already ([`Reserved`]). If the group were reported after the server was
//! started, a server whose Patchbay was killed in between would run for ever. The group exists before its server because of
//! an *anchor*: a second small `sh`, the group's leader, which waits for the end of its stdin and is gone once the server
//! runs. (The next server's anchor is made then, so that no server waits for one but the first.) Between `fork` and `exec` the server's process holds copies of both pipes, so neither anchor nor guardian sees an end
//! before the server has joined the group.

use std::io;

use process_wrap::tokio::CommandWrap;

/// A process group for a server that is about to be started. Dropped, it is forgotten.
#[derive(Debug)]
pub(crate) struct Reserved {
    #[cfg(unix)]
    anchor: Option<unix::Anchor>,
}

impl Reserved {
    /// Reserves a group and reports it to the guardian, which is started if need be.
    pub(crate) fn new() -> Self {
        Self {
            #[cfg(unix)]
            anchor: unix::Anchor::new()
                .inspect_err(|error| tracing::warn!(%error, "no guardian: servers may outlive a crash"))
                .ok(),
        }
    }

    /// Starts a command in the group.
    pub(crate) fn spawn(
        &self,
        mut command: CommandWrap,
    ) -> io::Result<Box<dyn process_wrap::tokio::ChildWrapper>> {
        #[cfg(unix)]
        {
            // Without an anchor the server leads its own group.
            let group = self.anchor.as_ref().map_or(0, |anchor| anchor.group);
            command.command_mut().process_group(group.cast_signed());
        }
        #[cfg(windows)]
        super::job::own(&mut command);
        command.spawn()
    }

    /// The id of the group, given its first process.
    #[cfg(unix)]
    pub(crate) fn id(&self, first: u32) -> u32 {
        self.anchor.as_ref().map_or(first, |anchor| anchor.group)
    }

    /// Takes the anchor out of the group, once a server is in it.
    #[cfg_attr(
        unix,
        expect(
            clippy::disallowed_methods,
            reason = "it ends once the anchor is replaced, which is waited for here"
        )
    )]
    pub(crate) async fn release_anchor(&mut self) {
        #[cfg(unix)]
        if let Some(process) = self.anchor.as_mut().and_then(|anchor| anchor.process.take()) {
            let (done, replaced) = tokio::sync::oneshot::channel();
            // Not a task that blocks: where no thread can be started, that panics.
            let replacing = std::thread::Builder::new().name("anchor".to_owned());
            let replacing = replacing.spawn(move || {
                unix::replace(process);
                let _ = done.send(());
            });
            // Without a thread, the anchor has ended with the closure.
            if replacing.is_ok() {
                let _ = replaced.await;
            }
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::{
        io::{self, Write as _},
        os::unix::process::CommandExt as _,
        process::{Child, ChildStdin, Command, Stdio},
        sync::{Mutex, MutexGuard, PoisonError},
    };

    use crate::stdio::guardian::moment;

    const SCRIPT: &str = r#"
trap '' INT TERM HUP QUIT PIPE TSTP
groups=' '
while read -r line; do
  group=${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;; esac ;;
  esac
done
alive() {
  for group in $groups; do kill -0 -- "-$group" 2>/dev/null && return 0; done
  for pid in $found; do kill -0 "$pid" 2>/dev/null && return 0; done
  return 1
}
has_windows() {
  grep -qs -e /libwayland-client[.]so -e /libxcb[.]so -e /libX11[.]so "$1/maps" &&
    ! grep -qs -e --headless -e --remote-debugging- "$1/cmdline"
}
strays() {
  [ -n "$mark" ] && [ -d /proc/self ] || return
  for file in $(grep -lsz "^PATCHBAY_PROCESS=$mark[.]" /proc/[0-9]*/environ); do
    process=${file%/environ}
    has_windows "$process" || echo "${process#/proc/}"
  done
}
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
found=$(strays)
for pid in $found; do kill -s TERM "$pid" 2>/dev/null; done
tries=0
while alive && [ "$tries" -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
for pid in $(strays); do kill -s KILL "$pid" 2>/dev/null; done
"#;

    struct Guardian {
        pipe: Option<ChildStdin>,
        groups: Vec<u32>,
    }

    static GUARDIAN: Mutex<Guardian> = Mutex::new(Guardian {
        pipe: None,
        groups: Vec::new(),
    });

    fn guardian() -> MutexGuard<'static, Guardian> {
        GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The anchor that the next server will use.
    static SPARE: Mutex<Option<AnchorProcess>> = Mutex::new(None);

    fn spare() -> MutexGuard<'static, Option<AnchorProcess>> {
        SPARE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A group that the guardian knows.
    #[derive(Debug)]
    pub(super) struct Anchor {
        pub(super) group: u32,
        pub(super) process: Option<AnchorProcess>,
    }

    /// The first process of a group. Its stdin is ours, so that it ends with us.
    #[derive(Debug)]
    pub(super) struct AnchorProcess(Child);

    impl AnchorProcess {
        fn start() -> io::Result<Self> {
            shell("read -r _").spawn().map(Self)
        }
    }

    impl Drop for AnchorProcess {
        fn drop(&mut self) {
            // An error means that it has ended already. A killed process is waited for in no time.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Ends an anchor that has done its work, and starts the next one.
    pub(super) fn replace(process: AnchorProcess) {
        drop(process);
        if spare().is_none()
            && let Ok(next) = AnchorProcess::start()
        {
            *spare() = Some(next);
        }
    }

    impl Anchor {
        pub(super) fn new() -> io::Result<Self> {
            let mut ready = spare().take();
            // Somebody may have ended it.
            let running = |process: &mut AnchorProcess| matches!(process.0.try_wait(), Ok(None));
            let process = match ready.take_if(running) {
                Some(process) => process,
                None => AnchorProcess::start()?,
            };
            let group = process.0.id();
            moment();
            guardian().add(group);
            Ok(Self {
                group,
                process: Some(process),
            })
        }
    }

    impl Drop for Anchor {
        /// The group has ended: its number may be another's from now on.
        fn drop(&mut self) {
            guardian().forget(self.group);
        }
    }

    impl Guardian {
        fn add(&mut self, group: u32) {
            self.groups.push(group);
            self.tell(&format!("+{group}\n"));
        }

        fn forget(&mut self, group: u32) {
            self.groups.retain(|known| *known != group);
            self.tell(&format!("-{group}\n"));
        }

        fn tell(&mut self, line: &str) {
            if let Some(pipe) = &mut self.pipe
                && pipe.write_all(line.as_bytes()).is_ok()
            {
                return;
            }
            // The first group, or the guardian was killed: a new one gets all groups.
            self.pipe = None;
            if !self.groups.is_empty() {
                self.begin();
            }
        }

        fn begin(&mut self) {
            match start() {
                Ok(mut pipe) => {
                    let all: String = self.groups.iter().map(|group| format!("+{group}\n")).collect();
                    if pipe.write_all(all.as_bytes()).is_ok() {
                        self.pipe = Some(pipe);
                    }
                }
                Err(error) => tracing::warn!(%error, "no guardian: servers may outlive a crash"),
            }
        }
    }

    fn start() -> io::Result<ChildStdin> {
        let mut child = shell(SCRIPT).spawn()?;
        child
            .stdin
            .take()
            .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
    }

    /// What the processes that left their groups are found by; empty where they cannot be found.
    fn mark() -> &'static str {
        #[cfg(target_os = "linux")]
        return crate::stdio::strays::host();
        #[cfg(not(target_os = "linux"))]
        ""
    }

    /// A small program that reads our pipe, in its own process group.
    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .arg("-c")
            .arg(script)
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("mark", mark())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// A moment in which being killed must leave nothing behind; tests kill their process here.
#[cfg(not(test))]
pub(crate) fn moment() {}

/// Kills this process at the moment whose number is in the environment.
#[cfg(all(test, unix))]
#[expect(
    clippy::disallowed_methods,
    reason = "only a test sets it, in the process it starts"
)]
pub(crate) fn moment() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static MOMENTS: AtomicU32 = AtomicU32::new(0);
    let number = MOMENTS.fetch_add(1, Ordering::Relaxed);
    let deadly = std::env::var("PATCHBAY_TEST_MOMENT").ok();
    if deadly.and_then(|text| text.parse().ok()) == Some(number) {
        let us = nix::unistd::Pid::this();
        let _ = nix::sys::signal::kill(us, nix::sys::signal::Signal::SIGKILL);
    }
}

/// Only Unix tests are killed.
#[cfg(all(test, not(unix)))]
pub(crate) fn moment() {}
