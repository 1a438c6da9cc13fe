//! The connection doctor: why a server cannot be reached, step by step.

use serde::{Deserialize, Serialize};

use crate::{CertificateItem, Seq, ServerDraft, ServerId};

/// Parameters of `doctor_run`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DoctorRunParams {
    /// The server to examine.
    pub subject: DoctorSubject,
}

/// The server that the doctor examines.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DoctorSubject {
    /// A configured server. Its connection, if it has one, stays as it is; the doctor makes another.
    Server {
        /// The server.
        server_id: ServerId,
    },
    /// Settings that are not saved (yet).
    Draft {
        /// The settings.
        draft: Box<ServerDraft>,
        /// The server whose new settings these are; they may refer to its secrets in the vault.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "export", ts(optional))]
        server_id: Option<ServerId>,
    },
}

/// A step. The first event with an `index` says that it began, the second how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DoctorStep {
    /// Its position.
    pub index: u32,
    /// What is checked.
    pub kind: DoctorStepKind,
    /// The step in words, e.g. `Connect to 192.0.2.1:443`.
    pub title: String,
    /// Its result.
    pub status: DoctorStatus,
    /// What was tried or sent.
    pub sent: Option<String>,
    /// What was received.
    pub received: Option<String>,
    /// What to do, if anything.
    pub next: Option<String>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// The record to look at.
    pub seq: Option<Seq>,
    /// A certificate that could be accepted by its fingerprint.
    pub certificate: Option<CertificateItem>,
}

/// What a step checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DoctorStepKind {
    /// The host name, or the program's file.
    Resolve,
    /// One address.
    Tcp,
    /// Encryption and the certificate.
    Tls,
    /// An answer over HTTP.
    Http,
    /// The program runs.
    Start,
    /// The handshake of MCP.
    Protocol,
    /// Whether the server accepts the credentials.
    Authorization,
}

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DoctorStatus {
    /// Under way.
    Running,
    /// Passed.
    Ok,
    /// Passed with a warning.
    Warning,
    /// Failed; no further step is taken.
    Failed,
    /// Not reached, or not needed.
    Skipped,
}
