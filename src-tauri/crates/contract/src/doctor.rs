//! The connection doctor: diagnoses step by step why a server cannot be reached.

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

/// The server to examine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DoctorSubject {
    /// A configured server. Its connection is not affected; the doctor opens another one.
    Server {
        /// The server.
        server_id: ServerId,
    },
    /// Settings that are not saved (yet).
    Draft {
        /// The settings.
        draft: Box<ServerDraft>,
        /// The server that these settings are for; they may refer to its secrets in the vault.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "export", ts(optional))]
        server_id: Option<ServerId>,
    },
}

/// A step. The first event with an `index` reports its start, the second its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DoctorStep {
    /// Its index.
    pub index: u32,
    /// What is checked.
    pub kind: DoctorStepKind,
    /// Its title, for example `Connect to 192.0.2.1:443`.
    pub title: String,
    /// Its result.
    pub status: DoctorStatus,
    /// What was tried or sent.
    pub sent: Option<String>,
    /// What was received.
    pub received: Option<String>,
    /// The next action, if any.
    pub next: Option<String>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// The relevant record.
    pub seq: Option<Seq>,
    /// A certificate that can be accepted by its fingerprint.
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
    /// An HTTP response.
    Http,
    /// The program starts.
    Start,
    /// The MCP handshake.
    Protocol,
    /// Whether the server accepts the credentials.
    Authorization,
}

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DoctorStatus {
    /// In progress.
    Running,
    /// Passed.
    Ok,
    /// Passed with a warning.
    Warning,
    /// Failed; no further step is run.
    Failed,
    /// Not reached, or not needed.
    Skipped,
}
