//! What an authorization server gave us: a client and tokens.

pub(crate) mod endpoint;
pub(crate) mod jwt;
pub(crate) mod refresh;
pub(crate) mod revocation;
pub(crate) mod store;

use std::time::{Duration, SystemTime};

use patchbay_secret::Secret;

use crate::AuthMethod;

/// How long before its end a token is renewed, at most.
const AHEAD: Duration = Duration::from_secs(30);

/// A token for one server, and all that is needed to renew it.
#[derive(Clone)]
pub struct TokenSet {
    /// The access token.
    pub access: Secret,
    /// The refresh token, if there is one.
    pub refresh: Option<Secret>,
    /// The scopes that were granted: as the token response says, else as asked for. None: nobody named any.
    pub scopes: Option<Vec<String>>,
    /// The scopes that were asked for since the first run, united: what a step-up asks for again.
    pub requested: Vec<String>,
    /// Who issued it.
    pub issuer: String,
    /// For which resource (RFC 8707), as it was sent; none: to a server of 2025-03-26 it is not.
    pub resource: Option<String>,
    /// To which client.
    pub client_id: String,
    /// Where it is renewed.
    pub token_endpoint: String,
    /// Where it is given back, if that is possible.
    pub revocation_endpoint: Option<String>,
    /// When it was issued.
    pub obtained_at: SystemTime,
    /// When it expires, if the authorization server said so.
    pub expires_at: Option<SystemTime>,
}

impl TokenSet {
    /// The secrets in it.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        [Some(self.access.clone()), self.refresh.clone()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Whether it has expired.
    pub(crate) fn is_expired(&self, now: SystemTime) -> bool {
        self.expires_at.is_some_and(|until| until <= now)
    }

    /// Whether it is to be renewed before it is used: a while before it expires, so that it does not on the way.
    pub(crate) fn is_due(&self, now: SystemTime) -> bool {
        self.expires_at.is_some_and(|until| {
            let life = until.duration_since(self.obtained_at).unwrap_or_default();
            let ahead = (life / 4).min(AHEAD);
            now.checked_add(ahead).is_none_or(|then| until <= then)
        })
    }
}

/// Who we are to one authorization server.
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
    /// How we prove at the token endpoint who we are.
    pub auth_method: AuthMethod,
    /// Where it comes from.
    pub origin: ClientOrigin,
    /// The redirect URI it was registered with.
    pub redirect_uri: Option<String>,
}

/// Where a client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientOrigin {
    /// The user entered it in the settings.
    PreRegistered,
    /// A metadata document of ours.
    MetadataDocument,
    /// Dynamic registration (RFC 7591).
    Dynamic,
    /// The user was asked for it.
    Manual,
}
