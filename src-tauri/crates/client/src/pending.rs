//! The requests of ours that wait for an answer, by id and by time.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use patchbay_protocol::RequestId;
use patchbay_traffic::{OperationId, Seq};
use tokio::{sync::watch, time::Instant};

use crate::{Answer, CallEnd, OpenExchange, Timeouts, call::Call, inputs::MOST_DURING};

/// As late as it gets: a deadline that never comes.
pub(crate) const NEVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// A request that a user wrote whole: nobody waits for its answer.
pub(crate) struct RawRequest {
    /// The record of the frame that it was sent in.
    pub(crate) frame: Seq,
    /// Its own record: that of the frame, unless that is a batch.
    pub(crate) record: Seq,
}

/// Why a request was sent.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// `server/discover` as the first message.
    Discover,
    /// `initialize`.
    Initialize,
    /// A health ping.
    Ping,
    /// `tools/list`, because the headers of a call were refused.
    Relist(Box<Relist>),
    /// Somebody asked.
    Exchange(Box<Call>),
}

/// A call whose headers were refused, while the list of tools is read again.
#[derive(Debug)]
pub(crate) struct Relist {
    pub(crate) call: Box<Call>,
    /// The answer that refused it.
    pub(crate) refused: Answer,
    /// How many pages were asked for.
    pub(crate) pages: u32,
}

/// A request that waits.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) seq: Seq,
    pub(crate) method: Cow<'static, str>,
    /// The operation it belongs to.
    pub(crate) operation: Option<OperationId>,
    pub(crate) purpose: Purpose,
    pub(crate) sent: Instant,
    pub(crate) progress: u64,
    /// How long it was held already.
    pub(crate) held: Duration,
    timeouts: Timeouts,
    deadline: Instant,
    /// Where it is in `by_time`: never later than `deadline`.
    looked_at: Instant,
    /// How many inputs it waits for, and since when it waits for any.
    holds: u32,
    held_since: Instant,
}

impl Entry {
    pub(crate) fn new(
        seq: Seq,
        method: Cow<'static, str>,
        operation: Option<OperationId>,
        purpose: Purpose,
        timeouts: Timeouts,
    ) -> Self {
        let sent = Instant::now();
        let deadline = sent + timeouts.request.min(timeouts.max_total).min(NEVER);
        Self {
            seq,
            method,
            operation,
            purpose,
            sent,
            progress: 0,
            held: Duration::ZERO,
            timeouts,
            deadline,
            looked_at: deadline,
            holds: 0,
            held_since: sent,
        }
    }

    /// Progress came.
    pub(crate) fn touch(&mut self, now: Instant) {
        self.progress += 1;
        if self.timeouts.reset_on_progress {
            // Its clock is stopped while it is held.
            let now = if self.holds > 0 { self.held_since } else { now };
            let total = self.sent + self.timeouts.max_total.min(NEVER) + self.held;
            self.deadline = (now + self.timeouts.request.min(NEVER)).min(total);
        }
    }

    /// It may take as long as it wants from now on.
    pub(crate) fn stays_open(&mut self) {
        self.timeouts.request = NEVER;
        self.timeouts.max_total = NEVER;
        self.deadline = self.sent + NEVER;
    }

    /// How long it has waited.
    pub(crate) fn waited(&self, now: Instant) -> Duration {
        now.duration_since(self.sent)
    }

    /// How long it has waited for the server, without the time in which people were asked.
    pub(crate) fn served(&self, now: Instant) -> Duration {
        self.waited(now).saturating_sub(self.held)
    }
}

/// All that wait. Deadlines are looked at lazily: progress moves a deadline without touching the order.
#[derive(Debug, Default)]
pub(crate) struct PendingTable {
    by_id: HashMap<i64, Entry>,
    by_time: BTreeSet<(Instant, i64)>,
    /// The clocks of all are stopped, also of those that are inserted.
    all_paused: bool,
}

impl PendingTable {
    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(crate) fn insert(&mut self, id: i64, mut entry: Entry) {
        entry.holds += u32::from(self.all_paused);
        self.by_time.insert((entry.looked_at, id));
        self.by_id.insert(id, entry);
    }

    pub(crate) fn get_mut(&mut self, id: i64) -> Option<&mut Entry> {
        self.by_id.get_mut(&id)
    }

    pub(crate) fn remove(&mut self, id: i64) -> Option<Entry> {
        let mut entry = self.by_id.remove(&id)?;
        self.by_time.remove(&(entry.looked_at, id));
        if entry.holds > 0 {
            entry.held += entry.held_since.elapsed();
        }
        Some(entry)
    }

    /// The request with this record, which gave this progress token.
    pub(crate) fn get_by_token(&mut self, seq: Seq, token: Option<&RequestId>) -> Option<&mut Entry> {
        let of_token = |id: &i64| self.by_id.get(id).is_some_and(|entry| entry.seq == seq);
        let id = match token {
            // Our own tokens are the ids of their requests.
            Some(RequestId::Int(id)) if of_token(id) => *id,
            // The sender chose a token of another kind.
            _ => *self.by_id.iter().find(|(_, entry)| entry.seq == seq)?.0,
        };
        self.by_id.get_mut(&id)
    }

