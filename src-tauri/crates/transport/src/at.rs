//! A branch of `select!` for a time that there may be.

use std::future::pending;

use tokio::time::{Instant, sleep_until};

/// Completes at that time; never if there is none.
pub(crate) async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}
