//! The subscription to an attached resource that is kept current: its updates mark it as changed. What is sent is read again.

use std::sync::{Arc, Weak};

use patchbay_client::caught;
use patchbay_contract::*;
use patchbay_protocol::methods;
use tokio::sync::mpsc;

use crate::{
    chat::conversation::Conversation,
    connections::owned::OwnedTask,
    convert,
    dispatch::{error::internal, streams::Events},
    state::Engine,
    subscriptions,
};

/// Whether a server that is connected says that it reports updates of resources.
pub(super) fn is_declared(engine: &Engine, server_id: &ServerId) -> bool {
    let Ok((live, _)) = engine.state.ready(server_id) else {
        return false;
    };
    convert::capabilities(&live.status()).is_some_and(|declared| declared.has_part("resources", "subscribe"))
}

/// Sets whether an attached resource is kept current; false if there is no such resource.
pub(in crate::chat) fn keep_current(
    engine: &Engine,
    conversation: &Arc<Conversation>,
    id: &str,
    keep_current: bool,
) -> bool {
    let mut is_resource = false;
    conversation.touch(|state, revision| {
        let mut attached = state.attached.iter_mut();
        let found = attached.find(|attached| attached.view.id == id);
        let Some(found) = found.filter(|found| !found.view.is_prompt) else {
            return;
        };
        let Some(server_id) = found.view.server_id.clone() else {
            return;
        };
        is_resource = true;
        found.view.keep_current = keep_current;
        (found.subscription, found.view.subscription) = (None, None);
        if keep_current && found.view.can_subscribe {
            let resource = AttachedResource {
                conversation: Arc::downgrade(conversation),
                id: id.to_owned(),
                uri: found.view.name.clone(),
            };
            let task = follow(engine.clone(), resource, server_id);
            found.subscription = Some(Arc::new(OwnedTask::spawn(task)));
            found.view.subscription = Some(ChatSubscription::default());
        }
        state.revision = revision;
    });
    is_resource
}

/// An attached resource whose updates are followed.
struct AttachedResource {
    conversation: Weak<Conversation>,
    id: String,
    uri: String,
}

impl AttachedResource {
    /// Changes what is shown of the subscription, until it has ended.
    fn change(&self, apply: impl FnOnce(&mut ChatSubscription)) {
        let Some(conversation) = self.conversation.upgrade() else {
            return;
        };
        conversation.touch(|state, revision| {
            let attached = state.attached.iter_mut().find(|one| one.view.id == self.id);
            let subscription = attached.and_then(|attached| attached.view.subscription.as_mut());
            if let Some(subscription) = subscription.filter(|subscription| subscription.ended.is_none()) {
                apply(subscription);
                state.revision = revision;
            }
        });
    }

    fn take(&self, event: SubscriptionEvent) {
        match event {
            SubscriptionEvent::Opened { .. } => {}
            SubscriptionEvent::Acknowledged { granted, refused, .. } => self.change(|subscription| {
                subscription.granted = granted.resource_uris.contains(&self.uri);
                if !subscription.granted {
                    subscription.ended = Some(format!("The server did not grant it: {}", refused.join(" ")));
                }
            }),
            SubscriptionEvent::Notified {
                method,
                subject,
                count,
                seq,
            } => {
                if method == methods::RESOURCES_UPDATED && is_of(&self.uri, subject.as_deref()) {
                    self.change(|subscription| {
                        subscription.updates = subscription.updates.saturating_add(count);
                        subscription.update_seq = Some(seq);
                    });
                }
            }
            SubscriptionEvent::Ended { reason, .. } => {
                self.change(|subscription| subscription.ended = Some(reason));
            }
        }
    }
}

/// Subscribes, and marks the resource at each update, until the subscription ends.
async fn follow(engine: Engine, resource: AttachedResource, server_id: ServerId) {
    let (typed, mut events) = mpsc::channel(1);
    let params = SubscriptionOpenParams {
        server_id,
        filter: SubscriptionFilter {
            resource_uris: vec![resource.uri.clone()],
            ..SubscriptionFilter::default()
        },
    };
    let received = async {
        while let Some(event) = events.recv().await {
            resource.take(event);
        }
    };
    let running = caught(subscriptions::open(engine, params, Events::new(typed)));
    let (ended, ()) = tokio::join!(running, received);
    let ended = ended.unwrap_or_else(|cause| Err(internal("chat_keep_current", &cause)));
    resource.change(|subscription| {
        subscription.ended = Some(match ended {
            Ok(()) => "The subscription has ended.".to_owned(),
            Err(error) => error.message,
        });
    });
}

/// Whether an update is of a resource, or of a part of it: the server may name that.
fn is_of(uri: &str, subject: Option<&str>) -> bool {
    let Some(subject) = subject else { return true };
    subject
        .strip_prefix(uri)
        .is_some_and(|rest| rest.is_empty() || uri.ends_with('/') || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn an_update_of_a_part_is_one_of_the_resource() {
        for (subject, expected) in [
            (None, true),
            (Some("a://b"), true),
            (Some("a://b/c"), true),
            (Some("a://b#c"), true),
            (Some("a://bc"), false),
            (Some("a://"), false),
        ] {
            assert_eq!(is_of("a://b", subject), expected, "{subject:?}");
        }
        assert!(is_of("a://b/", Some("a://b/c")));
    }
}
