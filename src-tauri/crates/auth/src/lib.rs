//! MCP authorization as a run of visible steps: from the challenge of a server to a token, and all that becomes of it.
//!
//! ```text
//! 401 -> Authorizer::refused -> run: Challenge, ResourceMetadata, ServerMetadata, Registration, Authorization, Token -> retry
//!                            `-- every step, attempt, question and failure is told to the Host as it happens --'
//! ```
//!
//! The run that a debugger shows is the one that connects: there is no second one.
//!
//! Deliberately not here: the MCP transport that meets the challenge (`patchbay-transport`), the browser, the user and the
//! vault ([`Host`] and [`Keep`], which `patchbay-engine` implements), any file.

mod assertion;
mod authorization;
mod callback;
mod challenge;
mod conceal;
mod discovery;
mod endpoint;
mod enterprise;
mod failure;
mod grant;
mod grant_choice;
mod guard;
mod host;
mod jwt;
mod keep;
mod keeper;
mod listener;
mod masked;
mod net;
mod page;
mod progress;
mod refresh;
mod registration;
mod revocation;
mod rules;
mod run;
mod scopes;
mod settings;
mod step;
mod telling;
mod token;
mod view;
mod well_known;

pub use failure::{Clause, Failure};
pub use grant_choice::{Enterprise, GrantChoice, SigningAlgorithm, SigningKey};
pub use host::{Answer, Host, Opened, Question, Wire};
pub use keep::{Keep, KeepError, KeepLock, Kept, MemoryKeep};
pub use keeper::{Keeper, NothingWaits};
pub use patchbay_http::Url;
pub use progress::{Attempt, AttemptVerdict, Cause, Ending, Fact, Happened, RunEvent, RunId};
pub use settings::{AuthMethod, ClientChoice, Settings};
pub use step::Step;
pub use token::{ClientOrigin, RegisteredClient, TokenSet};
pub use view::{ClientView, Jwt, TokenView, View};

#[cfg(test)]
mod tests;
