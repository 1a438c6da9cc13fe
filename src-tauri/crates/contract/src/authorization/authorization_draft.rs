//! The user's settings for a server's authorization.

use serde::{Deserialize, Serialize};

/// The user's settings for the authorization of an HTTP server. All of them are optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct AuthorizationDraft {
    /// How a token is obtained. An `Authorization` header of the user takes precedence.
    pub mode: AuthorizationMode,
    /// The client id, if Patchbay is registered with the authorization server. Without it: a metadata document, dynamic
    /// registration, and finally a question to the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Its secret: a new value, or the reference to the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// How the client authenticates at the token endpoint; by default with what the authorization server supports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_auth: Option<ClientAuth>,
    /// The client's private key in PEM (`private_key_jwt`): a new value, or the reference to the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private_key: Option<String>,
    /// The signature algorithm; by default that of the key's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signing: Option<Signing>,
    /// The scopes to request, separated by spaces, instead of those the server names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<String>,
    /// The port of the redirect URI; a free one by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_port: Option<u16>,
    /// The address (https) of the user's client metadata document, used as client id where the authorization server
    /// supports that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata_url: Option<String>,
    /// Whether tokens are bound to a key of Patchbay's (DPoP, RFC 9449); by default where the server and its authorization
    /// server both say that they support it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dpop: Option<DpopMode>,
    /// For the mode `workload`: where the assertion comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionDraft>,
    /// For the mode `enterprise`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enterprise: Option<EnterpriseDraft>,
}

/// How a token is obtained.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AuthorizationMode {
    /// When the server asks for one: in the browser, as its user.
    #[default]
    Auto,
    /// No token: a 401 ends the request.
    Off,
    /// When the server asks for one: as the client itself, with its secret or its private key.
    ClientCredentials,
    /// When the server asks for one: with an identity assertion of the company's identity provider (SEP-990).
    Enterprise,
    /// When the server asks for one: with the assertion that the platform issued to this workload (SEP-1933).
    Workload,
}

/// How a client authenticates at the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ClientAuth {
    /// No authentication: a public client.
    None,
    /// `client_secret_basic`.
    Basic,
    /// `client_secret_post`.
    Post,
    /// `private_key_jwt`.
    PrivateKeyJwt,
}

/// Whether tokens are bound to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum DpopMode {
    /// Always; a bearer token is refused.
    Always,
    /// Never.
    Never,
}

/// The source of a workload's assertion, a signed JWT. It is read for each token request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AssertionDraft {
    /// The kind of source.
    pub from: AssertionFrom,
    /// The path of the file, the name of the variable, or the command line.
    pub value: String,
}

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AssertionFrom {
    /// A file, such as a projected service account token.
    File,
    /// An environment variable of Patchbay.
    Variable,
    /// What a command prints. It is split like a shell command line, but not run by a shell.
    Command,
}

/// Signature algorithm of a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub enum Signing {
    /// ECDSA over P-256 with SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// RSA PKCS#1 v1.5 with SHA-256.
    #[serde(rename = "RS256")]
    Rs256,
}

/// The company's identity provider, for the mode `enterprise`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct EnterpriseDraft {
    /// Its issuer; its token endpoint is found from it where `tokenEndpoint` is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Its token endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_endpoint: Option<String>,
    /// Patchbay's client id there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Its secret: a new value, or the reference to the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// The user's ID token from there: a new value, or the reference to the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
}
