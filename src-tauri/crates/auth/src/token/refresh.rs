//! Refreshes a token: one at a time across tasks and processes, because each refresh may rotate the refresh token.

use patchbay_http::Url;
use patchbay_secret::Secret;

use crate::grant::{self, Grant};
use crate::registration;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::run::{facts, summary};
use crate::token::dpop::{INVALID_PROOF, Nonces, Prover, USE_NONCE};
use crate::token::endpoint::{Denied, Endpoint, Issued};
use crate::{
    AuthMethod, ClientChoice, ClientOrigin, DpopChoice, Failure, Host, RegisteredClient, Settings, Step,
    StoredTokens, TokenSet, TokenStore, TokenStoreError, rules,
};

/// New tokens.
pub(crate) struct Renewed {
    pub(crate) kept: StoredTokens,
    /// Why they could not be stored, if so. They are lost when the program exits.
    pub(crate) unsaved: Option<TokenStoreError>,
}

/// Why a token was not refreshed.
pub(crate) struct NotRenewed {
    pub(crate) failure: Failure,
    /// The authorization server no longer accepts the refresh token: it is deleted.
    pub(crate) dead: bool,
}

impl From<Failure> for NotRenewed {
    fn from(failure: Failure) -> Self {
        Self { failure, dead: false }
    }
}

/// The tokens to refresh.
pub(crate) struct Stale {
    pub(crate) tokens: TokenSet,
    /// Whether they could not be stored, so that the stored ones are older.
    pub(crate) is_unsaved: bool,
}

/// Runs the step. If the stored tokens differ from the stale ones, another process has already refreshed them.
pub(crate) async fn refresh(
    net: &Net,
    host: &dyn Host,
    store: &dyn TokenStore,
    settings: &Settings,
    stale: &Stale,
    nonces: &Nonces,
) -> Result<Renewed, NotRenewed> {
    net.reporter().step(Step::Refresh);
    let failed = |error: TokenStoreError| error.at(Step::Refresh);
    let _alone = store.lock().await.map_err(failed)?;
    let mut kept = store.load().await.map_err(failed)?;
    if stale.is_unsaved {
        kept.tokens = Some(stale.tokens.clone());
    }
    let Some(tokens) = kept.tokens.clone() else {
        return Err(Failure::new(
            Step::Refresh,
            "the token was deleted in the meantime",
            "Authorize again.",
        )
        .into());
    };
    net.redact(tokens.secrets());
    if tokens.access.expose() != stale.tokens.access.expose() {
        net.reporter().done(
            "Another window or program has already refreshed it.",
            facts(&tokens),
        );
        return Ok(Renewed { kept, unsaved: None });
    }
    let refresh = tokens.refresh.as_ref().ok_or_else(|| {
        Failure::new(
            Step::Refresh,
            "the authorization server issued no refresh token",
            "Authorize again. Some authorization servers issue one only if the scope offline_access is requested.",
        )
    })?;
    let client = client(settings, &kept, &tokens)?;
    let prover = prover(&tokens, settings, nonces, host);
    let before = host.now();
    let issued = match Box::pin(request(net, &client, &tokens, refresh, prover)).await {
        Ok(issued) => issued,
        Err(denied) => {
            let rejected = refusal(&denied, &client);
            if let Some(code) = rejected {
                delete_rejected(&mut kept, &client, code);
                store.save(kept).await.map_err(failed)?;
            }
            let dead = rejected.is_some();
            return Err(NotRenewed {
                failure: denied.failure,
                dead,
            });
        }
    };
    let renewed = TokenSet {
        expires_at: issued.expires_in.and_then(|life| before.checked_add(life)),
        // Rotated, or to be used again (RFC 6749 section 6).
        refresh: issued.refresh.clone().or_else(|| tokens.refresh.clone()),
        scopes: issued.scopes.clone().or_else(|| tokens.scopes.clone()),
        dpop: tokens.dpop.clone().filter(|_| issued.bound),
        access: issued.access,
        obtained_at: before,
        ..tokens
    };
    let rotated = issued.refresh.map_or("", |_| "; the refresh token was rotated");
    let text = summary(&renewed, issued.expires_in);
    let shown: Facts = facts(&renewed);
    kept.tokens = Some(renewed);
    let unsaved = store.save(kept.clone()).await.err();
    net.reporter()
        .done(format!("{}{rotated}.", text.trim_end_matches('.')), shown);
    Ok(Renewed { kept, unsaved })
}

