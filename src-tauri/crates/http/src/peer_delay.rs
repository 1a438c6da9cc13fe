//! Delays set by a peer, limited where they are parsed, so that adding one to a clock cannot overflow.

use std::time::{Duration, SystemTime};

use http::header::{HeaderMap, RETRY_AFTER};

/// A delay set by a peer: at most [`PeerDelay::LONGEST`]. Any text yields a delay or none, never a panic, and adding it to
/// the current time is always possible.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PeerDelay(Duration);

impl PeerDelay {
    /// The maximum delay: one day.
    pub const LONGEST: Self = Self(Duration::from_secs(24 * 60 * 60));

    /// A number of seconds.
    #[must_use]
    pub fn from_secs(seconds: u64) -> Self {
        Self::clamped(Duration::from_secs(seconds))
    }

    /// A number of milliseconds, as in the `retry` of an event stream.
    #[must_use]
    pub fn from_millis(milliseconds: u64) -> Self {
        Self::clamped(Duration::from_millis(milliseconds))
    }

    /// Digits that mean seconds; none for any other text. A number of any length is accepted.
    #[must_use]
    pub fn parse_secs(text: &str) -> Option<Self> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().map_or(Self::LONGEST, Self::from_secs))
    }

    /// The field `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3); a date in the past is not a delay. None if the
    /// field is missing or cannot be read.
    #[must_use]
    pub fn retry_after(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        Self::parse_secs(text).or_else(|| {
            let until = httpdate::parse_http_date(text).ok()?;
            Some(Self::clamped(
                until.duration_since(SystemTime::now()).unwrap_or_default(),
            ))
        })
    }

    /// The delay; at most a day.
    #[must_use]
    pub fn get(self) -> Duration {
        self.0
    }

    fn clamped(delay: Duration) -> Self {
        Self(delay.min(Self::LONGEST.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry_after(text: &str) -> Option<u64> {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
        PeerDelay::retry_after(&headers).map(|delay| delay.get().as_secs())
    }

    #[test]
    fn any_delay_can_be_added_to_any_clock() {
        const DAY: Option<u64> = Some(86_400);
        for (text, expected) in [
            ("0", Some(0)),
            (" 7 ", Some(7)),
            ("18446744073709551615", DAY),
            ("18446744073709551616", DAY),
            ("99999999999999999999999999999999", DAY),
            ("Fri, 31 Dec 9999 23:59:59 GMT", DAY),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("-1", None),
            ("1.5", None),
            ("+1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(retry_after(text), expected, "{text}");
        }
        for delay in [PeerDelay::from_secs(u64::MAX), PeerDelay::from_millis(u64::MAX)] {
            assert_eq!(delay, PeerDelay::LONGEST);
            assert!(SystemTime::now().checked_add(delay.get()).is_some());
            assert!(std::time::Instant::now().checked_add(delay.get()).is_some());
        }
    }
}
