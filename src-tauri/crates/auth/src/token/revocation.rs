//! Revokes tokens (RFC 7009): the refresh token first, because revoking it may revoke the access token too.

use patchbay_http::Url;

use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::token::endpoint::{Endpoint, TokenReply};
use crate::{Failure, RegisteredClient, Step, TokenSet, rules};

/// The error of an authorization server that cannot revoke tokens of this type because it keeps no record of them (section
/// 2.2.1). Usual for JWT access tokens.
const UNSUPPORTED: &str = "unsupported_token_type";

/// The failure if the client that the tokens were issued to is not known any more.
pub(crate) fn without_client(tokens: &TokenSet) -> Failure {
    Failure::new(
        Step::Revocation,
        format!(
            "the client {} that the token was issued to is no longer known, so the token cannot be revoked",
            tokens.client_id
        ),
        "The tokens are deleted here; check your account at the authorization server.",
    )
}

/// Runs the step.
pub(crate) async fn revoke(net: &Net, tokens: &TokenSet, client: &RegisteredClient) -> Result<(), Failure> {
    net.reporter().step(Step::Revocation);
    let Some(endpoint) = &tokens.revocation_endpoint else {
        let summary =
            "The authorization server has no revocation endpoint; the tokens are deleted here only.";
        net.reporter().done(summary, Facts::default());
        return Ok(());
    };
    let url = Url::parse(endpoint).map_err(|error| {
        Failure::new(
            Step::Revocation,
            format!("the revocation endpoint {endpoint} is not a URL: {error}"),
            "The tokens are deleted here anyway.",
        )
    })?;
    // The revocation endpoint was not requested before: it is allowed only if it is at the same origin.
    if let Ok(issuer) = Url::parse(&tokens.token_endpoint) {
        net.guard().allow_issuer(issuer);
    }
    let endpoint = Endpoint::new(net, "revocation endpoint", url);
    let mut outlives = false;
    let refresh = tokens.refresh.as_ref().map(|token| (token, "refresh_token"));
    for (token, kind) in refresh.into_iter().chain([(&tokens.access, "access_token")]) {
        let fields = vec![("token", token.expose()), ("token_type_hint", kind)];
        let reply = endpoint.form(client, fields).await?;
        match endpoint.status().await {
            // Any content is accepted, also for a token that it does not know (section 2.2).
            Some(200..=299) => endpoint.accepted("Token revoked.").await,
            _ if matches!(&reply, TokenReply::Error { code, .. } if code == UNSUPPORTED) => {
                outlives = true;
                let words = format!("It does not support revoking the {}.", kind.replace('_', " "));
                endpoint.accepted(&words).await;
            }
            status => {
                let cause = format!(
                    "the authorization server did not revoke the {} (status {})",
                    kind.replace('_', " "),
                    status.unwrap_or_default()
                );
                let next = "The tokens are deleted here; check your account at the authorization server.";
                return Err(endpoint.refused(cause, next, rules::REVOCATION).await);
            }
        }
    }
    let summary = if outlives {
        "The authorization server revoked the token types it supports; the others are deleted here and valid until they expire."
    } else {
        "Tokens revoked."
    };
    net.reporter().done(summary, Facts::default());
    Ok(())
}
