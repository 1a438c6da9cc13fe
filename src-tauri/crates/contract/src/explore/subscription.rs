//! Subscriptions to changes, in both eras.

use serde::{Deserialize, Serialize};

use crate::{ExchangeId, Seq, ServerId};

/// The changes to subscribe to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// The list of tools changed.
    pub tools_list_changed: bool,
    /// The list of prompts changed.
    pub prompts_list_changed: bool,
    /// The list of resources changed.
    pub resources_list_changed: bool,
    /// These resources changed.
    pub resource_uris: Vec<String>,
    /// These tasks changed (2026-07-28, extension `io.modelcontextprotocol/tasks`).
    pub task_ids: Vec<String>,
}

/// Parameters of `subscription_open`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionOpenParams {
    /// The server.
    pub server_id: ServerId,
    /// The changes to subscribe to.
    pub filter: SubscriptionFilter,
}

/// The events of a subscription, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SubscriptionEvent {
    /// It was requested.
    Opened {
        /// The exchange, to end it with `exchange_cancel`; none in the legacy era, where a subscription is not an exchange.
        exchange_id: Option<ExchangeId>,
        /// The request's record; none if nothing had to be sent (legacy list changes need no subscription).
        seq: Option<Seq>,
    },
    /// What the server granted, perhaps less than requested.
    Acknowledged {
        /// The granted notifications.
        granted: SubscriptionFilter,
        /// The refused notifications, described in words.
        refused: Vec<String>,
        /// The record of the grant.
        seq: Option<Seq>,
    },
    /// Something changed. Repeated notifications within 50 ms are merged, with a count.
    Notified {
        /// `notifications/tools/list_changed`, `notifications/resources/updated` …
        method: String,
        /// The resource, or the task, that changed.
        subject: Option<String>,
        /// The number of notifications since the last event.
        count: u32,
        /// The newest record of it.
        seq: Seq,
    },
    /// The subscription has ended. The last event.
    Ended {
        /// The kind of end.
        end: SubscriptionEnd,
        /// The reason, in a sentence.
        reason: String,
        /// The record of the end, if there is one.
        seq: Option<Seq>,
    },
}

/// How a subscription ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SubscriptionEnd {
    /// The server ended it as specified.
    Graceful,
    /// It was interrupted.
    Abrupt,
    /// The server did not grant it.
    Refused,
    /// Ended by Patchbay.
    Cancelled,
}
