//! What an authorization server issued: a client and tokens.

pub(crate) mod dpop;
pub(crate) mod endpoint;
pub(crate) mod jwt;
pub(crate) mod refresh;
pub(crate) mod revocation;
pub(crate) mod store;

use std::time::{Duration, SystemTime};

use patchbay_secret::Secret;

use crate::{AuthMethod, GrantKind};
use dpop::DpopKey;

/// The maximum time before its expiry at which a token is refreshed.
const AHEAD: Duration = Duration::from_secs(30);

/// A token for one server, and what is needed to refresh it.
#[derive(Clone)]
pub struct TokenSet {
    /// The access token.
    pub access: Secret,
    /// The refresh token, if there is one.
    pub refresh: Option<Secret>,
    /// The granted scopes: from the token response, otherwise the requested ones. None: no scopes were named.
    pub scopes: Option<Vec<String>>,
    /// All scopes requested since the first run. A step-up requests them again.
    pub requested: Vec<String>,
    /// The issuer.
    pub issuer: String,
    /// The resource as requested (RFC 8707); none for a server of 2025-03-26.
    pub resource: Option<String>,
    /// The client id it was issued to.
    pub client_id: String,
    /// The kind of grant that it was issued for; none: an earlier version stored it.
    pub grant: Option<GrantKind>,
    /// The token endpoint that refreshes it.
    pub token_endpoint: String,
    /// The revocation endpoint, if there is one.
    pub revocation_endpoint: Option<String>,
    /// The key that it is bound to (DPoP); none: it is a bearer token.
    pub dpop: Option<DpopKey>,
    /// When it was issued.
    pub obtained_at: SystemTime,
    /// When it expires, if stated.
    pub expires_at: Option<SystemTime>,
}

impl TokenSet {
    /// The secrets it contains.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let key = self.dpop.as_ref().map(|key| key.stored().clone());
        [Some(self.access.clone()), self.refresh.clone(), key]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Whether it was issued to this client.
    pub(crate) fn is_of(&self, client: &RegisteredClient) -> bool {
        self.issuer == client.issuer && self.client_id == client.id
    }

    /// Whether it has expired.
    pub(crate) fn is_expired(&self, now: SystemTime) -> bool {
        self.expires_at.is_some_and(|until| until <= now)
    }

    /// Whether to refresh it before use: shortly before its expiry, so that it does not expire on the way.
    pub(crate) fn is_due(&self, now: SystemTime) -> bool {
        self.expires_at.is_some_and(|until| {
            let life = until.duration_since(self.obtained_at).unwrap_or_default();
            let ahead = (life / 4).min(AHEAD);
            now.checked_add(ahead).is_none_or(|then| until <= then)
        })
    }
}

/// A client registered with one authorization server.
#[derive(Clone)]
pub struct RegisteredClient {
    /// The authorization server.
    pub issuer: String,
    /// The client id.
    pub id: String,
    /// The client secret, if there is one.
    pub secret: Option<Secret>,
    /// When the secret expires, if it does.
    pub secret_expires_at: Option<SystemTime>,
    /// How it authenticates at the token endpoint.
    pub auth_method: AuthMethod,
    /// How it was registered.
    pub origin: ClientOrigin,
    /// The redirect URI it was registered with.
    pub redirect_uri: Option<String>,
}

/// How a client was registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientOrigin {
    /// Entered by the user in the settings.
    PreRegistered,
    /// By a client metadata document.
    MetadataDocument,
    /// By dynamic registration (RFC 7591).
    Dynamic,
    /// Entered by the user when asked.
    Manual,
}
