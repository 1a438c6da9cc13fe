//! Termination signals: Ctrl-C, SIGTERM, a closed terminal.

use std::io;

/// Receives signals from its creation on.
pub(crate) struct Signals {
    #[cfg(unix)]
    streams: [(u8, tokio::signal::unix::Signal); 2],
    /// None if this program was told to go on when its terminal is closed.
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        // To listen would end what `nohup` says: the program stays.
        let is_kept = std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, 1));
        Ok(Self {
            streams: [
                (2, signal(SignalKind::interrupt())?),
                (15, signal(SignalKind::terminate())?),
            ],
            hangup: match is_kept {
                true => None,
                false => Some(signal(SignalKind::hangup())?),
            },
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal and returns its number.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> u8 {
        let [(int, on_int), (term, on_term)] = &mut self.streams;
        let on_hup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = on_int.recv() => *int,
            _ = on_term.recv() => *term,
            _ = on_hup => 1,
        }
    }

    /// Waits for the next signal and returns its number.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> u8 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        2
    }
}

/// Whether a process ignores a signal, by its `/proc/PID/status`, which only Linux has.
#[cfg(unix)]
fn ignores(status: &str, signal: u32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::ignores;

    #[test]
    fn ignored_signals_are_read_from_the_status_of_a_process() {
        let status = "Name:\tpatchbay\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000004002\n";
        assert!(ignores(status, 1) && ignores(status, 13));
        assert!(!ignores(status, 2) && !ignores(status, 15));
        assert!(!ignores("", 1) && !ignores("SigIgn:\tx", 1));
    }
}
