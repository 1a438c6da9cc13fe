//! Sessions that were lost, one after the other.

use std::time::Duration;

use tokio::time::Instant;

/// How many sessions in a row may be lost of which none was of use.
const LOST_LIMIT: u32 = 3;
/// A session that lasted this long was of use, even if nothing was requested in it.
pub(super) const LASTED: Duration = Duration::from_secs(30);

/// The sessions that were lost, one after the other.
#[derive(Debug, Default)]
pub(crate) struct LostSessions {
    /// Those that were of no use, since one that was.
    pub(super) in_a_row: u32,
    /// When the session that is open began.
    begun: Option<Instant>,
    /// Whether a request was answered in it.
    answered: bool,
}

impl LostSessions {
    /// A session is ready.
    pub(crate) fn begin(&mut self) {
        self.begun = Some(Instant::now());
        self.answered = false;
    }

    /// A request was answered. The handshake's, before the session is ready, do not count.
    pub(crate) fn answered(&mut self, is_ready: bool) {
        self.answered |= is_ready;
    }

    /// The session is lost. Returns whether another may be begun.
    pub(super) fn lose(&mut self) -> bool {
        let lasted = self.begun.is_some_and(|begun| begun.elapsed() >= LASTED);
        self.in_a_row = match self.answered || lasted {
            true => 0,
            false => self.in_a_row + 1,
        };
        self.in_a_row <= LOST_LIMIT
    }
}
