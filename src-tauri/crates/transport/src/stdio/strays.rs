//! Processes that left the group of their server (`setsid`, a daemon), found by a variable that they inherited.
//!
//! A program with windows is left alone: a server opened it for the user (a browser, an editor with a document), who may
//! have work in it that has nothing to do with the server. A browser that a program controls is the server's own.
//!
//! Linux only: other systems do not show the environment of a process, or not reliably. What also clears its environment is
//! not found.

#[cfg(target_os = "linux")]
use std::{fs, path::Path, sync::OnceLock};

#[cfg(target_os = "linux")]
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::process::Command;

/// The variable: `HOST.NUMBER`, where `HOST` is the same for all servers of this process.
#[cfg(target_os = "linux")]
pub(crate) const NAME: &str = "PATCHBAY_PROCESS";

/// The libraries of which a program with windows has loaded at least one. The guardian's script names them too.
#[cfg(target_os = "linux")]
const WINDOW_LIBRARIES: [&[u8]; 3] = [b"/libwayland-client.so", b"/libxcb.so", b"/libX11.so"];
/// Options of a browser that has no windows, or that a program controls.
#[cfg(target_os = "linux")]
const CONTROLLED: [&[u8]; 2] = [b"--headless", b"--remote-debugging-"];

/// The mark of one server.
#[derive(Debug)]
pub(crate) struct Mark {
    #[cfg(target_os = "linux")]
    variable: Vec<u8>,
}

/// The first part of the marks of this process. Random, so that no other Patchbay has the same.
#[cfg(target_os = "linux")]
pub(crate) fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let mut bytes = [0; 8];
        // Without randomness the process id tells Patchbays apart that run at the same time.
        if getrandom::fill(&mut bytes).is_err() {
            bytes[..4].copy_from_slice(&std::process::id().to_ne_bytes());
        }
        format!("{:016x}", u64::from_ne_bytes(bytes))
    })
}

impl Mark {
    /// Marks what a command starts.
    pub(crate) fn put(command: &mut Command) -> Self {
        #[cfg(target_os = "linux")]
        {
            use std::sync::atomic::{AtomicU32, Ordering};
            static NEXT: AtomicU32 = AtomicU32::new(1);
            let value = format!("{}.{}", host(), NEXT.fetch_add(1, Ordering::Relaxed));
            command.env(NAME, &value);
            Self {
                variable: format!("{NAME}={value}").into_bytes(),
            }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = command;
            Self {}
        }
    }

    /// Signals every process with the mark, and returns how many there are.
    pub(crate) fn signal(&self, force: bool) -> usize {
        #[cfg(target_os = "linux")]
        {
            let signal = if force { Signal::SIGKILL } else { Signal::SIGTERM };
            let all = self.processes();
            for process in &all {
                // The only error is that it has ended.
                let _ = kill(*process, signal);
            }
            all.len()
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = force;
            0
        }
    }

    /// How many processes have the mark.
    pub(crate) fn count(&self) -> usize {
        #[cfg(target_os = "linux")]
        return self.processes().len();
        #[cfg(not(target_os = "linux"))]
        0
    }

    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<Pid> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let marked = |entry: fs::DirEntry| {
            let process: i32 = entry.file_name().to_str()?.parse().ok()?;
            // That of another user cannot be read, and of one that has ended it is empty.
            let environment = fs::read(entry.path().join("environ")).ok()?;
            let has_mark = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == self.variable);
            (has_mark && !has_windows(&entry.path())).then(|| Pid::from_raw(process))
        };
        entries.flatten().filter_map(marked).collect()
    }
}

/// Whether a process, by its folder in `/proc`, is a program with windows that nothing but its user controls.
#[cfg(target_os = "linux")]
fn has_windows(process: &Path) -> bool {
    let contains = |file: &str, parts: &[&[u8]]| {
        let text = fs::read(process.join(file)).unwrap_or_default();
        parts
            .iter()
            .any(|part| memchr::memmem::find(&text, part).is_some())
    };
    contains("maps", &WINDOW_LIBRARIES) && !contains("cmdline", &CONTROLLED)
}
