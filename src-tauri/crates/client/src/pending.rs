//! The requests of ours that wait for an answer, by id and by time.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use patchbay_protocol::RequestId;
use patchbay_traffic::Seq;
use tokio::{sync::mpsc, time::Instant};

use crate::{ExchangeEvent, Timeouts};

/// Why a request was sent.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// `server/discover` as the first message.
    Discover,
    /// `initialize`.
    Initialize,
    /// Somebody asked.
    Exchange {
        exchange: u64,
        events: mpsc::Sender<ExchangeEvent>,
    },
}

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) seq: Seq,
    pub(crate) method: Cow<'static, str>,
    pub(crate) purpose: Purpose,
    pub(crate) sent: Instant,
    pub(crate) progress: u64,
    timeouts: Timeouts,
    deadline: Instant,
    /// Where it stands in `by_time`: never later than `deadline`.
    looked_at: Instant,
}

impl Entry {
    pub(crate) fn new(
        seq: Seq,
        method: Cow<'static, str>,
        purpose: Purpose,
        sent: Instant,
        timeouts: Timeouts,
    ) -> Self {
        let deadline = sent + timeouts.request.min(timeouts.max_total);
        Self {
            seq,
            method,
            purpose,
            sent,
            progress: 0,
            timeouts,
            deadline,
            looked_at: deadline,
        }
    }

    /// Progress came.
    pub(crate) fn touch(&mut self, now: Instant) {
        self.progress += 1;
        if self.timeouts.reset_on_progress {
            let total = self.sent + self.timeouts.max_total;
            self.deadline = (now + self.timeouts.request).min(total);
        }
    }

    /// How long it has waited.
    pub(crate) fn waited(&self, now: Instant) -> Duration {
        now.duration_since(self.sent)
    }
}

/// All that wait. Deadlines are looked at lazily: progress moves a deadline without touching the order.
#[derive(Debug, Default)]
pub(crate) struct PendingTable {
    by_id: HashMap<i64, Entry>,
    by_time: BTreeSet<(Instant, i64)>,
}

impl PendingTable {
    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(crate) fn insert(&mut self, id: i64, entry: Entry) {
        self.by_time.insert((entry.looked_at, id));
        self.by_id.insert(id, entry);
    }

    pub(crate) fn remove(&mut self, id: i64) -> Option<Entry> {
        let entry = self.by_id.remove(&id)?;
        self.by_time.remove(&(entry.looked_at, id));
        Some(entry)
    }

    /// The request with this record, which gave this progress token.
    pub(crate) fn get_by_token(&mut self, seq: Seq, token: Option<&RequestId>) -> Option<&mut Entry> {
        let of_token = |id: &i64| self.by_id.get(id).is_some_and(|entry| entry.seq == seq);
        let id = match token {
            // Our own tokens are the ids of their requests.
            Some(RequestId::Int(id)) if of_token(id) => *id,
            // Whoever sent it chose a token of another kind.
            _ => *self.by_id.iter().find(|(_, entry)| entry.seq == seq)?.0,
        };
        self.by_id.get_mut(&id)
    }

    /// The id of an exchange's request.
    pub(crate) fn id_of_exchange(&self, wanted: u64) -> Option<i64> {
        let is_it =
            |entry: &Entry| matches!(entry.purpose, Purpose::Exchange { exchange, .. } if exchange == wanted);
        self.by_id
            .iter()
            .find(|(_, entry)| is_it(entry))
            .map(|(id, _)| *id)
    }

    /// All of them, in the order they were sent.
    pub(crate) fn drain(&mut self) -> Vec<(i64, Entry)> {
        self.by_time.clear();
        let mut all: Vec<_> = self.by_id.drain().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// When to look again.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        self.by_time.first().map(|(at, _)| *at)
    }

    /// Takes one whose time is over.
    pub(crate) fn take_due(&mut self, now: Instant) -> Option<(i64, Entry)> {
        while let Some(&(at, id)) = self.by_time.first().filter(|(at, _)| *at <= now) {
            self.by_time.remove(&(at, id));
            let Some(entry) = self.by_id.get_mut(&id) else {
                continue;
            };
            if entry.deadline <= now {
                return self.by_id.remove(&id).map(|entry| (id, entry));
            }
            entry.looked_at = entry.deadline;
            self.by_time.insert((entry.looked_at, id));
        }
        None
    }
}
