//! Protected resource metadata (RFC 9728): the resource identifier of the server and the authorization servers it trusts.

use patchbay_http::Url;
use patchbay_protocol::Revision;
use serde::Deserialize;
use serde_json::Value;

use super::{Kind, Rejection, SearchResult, search};
use crate::challenge::Challenge;
use crate::discovery::well_known;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::{Answer, Failure, Question, Step, rules};

const WHAT: &str = "protected resource metadata";
/// The maximum number of authorization servers of a resource. The user chooses one of them.
const MOST_ISSUERS: usize = 64;
/// The maximum size of all their issuers together, in bytes.
const MOST_ISSUER_BYTES: usize = 64 << 10;

/// The server as a protected resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    /// Its identifier: exactly as published, otherwise its canonical URI.
    pub(crate) id: String,
    /// The issuers it trusts, exactly as published.
    pub(crate) servers: Vec<String>,
    /// The scopes that it lists.
    pub(crate) scopes: Option<Vec<String>>,
    /// The algorithms of proofs that it accepts (`dpop_signing_alg_values_supported`).
    pub(crate) dpop_algorithms: Option<Vec<String>>,
    /// It accepts only tokens that are bound to a key (`dpop_bound_access_tokens_required`).
    pub(crate) dpop_required: bool,
    /// It has no metadata. Its origin is the authorization server, as in 2025-03-26.
    pub(crate) legacy: bool,
}

/// The document.
#[derive(Deserialize)]
struct Document {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    scopes_supported: Option<Vec<String>>,
    dpop_signing_alg_values_supported: Option<Vec<String>>,
    #[serde(default)]
    dpop_bound_access_tokens_required: bool,
}

/// Runs the step: reads the metadata and chooses an issuer. Of several, a known one is preferred; otherwise the user
/// chooses. `extended` is the issuer of the token that a step-up extends.
pub(crate) async fn discover(
    net: &Net,
    server: &Url,
    challenge: Option<&Challenge>,
    revision: Option<Revision>,
    known: &[String],
    extended: Option<&str>,
) -> Result<(Resource, String), Failure> {
    net.reporter().step(Step::ResourceMetadata);
    let named = challenge.and_then(|challenge| challenge.resource_metadata.as_deref());
    let places = match named {
        Some(named) => vec![place(named)?],
        None => well_known::resource(server),
    };
    let searched = search(net, WHAT, rules::RESOURCE_METADATA, &places, revision, |value| {
        read(value, server)
    });
    match searched.await? {
        SearchResult::Found(resource, place, _) => {
            let issuer = choose(net, &resource.servers, known).await?;
            let facts = Facts::default()
                .with("url", place)
                .with("resource", &resource.id)
                .with("authorization_servers", resource.servers.join(" "))
                .with("chosen", &issuer)
                .list("scopes_supported", resource.scopes.as_deref())
                .list(
                    "dpop_signing_alg_values_supported",
                    resource.dpop_algorithms.as_deref(),
                )
                .maybe(
                    "dpop_bound_access_tokens_required",
                    resource.dpop_required.then_some("true"),
                );
            net.reporter()
                .done(format!("Tokens are issued by {issuer}."), facts);
            Ok((resource, issuer))
        }
        SearchResult::Rejected(failure) => Err(failure),
        SearchResult::Nothing(stray) if named.is_some() || !may_be_legacy(revision) => {
            Err(stray.unwrap_or_else(|| missing(named)))
        }
        SearchResult::Nothing(_) => {
            let issuer = well_known::origin(server);
            if let Some(other) = extended.filter(|extended| extended.trim_end_matches('/') != issuer) {
                return Err(unnamed(other));
            }
            let resource = legacy(server, &issuer);
            let summary = "None. Since revision 2025-06-18 a server that wants authorization must have it; before, its own origin \
                           was the authorization server, and so it is taken.";
            let facts = Facts::default().with("authorization_server", &issuer);
            net.reporter().done(summary, facts);
            Ok((resource, issuer))
        }
    }
}

impl Resource {
    /// Adds what else may be the matter: a server that publishes nothing about OAuth often wants a key in a header.
    pub(crate) fn or_api_key(&self, mut failure: Failure) -> Failure {
        if self.legacy && !failure.cancelled {
            failure.next = format!(
                "The server publishes nothing about OAuth. If it takes an API key, add it as a header in its settings (Edit…, \
                 Headers). For OAuth: {}",
                failure.next
            );
        }
        failure
    }
}

/// Chooses one of several equivalent authorization servers (RFC 9728 section 7.6).
async fn choose(net: &Net, servers: &[String], known: &[String]) -> Result<String, Failure> {
    if let [only] = servers {
        return Ok(only.clone());
    }
    if let Some(before) = known.iter().find(|issuer| servers.contains(issuer)) {
        return Ok(before.clone());
    }
    match net.reporter().ask(Question::ChooseServer(servers.to_vec())).await {
        Some(Answer::Server(chosen)) if servers.contains(&chosen) => Ok(chosen),
        _ => Err(Failure::cancelled(Step::ResourceMetadata)),
    }
}

