//! The proxy of Patchbay.

use serde::{Deserialize, Serialize};

/// Which proxy is used for servers over HTTP, authorization and model providers. This machine itself is never reached through it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ProxyMode {
    /// From `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, otherwise from the system's settings.
    #[default]
    System,
    /// No proxy.
    None,
    /// The one that the user entered.
    Manual,
}

/// The settings of the proxy, without its password.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ProxySettings {
    /// Which proxy is used.
    pub mode: ProxyMode,
    /// `http://host:port`, `https://host:port` or `socks5://host:port`, without user name and password. Kept in other modes.
    pub url: String,
    /// The user name; empty if the proxy needs none. At most 255 bytes.
    pub user: String,
    /// Hosts that are reached without the proxy: host names (with all below them), addresses and networks (`10.0.0.0/8`),
    /// separated by commas.
    pub bypass: String,
}

/// The password of the proxy, when its settings are saved. May contain a secret, so it is not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProxyPassword {
    /// The one in the vault, if there is one.
    Keep,
    /// None.
    None,
    /// This one. It goes into the vault.
    Set {
        /// The password, at most 255 bytes.
        text: String,
    },
}

/// Parameters of `proxy_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ProxyGetParams {}

/// Response of `proxy_get`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProxyGetResponse {
    /// The settings.
    pub settings: ProxySettings,
    /// Whether the vault holds a password.
    pub has_password: bool,
    /// The proxy that the environment or the system names for HTTPS, without its password; none if there is none.
    pub system: Option<String>,
}

/// Parameters of `proxy_set`. May contain a secret, so they are not printed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProxySetParams {
    /// The settings.
    pub settings: ProxySettings,
    /// The password.
    pub password: ProxyPassword,
}
