//! A snapshot, then deltas: at most one per 50 ms, each with the total count and at most 200 rows of either kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::disk::read;
use crate::opened::OpenLog;
use crate::query::search::SearchLimits;
use crate::query::view::View;
use crate::shared::{Committed, Problem};
use crate::{Filter, Row, StoreError};

/// The minimum time between two deltas.
const PACE: Duration = Duration::from_millis(50);
/// The maximum number of new rows in a delta.
const ADDED: u64 = 200;
/// As many rows as a window shows at first: a search that has found them reports them at once.
const SCREEN: u64 = 50;
/// How long after a failed read the log is read again, also if nothing new was written.
const RETRY: Duration = Duration::from_secs(2);
/// How long a search runs before its results so far are sent.
const SEARCH: Duration = Duration::from_millis(60);

/// The first delta is the snapshot (`reset`), the others are changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    /// Discard everything: this is the whole state (first delta, after matching records were removed).
    pub reset: bool,
    /// The current number of matching rows.
    pub total: u64,
    /// The newest added rows, oldest first, at most 200. The last one has index `total - 1`.
    pub added: Vec<Row>,
    /// Changed older rows, at most 200.
    pub changed: Vec<Row>,
    /// More rows changed than `changed` holds, or rows were added or removed in the middle: fetch the visible rows again.
    pub changed_missed: bool,
    /// Older records are still being searched: `total` grows, and their rows are reported as `changed_missed`.
    pub searching: bool,
    /// Why records cannot be written at present.
    pub problem: Option<Arc<str>>,
}

/// A live view of the log. Dropping it ends it. It does not keep the store open.
pub struct Tail {
    inner: std::sync::Weak<OpenLog>,
    filter: Filter,
    committed: watch::Receiver<Committed>,
    problem: watch::Receiver<Problem>,
    view: Option<View>,
    /// A delta in progress survives a dropped `next`.
    job: Option<JoinHandle<(View, Result<Delta, StoreError>)>>,
    /// When the last delta was made.
    last: Option<Instant>,
    /// There may be changes since: the pause until the next delta survives a dropped `next`, too.
    woken: bool,
    /// When to read again after a failed read.
    retry: Option<Instant>,
    reported: Problem,
    /// Whether the last delta reported a running search.
    searching: bool,
    /// Stops a search that nobody waits for.
    given_up: Arc<AtomicBool>,
}

impl Tail {
    pub(crate) fn new(inner: &Arc<OpenLog>, filter: Filter) -> Self {
        Self {
            committed: inner.shared.committed.subscribe(),
            problem: inner.shared.problem.subscribe(),
            inner: Arc::downgrade(inner),
            view: Some(View::new(filter.clone())),
            filter,
            job: None,
            last: None,
            woken: false,
            retry: None,
            reported: None,
            searching: false,
            given_up: Arc::default(),
        }
    }

    /// The next delta: the first at once, the others when visible rows have changed; `None` when the store is closed. A
    /// failed read is reported as the delta's problem. Cancel-safe.
    pub async fn next(&mut self) -> Option<Delta> {
        loop {
            if self.job.is_none() {
                if !self.view.as_ref().is_some_and(View::is_searching) {
                    self.wait().await?;
                }
                let inner = self.inner.upgrade()?;
                let mut view = self.view.take()?;
                let given_up = Arc::clone(&self.given_up);
                self.job = Some(tokio::task::spawn_blocking(move || {
                    let delta = delta(&inner, &mut view, &given_up);
                    (view, delta)
                }));
            }
            let done = self.job.as_mut()?.await;
            self.job = None;
            self.last = Some(Instant::now());
            self.retry = None;
            let (view, delta) = match done {
                Ok(done) => done,
                Err(ended) => {
                    let failed = self.inner.upgrade()?.unfinished(&ended);
                    (View::new(self.filter.clone()), Err(failed))
                }
            };
            let total = view.matches().len();
            self.view = Some(view);
            let mut delta = match delta {
                Ok(delta) => delta,
                Err(StoreError::Closed(_)) => return None,
                Err(error) => {
                    // The visible rows may be wrong; the next update starts over.
                    self.view = Some(View::new(self.filter.clone()));
                    self.retry = Some(Instant::now() + RETRY);
                    Delta {
                        total,
                        changed_missed: true,
                        problem: Some(error.to_string().into()),
                        ..Delta::default()
                    }
                }
            };
            if delta.problem.is_none() {
                delta.problem = self.problem.borrow_and_update().clone();
            }
            let news = delta.reset
                || delta.changed_missed
                || delta.searching != self.searching
                || !delta.added.is_empty()
                || !delta.changed.is_empty();
            if news || delta.problem != self.reported {
                self.reported.clone_from(&delta.problem);
                self.searching = delta.searching;
                return Some(delta);
            }
        }
    }

    /// Waits until there may be changes, and the minimum time has passed.
    async fn wait(&mut self) -> Option<()> {
        let Some(last) = self.last else {
            self.committed.mark_unchanged();
            return Some(());
        };
        if !self.woken {
            let due = self.view.as_ref().and_then(View::due).map(Instant::from);
            let due = [due, self.retry].into_iter().flatten().min();
            tokio::select! {
                changed = self.committed.changed() => changed.ok()?,
                changed = self.problem.changed() => changed.ok()?,
                () = at(due) => {}
            }
            self.woken = true;
        }
        tokio::time::sleep_until(last + PACE).await;
        self.woken = false;
        // Changes during the pause are in this delta too.
        self.committed.mark_unchanged();
        Some(())
    }
}

/// Completes at this time, or never.
async fn at(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
    }
}

fn delta(inner: &OpenLog, view: &mut View, given_up: &AtomicBool) -> Result<Delta, StoreError> {
    let shared = &inner.shared;
    inner.readers.with(|db| {
        let was_searching = view.is_searching();
        let begins = view.matches().is_empty() && !was_searching;
        let limits = SearchLimits {
            given_up,
            until: Some(std::time::Instant::now() + SEARCH),
            enough: match view.matches().len() {
                _ if begins => ADDED,
                0..SCREEN if was_searching => SCREEN,
                _ => u64::MAX,
            },
        };
        let changes = view.advance(db, shared, &limits)?;
        let ended = (changes.reset || was_searching) && !view.is_searching();
        if ended && view.is_costly() && !given_up.load(Ordering::Relaxed) {
            // The client requests pages after the snapshot; they need not search again.
            inner.keep_view(view.clone());
        }
        let matches = view.matches();
        let total = matches.len();
        let known = if changes.reset {
            0
        } else {
            matches.rank(changes.above)
        };
        let newest = (known.max(total.saturating_sub(ADDED))..total)
            .next()
            .and_then(|at| matches.select(at));
        let added = match newest {
            Some(first) => {
                let mut seqs = matches.iter();
                seqs.advance_to(first);
                read::rows(db, shared, seqs)?
            }
            None => Vec::new(),
        };
        let (changed, changed_missed) = match changes.reset {
            true => (Vec::new(), false),
            false => (read::rows(db, shared, changes.changed)?, changes.changed_missed),
        };
        Ok(Delta {
            reset: changes.reset,
            total,
            added,
            changed,
            changed_missed,
            searching: view.is_searching(),
            problem: None,
        })
    })
}

#[cfg(test)]
mod tests;
