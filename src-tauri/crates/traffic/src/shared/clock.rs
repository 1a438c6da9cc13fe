//! The clock of the records' times.

use std::time::{Duration, Instant};

/// When a run began. What passes since then is the clock of all its records; the wall clock is read once, at the beginning.
///
/// On Linux it goes on while the machine sleeps, so that the records of the time after have the right time of the day. Elsewhere
/// it is an [`Instant`], which goes on in Windows, but stops in macOS: no crate of ours offers another clock there, and calling
/// the system ourselves needs `unsafe`. What is recorded after a sleep then has a time that is too early by its length.
pub(crate) struct Anchor {
    instant: Instant,
    /// The time since the machine started, including its sleep.
    boot: Option<Duration>,
}

impl Anchor {
    /// For a run that begins now.
    pub(crate) fn now() -> Self {
        Self {
            instant: Instant::now(),
            boot: since_boot(),
        }
    }

    /// The time since then. Never goes back.
    pub(crate) fn elapsed(&self) -> Duration {
        match self.boot.zip(since_boot()) {
            Some((then, now)) => now.saturating_sub(then),
            None => self.instant.elapsed(),
        }
    }
}

#[cfg(target_os = "linux")]
fn since_boot() -> Option<Duration> {
    use nix::time::{ClockId, clock_gettime};

    clock_gettime(ClockId::CLOCK_BOOTTIME).ok().map(Duration::from)
}

#[cfg(not(target_os = "linux"))]
fn since_boot() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_forward() {
        let anchor = Anchor::now();
        let first = anchor.elapsed();
        assert!(first <= anchor.elapsed());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_time_that_the_machine_slept_counts() {
        let anchor = Anchor::now();
        let boot = anchor.boot.unwrap();
        let asleep = boot.min(Duration::from_secs(3600));
        // As if the machine had slept since then: an `Instant` says nothing of it.
        let anchor = Anchor {
            boot: Some(boot - asleep),
            ..anchor
        };
        assert!(anchor.elapsed() >= asleep);
    }
}
