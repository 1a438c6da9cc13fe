//! Up to 2025-11-25: each resource is subscribed to separately; changes of lists and tasks are sent to every client.

use std::sync::Arc;

use patchbay_client::{Connection, CountedNotification, Request, State, Status};
use patchbay_contract::*;
use patchbay_protocol::{json, methods, views::ServerCapabilities};
use patchbay_traffic::OperationId;
use tokio::sync::watch;

use super::{
    batching::Batch,
    refused,
    subscribed::{Subscribed, SubscribedSession},
};
use crate::{
    calls::Query,
    connections::{ConnectionHandle, owned::TaskKind},
    dispatch::streams::Events,
    state::Engine,
};

pub(super) async fn run(
    engine: &Engine,
    live: &ConnectionHandle,
    connection: &Connection,
    filter: SubscriptionFilter,
    events: &Events<SubscriptionEvent>,
) -> Result<(), CommandError> {
    // Before anything is requested, so that neither a notification nor the loss of the session is missed.
    let notifications = connection.notifications();
    let mut status = connection.status();
    let sessions_lost = status.borrow().sessions_lost;
    let mut subscriptions = ResourceSubscriptions::new(engine, live, connection, &filter.resource_uris);
    let declared = declared(live, &filter);
    let opened = SubscriptionEvent::Opened {
        exchange_id: None,
        seq: None,
    };
    if events.send(opened).await.is_err() {
        return Ok(());
    }
    let (granted, mut why) = subscribe(&mut subscriptions, declared).await;
    // A refused resource is already listed, with the server's error.
    let others = SubscriptionFilter {
        resource_uris: Vec::new(),
        ..filter
    };
    why.extend(refused(&others, &granted));
    let nothing = granted == SubscriptionFilter::default();
    let acknowledged = SubscriptionEvent::Acknowledged {
        granted: granted.clone(),
        refused: why,
        seq: None,
    };
    if events.send(acknowledged).await.is_err() {
        return Ok(());
    }
    if nothing {
        let ended = SubscriptionEvent::Ended {
            end: SubscriptionEnd::Refused,
            reason: "The server supports none of the requested notifications.".to_owned(),
            seq: None,
        };
        let _ = events.send(ended).await;
        return Ok(());
    }
    let mut batch = Batch::new(engine.state.recorder.clone());
    loop {
        tokio::select! {
            () = notifications.ready() => add(&mut batch, &granted, notifications.take()),
            () = batch.due() => {
                if batch.send(events).await.is_err() {
                    return Ok(());
                }
            }
            reason = over(&mut status, sessions_lost) => {
                add(&mut batch, &granted, notifications.take());
                let ended = SubscriptionEvent::Ended {
                    end: SubscriptionEnd::Abrupt,
                    reason: engine.state.masked(reason),
                    seq: None,
                };
                if batch.send(events).await.is_ok() {
                    let _ = events.send(ended).await;
                }
                return Ok(());
            }
        }
    }
}

/// Adds what the subscription was granted.
fn add(batch: &mut Batch, granted: &SubscriptionFilter, notifications: Vec<CountedNotification>) {
    for one in notifications.iter().filter(|one| is_wanted(granted, &one.method)) {
        batch.add(one);
    }
}

/// Completes when the connection ends, or the session in which this was subscribed to, with the reason. A new session may be
/// ready by then.
async fn over(status: &mut watch::Receiver<Arc<Status>>, sessions_lost: u64) -> String {
    let is_lost = |status: &Status| status.sessions_lost != sessions_lost;
    let is_over = |status: &Arc<Status>| status.state != State::Ready || is_lost(status);
    match status.wait_for(is_over).await {
        Ok(status) if is_lost(&status) && status.failure.is_none() => {
            "The server lost the session, and the subscription with it. Subscribe again.".to_owned()
        }
        Ok(status) => status.why_not_ready(),
        Err(_) => "The connection was closed.".to_owned(),
    }
}

/// The session that is open, by the number of those that were lost before; none if there is none.
fn session(connection: &Connection) -> Option<u64> {
    let status = connection.status();
    let status = status.borrow();
    (status.state == State::Ready).then_some(status.sessions_lost)
}

/// The requested changes that the server declared.
fn declared(live: &ConnectionHandle, filter: &SubscriptionFilter) -> SubscriptionFilter {
    let status = live.status();
    let raw = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.clone())
        .unwrap_or_default();
    let says = |of: &str, what: &str| {
        json::Object::parse(&raw)
            .ok()
            .and_then(|all| Some(json::Object::parse(all.get(of)?).ok()?.get(what)? == "true"))
            .unwrap_or(false)
    };
    SubscriptionFilter {
        tools_list_changed: filter.tools_list_changed && says("tools", "listChanged"),
        prompts_list_changed: filter.prompts_list_changed && says("prompts", "listChanged"),
        resources_list_changed: filter.resources_list_changed && says("resources", "listChanged"),
        // Some servers support subscriptions without declaring them.
        resource_uris: filter.resource_uris.clone(),
        task_ids: match ServerCapabilities::new(&raw).has("tasks") {
            true => filter.task_ids.clone(),
            false => Vec::new(),
        },
    }
}

