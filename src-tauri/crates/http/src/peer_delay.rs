//! Delays that a peer asks for, clamped where they are parsed: added to any clock, they cannot overflow it.

use std::time::{Duration, SystemTime};

use http::header::{HeaderMap, RETRY_AFTER};

/// A delay that a peer asked for: at most [`PeerDelay::LONGEST`]. Any text a peer may send gives a delay or none, never a
/// panic, and its sum with the current time always exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PeerDelay(Duration);

impl PeerDelay {
    /// A longer delay is shortened to this: one day.
    pub const LONGEST: Self = Self(Duration::from_secs(24 * 60 * 60));

    /// Of a number of seconds.
    #[must_use]
    pub fn from_secs(seconds: u64) -> Self {
        Self::clamped(Duration::from_secs(seconds))
    }

    /// Of a number of milliseconds, as an event stream's `retry` gives it.
    #[must_use]
    pub fn from_millis(milliseconds: u64) -> Self {
        Self::clamped(Duration::from_millis(milliseconds))
    }

    /// Of digits that give seconds; none if the text is anything else. A number of any length is understood.
    #[must_use]
    pub fn parse_secs(text: &str) -> Option<Self> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().map_or(Self::LONGEST, Self::from_secs))
    }

    /// The field `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3); a date in the past is no delay. None if the
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
    fn whatever_a_peer_asks_for_can_be_added_to_any_clock() {
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
