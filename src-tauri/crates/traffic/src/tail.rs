//! Snapshot, then deltas: at most one per 50 ms, each with the whole count and no more than 200 rows of either kind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::disk::read;
use crate::opened::OpenLog;
use crate::query::search::Patience;
use crate::query::view::View;
use crate::shared::{Committed, Problem};
use crate::{Filter, Row, StoreError};

/// The shortest time between two deltas.
const PACE: Duration = Duration::from_millis(50);
/// How many of the new rows a delta carries.
const ADDED: u64 = 200;
/// How long a search goes on before what it has found is shown.
const SEARCH: Duration = Duration::from_millis(60);

/// The first is the snapshot (`reset`), the others are changes since the one before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    /// Forget everything: this is the whole state (first delta, after a clear).
    pub reset: bool,
    /// How many rows the filter matches now.
    pub total: u64,
    /// The newest of the rows added since, oldest first, at most 200. The last one is at index `total - 1`.
    pub added: Vec<Row>,
    /// Rows from before that changed, at most 200.
    pub changed: Vec<Row>,
    /// More changed than `changed` holds, or rows entered or left in the middle: pull again what is shown.
    pub changed_missed: bool,
    /// Older records are still being searched: `total` grows, and their rows are told as `changed_missed`.
    pub searching: bool,
    /// Why records cannot be written at present.
    pub problem: Option<Arc<str>>,
}

/// A live view of the log. Dropping it ends it; it does not keep the store open.
pub struct Tail {
    inner: std::sync::Weak<OpenLog>,
    committed: watch::Receiver<Committed>,
    problem: watch::Receiver<Problem>,
    view: Option<View>,
    /// A delta in the making outlives a `next` that was dropped.
    job: Option<JoinHandle<(View, Result<Delta, StoreError>)>>,
    /// When it looked last.
    last: Option<Instant>,
    told: Problem,
    /// Whether the last delta said that a search goes on.
    searching: bool,
    /// Stops a search that nobody waits for any more.
    given_up: Arc<AtomicBool>,
}

impl Tail {
    pub(crate) fn new(inner: &Arc<OpenLog>, filter: Filter) -> Self {
        Self {
            committed: inner.shared.committed.subscribe(),
            problem: inner.shared.problem.subscribe(),
            inner: Arc::downgrade(inner),
            view: Some(View::new(filter)),
            job: None,
            last: None,
            told: None,
            searching: false,
            given_up: Arc::default(),
        }
    }

    /// The next delta: the first at once, the others when something the filter shows has changed; `None` when the store is
    /// closed. A read that fails is told as the delta's problem. Cancel-safe.
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
            let (view, delta) = self.job.as_mut()?.await.ok()?;
            self.job = None;
            self.view = Some(view);
            self.last = Some(Instant::now());
            let mut delta = match delta {
                Ok(delta) => delta,
                Err(StoreError::Closed(_)) => return None,
                Err(error) => {
                    // What is shown may be wrong now; the next look starts over.
                    let view = self.view.take()?;
                    let total = view.matches().len();
                    self.view = Some(View::new(view.filter().clone()));
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
            if news || delta.problem != self.told {
                self.told.clone_from(&delta.problem);
                self.searching = delta.searching;
                return Some(delta);
            }
        }
    }

    /// Until there is something to look at, and it is time.
    async fn wait(&mut self) -> Option<()> {
        let Some(last) = self.last else {
            self.committed.mark_unchanged();
            return Some(());
        };
        tokio::select! {
            changed = self.committed.changed() => changed.ok()?,
            changed = self.problem.changed() => changed.ok()?,
        }
        tokio::time::sleep_until(last + PACE).await;
        // What came during the pause is in this delta too.
        self.committed.mark_unchanged();
        Some(())
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
        let patience = Patience {
            given_up,
            until: Some(std::time::Instant::now() + SEARCH),
            enough: if begins { ADDED } else { u64::MAX },
        };
        let news = view.advance(db, shared, &patience)?;
        let ended = (news.reset || was_searching) && !view.is_searching();
        if ended && view.is_costly() && !given_up.load(Ordering::Relaxed) {
            // The reader of the snapshot asks for pages of it next; they need not search again.
            inner.keep_view(view.clone());
        }
        let matches = view.matches();
        let total = matches.len();
        let known = if news.reset { 0 } else { matches.rank(news.above) };
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
        let (changed, changed_missed) = match news.reset {
            true => (Vec::new(), false),
            false => (read::rows(db, shared, news.changed)?, news.changed_missed),
        };
        Ok(Delta {
            reset: news.reset,
            total,
            added,
            changed,
            changed_missed,
            searching: view.is_searching(),
            problem: None,
        })
    })
}
