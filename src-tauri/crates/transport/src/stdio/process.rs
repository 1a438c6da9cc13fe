//! One server's process and all that it started, from the first moment to the last.
//!
//! A separate task owns the process, so that it is ended even when its link is gone.

use std::{io, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout, Command},
    sync::watch,
    task::JoinHandle,
    time::{sleep, timeout},
};

use crate::stdio::alive;
use crate::stdio::guardian::{Reserved, moment};
use crate::stdio::strays::Mark;

/// How often it is looked whether a group's last member has ended.
const GONE_POLL: Duration = Duration::from_millis(10);

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(formatter, "signal {signal} ({name})"),
                None => write!(formatter, "signal {signal}"),
            },
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    #[cfg(unix)]
    return nix::sys::signal::Signal::try_from(signal)
        .ok()
        .map(nix::sys::signal::Signal::as_str);
    #[cfg(not(unix))]
    {
        let _ = signal;
        None
    }
}

impl From<std::process::ExitStatus> for Exit {
    fn from(status: std::process::ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        Self::Code(status.code().unwrap_or(-1))
    }
}

/// A running process group. Dropping it ends the group, politely first.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// The usual patience.
    pub(crate) grace: Duration,
    /// How the process itself ended, once it has.
    pub(crate) exit: watch::Receiver<Option<Exit>>,
    /// Since it is to end: how long it may take to do so by itself. Dropped: the usual grace.
    end: watch::Sender<Option<Duration>>,
    gone: watch::Receiver<bool>,
    /// The task that watches over the group, until it has ended and was joined.
    watcher: Option<JoinHandle<()>>,
}

/// Our ends of a process's pipes.
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

impl Process {
    /// Starts a group; `grace` is how long it gets to react before each harder way of ending it.
    #[expect(clippy::disallowed_methods, reason = "it ends with the process it waits for")]
    pub(crate) fn start(mut command: Command, grace: Duration) -> io::Result<(Self, Pipes)> {
        let mark = Mark::put(&mut command);
        moment();
        let reserved = Reserved::new();
        moment();
        let child = reserved.spawn(CommandWrap::from(command))?;
        moment();
        let pid = child.id().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut group = Group {
            child,
            pid,
            reserved,
            mark,
            gone: false,
        };
        let pipe_missing = || io::Error::from(io::ErrorKind::BrokenPipe);
        let pipes = Pipes {
            stdin: group.child.stdin().take().ok_or_else(pipe_missing)?,
            stdout: group.child.stdout().take().ok_or_else(pipe_missing)?,
            stderr: group.child.stderr().take().ok_or_else(pipe_missing)?,
        };
        let (exited, exit) = watch::channel(None);
        let (end, asked) = watch::channel(None);
        let (vanished, gone) = watch::channel(false);
        // The task ends with the group: dropping the `Process` makes it end.
        let watcher = tokio::spawn(async move {
            #[cfg(test)]
            crate::stdio::doomed::strike(crate::stdio::doomed::Task::Watcher);
            group.reserved.release_anchor().await;
            moment();
            group.supervise(exited, asked, grace).await;
            group.end_strays(grace).await;
            drop(group);
            vanished.send_replace(true);
        });
        Ok((
            Self {
                pid,
                grace,
                exit,
                end,
                gone,
                watcher: Some(watcher),
            },
            pipes,
        ))
    }

    /// Ends the group: waits for it (its stdin should be closed by now) as long as `patience`, then asks, then kills.
    /// A second call with less patience counts.
    pub(crate) fn end(&self, patience: Duration) {
        self.end.send_if_modified(|now| match now {
            Some(known) if *known <= patience => false,
            _ => {
                *now = Some(patience);
                true
            }
        });
    }

    /// Waits until the group is gone. Cancel safe.
    pub(crate) async fn gone(&mut self) {
        if self.gone.wait_for(|gone| *gone).await.is_err() {
            // The watcher is gone, and the group with it.
            self.joined().await;
        }
    }

    /// Waits until the watcher has ended. Cancel safe.
    ///
    /// # Panics
    /// With the panic of the watcher, if that is how it ended.
    pub(crate) async fn joined(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            let ended = watcher.await;
            self.watcher = None;
            alive(ended);
        }
    }
}

