//! With many requests under way, what happens is gathered for a moment before it is looked at.
//!
//! A thread that sleeps until a server writes is woken by each of its answers, and waking costs both sides more than
//! reading: the server's own write does it. Who waits a little first finds several answers, and several requests to send
//! with one write. The moment is short, so that hardly a server runs out of requests meanwhile. What came in it is recorded
//! at its end: with many requests under way, times are late by up to it (and by what the system adds to a sleep, on Linux
//! some 0.05 ms).

use std::time::Duration;

/// With fewer requests under way nothing is gathered.
const MANY: usize = 8;
/// The moment for each request under way: servers need longer to answer one.
const FOR_EACH: Duration = Duration::from_micros(4);
/// The longest moment.
const LONGEST: Duration = Duration::from_micros(400);

/// How long to gather with so many requests under way, if at all.
pub(super) fn moment(under_way: usize) -> Option<Duration> {
    let under_way = u32::try_from(under_way).unwrap_or(u32::MAX);
    (under_way as usize >= MANY).then(|| FOR_EACH.saturating_mul(under_way).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_requests_wait_for_nothing() {
        assert_eq!(moment(0), None);
        assert_eq!(moment(MANY - 1), None);
    }

    #[test]
    fn the_moment_grows_with_the_requests_and_ends() {
        assert_eq!(moment(MANY), Some(FOR_EACH * 8));
        assert_eq!(moment(64), Some(FOR_EACH * 64));
        assert_eq!(moment(100), Some(LONGEST));
        assert_eq!(moment(usize::MAX), Some(LONGEST));
    }
}
