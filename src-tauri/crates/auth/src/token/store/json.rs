//! Stored tokens as JSON for a vault. Written by hand, so that no type with a secret becomes serializable by accident.

use std::time::{Duration, SystemTime};

use patchbay_secret::Secret;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::token::dpop::DpopKey;
use crate::{AuthMethod, ClientOrigin, GrantKind, RegisteredClient, StoredTokens, TokenSet, TokenStoreError};

/// The version of the format. Others are rejected.
const VERSION: u64 = 1;

impl StoredTokens {
    /// Serializes to JSON. It contains secrets and is meant for a vault.
    #[must_use]
    pub fn to_secret(&self) -> Secret {
        let clients: Vec<Value> = self.clients.iter().map(client).collect();
        let all = json!({
            "version": VERSION,
            "tokens": self.tokens.as_ref().map(tokens),
            "clients": clients,
        });
        Secret::new(all.to_string())
    }

    /// Parses the output of [`StoredTokens::to_secret`].
    ///
    /// # Errors
    /// The text has another format.
    pub fn from_secret(secret: &Secret) -> Result<Self, TokenStoreError> {
        // The error of serde_json could contain a value.
        let read = serde_json::from_str::<Written>(secret.expose());
        match read.ok().filter(|written| written.version == VERSION) {
            Some(written) => Ok(Self {
                tokens: written.tokens.map(Into::into),
                clients: written.clients.into_iter().map(Into::into).collect(),
            }),
            None => Err(TokenStoreError {
                cause: "the stored authorization of this server has a format that this version does not know"
                    .to_owned(),
                next: "Forget the server's tokens, and authorize again.".to_owned(),
            }),
        }
    }
}

fn tokens(tokens: &TokenSet) -> Value {
    json!({
        "access": tokens.access.expose(),
        "refresh": tokens.refresh.as_ref().map(Secret::expose),
        "scopes": tokens.scopes,
        "requested": tokens.requested,
        "issuer": tokens.issuer,
        "resource": tokens.resource,
        "clientId": tokens.client_id,
        "grant": tokens.grant.map(grant_name),
        "tokenEndpoint": tokens.token_endpoint,
        "revocationEndpoint": tokens.revocation_endpoint,
        "dpopKey": tokens.dpop.as_ref().map(|key| key.stored().expose()),
        "obtainedAtMs": millis(tokens.obtained_at),
        "expiresAtMs": tokens.expires_at.map(millis),
    })
}

fn client(client: &RegisteredClient) -> Value {
    json!({
        "issuer": client.issuer,
        "id": client.id,
        "secret": client.secret.as_ref().map(Secret::expose),
        "secretExpiresAtMs": client.secret_expires_at.map(millis),
        "authMethod": client.auth_method.as_str(),
        "origin": origin_name(client.origin),
        "redirectUri": client.redirect_uri,
    })
}

#[derive(Deserialize)]
struct Written {
    version: u64,
    tokens: Option<WrittenTokens>,
    clients: Vec<WrittenClient>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenTokens {
    access: String,
    refresh: Option<String>,
    scopes: Option<Vec<String>>,
    requested: Vec<String>,
    issuer: String,
    resource: Option<String>,
    client_id: String,
    grant: Option<String>,
    token_endpoint: String,
    revocation_endpoint: Option<String>,
    dpop_key: Option<String>,
    obtained_at_ms: u64,
    expires_at_ms: Option<u64>,
}

impl From<WrittenTokens> for TokenSet {
    fn from(written: WrittenTokens) -> Self {
        Self {
            access: Secret::new(written.access),
            refresh: written.refresh.map(Secret::new),
            scopes: written.scopes,
            requested: written.requested,
            issuer: written.issuer,
            resource: written.resource,
            client_id: written.client_id,
            grant: written
                .grant
                .and_then(|name| GRANTS.into_iter().find(|grant| grant_name(*grant) == name)),
            token_endpoint: written.token_endpoint,
            revocation_endpoint: written.revocation_endpoint,
            dpop: written.dpop_key.as_deref().and_then(DpopKey::restored),
            obtained_at: time(written.obtained_at_ms),
            expires_at: written.expires_at_ms.map(time),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenClient {
    issuer: String,
    id: String,
    secret: Option<String>,
    secret_expires_at_ms: Option<u64>,
    auth_method: String,
    origin: String,
    redirect_uri: Option<String>,
}

impl From<WrittenClient> for RegisteredClient {
    fn from(written: WrittenClient) -> Self {
        Self {
            issuer: written.issuer,
            id: written.id,
            secret: written.secret.map(Secret::new),
            secret_expires_at: written.secret_expires_at_ms.map(time),
            auth_method: AuthMethod::parse(&written.auth_method).unwrap_or(AuthMethod::None),
            origin: ORIGINS
                .into_iter()
                .find(|origin| origin_name(*origin) == written.origin)
                .unwrap_or(ClientOrigin::Manual),
            redirect_uri: written.redirect_uri,
        }
    }
}

const ORIGINS: [ClientOrigin; 4] = [
    ClientOrigin::PreRegistered,
    ClientOrigin::MetadataDocument,
    ClientOrigin::Dynamic,
    ClientOrigin::Manual,
];

fn origin_name(origin: ClientOrigin) -> &'static str {
    match origin {
        ClientOrigin::PreRegistered => "preRegistered",
        ClientOrigin::MetadataDocument => "metadataDocument",
        ClientOrigin::Dynamic => "dynamic",
        ClientOrigin::Manual => "manual",
    }
}

const GRANTS: [GrantKind; 4] = [
    GrantKind::AuthorizationCode,
    GrantKind::ClientCredentials,
    GrantKind::Enterprise,
    GrantKind::Workload,
];

fn grant_name(grant: GrantKind) -> &'static str {
    match grant {
        GrantKind::AuthorizationCode => "authorizationCode",
        GrantKind::ClientCredentials => "clientCredentials",
        GrantKind::Enterprise => "enterprise",
        GrantKind::Workload => "workload",
    }
}

fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn time(millis: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_millis(millis))
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
