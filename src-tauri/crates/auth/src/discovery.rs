//! Searches for a metadata document at several addresses in order, and reports each as an attempt with a verdict.

pub(crate) mod resource;
pub(crate) mod server;
pub(crate) mod well_known;

use patchbay_http::{HeaderMap, HeaderName, HeaderValue, Url, header};
use patchbay_protocol::Revision;
use patchbay_traffic::Seq;
use serde_json::Value;

use crate::run::guard;
use crate::run::net::{Net, Reply};
use crate::{AttemptVerdict, Clause, Failure};

/// Why a document is not acceptable: a sentence, and the rule that it breaks.
pub(crate) struct Rejection {
    pub(crate) cause: String,
    pub(crate) rule: Clause,
    pub(crate) next: &'static str,
    pub(crate) kind: Kind,
}

/// How an unacceptable document affects the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An unrelated resource, such as a web page. Treated as missing.
    Stray,
    /// The remaining addresses are tried; if none has a document, this is the reported failure.
    Bad,
    /// The search ends.
    Final,
}

/// The result of a search.
pub(crate) enum SearchResult<T> {
    /// The document, its address and its exchange.
    Found(T, Url, Seq),
    /// No address has the document.
    Nothing(Option<Failure>),
    /// The most informative failure: a document that must not be used, or an address that could not be read.
    Rejected(Failure),
}

/// Tries the addresses in order. `read` validates what is found.
pub(crate) async fn search<T>(
    net: &Net,
    what: &str,
    rule: Clause,
    places: &[Url],
    revision: Option<Revision>,
    read: impl Fn(Value) -> Result<T, Rejection>,
) -> Result<SearchResult<T>, Failure> {
    let headers = headers(revision);
    let (mut stray, mut bad) = (None, None);
    for place in places {
        let reply = match net.get(what, place, &headers).await {
            Ok(reply) => reply,
            Err(failure) if guard::is_refused_consent(&failure) => return Err(failure),
            // Another address may work although this one redirects in a loop or does not answer.
            Err(failure) => {
                bad = bad.or(Some(failure));
                continue;
            }
        };
        let wrong = match status(&reply, what, rule) {
            Ok(value) => match read(value) {
                Ok(found) => {
                    net.attempt(&reply, AttemptVerdict::Ok, format!("Found the {what}."));
                    return Ok(SearchResult::Found(found, place.clone(), reply.exchange));
                }
                Err(wrong) => wrong,
            },
            Err(None) => {
                let words = format!("{}: no {what} here.", reply.status);
                net.attempt(&reply, AttemptVerdict::Absent, words);
                continue;
            }
            Err(Some(wrong)) => wrong,
        };
        net.attempt(&reply, AttemptVerdict::Refused, format!("{}.", wrong.cause));
        let kind = wrong.kind;
        let failure = failure(net, place, reply.exchange, wrong);
        match kind {
            Kind::Stray => stray = stray.or(Some(failure)),
            Kind::Bad => bad = bad.or(Some(failure)),
            Kind::Final => return Ok(SearchResult::Rejected(failure)),
        }
    }
    Ok(match bad {
        Some(failure) => SearchResult::Rejected(failure),
        None => SearchResult::Nothing(stray),
    })
}

fn failure(net: &Net, place: &Url, exchange: Seq, wrong: Rejection) -> Failure {
    Failure::new(
        net.reporter().at(),
        format!("at {place}, {}", wrong.cause),
        wrong.next,
    )
    .against(wrong.rule)
    .seen_in(exchange)
}

/// Returns the status as `Some` if it is 200, `None` if the document is missing.
fn status(reply: &Reply, what: &str, rule: Clause) -> Result<Value, Option<Rejection>> {
    let wrong = |kind, cause| Rejection {
        cause,
        rule,
        next: "Have the server answer with the document, or with 404 where there is none.",
        kind,
    };
    match reply.status {
        200 => reply.object().map_err(|cause| Some(wrong(Kind::Stray, cause))),
        400..=499 => Err(None),
        other => Err(Some(wrong(
            Kind::Bad,
            format!("the server responded with {other} instead of the {what}"),
        ))),
    }
}

/// The header fields of a metadata request.
fn headers(revision: Option<Revision>) -> HeaderMap {
    let revision = revision.unwrap_or(Revision::LATEST_MODERN);
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(
        HeaderName::from_static("mcp-protocol-version"),
        HeaderValue::from_static(revision.as_str()),
    );
    headers
}
