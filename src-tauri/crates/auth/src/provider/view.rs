//! The parts of a credential that may be shown.

use std::time::SystemTime;

use crate::{ClientOrigin, RunId};

/// The state of a server's authorization. Contains no secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Its token.
    pub token: Option<TokenView>,
    /// The client registered with the token's issuer, otherwise the client used last.
    pub client: Option<ClientView>,
    /// The current run.
    pub running: Option<RunId>,
    /// Why the stored tokens cannot be read, or are not used, if so.
    pub problem: Option<String>,
}

/// The parts of a token that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenView {
    /// The token with all but its end masked.
    pub masked: String,
    /// The granted scopes, if they are known.
    pub scopes: Vec<String>,
    /// The issuer.
    pub issuer: String,
    /// The resource it is for, if one was requested.
    pub resource: Option<String>,
    /// When it was issued.
    pub obtained_at: SystemTime,
    /// When it expires, if known.
    pub expires_at: Option<SystemTime>,
    /// Whether it can be refreshed without the user.
    pub has_refresh: bool,
    /// The thumbprint of the key that it is bound to (DPoP); none: it is a bearer token.
    pub dpop_thumbprint: Option<String>,
    /// Its content, if it is a JWT.
    pub jwt: Option<Jwt>,
}

/// A JSON Web Token. It is decoded for display and not validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jwt {
    /// The header, as JSON text.
    pub header: String,
    /// The claims, as JSON text.
    pub claims: String,
}

/// The parts of a client that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientView {
    /// The authorization server it is registered with.
    pub issuer: String,
    /// The client id.
    pub id: String,
    /// How it was registered.
    pub origin: ClientOrigin,
    /// The redirect URI it was registered with.
    pub redirect_uri: Option<String>,
    /// Whether it authenticates itself: it has a secret or a key.
    pub is_confidential: bool,
}