/// The group as its owner sees it. Dropped before it is gone (the runtime is shutting down), it is killed.
struct Group {
    child: Box<dyn ChildWrapper>,
    pid: u32,
    reserved: Reserved,
    mark: Mark,
    /// Whether nothing is left of the group and of what left it.
    gone: bool,
}

impl Group {
    async fn supervise(
        &mut self,
        exited: watch::Sender<Option<Exit>>,
        mut asked: watch::Receiver<Option<Duration>>,
        grace: Duration,
    ) {
        tokio::select! {
            () = self.wait_exit(&exited) => {}
            _ = asked.wait_for(Option::is_some) => {}
        }
        // Either way it has to be asked for: an exit alone may leave others of the group, who get the same grace.
        let _ = asked.wait_for(Option::is_some).await;
        if self.ends_by_itself(&exited, asked, grace).await {
            return;
        }
        self.signal(Force::Ask);
        if timeout(grace, self.wait_gone(&exited)).await.is_ok() {
            return;
        }
        self.signal(Force::Kill);
        if timeout(grace, self.wait_gone(&exited)).await.is_err() {
            tracing::warn!(
                pid = self.pid,
                "a server's process group is still there after SIGKILL"
            );
        }
    }

    /// Ends what has left the group. It cannot be told to end by the end of its stdin, so it is signalled at once.
    async fn end_strays(&mut self, grace: Duration) {
        let left = self.mark.signal(false);
        if left == 0 {
            self.gone = true;
            return;
        }
        tracing::info!(
            pid = self.pid,
            left,
            "processes that left the group of a server are ended"
        );
        let ended = async {
            while self.mark.count() > 0 {
                sleep(GONE_POLL).await;
            }
        };
        if timeout(grace, ended).await.is_err() {
            self.mark.signal(true);
        }
        // Nothing holds the number of the group any more: it may be another's.
        self.gone = true;
    }

    /// Waits as long as was asked for, which may become less meanwhile; `grace` if nobody is left to ask.
    async fn ends_by_itself(
        &mut self,
        exited: &watch::Sender<Option<Exit>>,
        mut asked: watch::Receiver<Option<Duration>>,
        grace: Duration,
    ) -> bool {
        let mut listening = true;
        loop {
            let wanted = *asked.borrow_and_update();
            // Without an owner it gets no more than the usual grace.
            let patience = wanted.filter(|wanted| listening || *wanted < grace);
            tokio::select! {
                gone = timeout(patience.unwrap_or(grace), self.wait_gone(exited)) => return gone.is_ok(),
                changed = asked.changed(), if listening => listening = changed.is_ok(),
            }
        }
    }

    async fn wait_exit(&mut self, exited: &watch::Sender<Option<Exit>>) {
        let exit = self.child.wait().await.map_or(Exit::Code(-1), Exit::from);
        exited.send_if_modified(|known| known.replace(exit).is_none());
    }

    async fn wait_gone(&mut self, exited: &watch::Sender<Option<Exit>>) {
        self.wait_exit(exited).await;
        while self.is_alive() {
            sleep(GONE_POLL).await;
        }
    }

    #[cfg(unix)]
    fn is_alive(&self) -> bool {
        nix::sys::signal::killpg(self.pgid(), None).is_ok()
    }

    #[cfg(unix)]
    fn pgid(&self) -> nix::unistd::Pid {
        nix::unistd::Pid::from_raw(self.reserved.id(self.pid).cast_signed())
    }

    #[cfg(unix)]
    fn signal(&mut self, force: Force) {
        use nix::sys::signal::{Signal, killpg};
        let signal = match force {
            Force::Ask => Signal::SIGTERM,
            Force::Kill => Signal::SIGKILL,
        };
        // The only error is that nobody is left.
        let _ = killpg(self.pgid(), signal);
    }

    #[cfg(windows)]
    fn is_alive(&self) -> bool {
        // `wait` of a job object waits for all of it.
        false
    }

    #[cfg(windows)]
    fn signal(&mut self, force: Force) {
        // Windows has no way to ask a program without a window to end.
        if matches!(force, Force::Kill) {
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.gone {
            self.signal(Force::Kill);
            self.mark.signal(true);
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Force {
    Ask,
    Kill,
}