/// This metadata did not exist before 2025-06-18. An unknown revision may be an older one.
fn may_be_legacy(revision: Option<Revision>) -> bool {
    revision.is_none_or(|revision| revision <= Revision::V2025_03_26)
}

/// The resource as defined by 2025-03-26.
fn legacy(server: &Url, issuer: &str) -> Resource {
    Resource {
        id: canonical(server),
        servers: vec![issuer.to_owned()],
        scopes: None,
        dpop_algorithms: None,
        dpop_required: false,
        legacy: true,
    }
}

/// Parses the address in the challenge.
fn place(named: &str) -> Result<Url, Failure> {
    Url::parse(named).map_err(|error| {
        Failure::new(
            Step::ResourceMetadata,
            format!("the challenge's resource_metadata `{named}` is not a URL: {error}"),
            "The server must send the absolute URL of its metadata.",
        )
        .against(rules::RESOURCE_METADATA_URL)
    })
}

fn missing(named: Option<&str>) -> Failure {
    let cause = match named {
        Some(named) => format!("there is no {WHAT} at {named}, the address in the challenge"),
        None => {
            format!("the server publishes no {WHAT}, so its authorization server is unknown")
        }
    };
    let next = match named {
        Some(_) => {
            "The server must publish it at /.well-known/oauth-protected-resource and name it in the challenge."
        }
        None => {
            "If the server takes an API key, add it as a header in its settings (Edit…, Headers). For OAuth, it must publish this at \
             /.well-known/oauth-protected-resource and name it in the challenge."
        }
    };
    Failure::new(Step::ResourceMetadata, cause, next).against(rules::MCP_SERVER_LOCATION)
}

/// The failure of a step-up whose challenge does not name the metadata, as the one that its token was issued after did. The
/// origin of the server is not the authorization server.
fn unnamed(issuer: &str) -> Failure {
    Failure::new(
        Step::ResourceMetadata,
        format!(
            "the challenge does not name the {WHAT}, which is at none of the well-known addresses; the token was issued by {issuer}"
        ),
        "Forget the token. The next request then gets a challenge for a new one, which can name the metadata.",
    )
    .against(rules::MCP_SERVER_LOCATION)
}

/// Validates a document.
fn read(value: Value, server: &Url) -> Result<Resource, Rejection> {
    let document: Document = serde_json::from_value(value).map_err(|error| Rejection {
        cause: format!("the document is not {WHAT}: {error}"),
        rule: rules::RESOURCE_METADATA,
        next: "Have the server correct the document.",
        kind: Kind::Final,
    })?;
    if !is_for(&document.resource, server) {
        return Err(Rejection {
            cause: format!(
                "the document is for the resource {}, which is not {}",
                document.resource,
                canonical(server)
            ),
            rule: rules::RESOURCE_METADATA_RESOURCE,
            next: "Have the server publish its own address as the resource, or connect to the address it publishes.",
            kind: Kind::Final,
        });
    }
    if document.authorization_servers.is_empty() {
        return Err(Rejection {
            cause: "the document names no authorization server".to_owned(),
            rule: rules::MCP_SERVER_LOCATION,
            next: "Have the server list at least one in authorization_servers.",
            kind: Kind::Final,
        });
    }
    let bytes: usize = document.authorization_servers.iter().map(String::len).sum();
    if document.authorization_servers.len() > MOST_ISSUERS || bytes > MOST_ISSUER_BYTES {
        return Err(Rejection {
            cause: format!(
                "the document names {} authorization servers in {bytes} bytes, more than {MOST_ISSUERS} or {MOST_ISSUER_BYTES} bytes",
                document.authorization_servers.len()
            ),
            rule: rules::RESOURCE_METADATA,
            next: "Have the server list fewer in authorization_servers.",
            kind: Kind::Final,
        });
    }
    Ok(Resource {
        id: document.resource,
        servers: document.authorization_servers,
        scopes: document.scopes_supported,
        dpop_algorithms: document.dpop_signing_alg_values_supported,
        dpop_required: document.dpop_bound_access_tokens_required,
        legacy: false,
    })
}

/// Whether a token for this resource is valid for the server: they have the same address, or the server is below the
/// resource (same origin).
fn is_for(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else {
        return false;
    };
    let path = resource.path().trim_end_matches('/');
    resource.fragment().is_none()
        && resource.origin() == server.origin()
        && resource.query().is_none_or(|query| server.query() == Some(query))
        && server
            .path()
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The canonical URI of a server (RFC 8707 section 2): without fragment, query and insignificant trailing slash.
pub(crate) fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if url.path() == "/" {
        return well_known::origin(&url);
    }
    url.into()
}

#[cfg(test)]
mod tests;
