//! Authorization: whether a server accepts Patchbay, the token for it, and every run that got or tried to get one.
//!
//! Responses hold no secrets: tokens, codes and client secrets are masked. New ones are sent in parameters only.

mod authorization_draft;

pub use authorization_draft::*;

use serde::{Deserialize, Serialize};

use crate::{RunId, Seq, ServerId};

/// A step of an authorization run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AuthorizationStep {
    /// The server's refusal with its `WWW-Authenticate` challenge.
    Challenge,
    /// The protected resource metadata (RFC 9728).
    ResourceMetadata,
    /// The authorization server's metadata (RFC 8414, OpenID discovery).
    ServerMetadata,
    /// The client registration at this authorization server.
    Registration,
    /// The user's consent in the browser.
    Authorization,
    /// The exchange of the code (or of the client's own credentials) for a token.
    Token,
    /// A new token obtained with the refresh token.
    Refresh,
    /// More scopes, because the server requires them (403).
    StepUp,
    /// Revocation of the tokens at the authorization server (RFC 7009).
    Revocation,
}

/// Parameters of `authorization_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationGetParams {
    /// The server.
    pub server_id: ServerId,
    /// The run; the current or latest one if none.
    pub run_id: Option<RunId>,
}

/// Response of `authorization_get`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationGetResponse {
    /// The current token of requests.
    pub token: Option<TokenItem>,
    /// The client that the authorization server knows Patchbay as.
    pub client: Option<ClientItem>,
    /// A problem with what is stored: it cannot be read, is in memory only, or does not fit the settings.
    pub problem: Option<String>,
    /// The requested run.
    pub run: Option<RunItem>,
    /// The latest runs (at most 20), newest first, including the current one.
    pub history: Vec<RunSummaryItem>,
}

/// A token, as far as it may be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenItem {
    /// The authorization server that issued it.
    pub issuer: String,
    /// The resource it is for (RFC 8707).
    pub resource: Option<String>,
    /// Its scopes, as far as they are known.
    pub scopes: Vec<String>,
    /// When it expires; none if the authorization server did not say.
    pub expires_at_ms: Option<f64>,
    /// When it was obtained.
    pub obtained_at_ms: f64,
    /// Whether there is a refresh token.
    pub has_refresh: bool,
    /// The thumbprint of the key that it is bound to (DPoP); none: it is a bearer token.
    pub dpop_thumbprint: Option<String>,
    /// The access token, masked: same length, the last 4 characters kept if it has 16 or more.
    pub masked: String,
    /// Its content if it is a JWT. Not verified: Patchbay is not its audience.
    pub jwt: Option<JwtItem>,
    /// The only origin it is sent to.
    pub issued_to: String,
}

/// A JWT's readable halves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct JwtItem {
    /// Its header, as JSON text.
    pub header: String,
    /// Its claims, as JSON text.
    pub claims: String,
}

/// The client that an authorization server knows Patchbay as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClientItem {
    /// The authorization server.
    pub issuer: String,
    /// Patchbay's client id there.
    pub client_id: String,
    /// Where the client id comes from.
    pub origin: ClientOrigin,
    /// Whether it has a secret or a key.
    pub is_confidential: bool,
    /// The redirect URI it is registered with.
    pub redirect_uri: Option<String>,
}

/// Where a client id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ClientOrigin {
    /// From the server's settings.
    PreRegistered,
    /// The address of a client metadata document.
    MetadataDocument,
    /// Registered by Patchbay (RFC 7591).
    Dynamic,
    /// Given by the user during a run.
    Manual,
}

/// Why a run was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RunCause {
    /// The server answered 401.
    Challenge,
    /// The server requires more scopes (403).
    StepUp,
    /// The user started it.
    User,
    /// The token had expired, or was about to.
    Refresh,
    /// The user forgets the tokens.
    Forget,
}

/// State of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RunState {
    /// In progress.
    Running,
    /// Waiting for the user: in the browser, or for the answer to `question`.
    Waiting,
    /// Succeeded.
    Done,
    /// Failed; one of its steps has the failure.
    Failed,
    /// Stopped by the user.
    Cancelled,
}

/// An authorization run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunItem {
    /// Its id.
    pub id: RunId,
    /// When it started.
    pub started_at_ms: f64,
    /// When it ended; none while it is in progress.
    pub ended_at_ms: Option<f64>,
    /// Why it was started.
    pub cause: RunCause,
    /// Its state.
    pub state: RunState,
    /// Its steps, in order.
    pub steps: Vec<StepItem>,
    /// The question to the user, if there is one.
    pub question: Option<QuestionItem>,
    /// The whole address that the user opens in a browser; none before it is known.
    pub authorization_url: Option<String>,
    /// Whether Patchbay opens that address only when the user says so, because no run of this server succeeded there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub awaits_open: Option<bool>,
    /// The redirect URI that the browser returns to.
    pub redirect_uri: Option<String>,
}

/// A run in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunSummaryItem {
    /// Its id.
    pub id: RunId,
    /// When it started.
    pub started_at_ms: f64,
    /// When it ended; none while it is in progress.
    pub ended_at_ms: Option<f64>,
    /// Why it was started.
    pub cause: RunCause,
    /// Its state.
    pub state: RunState,
    /// The outcome, in a sentence.
    pub summary: String,
}

