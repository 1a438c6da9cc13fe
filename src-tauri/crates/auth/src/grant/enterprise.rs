//! Enterprise-managed authorization: an organization's identity provider exchanges the user's identity for an assertion
//! (ID-JAG, RFC 8693), which the server's authorization server exchanges for a token (RFC 7523).

use oauth2::TokenResponse;
use patchbay_http::Url;
use patchbay_protocol::Revision;
use patchbay_secret::Secret;

use crate::discovery::SearchResult;
use crate::discovery::server::{self, Server};
use crate::run::net::Net;
use crate::token::endpoint::{Denied, Endpoint};
use crate::{AuthMethod, ClientOrigin, Enterprise, Failure, RegisteredClient, Step, registration, rules};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";

/// Requests the identity provider's assertion for this authorization server and this resource.
pub(crate) async fn assertion(
    net: &Net,
    enterprise: &Enterprise,
    server: &Server,
    resource: &str,
    scopes: Option<&[String]>,
    revision: Option<Revision>,
) -> Result<Secret, Denied> {
    let (url, method) = provider(net, enterprise, revision).await?;
    let endpoint = Endpoint::new(net, "identity provider's token endpoint", url);
    let client = RegisteredClient {
        issuer: enterprise.issuer.clone().unwrap_or_default(),
        id: enterprise.client_id.clone(),
        secret: enterprise.client_secret.clone(),
        secret_expires_at: None,
        auth_method: method,
        origin: ClientOrigin::PreRegistered,
        redirect_uri: None,
    };
    let scopes = scopes.map(|scopes| scopes.join(" "));
    let mut fields = vec![
        ("grant_type", EXCHANGE),
        ("requested_token_type", ID_JAG),
        ("audience", server.issuer.as_str()),
        ("resource", resource),
        ("subject_token", enterprise.id_token.expose()),
        ("subject_token_type", ID_TOKEN),
    ];
    fields.extend(scopes.as_deref().map(|scopes| ("scope", scopes)));
    let said = endpoint.form(&client, fields).await?;
    let token = endpoint.token_response(said).await.map_err(identity_rejected)?;
    let kind = endpoint.issued_token_type().await;
    if kind.as_deref() != Some(ID_JAG) {
        let cause = match kind {
            Some(kind) => {
                format!("the identity provider issued a token of type {kind} instead of {ID_JAG}")
            }
            None => {
                "the identity provider does not state the type of the token it issued (issued_token_type)"
                    .to_owned()
            }
        };
        let next = "The identity provider must support the Identity Assertion Authorization Grant.";
        return Err(endpoint.refused(cause, next, rules::TOKEN_EXCHANGE).await.into());
    }
    endpoint
        .accepted("The identity provider issued an identity assertion.")
        .await;
    Ok(Secret::new(token.access_token().secret()))
}

/// The failure if the identity provider rejects the user, not the client.
fn identity_rejected(mut denied: Denied) -> Denied {
    if matches!(denied.code.as_deref(), Some("invalid_grant" | "access_denied")) {
        denied.failure.next = "Enter a fresh ID token. If that does not help, ask your organization's administrator for access to \
                               this server."
            .to_owned();
    }
    denied
}

/// Finds the token endpoint of the identity provider and the authentication method there.
async fn provider(
    net: &Net,
    enterprise: &Enterprise,
    revision: Option<Revision>,
) -> Result<(Url, AuthMethod), Failure> {
    let has_secret = enterprise.client_secret.is_some();
    // As in the extension's example, unless the settings say otherwise.
    let usual = if has_secret {
        AuthMethod::Post
    } else {
        AuthMethod::None
    };
    if let Some(endpoint) = &enterprise.token_endpoint {
        net.guard().allow_issuer(endpoint.clone());
        return Ok((endpoint.clone(), usual));
    }
    let Some(issuer) = &enterprise.issuer else {
        return Err(Failure::new(
            Step::Token,
            "neither the issuer nor the token endpoint of the identity provider is set",
            "Enter one of them in the settings.",
        )
        .against(rules::MCP_ENTERPRISE));
    };
    let url = server::parsed(Step::Token, issuer)?;
    net.guard().allow_issuer(url.clone());
    let provider = match server::find(net, issuer, &url, false, revision).await? {
        SearchResult::Found(provider, ..) => provider,
        SearchResult::Nothing(stray) => {
            return Err(stray.unwrap_or_else(|| server::nothing(Step::Token, issuer)));
        }
        SearchResult::Rejected(failure) => return Err(failure),
    };
    let method = registration::auth_method_for(&provider, has_secret, None);
    Ok((provider.token_endpoint(Step::Token)?.clone(), method))
}
