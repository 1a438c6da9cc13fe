//! Looking for a metadata document: one place after the other, each an attempt with its verdict.

pub(crate) mod resource;
pub(crate) mod server;
pub(crate) mod well_known;

use patchbay_http::{HeaderMap, HeaderName, HeaderValue, Url, header};
use patchbay_protocol::Revision;
use patchbay_traffic::Seq;
use serde_json::Value;

use crate::run::net::{Net, Reply};
use crate::{AttemptVerdict, Clause, Failure};

/// What is wrong with a document: in a sentence, and against which rule.
pub(crate) struct Wrong {
    pub(crate) cause: String,
    pub(crate) rule: Clause,
    pub(crate) next: &'static str,
    pub(crate) kind: Kind,
}

/// What a wrong document means for the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something else lives there, such as a web page: as good as nothing.
    Stray,
    /// The other places are tried, but if there is nothing, this is why.
    Bad,
    /// No other place is tried.
    Final,
}

/// The result of a lookup.
pub(crate) enum Looked<T> {
    /// This was found, there, in this exchange.
    Found(T, Url, Seq),
    /// Every place said that there is nothing, or had something else: then what.
    Nothing(Option<Failure>),
    /// There was something that must not be used, or a place did not work: the most reporter one.
    Wrong(Failure),
}

/// Looks at the places in their order. `read` judges what is found.
pub(crate) async fn look<T>(
    net: &Net,
    what: &str,
    rule: Clause,
    places: &[Url],
    revision: Option<Revision>,
    read: impl Fn(Value) -> Result<T, Wrong>,
) -> Result<Looked<T>, Failure> {
    let headers = headers(revision);
    let (mut stray, mut bad) = (None, None);
    for place in places {
        let reply = net.get(what, place, &headers).await?;
        let wrong = match status(&reply, what, rule) {
            Ok(value) => match read(value) {
                Ok(found) => {
                    net.attempt(&reply, AttemptVerdict::Ok, format!("Found the {what}."));
                    return Ok(Looked::Found(found, place.clone(), reply.exchange));
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
            Kind::Final => return Ok(Looked::Wrong(failure)),
        }
    }
    Ok(match bad {
        Some(failure) => Looked::Wrong(failure),
        None => Looked::Nothing(stray),
    })
}

fn failure(net: &Net, place: &Url, exchange: Seq, wrong: Wrong) -> Failure {
    Failure::new(
        net.reporter().at(),
        format!("at {place}, {}", wrong.cause),
        wrong.next,
    )
    .against(wrong.rule)
    .seen_in(exchange)
}

/// The document in an answer; `None` where the server says that there is none.
fn status(reply: &Reply, what: &str, rule: Clause) -> Result<Value, Option<Wrong>> {
    let wrong = |kind, cause| Wrong {
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

/// The fields of a request for metadata.
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
