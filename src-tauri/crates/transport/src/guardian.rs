//! Sees to it that no server outlives us, even when we are killed with no chance to clean up.
//!
//! One small `sh` per process of ours, in a process group of its own and deaf to the signals a terminal sends, reads
//! the groups we start (`+PGID`) and those that ended (`-PGID`) from a pipe. When we are gone, however that came about,
//! the pipe ends, and it ends the groups that are left. On Windows the job object does the same.

#[cfg(unix)]
pub(crate) use unix::{forget, prepare, watch};

/// Job objects do this on Windows.
#[cfg(not(unix))]
pub(crate) fn prepare() {}

/// Job objects do this on Windows.
#[cfg(not(unix))]
pub(crate) fn watch(_: u32) {}

/// Job objects do this on Windows.
#[cfg(not(unix))]
pub(crate) fn forget(_: u32) {}

#[cfg(unix)]
mod unix {
    use std::{
        io::{self, Write as _},
        os::unix::process::CommandExt as _,
        process::{ChildStdin, Command, Stdio},
        sync::{Mutex, PoisonError},
    };

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
alive() { for group in $groups; do kill -0 -- "-$group" 2>/dev/null && return 0; done; return 1; }
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
tries=0
while alive && [ "$tries" -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
"#;

    struct Guardian {
        pipe: Option<ChildStdin>,
        groups: Vec<u32>,
    }

    static GUARDIAN: Mutex<Guardian> = Mutex::new(Guardian {
        pipe: None,
        groups: Vec::new(),
    });

    /// Starts the guardian. To be called before a group is started, so that being killed right after leaves nothing.
    pub(crate) fn prepare() {
        let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
        if guardian.pipe.is_none() {
            guardian.begin();
        }
    }

    /// Has a group ended after us, should it outlive us.
    pub(crate) fn watch(group: u32) {
        let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
        guardian.groups.push(group);
        guardian.tell(&format!("+{group}\n"));
    }

    /// A group has ended: its number may be another's from now on.
    pub(crate) fn forget(group: u32) {
        let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
        guardian.groups.retain(|known| *known != group);
        guardian.tell(&format!("-{group}\n"));
    }

    impl Guardian {
        fn tell(&mut self, line: &str) {
            if let Some(pipe) = &mut self.pipe
                && pipe.write_all(line.as_bytes()).is_ok()
            {
                return;
            }
            // The first group, or somebody killed the guardian: a new one learns of all groups.
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
        let mut child = Command::new("/bin/sh")
            .arg("-c")
            .arg(SCRIPT)
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        child
            .stdin
            .take()
            .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}
