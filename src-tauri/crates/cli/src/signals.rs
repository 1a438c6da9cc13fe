//! Termination signals: Ctrl-C, SIGTERM, a closed terminal.

use std::io;

/// Receives signals from its creation on.
pub(crate) struct Signals {
    #[cfg(unix)]
    streams: [(u8, tokio::signal::unix::Signal); 3],
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            streams: [
                (2, signal(SignalKind::interrupt())?),
                (15, signal(SignalKind::terminate())?),
                (1, signal(SignalKind::hangup())?),
            ],
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal and returns its number.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> u8 {
        let [(int, on_int), (term, on_term), (hup, on_hup)] = &mut self.streams;
        tokio::select! {
            _ = on_int.recv() => *int,
            _ = on_term.recv() => *term,
            _ = on_hup.recv() => *hup,
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