/// Subscribes to the resources. Returns those that were granted, and the reason for each refused one.
async fn subscribe(
    subscriptions: &mut ResourceSubscriptions,
    mut filter: SubscriptionFilter,
) -> (SubscriptionFilter, Vec<String>) {
    let mut why = Vec::new();
    let mut granted = Vec::new();
    for uri in std::mem::take(&mut filter.resource_uris) {
        subscriptions.uris.push(uri.clone());
        if let Err(error) = subscriptions.enter(&uri).await {
            subscriptions.uris.pop();
            why.push(error.message);
            continue;
        }
        granted.push(uri);
    }
    filter.resource_uris = granted;
    (filter, why)
}

fn params(uri: &str) -> String {
    format!("{{\"uri\":{}}}", json::quote(uri))
}

fn is_wanted(granted: &SubscriptionFilter, method: &str) -> bool {
    match method {
        methods::TOOLS_LIST_CHANGED => granted.tools_list_changed,
        methods::PROMPTS_LIST_CHANGED => granted.prompts_list_changed,
        methods::RESOURCES_LIST_CHANGED => granted.resources_list_changed,
        // The notification may be about a part of a resource, which only the server can tell.
        methods::RESOURCES_UPDATED => !granted.resource_uris.is_empty(),
        methods::TASKS_STATUS => !granted.task_ids.is_empty(),
        _ => false,
    }
}

/// The resources that a stream subscribed to. Dropping it unsubscribes from those that no other stream uses.
struct ResourceSubscriptions {
    engine: Engine,
    connection: Connection,
    subscribed: Arc<Subscribed>,
    uris: Vec<String>,
    operation: OperationId,
}

impl ResourceSubscriptions {
    /// None yet, and the operation under which they are requested.
    fn new(engine: &Engine, live: &ConnectionHandle, connection: &Connection, uris: &[String]) -> Self {
        Self {
            engine: engine.clone(),
            connection: connection.clone(),
            subscribed: live.subscribed.clone(),
            uris: Vec::new(),
            operation: engine.state.begin("subscription_open", uris.join(" ")),
        }
    }

    /// Asks the server to subscribe to a resource of `uris`, unless it was asked for another stream in the same session.
    async fn enter(&self, uri: &str) -> Result<(), CommandError> {
        let lock = self.subscribed.enter(uri);
        let mut subscribed_in = lock.lock().await;
        let session = session(&self.connection);
        if subscribed_in.is_none() || *subscribed_in != session {
            // Also when this ends before the answer: the server may have been asked.
            *subscribed_in = session;
            let query = Query {
                state: &self.engine.state,
                connection: &self.connection,
                operation: self.operation,
                method: methods::RESOURCES_SUBSCRIBE,
                params: Some(params(uri)),
                failed: &format!("the resource {uri}"),
            };
            if let Err(error) = query.result().await {
                *subscribed_in = None;
                self.subscribed.leave(uri);
                self.subscribed.forget(uri, &lock);
                return Err(error.into());
            }
        }
        Ok(())
    }
}

impl Drop for ResourceSubscriptions {
    fn drop(&mut self) {
        let connection = self.connection.clone();
        let supervisor = connection.supervisor();
        let operation = Some(self.operation);
        let subscribed = self.subscribed.clone();
        let last: Vec<(String, Arc<SubscribedSession>)> = std::mem::take(&mut self.uris)
            .into_iter()
            .filter_map(|uri| subscribed.leave(&uri).map(|subscribed_in| (uri, subscribed_in)))
            .collect();
        if !last.is_empty() {
            let unsubscribing = async move {
                for (uri, lock) in last {
                    let mut subscribed_in = lock.lock().await;
                    // A new stream may use it meanwhile, or the server may have lost the session and know nothing of it.
                    let is_known = subscribed_in.is_some() && *subscribed_in == session(&connection);
                    if is_known && !subscribed.is_used(&uri) {
                        let request = Request {
                            operation,
                            ..Request::new(methods::RESOURCES_UNSUBSCRIBE, Some(params(&uri)))
                        };
                        // The response is in the traffic log.
                        drop(connection.request(request).await.finished().await);
                        *subscribed_in = None;
                    }
                    subscribed.forget(&uri, &lock);
                }
            };
            let tasks = &self.engine.state.tasks;
            tasks.supervised(&supervisor, TaskKind::Unsubscribe, unsubscribing);
        }
    }
}
