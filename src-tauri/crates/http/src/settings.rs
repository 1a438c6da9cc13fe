//! How to reach a server: proxy, certificates, limits.

use std::path::PathBuf;
use std::time::Duration;

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The proxy.
    pub proxy: ProxyChoice,
    /// Additional certificate authorities to trust: a PEM file.
    pub ca_file: Option<PathBuf>,
    /// The client certificate and its key: a PEM file with both.
    pub client_certificate: Option<PathBuf>,
    /// The only host that gets the client certificate, which identifies the user, and whose certificate was accepted; every host
    /// if none.
    pub server_host: Option<String>,
    /// The SHA-256 of a server certificate that the user accepted although it fails the normal check, in hex, colons
    /// allowed.
    pub accepted_fingerprint: Option<String>,
    /// The time limit of resolving, TCP and TLS together.
    pub connect_timeout: Duration,
    /// The time limit from the request to the head of its response.
    pub head_timeout: Duration,
    /// The maximum decoded size of a body, in bytes.
    pub max_body: u64,
    /// The maximum compression ratio of a body (checked from 1 MiB on).
    pub max_ratio: u64,
    /// The maximum number of consecutive redirects that are followed.
    pub max_redirects: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            proxy: ProxyChoice::default(),
            ca_file: None,
            client_certificate: None,
            server_host: None,
            accepted_fingerprint: None,
            connect_timeout: Duration::from_secs(15),
            head_timeout: Duration::from_secs(60),
            max_body: 256 << 20,
            max_ratio: 500,
            max_redirects: 5,
        }
    }
}

/// The proxy to use. A URL may contain a password, so it is not printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// From the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`), otherwise the system's settings. Never
    /// for this machine itself.
    #[default]
    System,
    /// No proxy.
    None,
    /// This proxy, for everything, also for this machine itself: `http://[user:password@]host:port`, `https://…` or `socks5://…`.
    Url(String),
    /// This proxy, except for this machine itself and for some hosts.
    Except {
        /// The proxy, as in [`Self::Url`].
        url: String,
        /// Host names (with all below them), addresses and networks (`10.0.0.0/8`), separated by commas; `*` for all.
        bypass: String,
    },
}

impl std::fmt::Debug for ProxyChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::System => "System",
            Self::None => "None",
            Self::Url(_) => "Url",
            Self::Except { .. } => "Except",
        })
    }
}

/// Invalid settings: which, why, and the next action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {cause}. {next}")]
pub struct SettingsError {
    /// The setting.
    pub setting: &'static str,
    /// The cause.
    pub cause: String,
    /// The next action.
    pub next: &'static str,
}
