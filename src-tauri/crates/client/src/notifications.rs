//! Notifications of a server on their way to somebody who watches for changes: handed on directly, merged and counted.
//!
//! A burst costs no more than what is different in it, and none of it is lost: notifications beyond the limits are counted
//! under their method, without their subject.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use patchbay_protocol::{json, methods};
use patchbay_traffic::Seq;
use tokio::sync::Notify;

/// The maximum number of different notifications that are kept separately until they are taken.
const MOST: usize = 2_000;
/// So many bytes of subjects are kept until they are taken.
const MOST_BYTES: usize = 1024 * 1024;

/// A notification that came once or more since the last was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedNotification {
    /// Its method.
    pub method: Box<str>,
    /// What changed, where the method names it: the URI of a resource, the id of a task.
    pub subject: Option<Box<str>>,
    /// How often it came.
    pub count: u64,
    /// The newest record of it.
    pub seq: Seq,
}

/// Notifications that wait to be taken: the same one is there once, with its count.
#[derive(Debug, Default)]
pub struct NotificationQueue {
    waiting: Vec<CountedNotification>,
    /// Where each of them is, by method and subject.
    places: HashMap<(Box<str>, Option<Box<str>>), usize>,
    bytes: usize,
}

impl NotificationQueue {
    /// Adds a notification that came `count` times.
    pub fn add(&mut self, method: &str, subject: Option<&str>, seq: Seq, count: u64) {
        let fits = |queue: &Self, subject: &str| {
            queue.waiting.len() < MOST && queue.bytes + subject.len() <= MOST_BYTES
        };
        let key: (Box<str>, Option<Box<str>>) = (method.into(), subject.map(Into::into));
        let key = match (&key.1, self.places.contains_key(&key)) {
            (Some(subject), false) if !fits(self, subject) => (key.0, None),
            _ => key,
        };
        if let Some(waiting) = self.places.get(&key).and_then(|at| self.waiting.get_mut(*at)) {
            waiting.count += count;
            waiting.seq = waiting.seq.max(seq);
            return;
        }
        self.bytes += key.1.as_deref().map_or(0, str::len);
        self.waiting.push(CountedNotification {
            method: key.0.clone(),
            subject: key.1.clone(),
            count,
            seq,
        });
        self.places.insert(key, self.waiting.len() - 1);
    }

    /// Takes all of them, in the order in which the first of each came.
    pub fn take(&mut self) -> Vec<CountedNotification> {
        self.places.clear();
        self.bytes = 0;
        std::mem::take(&mut self.waiting)
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// The reading end of one watcher. Dropping it ends the watching.
#[derive(Debug)]
pub struct NotificationReceiver(Arc<Watcher>);

#[derive(Debug, Default)]
struct Watcher {
    queue: Mutex<NotificationQueue>,
    added: Notify,
}

impl Watcher {
    fn lock(&self) -> MutexGuard<'_, NotificationQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NotificationReceiver {
    /// Ends when a notification waits. Cancel safe.
    pub async fn ready(&self) {
        while self.0.lock().is_empty() {
            self.0.added.notified().await;
        }
    }

    /// Takes all that wait.
    #[must_use]
    pub fn take(&self) -> Vec<CountedNotification> {
        self.0.lock().take()
    }
}

/// Everybody who watches one connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watchers(Arc<Mutex<Vec<Weak<Watcher>>>>);

impl Watchers {
    pub(crate) fn watch(&self) -> NotificationReceiver {
        let watcher = Arc::new(Watcher::default());
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&watcher));
        NotificationReceiver(watcher)
    }

    /// Hands a notification to all of them.
    pub(crate) fn announce(&self, method: &str, params: Option<&str>, seq: Seq) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            return;
        }
        let subject = subject(method, params);
        for watcher in all.iter().filter_map(Weak::upgrade) {
            watcher.lock().add(method, subject.as_deref(), seq, 1);
            watcher.added.notify_one();
        }
    }
}

/// What a notification is about: the resource, or the task.
pub(crate) fn subject(method: &str, params: Option<&str>) -> Option<Box<str>> {
    let member = match method {
        methods::RESOURCES_UPDATED => "uri",
        methods::TASKS | methods::TASKS_STATUS => "taskId",
        _ => return None,
    };
    Some(json::Object::parse(params?).ok()?.string(member)?.into())
}

#[cfg(test)]
mod tests;
