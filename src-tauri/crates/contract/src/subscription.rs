//! Subscriptions to changes, in either era.

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
    /// Whose.
    pub server_id: ServerId,
    /// The changes to subscribe to.
    pub filter: SubscriptionFilter,
}

/// What happens in a subscription, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SubscriptionEvent {
    /// It was asked for.
    Opened {
        /// The exchange, to end it with `exchange_cancel`; none in the legacy era, where a subscription is not an exchange.
        exchange_id: Option<ExchangeId>,
        /// The request's record; none if nothing had to be sent (legacy list changes come by themselves).
        seq: Option<Seq>,
    },
    /// What the server granted: perhaps less than was asked for.
    Acknowledged {
        /// What it will tell.
        granted: SubscriptionFilter,
        /// What was asked for and will not be told, in words, one each.
        refused: Vec<String>,
        /// The record that says it.
        seq: Option<Seq>,
    },
    /// Something changed. One that comes many times in 50 ms is told once, with its count.
    Notified {
        /// `notifications/tools/list_changed`, `notifications/resources/updated` …
        method: String,
        /// The resource, or the task, that changed.
        subject: Option<String>,
        /// How often since it was told last.
        count: u32,
        /// The newest record of it.
        seq: Seq,
    },
    /// It is over. The last event.
    Ended {
        /// How.
        end: SubscriptionEnd,
        /// In a sentence.
        reason: String,
        /// The record that says it, if there is one.
        seq: Option<Seq>,
    },
}

/// How a subscription ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SubscriptionEnd {
    /// The server ended it as the specification says.
    Graceful,
    /// It broke off without a word.
    Abrupt,
    /// The server did not grant it.
    Refused,
    /// We ended it.
    Cancelled,
}
