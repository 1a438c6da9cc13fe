//! Token requests: each grant, with the resource it is for (RFC 8707).

pub(crate) mod assertion;
pub(crate) mod authorization;
pub(crate) mod callback;
pub(crate) mod choice;
pub(crate) mod enterprise;
pub(crate) mod listener;
pub(crate) mod page;
pub(crate) mod workload;

use oauth2::basic::BasicClient;
use oauth2::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, PkceCodeVerifier, RedirectUrl, RefreshToken, Scope,
    TokenUrl,
};
use patchbay_secret::Secret;

use crate::grant::authorization::Granted;
use crate::token::endpoint::{Denied, Endpoint, Issued, TokenReply};
use crate::{AuthMethod, Failure, RegisteredClient};

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// RFC 7523 section 2.1.
pub(crate) const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// What is exchanged for a token.
pub(crate) enum Grant<'a> {
    /// The authorization code.
    Code(&'a Granted),
    /// A refresh token. No scopes are sent, so the granted ones are kept.
    Refresh(&'a Secret),
    /// The client's own credentials: its secret or a signed assertion.
    Client { assertion: Option<&'a Secret> },
    /// Another server's assertion about the user.
    Assertion(&'a Secret),
}

/// Sends the token request of a grant.
pub(crate) async fn ask(
    endpoint: &Endpoint<'_>,
    client: &RegisteredClient,
    grant: Grant<'_>,
    resource: Option<&str>,
    scopes: Option<&[String]>,
) -> Result<Issued, Denied> {
    let scopes = || scopes.into_iter().flatten().cloned().map(Scope::new);
    let oauth = oauth(endpoint, client);
    let reply = match grant {
        Grant::Code(granted) => {
            let oauth = oauth.set_redirect_uri(redirect(granted.redirect_uri.clone())?);
            let mut request = oauth
                .exchange_code(AuthorizationCode::new(granted.code.expose().to_owned()))
                .set_pkce_verifier(PkceCodeVerifier::new(granted.verifier.expose().to_owned()));
            if let Some(resource) = resource {
                request = request.add_extra_param("resource", resource);
            }
            TokenReply::of(request.request_async(endpoint).await)
        }
        Grant::Refresh(token) => {
            let token = RefreshToken::new(token.expose().to_owned());
            let mut request = oauth.exchange_refresh_token(&token);
            if let Some(resource) = resource {
                request = request.add_extra_param("resource", resource);
            }
            TokenReply::of(request.request_async(endpoint).await)
        }
        Grant::Client { assertion } => {
            let mut request = oauth.exchange_client_credentials().add_scopes(scopes());
            if let Some(assertion) = assertion {
                request = request
                    .add_extra_param("client_assertion_type", ASSERTION_TYPE)
                    .add_extra_param("client_assertion", assertion.expose());
            }
            if let Some(resource) = resource {
                request = request.add_extra_param("resource", resource);
            }
            TokenReply::of(request.request_async(endpoint).await)
        }
        Grant::Assertion(assertion) => {
            let scopes = scopes()
                .map(|scope| scope.to_string())
                .collect::<Vec<_>>()
                .join(" ");
            let mut fields = vec![("grant_type", JWT_BEARER), ("assertion", assertion.expose())];
            fields.extend(resource.map(|resource| ("resource", resource)));
            fields.extend(
                Some(scopes.as_str())
                    .filter(|scopes| !scopes.is_empty())
                    .map(|scopes| ("scope", scopes)),
            );
            endpoint.form(client, fields).await?
        }
    };
    endpoint.issued(reply).await
}

fn redirect(uri: String) -> Result<RedirectUrl, Failure> {
    RedirectUrl::new(uri).map_err(|error| {
        let next = "Choose another redirect port.";
        Failure::new(crate::Step::Token, error.to_string(), next)
    })
}

type OAuth = oauth2::Client<
    oauth2::basic::BasicErrorResponse,
    oauth2::basic::BasicTokenResponse,
    oauth2::basic::BasicTokenIntrospectionResponse,
    oauth2::StandardRevocableToken,
    oauth2::basic::BasicRevocationErrorResponse,
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointSet,
>;

/// Builds the OAuth client for this endpoint, with its authentication method.
fn oauth(endpoint: &Endpoint<'_>, client: &RegisteredClient) -> OAuth {
    let basic = client.auth_method == AuthMethod::Basic;
    let oauth = BasicClient::new(ClientId::new(client.id.clone()))
        .set_token_uri(TokenUrl::from_url(endpoint.url().clone()))
        .set_auth_type(if basic {
            AuthType::BasicAuth
        } else {
            AuthType::RequestBody
        });
    match (&client.secret, client.auth_method) {
        (Some(secret), AuthMethod::Basic | AuthMethod::Post) => {
            oauth.set_client_secret(ClientSecret::new(secret.expose().to_owned()))
        }
        _ => oauth,
    }
}
