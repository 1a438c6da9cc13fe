//! Tasks: calls that a server carries out in its own time (2025-11-25, and the extension of 2026-07-28). Completion of
//! arguments, which is as small, stands here too.

use serde::{Deserialize, Serialize};

use crate::{Seq, ServerId, ViolationItem};

/// A task as last heard of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskItem {
    /// The server's id of it.
    pub task_id: String,
    /// Its state: `working`, `input_required`, `completed`, `failed`, `cancelled`, or whatever the server says.
    pub status: String,
    /// Whether it is over.
    pub is_final: bool,
    /// In words.
    pub status_message: Option<String>,
    /// When it was made, as the server writes it.
    pub created_at: Option<String>,
    /// When it changed last, as the server writes it.
    pub last_updated_at: Option<String>,
    /// How long after its making the server keeps it, in milliseconds; none: unlimited or not said.
    pub ttl_ms: Option<f64>,
    /// How often the server wants to be asked at most, in milliseconds.
    pub poll_interval_ms: Option<f64>,
    /// The tool that made it, if it was made here.
    pub tool: Option<String>,
    /// The record that tells it.
    pub seq: Option<Seq>,
    /// What is wrong with it.
    pub violations: Vec<ViolationItem>,
}

/// Parameters of `task_list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskListParams {
    /// Whose.
    pub server_id: ServerId,
    /// `next_cursor` of the page before; none for the first page.
    pub cursor: Option<String>,
}

/// Response of `task_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskListResponse {
    /// The tasks.
    pub items: Vec<TaskItem>,
    /// Pass it as `cursor` to get the next page; none on the last page.
    pub next_cursor: Option<String>,
    /// Whether the server declared tasks.
    pub supported: bool,
    /// Whether the server was asked (else they are those made here).
    pub asked: bool,
}

/// Parameters of `task_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskGetParams {
    /// Whose.
    pub server_id: ServerId,
    /// Which.
    pub task_id: String,
}

/// Parameters of `task_result`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskResultParams {
    /// Whose.
    pub server_id: ServerId,
    /// Which.
    pub task_id: String,
}

/// Parameters of `task_cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskCancelParams {
    /// Whose.
    pub server_id: ServerId,
    /// Which.
    pub task_id: String,
}

/// Parameters of `completion_complete`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CompletionCompleteParams {
    /// Whose.
    pub server_id: ServerId,
    /// What the argument belongs to.
    pub reference: CompletionReference,
    /// The argument and what was typed so far.
    pub argument: NamedText,
    /// Arguments that have their value already.
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
    /// At most 100.
    pub values: Vec<String>,
    /// How many there are, if the server says so.
    pub total: Option<f64>,
    /// There are more.
    pub has_more: bool,
    /// The answer's record.
    pub seq: Option<Seq>,
}
