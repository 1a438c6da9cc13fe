//! Authorization: whether a server lets us in, the token we have for it, and every run that got or tried to get one.
//!
//! No secret crosses in answers: tokens, codes and client secrets come masked. New ones cross in parameters only.

use serde::{Deserialize, Serialize};

use crate::{RunId, Seq, ServerId};

/// A step of an authorization run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AuthorizationStep {
    /// The server's refusal and what it says of itself (`WWW-Authenticate`).
    Challenge,
    /// The protected resource metadata (RFC 9728).
    ResourceMetadata,
    /// The authorization server's metadata (RFC 8414, OpenID discovery).
    ServerMetadata,
    /// Which client we are there.
    Registration,
    /// The user's consent in the browser.
    Authorization,
    /// The code (or the client's own proof) for a token.
    Token,
    /// A new token for the refresh token.
    Refresh,
    /// More scopes, because the server wanted more (403).
    StepUp,
    /// Telling the authorization server to forget the tokens (RFC 7009).
    Revocation,
}

/// Parameters of `authorization_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationGetParams {
    /// Which server.
    pub server_id: ServerId,
    /// Which run; the present or latest one if none.
    pub run_id: Option<RunId>,
}

/// Answer of `authorization_get`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationGetResponse {
    /// The token requests carry now.
    pub token: Option<TokenItem>,
    /// Whom the authorization server knows us as.
    pub client: Option<ClientItem>,
    /// What is wrong with the way they are kept: they cannot be read, or are in memory only.
    pub problem: Option<String>,
    /// The run asked for.
    pub run: Option<RunItem>,
    /// The latest runs (at most 20), newest first, the present one among them.
    pub history: Vec<RunSummaryItem>,
}

/// A token, as far as it may be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenItem {
    /// Who gave it.
    pub issuer: String,
    /// What it is for (RFC 8707).
    pub resource: Option<String>,
    /// What it allows, as far as that is known.
    pub scopes: Vec<String>,
    /// When it ends; none if nobody said.
    pub expires_at_ms: Option<f64>,
    /// When we got it.
    pub obtained_at_ms: f64,
    /// Whether there is a refresh token.
    pub has_refresh: bool,
    /// The access token, masked: same length, the last 4 characters kept if it has 16 or more.
    pub masked: String,
    /// What is in it, if it is a JWT. Not checked: we are not its audience.
    pub jwt: Option<JwtItem>,
    /// The server it is sent to, and to no other.
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

/// Whom an authorization server knows us as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClientItem {
    /// The authorization server.
    pub issuer: String,
    /// Our id there.
    pub client_id: String,
    /// How we came to it.
    pub origin: ClientOrigin,
    /// Whether there is a secret or a key with it.
    pub is_confidential: bool,
    /// The redirect URI it is registered with.
    pub redirect_uri: Option<String>,
}

/// How we came to a client id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ClientOrigin {
    /// From the server's settings.
    PreRegistered,
    /// The address of a client metadata document.
    MetadataDocument,
    /// Registered by us (RFC 7591).
    Dynamic,
    /// Given by the user during a run.
    Manual,
}

/// Why a run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RunCause {
    /// The server answered 401.
    Challenge,
    /// The server wanted more scopes (403).
    StepUp,
    /// The user started it.
    User,
    /// The token had ended, or was about to.
    Refresh,
    /// The user forgets the tokens.
    Forget,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RunState {
    /// Under way.
    Running,
    /// Waits for the user: in the browser, or for the answer to `question`.
    Waiting,
    /// Got what it was for.
    Done,
    /// Did not; one of its steps has the failure.
    Failed,
    /// Stopped by the user.
    Cancelled,
}

/// An authorization run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunItem {
    /// Its identity.
    pub id: RunId,
    /// When it began.
    pub started_at_ms: f64,
    /// When it ended; none while it is under way.
    pub ended_at_ms: Option<f64>,
    /// Why it began.
    pub cause: RunCause,
    /// How it stands.
    pub state: RunState,
    /// The steps it has, in order.
    pub steps: Vec<StepItem>,
    /// What it asks of the user.
    pub question: Option<QuestionItem>,
    /// The address the user opens in a browser, whole; none before it is known.
    pub authorization_url: Option<String>,
    /// Where the browser comes back to.
    pub redirect_uri: Option<String>,
}

