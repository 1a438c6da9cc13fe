//! Tasks: calls that a server runs in the background (2025-11-25, and the extension of 2026-07-28). Also the completion of
//! arguments.

use serde::{Deserialize, Serialize};

use crate::{RequestProgress, Seq, ServerId, ViolationItem};

/// A task with its last known state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskItem {
    /// The server's task id.
    pub task_id: String,
    /// Its state: `working`, `input_required`, `completed`, `failed`, `cancelled`, or any other value that the server
    /// writes.
    pub status: String,
    /// Whether the state is final.
    pub is_final: bool,
    /// The status message.
    pub status_message: Option<String>,
    /// The latest progress of the request that it was created by, until it has ended.
    pub progress: Option<RequestProgress>,
    /// When it was created, as the server writes it.
    pub created_at: Option<String>,
    /// When it last changed, as the server writes it.
    pub last_updated_at: Option<String>,
    /// How long after its creation the server keeps it, in milliseconds; none: unlimited or unknown.
    pub ttl_ms: Option<f64>,
    /// The server's polling interval, in milliseconds.
    pub poll_interval_ms: Option<f64>,
    /// The tool that created it, if it was created here.
    pub tool: Option<String>,
    /// The record of this state.
    pub seq: Option<Seq>,
    /// Its violations.
    pub violations: Vec<ViolationItem>,
}

/// Parameters of `task_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskGetParams {
    /// The server.
    pub server_id: ServerId,
    /// The task.
    pub task_id: String,
}

/// Parameters of `task_result`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskResultParams {
    /// The server.
    pub server_id: ServerId,
    /// The task.
    pub task_id: String,
}

/// Parameters of `task_cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskCancelParams {
    /// The server.
    pub server_id: ServerId,
    /// The task.
    pub task_id: String,
}

/// Parameters of `completion_complete`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CompletionCompleteParams {
    /// The server.
    pub server_id: ServerId,
    /// The prompt or template of the argument.
    pub reference: CompletionReference,
    /// The argument and its current text.
    pub argument: NamedText,
    /// Arguments that already have a value.
    pub context: Vec<NamedText>,
}

/// What a completed argument belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CompletionReference {
    /// A prompt.
    Prompt {
        /// Its name.
        name: String,
    },
    /// A resource template.
    Resource {
        /// The template.
        uri: String,
    },
}

/// A name and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NamedText {
    /// The name.
    pub name: String,
    /// The text.
    pub value: String,
}

/// Response of `completion_complete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CompletionCompleteResponse {
    /// The values, at most 100.
    pub values: Vec<String>,
    /// The total number, if the server states it.
    pub total: Option<f64>,
    /// Whether there are more.
    pub has_more: bool,
    /// The record of the response.
    pub seq: Option<Seq>,
}
