//! Configured servers, as listed and edited.

mod advertised;
mod automatic;
mod bundles;
mod debugger;
mod environment;
mod file_watch;
mod groups;
mod hosts;
mod limits;
mod proxy;
mod registry;
mod roots;
mod terminal;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use advertised::*;
pub use automatic::*;
pub use bundles::*;
pub use debugger::*;
pub use environment::*;
pub use file_watch::*;
pub use groups::*;
pub use hosts::*;
pub use limits::*;
pub use proxy::*;
pub use registry::*;
pub use roots::*;
pub use terminal::*;

use crate::{
    AuthorizationDraft, ConnectionItem, DefinitionTrust, Era, HttpDialect, InputKind, ListPaging,
    PlainSecretItem, ServerId,
};

/// A configured server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerItem {
    /// Its id.
    pub id: ServerId,
    /// The settings that the user can change.
    pub draft: ServerDraft,
    /// The built-in demo server: its command cannot be edited.
    pub is_demo: bool,
    /// The folder that its bundle was unpacked into, which is deleted with it; none if it is of no bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub bundle_folder: Option<String>,
    /// The kinds of its requests that the simulator answers now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<InputKind>>"))]
    pub simulated: Vec<InputKind>,
    /// How many roots it asked for during this connection but did not get, because the user has not decided about them:
    /// `roots_get` lists them.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<u32>"))]
    pub withheld_roots: u32,
    /// The era that `auto` found at the last connect, so that it need not probe again; none if it will probe.
    pub remembered_era: Option<RememberedEra>,
    /// What Patchbay does by itself to have it connected, or why it no longer does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub automatic: Option<AutomaticItem>,
    /// What is watched to restart it when files change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub file_watch: Option<FileWatchItem>,
    /// Its current or last connection.
    pub connection: ConnectionItem,
}

/// Whether a count is 0.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature of serde")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The settings of a server that the user can change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerDraft {
    /// Its name in the list, and for `--server NAME`. Unique, not empty, at most 100 characters.
    pub name: String,
    /// How to reach it.
    pub transport: TransportDraft,
    /// Whether it cannot be connected until the user enables it. Takes effect at once: it is disconnected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub disabled: bool,
    /// The names of the groups it is in, each once; at most 50. A name that is new makes a group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<String>>"))]
    pub groups: Vec<String>,
    /// The protocol era.
    pub era: EraChoice,
    /// Timeouts of requests.
    pub timeouts: Timeouts,
    /// The interval of `ping` while a legacy connection is ready, in milliseconds; no pings if absent or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub health_ping_ms: Option<u32>,
    /// The response to `roots/list`; an empty list if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub roots: Option<RootsRule>,
    /// How an HTTP server gets a token; when it requires one, in the browser, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub authorization: Option<AuthorizationDraft>,
    /// What happens when a tool's definition changes; the user is asked if absent. Takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub definition_trust: Option<DefinitionTrust>,
    /// Whether the user trusts what the server says about its tools. Only then does a rule of a conversation run calls of tools
    /// that the server marks as read-only; not trusted if absent. Takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub trust_annotations: Option<bool>,
    /// What Patchbay does by itself; nothing if absent. Takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub automatic: Option<AutomaticDraft>,
    /// When a program is restarted because files changed; never if absent. Takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub file_watch: Option<FileWatchDraft>,
    /// The debugger that a program is started under, in the window and with `patchbay serve`; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub debugger: Option<DebuggerDraft>,
    /// Whether a program gets all of Patchbay's environment; a short list of variables if absent, without secrets but the password in
    /// a proxy's address. A program of an earlier version, which has an `id` but not this in `servers.json`, gets all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub inherit_environment: Option<bool>,
    /// How the pages of lists are requested; all if absent. Takes effect when a list is requested again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub list_paging: Option<ListPaging>,
    /// What is declared in the handshake; all that can be answered if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub advertised: Option<AdvertisedDraft>,
    /// The limits of what the server may cost that differ from the default, by name. Takes effect at the next connect.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<BTreeMap<String, u32>>"))]
    pub limits: BTreeMap<String, u32>,
}

impl ServerDraft {
    /// A server with the default of every other setting.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: TransportDraft) -> Self {
        Self {
            name: name.into(),
            transport,
            disabled: false,
            groups: Vec::new(),
            era: EraChoice::default(),
            timeouts: Timeouts::default(),
            health_ping_ms: None,
            roots: None,
            authorization: None,
            definition_trust: None,
            trust_annotations: None,
            automatic: None,
            file_watch: None,
            debugger: None,
            inherit_environment: None,
            list_paging: None,
            advertised: None,
            limits: BTreeMap::new(),
        }
    }
}

/// The result of era detection, stored for the next connect. `server_era_forget` deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RememberedEra {
    /// The era.
    pub era: Era,
    /// The HTTP transport; none for a program.
    pub dialect: Option<HttpDialect>,
}

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TransportDraft {
    /// A program started by Patchbay, with messages over its stdin and stdout.
    Stdio {
        /// A path, or a name looked up in PATH.
        command: String,
        /// Its arguments, one each; no shell interprets them.
        args: Vec<String>,
        /// Variables set on top of the environment.
        env: Vec<EnvVar>,
        /// Its working directory; the home folder if none.
        cwd: Option<String>,
    },
    /// An HTTP server.
    Http {
        /// `http://` or `https://`; may have a query, must not have a fragment.
        url: String,
        /// The HTTP transport.
        kind: HttpKind,
        /// Sent with every request.
        headers: Vec<HttpHeader>,
        /// The proxy.
        proxy: ProxyDraft,
        /// A PEM file of certificate authorities to trust in addition to the system's.
        ca_file: Option<String>,
        /// A PEM file with the client certificate and its key.
        client_certificate: Option<String>,
        /// SHA-256, in hex, of the one certificate that is accepted although no authority signed it.
        accepted_fingerprint: Option<String>,
    },
}

