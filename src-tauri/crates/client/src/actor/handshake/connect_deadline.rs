//! The time that one attempt to connect may take, whatever dialects it tries.

use std::time::Duration;

use tokio::time::Instant;

use crate::pending::NEVER;

/// When the connection must be ready. Time in which a person is asked for an authorization does not count.
pub(in crate::actor) struct ConnectDeadline {
    limit: Duration,
    at: Instant,
    /// Since when a person is asked.
    paused: Option<Instant>,
}

impl ConnectDeadline {
    /// A deadline that begins now.
    pub(in crate::actor) fn new(limit: Duration) -> Self {
        let limit = limit.min(NEVER);
        Self {
            limit,
            at: Instant::now() + limit,
            paused: None,
        }
    }

    /// The time allowed in total.
    pub(in crate::actor) fn limit(&self) -> Duration {
        self.limit
    }

    /// Gives the whole limit again: another attempt begins.
    pub(in crate::actor) fn restart(&mut self) {
        *self = Self::new(self.limit);
    }

    /// The time that is left.
    pub(in crate::actor) fn left(&self) -> Duration {
        let now = self.paused.unwrap_or_else(Instant::now);
        self.at.saturating_duration_since(now)
    }

    /// Stops the clock.
    pub(in crate::actor) fn pause(&mut self) {
        self.paused.get_or_insert_with(Instant::now);
    }

    /// Lets the clock run again.
    pub(in crate::actor) fn resume(&mut self) {
        if let Some(since) = self.paused.take() {
            self.at += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);
    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn paused_time_does_not_count() {
        let mut deadline = ConnectDeadline::new(LIMIT);
        tokio::time::advance(SECOND).await;
        deadline.pause();
        tokio::time::advance(LIMIT * 100).await;
        assert_eq!(deadline.left(), SECOND * 4);
        deadline.resume();
        tokio::time::advance(SECOND).await;
        assert_eq!(deadline.left(), SECOND * 3);
        tokio::time::advance(LIMIT).await;
        assert_eq!(deadline.left(), Duration::ZERO);
        deadline.restart();
        assert_eq!(deadline.left(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_beyond_every_clock_is_cut() {
        assert_eq!(ConnectDeadline::new(Duration::MAX).left(), NEVER);
    }
}
