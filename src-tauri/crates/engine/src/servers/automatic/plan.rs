//! When to connect again by itself, and when not to.

use std::time::Duration;

use patchbay_client::Status;

/// The maximum number of attempts in a row.
pub(super) const MOST: u32 = 10;
/// A connection that was ready for this long ends the series of attempts before it.
pub(super) const STEADY: Duration = Duration::from_secs(60);
/// The maximum pause before an attempt.
const LONGEST: Duration = Duration::from_secs(60);

/// The pause before an attempt of this number: 1, 2, 4 … 60 s. The first one also gives a program time to end.
pub(super) fn pause(attempt: u32) -> Duration {
    let doubled = 1_u64.checked_shl(attempt.saturating_sub(1)).unwrap_or(u64::MAX);
    Duration::from_secs(doubled).min(LONGEST)
}

/// Why another attempt would fail too until the user does something; none if it might not.
pub(super) fn needs_user(status: &Status) -> Option<&'static str> {
    let failure = status.failure.as_ref();
    if status.challenge.is_some() || failure.is_some_and(|failure| failure.refusal.is_some()) {
        return Some("The server requires an authorization.");
    }
    failure
        .is_some_and(|failure| failure.certificate.is_some())
        .then_some("The server's certificate is not accepted.")
}