/// State of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    /// Not reached yet.
    Pending,
    /// In progress.
    Running,
    /// Waiting for the user.
    Waiting,
    /// Succeeded.
    Done,
    /// Failed; the run ended here.
    Failed,
    /// Not needed, or not reached.
    Skipped,
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepItem {
    /// The step.
    pub step: AuthorizationStep,
    /// Its state.
    pub state: StepState,
    /// When it started.
    pub started_at_ms: Option<f64>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// The outcome, in a sentence; empty before it starts.
    pub summary: String,
    /// What the step is for, in plain words.
    pub explanation: String,
    /// Every exchange, in order.
    pub attempts: Vec<AttemptItem>,
    /// What it found. Secrets are masked.
    pub facts: Vec<FactItem>,
    /// Why it failed.
    pub failure: Option<AuthorizationFailureItem>,
}

/// An HTTP exchange of a step, and its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AttemptItem {
    /// `GET`, `POST`; not exchanges: `paste` for a text that the user pasted, `open` for a browser that could not be started.
    pub method: String,
    /// The address.
    pub url: String,
    /// Its record; none if nothing was sent.
    pub seq: Option<Seq>,
    /// The status it was answered with.
    pub status: Option<u32>,
    /// The verdict.
    pub verdict: AttemptVerdict,
    /// The verdict in words.
    pub words: String,
    /// When it started.
    pub at_ms: f64,
}

/// Verdict on an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AttemptVerdict {
    /// It returned what the step needs.
    Ok,
    /// Nothing is at this address, which is allowed; the next one is tried.
    Absent,
    /// The response was rejected, or the request was.
    Refused,
    /// No response.
    Failed,
}

/// A value that a step found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FactItem {
    /// Its name on the wire, e.g. `token_endpoint`.
    pub name: String,
    /// Its value; masked if it is a secret.
    pub value: String,
}

/// Why a step failed, which rule was broken, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationFailureItem {
    /// What happened, in a sentence.
    pub cause: String,
    /// The rule it broke, if one was broken.
    pub rule: Option<RuleItem>,
    /// What the user or the server's author can do.
    pub next: String,
    /// The relevant exchange.
    pub seq: Option<Seq>,
}

/// A clause of a specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RuleItem {
    /// E.g. `RFC 9728 §3.3`.
    pub name: String,
    /// Its URL.
    pub url: String,
}

/// A question of a run to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuestionItem {
    /// The resource names several authorization servers.
    ChooseServer {
        /// Their issuers.
        issuers: Vec<String>,
    },
    /// The authorization server does not register clients; the user gives the client id.
    Client {
        /// The authorization server.
        issuer: String,
        /// The redirect URI to register there.
        redirect_uri: Option<String>,
    },
    /// A server on the internet points to an address of this machine or its network.
    PrivateAddress {
        /// The address.
        url: String,
        /// Why that is suspicious.
        why: String,
    },
    /// The user is in the browser. If it cannot return to this machine, the answer is the address of its last page.
    Callback,
}

/// Parameters of `authorization_start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationStartParams {
    /// The server.
    pub server_id: ServerId,
    /// The step to start at, using the results of the previous run for the steps before it; the first step if none.
    pub from: Option<AuthorizationStep>,
    /// The scopes to request this time; those of the settings and the server if none.
    pub scopes: Option<Vec<String>>,
}

/// Response of `authorization_start`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationStartResponse {
    /// The started run.
    pub run_id: RunId,
}

/// Parameters of `authorization_answer`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationAnswerParams {
    /// The server.
    pub server_id: ServerId,
    /// The run.
    pub run_id: RunId,
    /// The answer to its `question`.
    pub answer: AuthorizationAnswer,
}

/// An answer to a [`QuestionItem`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AuthorizationAnswer {
    /// This authorization server.
    ChooseServer {
        /// Its issuer, one of those named.
        issuer: String,
    },
    /// This client. Kept for the issuer.
    Client {
        /// Its id.
        id: String,
        /// Its secret, if it has one.
        secret: Option<String>,
    },
    /// Whether Patchbay may connect to this address.
    PrivateAddress {
        /// The address that was shown. Another question may be open by now.
        url: String,
        /// Yes or no.
        allow: bool,
    },
    /// The address of the browser's last page.
    Callback {
        /// The whole address, or the code, or `code#state`.
        text: String,
    },
}

impl std::fmt::Debug for AuthorizationAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A code and a client secret must not be logged.
        f.write_str(match self {
            Self::ChooseServer { .. } => "ChooseServer",
            Self::Client { .. } => "Client",
            Self::PrivateAddress { .. } => "PrivateAddress",
            Self::Callback { .. } => "Callback",
        })
    }
}

/// Parameters of `authorization_cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationCancelParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_refresh`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationRefreshParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_expire`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationExpireParams {
    /// The server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_forget`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationForgetParams {
    /// The server.
    pub server_id: ServerId,
}
