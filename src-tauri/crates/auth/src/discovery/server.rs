//! Authorization server metadata (RFC 8414, OpenID Connect Discovery): endpoints and capabilities.

mod usable;

use patchbay_http::Url;
use patchbay_protocol::Revision;
use serde::Deserialize;
use serde_json::Value;

use super::resource::Resource;
use super::{Kind, Rejection, SearchResult, search};
use crate::discovery::well_known;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::{Failure, Settings, Step, rules};

const WHAT: &str = "authorization server metadata";

/// The metadata of an authorization server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Server {
    pub(crate) issuer: String,
    pub(crate) authorization_endpoint: Option<Url>,
    pub(crate) token_endpoint: Option<Url>,
    pub(crate) registration_endpoint: Option<Url>,
    pub(crate) revocation_endpoint: Option<Url>,
    pub(crate) scopes_supported: Option<Vec<String>>,
    pub(crate) grant_types_supported: Option<Vec<String>>,
    pub(crate) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    pub(crate) token_endpoint_auth_signing_alg_values_supported: Option<Vec<String>>,
    pub(crate) code_challenge_methods_supported: Option<Vec<String>>,
    pub(crate) dpop_signing_alg_values_supported: Option<Vec<String>>,
    pub(crate) authorization_response_iss_parameter_supported: bool,
    pub(crate) client_id_metadata_document_supported: bool,
    /// It publishes no metadata: these are the default endpoints of 2025-03-26.
    #[serde(skip)]
    pub(crate) assumed: bool,
}

impl Server {
    /// Whether it lists this grant type, or lists none at all (RFC 8414 section 2).
    pub(crate) fn grants(&self, grant: &str) -> bool {
        self.grant_types_supported
            .as_ref()
            .is_none_or(|listed| listed.iter().any(|known| known == grant))
    }

    /// Its token endpoint.
    pub(crate) fn token_endpoint(&self, step: Step) -> Result<&Url, Failure> {
        self.token_endpoint
            .as_ref()
            .ok_or_else(|| self.lacks(step, "token_endpoint"))
    }

    /// Its authorization endpoint.
    pub(crate) fn authorization_endpoint(&self, step: Step) -> Result<&Url, Failure> {
        self.authorization_endpoint
            .as_ref()
            .ok_or_else(|| self.lacks(step, "authorization_endpoint"))
    }

    fn lacks(&self, step: Step, what: &str) -> Failure {
        Failure::new(
            step,
            format!("the metadata of {} has no {what}", self.issuer),
            "The authorization server must publish it.",
        )
        .against(rules::SERVER_METADATA)
    }
}

/// Runs the step for the authorization server with this issuer. An unusable server is rejected here, so that no client is
/// registered with a server that cannot issue a token.
pub(crate) async fn discover(
    net: &Net,
    issuer: &str,
    resource: &Resource,
    settings: &Settings,
) -> Result<Server, Failure> {
    net.reporter().step(Step::ServerMetadata);
    let url = parsed(Step::ServerMetadata, issuer)?;
    let server = match find(net, issuer, &url, resource.legacy, settings.revision).await? {
        SearchResult::Found(server, place, exchange) => {
            usable::check(&server, settings).map_err(|failure| failure.seen_in(exchange))?;
            net.reporter().done(
                format!("Found the metadata of {}.", server.issuer),
                facts(&server, place),
            );
            server
        }
        SearchResult::Nothing(_) if resource.legacy => {
            let server = default_endpoints(&url);
            usable::check(&server, settings)?;
            let summary = "None. Revision 2025-03-26 has default endpoints for that case, which are used.";
            net.reporter().done(summary, facts(&server, url));
            server
        }
        SearchResult::Nothing(stray) => {
            return Err(stray.unwrap_or_else(|| nothing(Step::ServerMetadata, issuer)));
        }
        SearchResult::Rejected(failure) => return Err(failure),
    };
    Ok(server)
}

