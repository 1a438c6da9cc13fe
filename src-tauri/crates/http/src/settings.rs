//! How to reach a server: proxy, certificates, limits.

use std::path::PathBuf;
use std::time::Duration;

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Through which proxy.
    pub proxy: ProxyChoice,
    /// Certificates of authorities to trust beside the system's: a PEM file.
    pub ca_file: Option<PathBuf>,
    /// Our certificate and its key, for servers that ask: a PEM file with both.
    pub client_certificate: Option<PathBuf>,
    /// A server certificate that the user accepted though the normal check fails: its SHA-256 in hex, colons allowed.
    pub accepted_fingerprint: Option<String>,
    /// How long resolving, TCP and TLS may take together.
    pub connect_timeout: Duration,
    /// How long the server may take from the request to the head of its response.
    pub head_timeout: Duration,
    /// The most bytes of one body, decoded.
    pub max_body: u64,
    /// How many times larger than its compressed form a body may be (looked at from 1 MiB on).
    pub max_ratio: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            proxy: ProxyChoice::default(),
            ca_file: None,
            client_certificate: None,
            accepted_fingerprint: None,
            connect_timeout: Duration::from_secs(15),
            head_timeout: Duration::from_secs(60),
            max_body: 256 << 20,
            max_ratio: 500,
        }
    }
}

/// Through which proxy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// As the environment says (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`), or else the system's settings. Never
    /// for this machine itself.
    #[default]
    System,
    /// None.
    None,
    /// This one, for everything: `http://[user:password@]host:port` or `https://…`.
    Url(String),
}

/// Settings that cannot be used: which, why, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {cause}. {next}")]
pub struct SettingsError {
    /// Which setting.
    pub setting: &'static str,
    /// Why not.
    pub cause: String,
    /// What to do.
    pub next: &'static str,
}
