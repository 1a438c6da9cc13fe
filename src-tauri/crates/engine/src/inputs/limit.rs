//! The limit on elicitations of one connection: a server that asks without end must not keep the user busy.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use patchbay_client::{InputKind, InputReply};
use patchbay_protocol::limits::Limits;
use tokio::time::Instant;

use super::responder::{Answers, InputQuestion, Responder, Response};

/// The time over which they are counted.
const WITHIN: Duration = Duration::from_secs(60);

/// Cancels what exceeds the limit. "Clients SHOULD implement rate limiting" (elicitation, security considerations).
#[derive(Debug)]
pub(super) struct ElicitationLimit {
    /// The maximum number within [`WITHIN`].
    most: usize,
    /// When the last ones came, the oldest first.
    came: Mutex<VecDeque<Instant>>,
}

impl ElicitationLimit {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            most: limits.elicitations_per_minute,
            came: Mutex::default(),
        }
    }

    fn admits(&self, now: Instant) -> bool {
        let mut came = self.came.lock().unwrap_or_else(PoisonError::into_inner);
        while came.front().is_some_and(|at| now.duration_since(*at) >= WITHIN) {
            came.pop_front();
        }
        let is_free = came.len() < self.most;
        if is_free {
            came.push_back(now);
        }
        is_free
    }
}

impl Responder for ElicitationLimit {
    fn rule(&self) -> Option<String> {
        Some(format!("more than {} elicitations within a minute", self.most))
    }

    fn answers(&self) -> Vec<Answers> {
        // The person declares what is answered.
        Vec::new()
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let is_over = question.input.kind == InputKind::Elicitation && !self.admits(Instant::now());
        let reply = is_over.then(|| InputReply::Result("{\"action\":\"cancel\"}".to_owned()));
        Box::pin(std::future::ready(reply))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{ElicitationLimit, Limits, WITHIN};

    #[test]
    fn a_minute_admits_only_so_many() {
        const MOST: usize = 7;
        let limit = ElicitationLimit::new(&Limits {
            elicitations_per_minute: MOST,
            ..Limits::default()
        });
        let start = Instant::now();
        for at in 0..MOST {
            assert!(limit.admits(start + Duration::from_millis(at as u64)));
        }
        assert!(!limit.admits(start + Duration::from_secs(59)));
        // The first one is a minute old: one more is admitted, not two.
        assert!(limit.admits(start + WITHIN));
        assert!(!limit.admits(start + WITHIN));
        assert!(limit.admits(start + WITHIN * 3));
    }
}
