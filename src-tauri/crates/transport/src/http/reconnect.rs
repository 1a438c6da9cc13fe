//! When to connect again: bounded, ever more slowly, never all at once, and as the server asked.

use std::{fmt, sync::Arc, time::Duration};

use patchbay_http::PeerDelay;

/// How streams that broke off are taken up again.
#[derive(Clone)]
pub struct Reconnect {
    /// How long to wait at first, where the server does not say (`retry:`, `Retry-After`).
    pub first: Duration,
    /// How long to wait at most, where the server does not say.
    pub most: Duration,
    /// How many attempts in a row may fail.
    pub attempts: u32,
    /// A number from 0 to 1, another one each time: spreads the attempts of many clients.
    pub random: Arc<dyn Fn() -> f64 + Send + Sync>,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            most: Duration::from_secs(30),
            attempts: 5,
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
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

/// Without a source of randomness nobody is spread, and all still works.
fn random() -> f64 {
    f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

impl Reconnect {
    /// Doubled each time, of which between a half and the whole is waited.
    fn backoff(&self, attempt: u32) -> Duration {
        doubled(self.first, attempt)
            .min(self.most)
            .mul_f64(0.5 + (self.random)().clamp(0.0, 1.0) / 2.0)
    }

    /// The shortest wait after `empty` streams in a row that brought no message: a tenth of the first wait, doubled each
    /// time. It keeps a server that asks for no wait at all from being asked hundreds of times a second.
    fn floor(&self, empty: u32) -> Duration {
        doubled(self.first / 10, empty).min(self.most)
    }
}

/// The `attempt`th of waits that begin with `first` and double.
fn doubled(first: Duration, attempt: u32) -> Duration {
    first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX))
}

/// The attempts for one stream.
pub(crate) struct Tries<'a> {
    policy: &'a Reconnect,
    failed: u32,
    empty: u32,
}

impl<'a> Tries<'a> {
    pub(crate) fn new(policy: &'a Reconnect) -> Self {
        Self {
            policy,
            failed: 0,
            empty: 0,
        }
    }

    /// How many in a row failed or brought nothing.
    pub(crate) fn in_vain(&self) -> u32 {
        self.failed + self.empty
    }

    /// The stream was opened.
    pub(crate) fn opened(&mut self) {
        self.failed = 0;
    }

    /// The stream brought something, or lasted.
    pub(crate) fn was_worth_it(&mut self) {
        self.empty = 0;
    }

    /// An attempt failed: how long to wait before the next one, at least what the server asked for; none if it was the
    /// last.
    pub(crate) fn failed(&mut self, asked: Option<PeerDelay>) -> Option<Duration> {
        self.failed += 1;
        (self.failed <= self.policy.attempts).then(|| {
            self.policy
                .backoff(self.failed)
                .max(asked.unwrap_or_default().get())
        })
    }

    /// The stream ended after it had been open: how long to wait. What the server asked for, if it asked, but at least a
    /// wait that grows while its streams bring nothing.
    pub(crate) fn ended(&mut self, asked: Option<PeerDelay>) -> Duration {
        self.empty += 1;
        match asked {
            Some(asked) => asked.get().max(self.policy.floor(self.empty)),
            None => self.policy.backoff(self.empty),
        }
    }
}

#[cfg(test)]
mod tests;