    /// The id of the request under way for an exchange.
    pub(crate) fn id_of_exchange(&self, wanted: u64) -> Option<i64> {
        let is_it = |entry: &Entry| match &entry.purpose {
            Purpose::Exchange(call) => call.exchange == wanted,
            Purpose::Relist(relist) => relist.call.exchange == wanted,
            Purpose::Discover | Purpose::Initialize | Purpose::Ping => false,
        };
        self.by_id
            .iter()
            .find(|(_, entry)| is_it(entry))
            .map(|(id, _)| *id)
    }

    /// All of them, in the order they were sent.
    pub(crate) fn drain(&mut self) -> Vec<(i64, Entry)> {
        self.by_time.clear();
        self.all_paused = false;
        let mut all: Vec<_> = self.by_id.drain().collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Stops the clocks of those that may wait for input a server asked for: of one request, or of all where it is not
    /// certain which. Answers whose.
    pub(crate) fn hold(&mut self, about: Option<i64>) -> Vec<i64> {
        let of_somebody =
            |entry: &Entry| matches!(entry.purpose, Purpose::Exchange(_)) && !entry.timeouts.count_input_wait;
        let held: Vec<i64> = self
            .by_id
            .iter()
            .filter(|(id, entry)| of_somebody(entry) && about.is_none_or(|about| about == **id))
            .map(|(id, _)| *id)
            .collect();
        self.pause(&held);
        held
    }

    /// The call of an exchange whose request is under way.
    pub(crate) fn call_of_exchange(&mut self, wanted: u64) -> Option<&mut Call> {
        let id = self.id_of_exchange(wanted)?;
        match &mut self.by_id.get_mut(&id)?.purpose {
            Purpose::Exchange(call) => Some(call),
            Purpose::Relist(relist) => Some(&mut relist.call),
            Purpose::Discover | Purpose::Initialize | Purpose::Ping => None,
        }
    }

    /// The exchanges under way, the oldest first.
    pub(crate) fn open_exchanges(&self) -> Vec<OpenExchange> {
        let exchange = |entry: &Entry| match &entry.purpose {
            Purpose::Exchange(call) => Some(OpenExchange {
                seq: entry.seq,
                exchange: call.exchange,
                operation: entry.operation,
            }),
            _ => None,
        };
        let mut found: Vec<_> = self.by_id.values().filter_map(exchange).collect();
        found.sort_unstable();
        found.truncate(MOST_DURING);
        found
    }

    /// The end of one call, or of all that are under way. None of many: who watches them learns nothing.
    pub(crate) fn watch_ends(&mut self, about: Option<i64>) -> Vec<watch::Receiver<CallEnd>> {
        let calls = self.by_id.iter_mut().filter_map(|(id, entry)| {
            let is_meant = about.is_none_or(|about| about == *id);
            match &mut entry.purpose {
                Purpose::Exchange(call) if is_meant => Some(call),
                _ => None,
            }
        });
        let calls: Vec<_> = calls.take(MOST_DURING + 1).collect();
        if calls.len() > MOST_DURING {
            return Vec::new();
        }
        calls.into_iter().map(|call| call.watch_end()).collect()
    }

    /// Stops the clocks of these.
    pub(crate) fn pause(&mut self, ids: &[i64]) {
        let now = Instant::now();
        for id in ids {
            let Some(entry) = self.by_id.get_mut(id) else {
                continue;
            };
            if entry.holds == 0 {
                entry.held_since = now;
            }
            entry.holds += 1;
        }
    }

    /// Stops the clocks of all, also of those that come until [`Self::release_all`].
    pub(crate) fn pause_all(&mut self) {
        if !std::mem::replace(&mut self.all_paused, true) {
            self.pause(&self.ids());
        }
    }

    /// The opposite of [`Self::pause_all`].
    pub(crate) fn release_all(&mut self) {
        if std::mem::take(&mut self.all_paused) {
            self.release(&self.ids());
        }
    }

    fn ids(&self) -> Vec<i64> {
        self.by_id.keys().copied().collect()
    }

    /// Resumes the timeouts.
    pub(crate) fn release(&mut self, ids: &[i64]) {
        let now = Instant::now();
        for id in ids {
            let Some(entry) = self.by_id.get_mut(id).filter(|entry| entry.holds > 0) else {
                continue;
            };
            entry.holds -= 1;
            if entry.holds == 0 {
                let waited = now.duration_since(entry.held_since);
                entry.held += waited;
                entry.deadline += waited;
                self.by_time.remove(&(entry.looked_at, *id));
                entry.looked_at = entry.deadline;
                self.by_time.insert((entry.looked_at, *id));
            }
        }
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
            if entry.holds > 0 {
                // `release` puts it back in its place.
                entry.looked_at = now + NEVER;
            } else if entry.deadline <= now {
                return self.by_id.remove(&id).map(|entry| (id, entry));
            } else {
                entry.looked_at = entry.deadline;
            }
            self.by_time.insert((entry.looked_at, id));
        }
        None
    }
}
