//! What the user decided about a server's authorization.

use std::time::Duration;

use patchbay_http::Url;
use patchbay_protocol::Revision;
use patchbay_secret::Secret;

use crate::GrantChoice;

/// What the user decided about a server's authorization.
#[derive(Clone)]
pub struct Settings {
    /// How a token is come by.
    pub grant: GrantChoice,
    /// Who we are to the authorization server.
    pub client: ClientChoice,
    /// Where a metadata document about this client lies (https, with a path): the client id where the authorization server
    /// takes such. None by default, as Patchbay publishes none.
    pub metadata_document: Option<Url>,
    /// The scopes to ask for, instead of those the server names.
    pub scopes: Option<Vec<String>>,
    /// The port of this machine the browser is sent back to; none: any that is free. Some authorization servers know only a
    /// fixed one.
    pub redirect_port: Option<u16>,
    /// The revision the server speaks, where that is known: up to 2025-03-26 there is no resource metadata, and from
    /// 2025-06-18 on there must be. None: both are accepted.
    pub revision: Option<Revision>,
    /// How long the user may take in the browser.
    pub patience: Duration,
    /// How long a request for metadata, a client or a token may take, to the end of its answer.
    pub request_limit: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            grant: GrantChoice::default(),
            client: ClientChoice::default(),
            metadata_document: None,
            scopes: None,
            redirect_port: None,
            revision: None,
            patience: Duration::from_secs(300),
            request_limit: Duration::from_secs(30),
        }
    }
}

/// Who we are to the authorization server.
#[derive(Clone, Default)]
pub enum ClientChoice {
    /// Found out: known from before, by metadata document, by dynamic registration, or by asking the user.
    #[default]
    Auto,
    /// As the user entered it.
    Manual {
        /// The client id.
        id: String,
        /// The client secret.
        secret: Option<Secret>,
        /// How to prove who we are at the token endpoint; none: as the authorization server's metadata allows.
        auth_method: Option<AuthMethod>,
        /// The authorization server it belongs to; none: the first one it is used with.
        issuer: Option<String>,
    },
}

/// How a client proves at the token endpoint who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// Not at all: a public client.
    None,
    /// `client_secret_basic`: in the Authorization field.
    Basic,
    /// `client_secret_post`: in the form.
    Post,
    /// `private_key_jwt`: by a signed assertion.
    PrivateKeyJwt,
}

impl AuthMethod {
    const ALL: [Self; 4] = [Self::None, Self::Basic, Self::Post, Self::PrivateKeyJwt];

    /// As the registry of OAuth names it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// The method of this name, if it is one of ours.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}
