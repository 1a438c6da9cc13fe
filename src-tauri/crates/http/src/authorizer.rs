//! The interface for authorizing requests: who provides the credential, and who handles refusals. Obtaining a token is the
//! task of `patchbay-auth`.

use std::net::IpAddr;

use futures_util::future::BoxFuture;
use patchbay_secret::Secret;
use patchbay_traffic::{OperationId, Seq};

use crate::{HeaderMap, HeaderValue, Method, Url};

/// Provides the credential for requests to one server, and obtains another one when the server asks for it.
pub trait Authorizer: Send + Sync {
    /// The credential for a request; `None`: the request is sent without one. An HTTP exchange that this takes (a refresh)
    /// is recorded as part of the request's operation.
    fn credential<'a>(&'a self, request: &'a Outbound<'a>) -> BoxFuture<'a, Option<Credential>>;

    /// Looks at the headers of a response for what the next credential needs (a nonce of DPoP). Returns whether there is
    /// something new: a request refused for lack of it may be sent again. Must not block.
    fn answered(&self, url: &Url, headers: &HeaderMap) -> bool;

    /// Handles a request that the server refused because its credential was missing or insufficient; the request did not
    /// run. May take as long as the user needs.
    fn refused(&self, refusal: Refusal) -> BoxFuture<'_, Verdict>;

    /// Reports that a request with this version of the credential was accepted; `purpose` is as in [`Refusal::purpose`].
    /// Must not block.
    fn accepted(&self, version: u64, purpose: &str);

    /// Handles a refusal without involving the user. Returns whether another credential is available, after a refresh if
    /// possible.
    fn renewed(&self, refusal: Refusal) -> BoxFuture<'_, bool>;
}

/// A request that needs a credential.
#[derive(Debug, Clone, Copy)]
pub struct Outbound<'a> {
    /// Its method.
    pub method: &'a Method,
    /// Its address.
    pub url: &'a Url,
    /// Its operation.
    pub operation: Option<OperationId>,
}

/// The authorization of a request. It is sent to the origin of the server's URL and nowhere else.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The value of the `Authorization` field.
    pub value: Secret,
    /// The value of the `DPoP` field: a proof for this request, not secret. None: the token is not bound to a key.
    pub proof: Option<HeaderValue>,
    /// Increases with each new value.
    pub version: u64,
}

/// A request that a server refused: status 401, or 403 with `insufficient_scope`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status code.
    pub status: u16,
    /// The `WWW-Authenticate` fields of the response.
    pub www_authenticate: Vec<String>,
    /// The record of the exchange.
    pub exchange: Seq,
    /// The address of the server, as in [`crate::Response::peer`].
    pub peer: Option<IpAddr>,
    /// The version of the credential that the request carried, if any.
    pub used: Option<u64>,
    /// The purpose of the request, such as `tools/call add`: attempts to authorize are counted per purpose.
    pub purpose: String,
    /// The operation of the request. An authorization run that it causes is recorded as part of the same operation.
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
    /// The name and URL of the rule that was broken, if any.
    pub rule: Option<String>,
}
