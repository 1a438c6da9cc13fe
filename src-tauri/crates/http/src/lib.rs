//! The recorded HTTP client: every exchange is a row of the log from its start, with its stages as they happen.
//!
//! ```text
//! Client::send -> pool -> connect (resolve, TCP, proxy, TLS; timed) -> HTTP/1.1 or HTTP/2 -> Response::chunk (decoded)
//!                  `-------------- each step to the Recorder as it happens -------------'
//! ```
//!
//! Deliberately not here: anything specific to MCP (`patchbay-transport`), and how a credential is obtained ([`Authorizer`],
//! which `patchbay-auth` implements).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod authorizer;
mod client;
mod connect;
mod decode;
pub mod doctor;
mod exchange;
mod failed;
mod peer_delay;
mod redirect;
mod request;
mod response;
mod settings;
mod words;

pub use authorizer::{Authorizer, Credential, Denial, Outbound, Refusal, Verdict};
pub use client::Client;
pub use connect::private::is_private;
pub use connect::proxy::system_proxy;
pub use connect::resolve::is_loopback;
pub use decode::sse;
pub use failed::{Failed, Step, TlsProblem, TlsReason};
pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
pub use peer_delay::PeerDelay;
pub use redirect::keep_user;
pub use request::{Addresses, OnWire, Redirects, Request};
pub use response::{Redirected, Response};
pub use settings::{ProxyChoice, Settings, SettingsError};
pub use url::Url;

#[cfg(test)]
mod tests;
