//! Nudges: which topics changed, without content. A slow listener misses none: changes of the same topic are merged, so
//! nothing queues up.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use patchbay_contract::{AppEvent, AppTopic, CommandError, ServerId};
use tokio::sync::watch;

use crate::dispatch::streams::Events;

/// The minimum time between rounds of nudges: about one per displayed frame.
const PACE: Duration = Duration::from_millis(16);

/// A topic that can change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    Servers,
    Connection(ServerId),
    Tools(ServerId),
    ToolDefinitions(ServerId),
    ServerChanges(ServerId),
    Resources(ServerId),
    ResourceTemplates(ServerId),
    Prompts(ServerId),
    Tasks(ServerId),
    Authorization(ServerId),
    Vault,
    Inputs,
    Providers,
    Roots,
    Chats,
    DeepLinks,
    Log,
}

/// Counts changes and wakes the listeners.
#[derive(Debug)]
pub(crate) struct Nudges {
    /// The revision of each topic's latest change. All topics share one counter.
    latest: Mutex<BTreeMap<Topic, u32>>,
    revision: watch::Sender<u32>,
}

impl Nudges {
    pub(crate) fn new() -> Self {
        Self {
            latest: Mutex::default(),
            revision: watch::Sender::new(0),
        }
    }

    /// Reports a change and returns its revision.
    pub(crate) fn changed(&self, topic: Topic) -> u32 {
        let mut latest = self.lock();
        self.revision.send_modify(|revision| *revision += 1);
        let revision = *self.revision.borrow();
        latest.insert(topic, revision);
        revision
    }

    /// Reports a change of a connection's status: in the list and in its details.
    pub(crate) fn connection_changed(&self, server: &ServerId) {
        self.changed(Topic::Servers);
        self.changed(Topic::Connection(server.clone()));
    }

    /// The changes after `seen`, oldest first, and the current revision.
    pub(crate) fn since(&self, seen: u32) -> (Vec<AppEvent>, u32) {
        let latest = self.lock();
        let mut changed: Vec<_> = latest.iter().filter(|(_, revision)| **revision > seen).collect();
        changed.sort_by_key(|(_, revision)| **revision);
        let events = changed
            .into_iter()
            .map(|(topic, revision)| event(topic, *revision))
            .collect();
        (events, *self.revision.borrow())
    }

    /// Sends every change to a listener, starting with the list of servers.
    pub(crate) async fn notify(&self, events: Events<AppEvent>) -> Result<(), CommandError> {
        let mut woken = self.revision.subscribe();
        let mut seen = *woken.borrow_and_update();
        if events.send(event(&Topic::Servers, seen)).await.is_err() {
            return Ok(());
        }
        while woken.changed().await.is_ok() {
            let (changed, revision) = self.since(seen);
            seen = revision;
            for nudge in changed {
                if events.send(nudge).await.is_err() {
                    return Ok(());
                }
            }
            tokio::time::sleep(PACE).await;
        }
        Ok(())
    }

    /// Completes at every change.
    #[cfg(test)]
    pub(crate) fn revision(&self) -> watch::Receiver<u32> {
        self.revision.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Topic, u32>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn event(topic: &Topic, revision: u32) -> AppEvent {
    let (topic, server_id) = match topic {
        Topic::Servers => (AppTopic::Servers, None),
        Topic::Connection(id) => (AppTopic::Connection, Some(id)),
        Topic::Tools(id) => (AppTopic::Tools, Some(id)),
        Topic::ToolDefinitions(id) => (AppTopic::ToolDefinitions, Some(id)),
        Topic::ServerChanges(id) => (AppTopic::ServerChanges, Some(id)),
        Topic::Resources(id) => (AppTopic::Resources, Some(id)),
        Topic::ResourceTemplates(id) => (AppTopic::ResourceTemplates, Some(id)),
        Topic::Prompts(id) => (AppTopic::Prompts, Some(id)),
        Topic::Tasks(id) => (AppTopic::Tasks, Some(id)),
        Topic::Authorization(id) => (AppTopic::Authorization, Some(id)),
        Topic::Vault => (AppTopic::Vault, None),
        Topic::Inputs => (AppTopic::Inputs, None),
        Topic::Providers => (AppTopic::Providers, None),
        Topic::Roots => (AppTopic::Roots, None),
        Topic::Chats => (AppTopic::Chats, None),
        Topic::DeepLinks => (AppTopic::DeepLinks, None),
        Topic::Log => (AppTopic::Log, None),
    };
    AppEvent {
        topic,
        server_id: server_id.cloned(),
        revision,
    }
}

#[cfg(test)]
mod tests;
