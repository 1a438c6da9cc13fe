//! The state that recorder, writer and readers share.

mod clock;

pub(crate) use clock::Anchor;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::watch;

use crate::Seq;
use crate::disk::quota::Quota;
use crate::intake::queue::Queue;
use crate::query::grams::Pages;
use crate::query::index::Index;
use crate::redact::Redactor;

/// Why records cannot be written at present; `None` if they can.
pub type Problem = Option<Arc<str>>;

/// The progress of the writer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Committed {
    /// Incremented by every commit that changed anything.
    pub(crate) version: u64,
    /// The newest readable record.
    pub(crate) seq: Seq,
}

pub(crate) struct Shared {
    pub(crate) queue: Queue,
    pub(crate) committed: watch::Sender<Committed>,
    pub(crate) problem: watch::Sender<Problem>,
    /// When the run began.
    pub(crate) anchor: Anchor,
    /// The text index that is not on disk yet.
    pub(crate) text: Mutex<Pages>,
    pub(crate) quota: Mutex<Quota>,
    index: RwLock<Index>,
    redactor: RwLock<Arc<Redactor>>,
    /// In bytes; 0: no limit.
    size_limit: AtomicU64,
    /// Whether the writer has ended: what is not written never will be.
    dead: AtomicBool,
}

impl Shared {
    pub(crate) fn new(queue: Queue, index: Index, text: Pages, anchor: Anchor) -> Self {
        let committed = Committed {
            version: 0,
            seq: index.last(),
        };
        Self {
            queue,
            committed: watch::Sender::new(committed),
            problem: watch::Sender::new(None),
            anchor,
            text: Mutex::new(text),
            quota: Mutex::default(),
            index: RwLock::new(index),
            redactor: RwLock::new(Arc::new(Redactor::none())),
            size_limit: AtomicU64::new(0),
            dead: AtomicBool::new(false),
        }
    }

    /// Closes the log because nobody writes it any more. Everybody who waits for it learns that. Returns the number of records
    /// that are lost.
    pub(crate) fn writer_died(&self, cause: &str) -> usize {
        let lost = self.queue.abandon();
        self.dead.store(true, Ordering::Release);
        // Told last: who hears of it finds the log closed.
        self.problem.send_replace(Some(cause.into()));
        self.committed.send_modify(|committed| committed.version += 1);
        lost
    }

    /// Notes that the writer has ended with the log. Tails and those who wait for a record find it closed.
    pub(crate) fn writer_ended(&self) {
        self.dead.store(true, Ordering::Release);
        self.committed.send_modify(|committed| committed.version += 1);
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Acquire)
    }

    pub(crate) fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn index_mut(&self) -> RwLockWriteGuard<'_, Index> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.redactor.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the redactor if it changed.
    pub(crate) fn update_redactor(&self, update: impl FnOnce(&Redactor) -> Option<Redactor>) {
        let mut redactor = self.redactor.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(new) = update(&redactor) {
            *redactor = Arc::new(new);
        }
    }

    pub(crate) fn size_limit(&self) -> Option<u64> {
        match self.size_limit.load(Ordering::Relaxed) {
            0 => None,
            bytes => Some(bytes),
        }
    }

    pub(crate) fn set_size_limit(&self, bytes: Option<u64>) {
        self.size_limit.store(bytes.unwrap_or(0), Ordering::Relaxed);
        self.queue.nudge();
    }

    pub(crate) fn now_ns(&self) -> u64 {
        u64::try_from(self.anchor.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
