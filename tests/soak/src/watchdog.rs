//! A run in which nothing ends any more fails, and says what it was doing.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Less than a minute, and more than anything here may take.
const PATIENCE: Duration = Duration::from_secs(50);

static LAST: OnceLock<Mutex<(Instant, String)>> = OnceLock::new();

fn last() -> &'static Mutex<(Instant, String)> {
    LAST.get_or_init(|| Mutex::new((Instant::now(), "the beginning".to_owned())))
}

/// Something has ended; `now` is what follows.
pub(crate) fn alive(now: impl Into<String>) {
    *last().lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), now.into());
}

/// Watches until the program ends.
pub(crate) fn start() {
    alive("the beginning");
    std::thread::spawn(|| {
        loop {
            let (since, doing) = last().lock().unwrap_or_else(PoisonError::into_inner).clone();
            let left = PATIENCE.saturating_sub(since.elapsed());
            if left.is_zero() {
                println!(
                    "FAILED nothing has ended for {} s: {doing}\n0 passed, 1 failed",
                    PATIENCE.as_secs()
                );
                std::process::exit(1);
            }
            std::thread::park_timeout(left);
        }
    });
}
