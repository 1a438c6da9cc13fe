//! The user's settings for a server's authorization.

use std::time::Duration;

use patchbay_http::Url;
use patchbay_protocol::Revision;
use patchbay_secret::Secret;

use crate::GrantChoice;

/// The user's settings for a server's authorization.
#[derive(Clone)]
pub struct Settings {
    /// How a token is obtained.
    pub grant: GrantChoice,
    /// The client to use.
    pub client: ClientChoice,
    /// The URL of a client metadata document (https, with a path), which is the client id where the authorization server
    /// supports it. None by default, as Patchbay publishes none.
    pub metadata_document: Option<Url>,
    /// The scopes to request instead of those that the server names.
    pub scopes: Option<Vec<String>>,
    /// Whether tokens are bound to a key (DPoP).
    pub dpop: DpopChoice,
    /// The port for the browser's redirect; none: any free one. Some authorization servers accept a fixed port only.
    pub redirect_port: Option<u16>,
    /// The server's revision, if known: up to 2025-03-26 there is no resource metadata, and from 2025-06-18 on it is
    /// required. None: both are accepted.
    pub revision: Option<Revision>,
    /// How long the user may take in the browser.
    pub browser_timeout: Duration,
    /// The time limit of each request for metadata, a client or a token, including its response.
    pub request_limit: Duration,
}

impl Settings {
    /// How the client in the settings authenticates, if they decide it.
    pub(crate) fn auth_method(&self) -> Option<AuthMethod> {
        let ClientChoice::Manual {
            secret, auth_method, ..
        } = &self.client
        else {
            return None;
        };
        match auth_method {
            // Without a secret there is nothing to send but what the key signs.
            Some(AuthMethod::Basic | AuthMethod::Post) if self.has_key() && secret.is_none() => {
                Some(AuthMethod::PrivateKeyJwt)
            }
            Some(method) => Some(*method),
            None => self.has_key().then_some(AuthMethod::PrivateKeyJwt),
        }
    }

    /// Whether there is a key to authenticate with.
    pub(crate) fn has_key(&self) -> bool {
        matches!(self.grant, GrantChoice::ClientCredentials { key: Some(_) })
    }

    /// All secrets in the settings.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let mut all = Vec::new();
        if let ClientChoice::Manual { secret, .. } = &self.client {
            all.extend(secret.clone());
        }
        match &self.grant {
            GrantChoice::ClientCredentials { key: Some(key) } => all.push(key.pem.clone()),
            GrantChoice::Enterprise(enterprise) => {
                all.push(enterprise.id_token.clone());
                all.extend(enterprise.client_secret.clone());
            }
            GrantChoice::AuthorizationCode
            | GrantChoice::ClientCredentials { key: None }
            | GrantChoice::Workload(_) => {}
        }
        all
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            grant: GrantChoice::default(),
            client: ClientChoice::default(),
            metadata_document: None,
            scopes: None,
            dpop: DpopChoice::Auto,
            redirect_port: None,
            revision: None,
            browser_timeout: Duration::from_secs(300),
            request_limit: Duration::from_secs(30),
        }
    }
}

/// Whether tokens are bound to a key of ours (DPoP, RFC 9449).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DpopChoice {
    /// Where the server and its authorization server both say that they support it.
    #[default]
    Auto,
    /// Always; a bearer token is refused.
    Always,
    /// Never.
    Never,
}

/// The client to use.
#[derive(Clone, Default)]
pub enum ClientChoice {
    /// Automatic: stored, by metadata document, by dynamic registration, or entered by the user when asked.
    #[default]
    Auto,
    /// Entered by the user in the settings.
    Manual {
        /// The client id.
        id: String,
        /// The client secret.
        secret: Option<Secret>,
        /// The authentication method at the token endpoint; none: chosen from the authorization server's metadata.
        auth_method: Option<AuthMethod>,
        /// The authorization server it belongs to; none: the first one it is used with.
        issuer: Option<String>,
    },
}

/// How a client authenticates at the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// No authentication: a public client.
    None,
    /// `client_secret_basic`: in the Authorization header.
    Basic,
    /// `client_secret_post`: in the form.
    Post,
    /// `private_key_jwt`: with a signed assertion.
    PrivateKeyJwt,
}

impl AuthMethod {
    const ALL: [Self; 4] = [Self::None, Self::Basic, Self::Post, Self::PrivateKeyJwt];

    /// Its name in the OAuth registry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// The method with this name, if it is supported.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}
