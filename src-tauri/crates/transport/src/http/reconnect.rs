//! When to reconnect: with a limit, exponential backoff and jitter, respecting the server's delay.

use std::{fmt, sync::Arc, time::Duration};

use patchbay_http::PeerDelay;
use patchbay_protocol::limits::Limits;

/// How interrupted streams are resumed.
#[derive(Clone)]
pub struct Reconnect {
    /// The first delay, if the server sets none (`retry:`, `Retry-After`).
    pub first: Duration,
    /// The maximum delay, if the server sets none.
    pub most: Duration,
    /// A random number from 0 to 1, which spreads the attempts of many clients.
    pub random: Arc<dyn Fn() -> f64 + Send + Sync>,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            most: Duration::from_secs(30),
            random: Arc::new(random),
        }
    }
}

impl fmt::Debug for Reconnect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reconnect")
            .field("first", &self.first)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// Without a source of randomness there is no jitter, which is harmless.
fn random() -> f64 {
    f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

impl Reconnect {
    /// Doubled each time, with a jitter between half and the whole delay.
    fn backoff(&self, attempt: u32) -> Duration {
        doubled(self.first, attempt)
            .min(self.most)
            .mul_f64(0.5 + (self.random)().clamp(0.0, 1.0) / 2.0)
    }

    /// The minimum delay after `empty` consecutive streams without a message: a tenth of the first delay, doubled each
    /// time. It prevents a server with a delay of 0 from causing hundreds of requests a second.
    fn floor(&self, empty: u32) -> Duration {
        doubled(self.first / 10, empty).min(self.most)
    }
}

/// The delay of attempt `attempt`, starting with `first` and doubling.
fn doubled(first: Duration, attempt: u32) -> Duration {
    first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX))
}

/// The attempts for one stream.
pub(crate) struct Tries<'a> {
    policy: &'a Reconnect,
    /// The maximum number of consecutive failed attempts.
    most: usize,
    /// The longest delay that the server may set.
    longest: Duration,
    failed: u32,
    empty: u32,
}

impl<'a> Tries<'a> {
    pub(crate) fn new(policy: &'a Reconnect, limits: &Limits) -> Self {
        Self {
            policy,
            most: limits.reconnects,
            longest: Duration::from_millis(limits.retry_delay_ms as u64),
            failed: 0,
            empty: 0,
        }
    }

    /// The number of consecutive attempts that failed or yielded nothing.
    pub(crate) fn fruitless(&self) -> u32 {
        self.failed + self.empty
    }

    /// The stream was opened.
    pub(crate) fn opened(&mut self) {
        self.failed = 0;
    }

    /// The stream yielded something, or lasted.
    pub(crate) fn useful(&mut self) {
        self.empty = 0;
    }

    /// An attempt failed. Returns the delay before the next one, at least the server's delay; none if it was the last.
    pub(crate) fn failed(&mut self, asked: Option<PeerDelay>) -> Option<Duration> {
        self.failed += 1;
        (self.failed as usize <= self.most).then(|| {
            let asked = asked.unwrap_or_default().get().min(self.longest);
            self.policy.backoff(self.failed).max(asked)
        })
    }

    /// The stream ended after it was open. Returns the delay: the server's, if set, but at least one that grows while the
    /// streams yield nothing.
    pub(crate) fn ended(&mut self, asked: Option<PeerDelay>) -> Duration {
        self.empty += 1;
        match asked {
            Some(asked) => asked.get().min(self.longest).max(self.policy.floor(self.empty)),
            None => self.policy.backoff(self.empty),
        }
    }
}

#[cfg(test)]
mod tests;
