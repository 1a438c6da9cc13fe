//! How a request is authorized: who supplies its credential, and who is told when a server refuses it. How a token is
//! obtained is not known here (`patchbay-auth`).

use futures_util::future::BoxFuture;
use patchbay_secret::Secret;
use patchbay_traffic::{OperationId, Seq};

/// Supplies the credential for requests to one server, and obtains another one when the server asks for it.
pub trait Authorizer: Send + Sync {
    /// The credential for the next request; `None`: the request is sent without one. An HTTP exchange that this takes
    /// (a refresh) is recorded as part of `operation`.
    fn credential(&self, operation: Option<OperationId>) -> BoxFuture<'_, Option<Credential>>;

    /// The server refused a request because its credential was missing or not sufficient; the request did not run. May
    /// take as long as a person needs.
    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict>;

    /// A request that carried this version of the credential was accepted; `purpose` is as in [`Refusal::purpose`]. Must
    /// not block.
    fn accepted(&self, version: u64, purpose: &str);

    /// The server refused a request for which nobody should be asked. Returns whether another credential is available
    /// now, after a refresh if that needs no person.
    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool>;
}

/// What authorizes a request. It is sent to the origin of the server's address and nowhere else.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The whole value of the field `Authorization`.
    pub value: Secret,
    /// Increases with each new value.
    pub version: u64,
}

/// A request that a server refused: status 401, or 403 with `insufficient_scope`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// The `WWW-Authenticate` fields of the response.
    pub www_authenticate: Vec<String>,
    /// The record of the exchange.
    pub exchange: Seq,
    /// The version of the credential that the request carried, if it carried one.
    pub used: Option<u64>,
    /// What the request was for, such as `tools/call add`: attempts to authorize are counted by it.
    pub purpose: String,
    /// The operation that the request is part of. The exchanges of an authorization run that it causes are recorded as
    /// part of the same operation.
    pub operation: Option<OperationId>,
}

/// What to do with a refused request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Send it again with the current credential.
    Retry,
    /// There is no other credential.
    GiveUp(Denial),
}

/// Why no other credential could be obtained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The step that failed: `Token request`.
    pub step: &'static str,
    /// What happened, in a sentence.
    pub cause: String,
    /// What to do next, in a sentence.
    pub next: String,
    /// The rule that was broken, if one was: its name and its address.
    pub rule: Option<String>,
}
