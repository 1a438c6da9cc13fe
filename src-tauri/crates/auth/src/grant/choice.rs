//! How a token is come by.

use patchbay_http::Url;
use patchbay_secret::Secret;

/// How a token is come by.
#[derive(Clone, Default)]
pub enum GrantChoice {
    /// The user agrees in the browser.
    #[default]
    AuthorizationCode,
    /// The client speaks for itself (extension `io.modelcontextprotocol/oauth-client-credentials`). Wants
    /// [`crate::ClientChoice::Manual`].
    ClientCredentials {
        /// Signs an assertion (`private_key_jwt`); none: the client secret is sent.
        key: Option<SigningKey>,
    },
    /// The organisation decides (extension `io.modelcontextprotocol/enterprise-managed-authorization`). Wants
    /// [`crate::ClientChoice::Manual`].
    Enterprise(Box<Enterprise>),
}

/// A private key that says who the client is (RFC 7523).
#[derive(Clone)]
pub struct SigningKey {
    /// PKCS #8 in PEM.
    pub pem: Secret,
    /// What it signs with; none: as the key is of.
    pub algorithm: Option<SigningAlgorithm>,
    /// Its `kid`, where the authorization server knows several.
    pub key_id: Option<String>,
}

/// What a key signs with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
}

impl SigningAlgorithm {
    /// As JOSE names it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
        }
    }

    /// The algorithm of this name, if it is one of ours.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Es256, Self::Rs256]
            .into_iter()
            .find(|algorithm| algorithm.as_str() == name)
    }
}

/// What an organisation's identity provider needs to decide: a token exchange (RFC 8693) of the user's identity for an
/// assertion that the server's authorization server believes (ID-JAG).
#[derive(Clone)]
pub struct Enterprise {
    /// The identity provider's issuer, from which its token endpoint is found where that is not given.
    pub issuer: Option<String>,
    /// The identity provider's token endpoint.
    pub token_endpoint: Option<Url>,
    /// Who Patchbay is to the identity provider.
    pub client_id: String,
    /// How it proves that, if at all.
    pub client_secret: Option<Secret>,
    /// The user's identity: an OpenID ID token.
    pub id_token: Secret,
}