/// The failure if it publishes nothing.
pub(crate) fn nothing(step: Step, issuer: &str) -> Failure {
    Failure::new(
        step,
        format!("the authorization server {issuer} publishes no metadata at any of the well-known addresses"),
        "Check that the server names the right issuer and that the authorization server is running.",
    )
    .against(rules::MCP_SERVER_METADATA)
}

/// Looks up the metadata of an issuer without reporting a step.
pub(crate) async fn find(
    net: &Net,
    issuer: &str,
    url: &Url,
    derived: bool,
    revision: Option<Revision>,
) -> Result<SearchResult<Server>, Failure> {
    let places = well_known::authorization_server(url);
    let read = |value| read(value, issuer, derived);
    search(net, WHAT, rules::SERVER_METADATA, &places, revision, read).await
}

/// Parses an issuer as a URL.
pub(crate) fn parsed(step: Step, issuer: &str) -> Result<Url, Failure> {
    Url::parse(issuer)
        .ok()
        .filter(|url| url.has_host() && url.query().is_none() && url.fragment().is_none())
        .ok_or_else(|| {
            Failure::new(
                step,
                format!("the issuer `{issuer}` is not a URL with a host and without query or fragment"),
                "The server must name the issuer identifier.",
            )
            .against(rules::SERVER_METADATA)
        })
}

/// Validates a document. Its issuer must equal the requested one exactly. If the issuer was derived from the server's
/// address, a trailing slash is ignored.
fn read(value: Value, issuer: &str, derived: bool) -> Result<Server, Rejection> {
    let server: Server = serde_json::from_value(value).map_err(|error| Rejection {
        cause: format!("the document is not {WHAT}: {error}"),
        rule: rules::SERVER_METADATA,
        next: "Have the authorization server correct the document.",
        kind: Kind::Bad,
    })?;
    let same = server.issuer == issuer || derived && server.issuer.strip_suffix('/') == Some(issuer);
    if !same {
        return Err(Rejection {
            cause: format!(
                "the document names the issuer `{}` instead of `{issuer}`, so it must not be used",
                server.issuer
            ),
            rule: rules::SERVER_METADATA_ISSUER,
            next: "Have the server name the issuer exactly as the authorization server writes it (a trailing slash counts too).",
            kind: Kind::Bad,
        });
    }
    Ok(server)
}

/// The default endpoints of 2025-03-26.
fn default_endpoints(origin: &Url) -> Server {
    let at = |path| origin.join(path).ok();
    Server {
        issuer: well_known::origin(origin),
        authorization_endpoint: at("/authorize"),
        token_endpoint: at("/token"),
        registration_endpoint: at("/register"),
        assumed: true,
        ..Server::default()
    }
}

fn facts(server: &Server, place: Url) -> Facts {
    Facts::default()
        .with("url", place)
        .with("issuer", &server.issuer)
        .maybe("authorization_endpoint", server.authorization_endpoint.clone())
        .maybe("token_endpoint", server.token_endpoint.clone())
        .maybe("registration_endpoint", server.registration_endpoint.clone())
        .maybe("revocation_endpoint", server.revocation_endpoint.clone())
        .list("scopes_supported", server.scopes_supported.as_deref())
        .list("grant_types_supported", server.grant_types_supported.as_deref())
        .list(
            "token_endpoint_auth_methods_supported",
            server.token_endpoint_auth_methods_supported.as_deref(),
        )
        .list(
            "code_challenge_methods_supported",
            server.code_challenge_methods_supported.as_deref(),
        )
        .list(
            "dpop_signing_alg_values_supported",
            server.dpop_signing_alg_values_supported.as_deref(),
        )
        .with(
            "authorization_response_iss_parameter_supported",
            server.authorization_response_iss_parameter_supported.to_string(),
        )
        .with(
            "client_id_metadata_document_supported",
            server.client_id_metadata_document_supported.to_string(),
        )
}

#[cfg(test)]
mod tests;
