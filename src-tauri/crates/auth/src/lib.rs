//! MCP authorization as a run of visible steps, from the server's challenge to a token, its refresh and its revocation.
//!
//! ```text
//! 401 -> Authorizer::refused -> run: Challenge, ResourceMetadata, ServerMetadata, Registration, Authorization, Token -> retry
//!                            `-- every step, attempt, question and failure is reported to the Host as it happens --'
//! ```
//!
//! The run that the debugger shows is the run that connects; there is no second implementation.
//!
//! Deliberately not here: the MCP transport that receives the challenge (`patchbay-transport`); the browser, the user and
//! the vault ([`Host`] and [`TokenStore`], implemented by `patchbay-engine`); files.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod challenge;
mod discovery;
mod failure;
mod grant;
mod host;
mod provider;
mod registration;
mod rules;
mod run;
mod scopes;
mod settings;
mod step;
mod token;

pub use failure::{Clause, Failure};
pub use grant::choice::{
    AssertionError, AssertionSource, Enterprise, GrantChoice, GrantKind, SigningAlgorithm, SigningKey,
    Workload,
};
pub use host::{Answer, Host, Opened, Question, Wire};
pub use patchbay_http::Url;
pub use provider::view::{ClientView, Jwt, TokenView, View};
pub use provider::{CredentialProvider, NoRunWaiting};
pub use run::event::{Attempt, AttemptVerdict, Cause, Ending, Fact, RunEvent, RunEventKind, RunId};
pub use settings::{AuthMethod, ClientChoice, DpopChoice, Settings};
pub use step::Step;
pub use token::dpop::DpopKey;
pub use token::store::{MemoryTokenStore, StoredTokens, TokenStore, TokenStoreError, TokenStoreLock};
pub use token::{ClientOrigin, RegisteredClient, TokenSet};

#[cfg(test)]
mod tests;