/// A run in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunSummaryItem {
    /// Its identity.
    pub id: RunId,
    /// When it began.
    pub started_at_ms: f64,
    /// When it ended; none while it is under way.
    pub ended_at_ms: Option<f64>,
    /// Why it began.
    pub cause: RunCause,
    /// How it stands.
    pub state: RunState,
    /// What came of it, in a sentence.
    pub summary: String,
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    /// Not reached yet.
    Pending,
    /// Under way.
    Running,
    /// Waits for the user.
    Waiting,
    /// Good.
    Done,
    /// Not good: here the run ended.
    Failed,
    /// Not needed, or not reached.
    Skipped,
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepItem {
    /// Which.
    pub step: AuthorizationStep,
    /// How it stands.
    pub state: StepState,
    /// When it began.
    pub started_at_ms: Option<f64>,
    /// How long it took.
    pub duration_ms: Option<f64>,
    /// What came of it, in a sentence; empty before it began.
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

/// An HTTP exchange of a step, and what was thought of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AttemptItem {
    /// `GET`, `POST`.
    pub method: String,
    /// Where to.
    pub url: String,
    /// Its record; none if nothing was sent.
    pub seq: Option<Seq>,
    /// The status it was answered with.
    pub status: Option<u32>,
    /// The verdict.
    pub verdict: AttemptVerdict,
    /// The verdict in words.
    pub words: String,
    /// When.
    pub at_ms: f64,
}

/// What was thought of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AttemptVerdict {
    /// It gave what was wanted.
    Ok,
    /// There is nothing at this address, which is allowed: the next is tried.
    Absent,
    /// What came was refused by us, or we were refused.
    Refused,
    /// No answer.
    Failed,
}

/// A thing found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FactItem {
    /// What it is called on the wire, e.g. `token_endpoint`.
    pub name: String,
    /// Its value; masked if it is a secret.
    pub value: String,
}

/// Why a step failed: which rule was broken, and what to do.
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
    /// The exchange to look at.
    pub seq: Option<Seq>,
}

/// A clause of a specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RuleItem {
    /// E.g. `RFC 9728 §3.3`.
    pub name: String,
    /// Where to read it.
    pub url: String,
}

/// What a run asks of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuestionItem {
    /// The resource names several authorization servers.
    ChooseServer {
        /// Their issuers.
        issuers: Vec<String>,
    },
    /// The authorization server registers nobody by itself: who are we?
    Client {
        /// The authorization server.
        issuer: String,
        /// The redirect URI to register there.
        redirect_uri: Option<String>,
    },
    /// A server on the internet sends us to an address of this machine or its network.
    PrivateAddress {
        /// Where to.
        url: String,
        /// Why that is suspicious.
        why: String,
    },
    /// The user is in the browser. Where it cannot come back to this machine, the address it ended at is the answer.
    Callback,
}

/// Parameters of `authorization_start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationStartParams {
    /// Which server.
    pub server_id: ServerId,
    /// Where to begin, with what the steps before it found last time; at the first if none.
    pub from: Option<AuthorizationStep>,
    /// The scopes to ask for this time; none: what the settings and the server say.
    pub scopes: Option<Vec<String>>,
}

/// Answer of `authorization_start`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationStartResponse {
    /// The run that began.
    pub run_id: RunId,
}

/// Parameters of `authorization_answer`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationAnswerParams {
    /// Which server.
    pub server_id: ServerId,
    /// Which run.
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
    /// Whether we may go there.
    PrivateAddress {
        /// Yes or no.
        allow: bool,
    },
    /// Where the browser ended.
    Callback {
        /// The whole address, or the code, or `code#state`.
        text: String,
    },
}

impl std::fmt::Debug for AuthorizationAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A code and a client secret are not for a log.
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
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_refresh`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationRefreshParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_expire`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationExpireParams {
    /// Which server.
    pub server_id: ServerId,
}

/// Parameters of `authorization_forget`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationForgetParams {
    /// Which server.
    pub server_id: ServerId,
}
