//! What may be seen of a token.

use std::time::SystemTime;

use crate::{ClientOrigin, RunId};

/// What is known of a server's authorization. Carries no secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Its token.
    pub token: Option<TokenView>,
    /// Who we are to the authorization server that issued it (or else to the one used last).
    pub client: Option<ClientView>,
    /// The current run.
    pub running: Option<RunId>,
    /// Why what is kept cannot be read, if that is so.
    pub problem: Option<String>,
}

/// What may be seen of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenView {
    /// The token with all but its end masked.
    pub masked: String,
    /// The granted scopes, if anybody named any.
    pub scopes: Vec<String>,
    /// Who issued it.
    pub issuer: String,
    /// For which resource, if that was said.
    pub resource: Option<String>,
    /// When it was issued.
    pub obtained_at: SystemTime,
    /// When it expires, if that is known.
    pub expires_at: Option<SystemTime>,
    /// Whether it can be renewed without the user.
    pub has_refresh: bool,
    /// What it says, if it is a JWT.
    pub jwt: Option<Jwt>,
}

/// A JSON Web Token, read and not checked: that is for the server it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jwt {
    /// The header, as JSON text.
    pub header: String,
    /// The claims, as JSON text.
    pub claims: String,
}

/// What may be seen of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientView {
    /// The authorization server that knows it.
    pub issuer: String,
    /// The client id.
    pub id: String,
    /// Where it comes from.
    pub origin: ClientOrigin,
    /// The redirect URI it was registered with.
    pub redirect_uri: Option<String>,
    /// Whether there is a client secret.
    pub has_secret: bool,
}
