//! The connection doctor: why a server cannot be reached, step by step.

use serde::{Deserialize, Serialize};

use crate::{CertificateItem, Seq, ServerDraft, ServerId};

/// Parameters of `doctor_run`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DoctorRunParams {
    /// Whom to look at.
    pub subject: DoctorSubject,
}

/// Whom the doctor looks at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DoctorSubject {
    /// A configured server. Its connection, if it has one, stays as it is; the doctor makes another.
    Server {
        /// Which.
        server_id: ServerId,
    },
    /// Settings that are not saved (yet).
    Draft {
        /// The settings.
        draft: Box<ServerDraft>,
        /// Of which server they are new settings: its secrets in the vault may be referred to.
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
    /// Its place.
    pub index: u32,
    /// What is looked at.
    pub kind: DoctorStepKind,
    /// The step in words, e.g. `Connect to 192.0.2.1:443`.
    pub title: String,
    /// How it went.
    pub status: DoctorStatus,
    /// What was tried or sent.
    pub sent: Option<String>,
    /// What came back.
    pub received: Option<String>,
    /// What to do, if there is something to do.
    pub next: Option<String>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// The record to look at.
    pub seq: Option<Seq>,
    /// A certificate that could be accepted by its fingerprint.
    pub certificate: Option<CertificateItem>,
}

/// What a step looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DoctorStepKind {
    /// The host's name, or where the program lies.
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
    /// Whether the server lets us in.
    Authorization,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DoctorStatus {
    /// Under way.
    Running,
    /// Good.
    Ok,
    /// Good enough, but look at it.
    Warning,
    /// Not good: here it ends.
    Failed,
    /// Not reached, or not needed.
    Skipped,
}