/// The HTTP transport to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HttpKind {
    /// Streamable HTTP first, HTTP+SSE if the server supports only that.
    #[default]
    Auto,
    /// Streamable HTTP (since 2025-03-26).
    StreamableHttp,
    /// HTTP+SSE (2024-11-05).
    Sse,
}

/// An additional request header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HttpHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Mask the value in the log and omit it from exports. A name that indicates a secret is masked anyway.
    pub is_secret: bool,
}

/// The proxy of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProxyDraft {
    /// The proxy of Patchbay's settings.
    #[default]
    App,
    /// From `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    System,
    /// No proxy.
    None,
    /// This proxy.
    Url {
        /// `http://host:port`, `https://host:port` or `socks5://host:port`, perhaps with `user:password@`.
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

/// The setting of the protocol era.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EraChoice {
    /// `server/discover` first (a visible probe), then `initialize` if that fails: over stdio in the same process, or in a fresh one if that ended.
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
    /// The timeout of a request without progress, in milliseconds (default 60,000).
    pub request_ms: u32,
    /// The maximum duration of a request, regardless of progress, in milliseconds (default 600,000).
    pub max_total_ms: u32,
    /// Whether a progress notification resets the timeout of a request.
    pub reset_on_progress: bool,
    /// Whether the time in which the server waits for the user's input counts too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub count_input_wait: bool,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            request_ms: 60_000,
            max_total_ms: 600_000,
            reset_on_progress: true,
            count_input_wait: false,
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
    /// The names of all groups, in the user's order, also of those without a server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<String>>"))]
    pub groups: Vec<String>,
}

/// Parameters of `server_add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerAddParams {
    /// The new server. Its name must not be taken. Its secrets go into the vault; `VaultNeeded` if it is not open.
    pub draft: ServerDraft,
    /// Store secrets in plain text in `servers.json` instead, at the user's request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
    /// Answers to what a host asks for at a start, by id: each is filled in for `${input:ID}` in the draft.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<HostInputAnswers>"))]
    pub input_answers: HostInputAnswers,
    /// The folders among its roots that the user chose for this server. The others, of pasted or imported settings, are
    /// sent only after the user allowed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<String>>"))]
    pub chosen_roots: Vec<String>,
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
    /// The server. Its secrets in the vault are copied (`VaultNeeded` if it is not open), those in plain text in
    /// `servers.json` are copied too, and its tokens are not.
    pub server_id: ServerId,
    /// The name of the copy, which must not be taken.
    pub name: String,
}

/// Parameters of `server_update`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerUpdateParams {
    /// The server.
    pub server_id: ServerId,
    /// Its new settings. New secrets go into the vault (`VaultNeeded` if it is not open); those already in plain text in
    /// `servers.json` stay there until they are moved.
    pub draft: ServerDraft,
    /// Store new secrets in plain text in `servers.json` too, at the user's request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<bool>"))]
    pub plain_secrets: bool,
    /// Answers to what a host asks for at a start, by id: each is filled in for `${input:ID}` in the draft.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<HostInputAnswers>"))]
    pub input_answers: HostInputAnswers,
    /// The folders among its roots that the user chose for this server. The others, of pasted or imported settings, are
    /// sent only after the user allowed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "export", ts(optional, as = "Option<Vec<String>>"))]
    pub chosen_roots: Vec<String>,
}

/// Parameters of `server_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerRemoveParams {
    /// The server.
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
    /// The pasted text: a command line (`KEY=value npx -y server dir`), an address (`https://…`), or JSON with
    /// `mcpServers`, `servers`, or one server.
    pub text: String,
}

/// Response of `server_parse`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerParseResponse {
    /// The parsed servers, with names made unique among the configured ones.
    pub drafts: Vec<ServerDraft>,
    /// The problems, in words for the user (e.g. `"github": it has neither a `command` nor a `url``).
    pub problems: Vec<String>,
    /// Plain-text secrets in the text; they go into the vault when the servers are added.
    pub secrets: Vec<PlainSecretItem>,
    /// What `registry_read` reads: the text is a `server.json`, or an address that looks like that of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "export", ts(optional))]
    pub registry: Option<RegistrySource>,
}

/// Parameters of `server_export`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerExportParams {
    /// The server.
    pub server_id: ServerId,
    /// The host it is for.
    #[serde(default)]
    pub format: HostFormat,
}

/// Response of `server_export`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerExportResponse {
    /// The part of the host's configuration that holds the server, e.g. `{"mcpServers": {name: {command, args, …}}}`.
    pub text: String,
    /// The syntax of the text.
    pub syntax: HostSyntax,
    /// The file it belongs into on this machine; none for a format of several hosts.
    pub path: Option<String>,
    /// What the host cannot do with this server, in words.
    pub notes: Vec<String>,
}

/// Parameters of `server_era_forget`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerEraForgetParams {
    /// The server.
    pub server_id: ServerId,
}
