//! What lets a request in: who knows it, and who is told when a server refuses it. How a token is come by is not known here.

use patchbay_secret::Secret;
use patchbay_traffic::Seq;

use crate::{BoxFuture, Failure};

/// Knows what lets requests in at one server, and gets something new when the server wants it.
pub trait Authorizer: Send + Sync {
    /// What the next request carries; none: it goes without.
    fn credential(&self) -> BoxFuture<'_, Option<Credential>>;

    /// A request was refused for want of a (better) credential, and did not run. May take as long as a person needs.
    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict>;

    /// A request that carried this version was let in: what was asked for (as in [`Refusal::purpose`]). Must not wait.
    fn accepted(&self, version: u64, purpose: &str);

    /// A request was refused that is not worth asking a person: whether there is another credential now, or one could be had
    /// without anybody.
    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool>;
}

/// What lets a request in. It goes to the origin of the server's address and nowhere else.
#[derive(Clone)]
pub struct Credential {
    /// The whole value of the field `Authorization`.
    pub value: Secret,
    /// Another one for each new value.
    pub version: u64,
}

/// A request that a server refused: status 401, or 403 with `insufficient_scope`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// Its `WWW-Authenticate` fields.
    pub www_authenticate: Vec<String>,
    /// The record of the exchange.
    pub exchange: Seq,
    /// The version of the credential it carried, if it carried one.
    pub used: Option<u64>,
    /// What was asked for: a method, perhaps with the name of what it is about.
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