/// A token that is bound to a key stays bound: with a public client, the refresh token is too (RFC 9449 section 5).
fn prover<'a>(
    tokens: &'a TokenSet,
    settings: &Settings,
    nonces: &'a Nonces,
    host: &'a dyn Host,
) -> Option<Prover<'a>> {
    let key = tokens.dpop.as_ref()?;
    Some(Prover {
        key,
        nonces,
        host,
        required: settings.dpop == DpopChoice::Always,
    })
}

/// Sends the request for new tokens.
async fn request(
    net: &Net,
    client: &RegisteredClient,
    tokens: &TokenSet,
    refresh: &Secret,
    prover: Option<Prover<'_>>,
) -> Result<Issued, Denied> {
    let url = Url::parse(&tokens.token_endpoint)
        .map_err(|error| Failure::new(Step::Refresh, error.to_string(), "Authorize again."))?;
    net.guard().allow_issuer(url.clone());
    let endpoint = Endpoint::new(net, "token endpoint", url).proving(prover);
    let resource = tokens.resource.as_deref();
    grant::ask(&endpoint, client, Grant::Refresh(refresh), resource, None).await
}

/// The client that can refresh the token.
fn client(settings: &Settings, kept: &StoredTokens, tokens: &TokenSet) -> Result<RegisteredClient, Failure> {
    let known = issued_to(settings, kept, tokens);
    let known = known.filter(|client| client.auth_method != AuthMethod::PrivateKeyJwt);
    known.ok_or_else(|| {
        Failure::new(
            Step::Refresh,
            format!(
                "the client {} that the token was issued to is no longer known",
                tokens.client_id
            ),
            "Authorize again.",
        )
        .against(rules::MCP_BINDING)
    })
}

/// The client that the token was issued to, with the secret and the authentication method from the current settings.
pub(crate) fn issued_to(
    settings: &Settings,
    kept: &StoredTokens,
    tokens: &TokenSet,
) -> Option<RegisteredClient> {
    let mut client = kept.client_of(tokens)?.clone();
    if let ClientChoice::Manual { id, secret, .. } = &settings.client
        && client.origin == ClientOrigin::PreRegistered
        && *id == client.id
    {
        client.auth_method = auth_method(settings, &client, secret.is_some());
        client.secret.clone_from(secret);
    }
    Some(client)
}

/// How the client in the settings authenticates now: as they say, otherwise as before, if that still fits. The metadata of the
/// authorization server, which decides in a run, is not known here.
fn auth_method(settings: &Settings, before: &RegisteredClient, has_secret: bool) -> AuthMethod {
    let is_possible = |method: &AuthMethod| settings.has_key() || *method != AuthMethod::PrivateKeyJwt;
    let fits = match before.auth_method {
        // With a secret: it was not wanted then.
        AuthMethod::None => before.secret.is_some() || !has_secret,
        AuthMethod::Basic | AuthMethod::Post => has_secret,
        AuthMethod::PrivateKeyJwt => false,
    };
    let default = match has_secret {
        true => AuthMethod::Basic,
        false => AuthMethod::None,
    };
    let set = settings.auth_method().filter(is_possible);
    set.or_else(|| fits.then_some(before.auth_method))
        .unwrap_or(default)
}

/// Whether the error is temporary, or about the proof, and says nothing about the refresh token.
fn is_temporary(code: &str) -> bool {
    matches!(
        code,
        "server_error" | "temporarily_unavailable" | "slow_down" | USE_NONCE | INVALID_PROOF
    )
}

/// The code with which the authorization server says that it no longer accepts the credentials. `invalid_client` is about
/// the client only (RFC 6749 section 5.2): the refresh token stays good, unless its client is gone too.
fn refusal<'a>(denied: &'a Denied, client: &RegisteredClient) -> Option<&'a str> {
    let is_of_token = |code: &str| code != "invalid_client" || registration::is_gone(client, code);
    let code = denied.code.as_deref();
    code.filter(|code| denied.is_refusal && !is_temporary(code) && is_of_token(code))
}

/// Deletes credentials that the authorization server no longer accepts.
fn delete_rejected(kept: &mut StoredTokens, client: &RegisteredClient, code: &str) {
    if let Some(tokens) = &mut kept.tokens {
        tokens.refresh = None;
    }
    if registration::is_gone(client, code) {
        kept.forget(&client.issuer, &client.id);
    }
}
