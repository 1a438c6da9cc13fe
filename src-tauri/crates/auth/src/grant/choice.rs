//! The grants that a user can choose.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use patchbay_http::Url;
use patchbay_secret::Secret;

/// How a token is obtained.
#[derive(Clone, Default)]
pub enum GrantChoice {
    /// The user agrees in the browser.
    #[default]
    AuthorizationCode,
    /// The client authenticates as itself (extension `io.modelcontextprotocol/oauth-client-credentials`). Requires
    /// [`crate::ClientChoice::Manual`].
    ClientCredentials {
        /// The key that signs an assertion (`private_key_jwt`); none: the client secret is sent.
        key: Option<SigningKey>,
    },
    /// An organization decides (extension `io.modelcontextprotocol/enterprise-managed-authorization`). Requires
    /// [`crate::ClientChoice::Manual`].
    Enterprise(Box<Enterprise>),
    /// A workload presents the assertion that its platform issued (extension `io.modelcontextprotocol/auth/wif`). A client
    /// is optional.
    Workload(Workload),
}

impl GrantChoice {
    /// Its kind.
    pub(crate) fn kind(&self) -> GrantKind {
        match self {
            Self::AuthorizationCode => GrantKind::AuthorizationCode,
            Self::ClientCredentials { .. } => GrantKind::ClientCredentials,
            Self::Enterprise(_) => GrantKind::Enterprise,
            Self::Workload(_) => GrantKind::Workload,
        }
    }
}

/// The kind of a grant: it decides whose token is issued, that of a user, of a client or of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantKind {
    /// [`GrantChoice::AuthorizationCode`].
    AuthorizationCode,
    /// [`GrantChoice::ClientCredentials`].
    ClientCredentials,
    /// [`GrantChoice::Enterprise`].
    Enterprise,
    /// [`GrantChoice::Workload`].
    Workload,
}

/// The private key that authenticates the client (RFC 7523).
#[derive(Clone)]
pub struct SigningKey {
    /// PKCS #8 in PEM.
    pub pem: Secret,
    /// The signature algorithm; none: derived from the key.
    pub algorithm: Option<SigningAlgorithm>,
    /// Its `kid`, for an authorization server that knows several keys.
    pub key_id: Option<String>,
}

/// A signature algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
}

impl SigningAlgorithm {
    /// Its name in JOSE.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
        }
    }
}

/// The settings of an organization's identity provider: a token exchange (RFC 8693) turns the user's identity into an
/// assertion that the server's authorization server accepts (ID-JAG).
#[derive(Clone)]
pub struct Enterprise {
    /// The identity provider's issuer. Its metadata names the token endpoint if none is set.
    pub issuer: Option<String>,
    /// The identity provider's token endpoint.
    pub token_endpoint: Option<Url>,
    /// The client id at the identity provider.
    pub client_id: String,
    /// The client secret at the identity provider, if there is one.
    pub client_secret: Option<Secret>,
    /// The user's identity: an OpenID ID token.
    pub id_token: Secret,
}

/// The settings of a workload (workload identity federation).
#[derive(Clone)]
pub struct Workload {
    /// Where its assertion comes from.
    pub source: Arc<dyn AssertionSource>,
}

/// Provides the assertion of a workload: a JWT that its platform issues and renews, such as a projected service account
/// token.
pub trait AssertionSource: Send + Sync {
    /// Reads the current assertion. Called for each token request, because platforms renew it.
    fn load(&self) -> BoxFuture<'_, Result<Secret, AssertionError>>;

    /// Names the source in a few words, such as `the file /var/run/token`.
    fn name(&self) -> String;
}

/// An assertion cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssertionError {
    /// The cause, in a sentence.
    pub cause: String,
    /// What to do, in a sentence.
    pub next: String,
}
