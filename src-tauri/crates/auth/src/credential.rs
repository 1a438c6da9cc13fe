//! Between the keeper and who sends requests.

use patchbay_secret::Secret;
use patchbay_traffic::Seq;

use crate::Failure;

/// What goes into the Authorization field of a request to the server, and to no other.
#[derive(Clone)]
pub struct Credential {
    /// `Bearer …`, whole.
    pub value: Secret,
    /// Counts up with each token.
    pub version: u64,
}

/// A request that the server refused: 401, or 403 with `insufficient_scope`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 401 or 403.
    pub status: u16,
    /// The response's WWW-Authenticate fields.
    pub www_authenticate: Vec<String>,
    /// The exchange of the log.
    pub exchange: Option<Seq>,
    /// The version of the credential that was sent; none: there was none.
    pub used: Option<u64>,
    /// What was asked for, such as `tools/call add`: step-ups are counted by it.
    pub purpose: String,
}

/// What to do with a refused request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Send it again with the credential there is now.
    Retry,
    /// It stays refused, and why.
    GiveUp(Failure),
}
