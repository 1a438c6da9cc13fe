//! Configured servers: what the rail shows and the server form edits.

use serde::{Deserialize, Serialize};

use crate::{AuthorizationDraft, ConnectionItem, Era, HttpDialect, PlainSecretItem, ServerId};

/// A configured server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerItem {
    /// Its identity.
    pub id: ServerId,
    /// What the user can change.
    pub draft: ServerDraft,
    /// The built-in demo server: its command cannot be edited.
    pub is_demo: bool,
    /// What `auto` found when it connected last, so that it need not probe again; none if it will probe.
    pub remembered_era: Option<RememberedEra>,
    /// Its present or last connection.
    pub connection: ConnectionItem,
}

/// What the user can change of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerDraft {
    /// Shown in the rail, used by `--server NAME`. Unique, not empty, at most 100 characters.
    pub name: String,
    /// How to reach it.
    pub transport: TransportDraft,
    /// Which era to speak.
    pub era: EraChoice,
    /// Timeouts of requests.
    pub timeouts: Timeouts,
    /// Send `ping` this often while a legacy connection is ready, in milliseconds; never if absent or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub health_ping_ms: Option<u32>,
    /// How `roots/list` is answered; with an empty list if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub roots: Option<RootsRule>,
    /// How a server at an address is given a token; when it asks for one, in the browser, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub authorization: Option<AuthorizationDraft>,
}

/// How a server that asks for roots (`roots/list`) is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RootsRule {
    /// At once, with an empty list.
    None {},
    /// The user is asked each time.
    Ask {},
    /// At once, with these folders.
    Folders {
        /// Absolute paths.
        paths: Vec<String>,
    },
}

/// What era detection found and keeps for the next connect. `server_era_forget` drops it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RememberedEra {
    /// The era.
    pub era: Era,
    /// Over which HTTP transport; none for a program.
    pub dialect: Option<HttpDialect>,
}

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TransportDraft {
    /// A program started by us, spoken to over its stdin and stdout.
    Stdio {
        /// A path, or a name looked up in PATH.
        command: String,
        /// Its arguments, one each; no shell takes them apart.
        args: Vec<String>,
        /// Variables set on top of the inherited environment.
        env: Vec<EnvVar>,
        /// The folder it starts in; the home folder if none.
        cwd: Option<String>,
    },
    /// A server at an address.
    Http {
        /// `http://` or `https://`; may hold a query, must not hold a fragment.
        url: String,
        /// Which transport to speak.
        kind: HttpKind,
        /// Sent with every request.
        headers: Vec<HttpHeader>,
        /// Through which proxy.
        proxy: ProxyDraft,
        /// A PEM file of certificate authorities that are trusted besides the system's.
        ca_file: Option<String>,
        /// A PEM file with a certificate and its key, to show to the server.
        client_certificate: Option<String>,
        /// SHA-256, in hex, of the one certificate that is accepted though no authority vouches for it.
        accepted_fingerprint: Option<String>,
    },
}

/// Which HTTP transport to speak.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HttpKind {
    /// Streamable HTTP first, HTTP+SSE if the server knows only that.
    #[default]
    Auto,
    /// Streamable HTTP (2025-03-26 on).
    StreamableHttp,
    /// HTTP+SSE (2024-11-05).
    Sse,
}

/// A header of our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Mask the value in the log and leave it out of exports. A name that sounds like a secret is masked anyway.
    pub is_secret: bool,
}

/// Through which proxy a server is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProxyDraft {
    /// What `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say.
    #[default]
    System,
    /// None.
    None,
    /// This one.
    Url {
        /// `http://host:port`, perhaps with `user:password@`.
        url: String,
    },
}

/// One environment variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnvVar {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The user's setting of the era.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EraChoice {
    /// `server/discover` first (a visible probe), `initialize` in a fresh process if that fails.
    #[default]
    Auto,
    /// `initialize` only; never probes.
    Legacy,
    /// `server/discover` only.
    Modern,
}

/// Timeouts of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Timeouts {
    /// How long a request may be silent, in milliseconds (default 60,000).
    pub request_ms: u32,
    /// How long it may take at most, whatever progress comes, in milliseconds (default 600,000).
    pub max_total_ms: u32,
    /// Whether a progress notification starts `request_ms` again.
    pub reset_on_progress: bool,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            request_ms: 60_000,
            max_total_ms: 600_000,
            reset_on_progress: true,
        }
    }
}

/// Parameters of `server_list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ServerListParams {}

/// Response of `server_list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerListResponse {
    /// In the user's order.
    pub items: Vec<ServerItem>,
}

/// Parameters of `server_add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerAddParams {
    /// The new server. A name already taken is refused. Its secrets go into the vault; `VaultNeeded` if it is not open.
    pub draft: ServerDraft,
    /// Leave secrets readable in `servers.json` instead, because the user said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
}

/// Response of `server_add`, `server_add_demo` and `server_duplicate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerAddResponse {
    /// The server's id.
    pub server_id: ServerId,
}

/// Parameters of `server_add_demo`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ServerAddDemoParams {}

/// Parameters of `server_duplicate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerDuplicateParams {
    /// Which. What the vault holds of its settings is held for the copy too (`VaultNeeded` if it is not open); what stands
    /// readable in `servers.json` stays so, and its tokens stay its own.
    pub server_id: ServerId,
    /// What the copy is called. A name already taken is refused.
    pub name: String,
}

/// Parameters of `server_update`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerUpdateParams {
    /// Which.
    pub server_id: ServerId,
    /// What it becomes. Secrets that are new go into the vault (`VaultNeeded` if it is not open); those that stand
    /// readable in `servers.json` already stay there until they are moved.
    pub draft: ServerDraft,
    /// Leave new secrets readable in `servers.json` too, because the user said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
}

/// Parameters of `server_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerRemoveParams {
    /// Which.
    pub server_id: ServerId,
}

/// Parameters of `server_reorder`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerReorderParams {
    /// Every server's id, in the new order.
    pub server_ids: Vec<ServerId>,
}

/// Parameters of `server_parse`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerParseParams {
    /// What was pasted: a command line (`KEY=value npx -y server dir`), an address (`https://…`), or JSON with
    /// `mcpServers`, `servers`, or one server.
    pub text: String,
}

/// Response of `server_parse`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerParseResponse {
    /// What was understood, names made unique among the configured servers.
    pub drafts: Vec<ServerDraft>,
    /// What was not, in words for the user (e.g. `"github": it has neither a `command` nor a `url``).
    pub problems: Vec<String>,
    /// Secrets that stand readable in the text; they go into the vault when the servers are added.
    pub secrets: Vec<PlainSecretItem>,
}

/// Parameters of `server_export`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerExportParams {
    /// Which.
    pub server_id: ServerId,
}

/// Response of `server_export`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerExportResponse {
    /// `{"mcpServers": {name: {command, args, env, …}}}`, indented.
    pub json: String,
}

/// Parameters of `server_era_forget`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerEraForgetParams {
    /// Which.
    pub server_id: ServerId,
}
