//! Converts the user's settings to those of `patchbay-auth`.

use std::sync::{Arc, Weak};

use patchbay_auth as auth;
use patchbay_contract::*;
use patchbay_protocol::Revision;
use patchbay_secret::Secret;
use url::Url;

use super::assertion::Assertion;
use crate::state::EngineState;

/// The settings of a server. Secrets are values, not references. The error says in a sentence what is missing.
pub(super) fn of(
    draft: &AuthorizationDraft,
    era: EraChoice,
    engine: &Weak<EngineState>,
) -> Result<auth::Settings, String> {
    Ok(auth::Settings {
        grant: grant(draft, engine)?,
        client: client(draft),
        metadata_document: draft.metadata_url.as_deref().map(address).transpose()?,
        scopes: draft
            .scopes
            .as_deref()
            .map(words)
            .filter(|scopes| !scopes.is_empty()),
        dpop: match draft.dpop {
            None => auth::DpopChoice::Auto,
            Some(DpopMode::Always) => auth::DpopChoice::Always,
            Some(DpopMode::Never) => auth::DpopChoice::Never,
        },
        redirect_port: draft.redirect_port,
        // With `auto` the revision is unknown until the server accepts a request.
        revision: (era == EraChoice::Modern).then_some(Revision::LATEST_MODERN),
        ..auth::Settings::default()
    })
}

fn words(scopes: &str) -> Vec<String> {
    scopes.split_whitespace().map(str::to_owned).collect()
}

fn address(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|why| format!("`{text}` is not an address: {why}."))
}

fn secret(value: Option<&String>) -> Option<Secret> {
    value.filter(|value| !value.is_empty()).map(Secret::new)
}

fn client(draft: &AuthorizationDraft) -> auth::ClientChoice {
    match draft.client_id.as_ref().filter(|id| !id.is_empty()) {
        None => auth::ClientChoice::Auto,
        Some(id) => auth::ClientChoice::Manual {
            id: id.clone(),
            secret: secret(draft.client_secret.as_ref()),
            auth_method: client_auth(draft).map(|method| match method {
                ClientAuth::None => auth::AuthMethod::None,
                ClientAuth::Basic => auth::AuthMethod::Basic,
                ClientAuth::Post => auth::AuthMethod::Post,
                ClientAuth::PrivateKeyJwt => auth::AuthMethod::PrivateKeyJwt,
            }),
            issuer: None,
        },
    }
}

/// How the client authenticates, if that is set. Only client credentials have a key to sign with; what was chosen for them
/// stays in the settings.
fn client_auth(draft: &AuthorizationDraft) -> Option<ClientAuth> {
    let has_key = draft.mode == AuthorizationMode::ClientCredentials;
    draft
        .client_auth
        .filter(|method| has_key || *method != ClientAuth::PrivateKeyJwt)
}

fn grant(draft: &AuthorizationDraft, engine: &Weak<EngineState>) -> Result<auth::GrantChoice, String> {
    Ok(match draft.mode {
        AuthorizationMode::Auto | AuthorizationMode::Off => auth::GrantChoice::AuthorizationCode,
        AuthorizationMode::ClientCredentials => auth::GrantChoice::ClientCredentials {
            key: secret(draft.private_key.as_ref()).map(|pem| auth::SigningKey {
                pem,
                algorithm: draft.signing.map(|signing| match signing {
                    Signing::Es256 => auth::SigningAlgorithm::Es256,
                    Signing::Rs256 => auth::SigningAlgorithm::Rs256,
                }),
                key_id: None,
            }),
        },
        AuthorizationMode::Workload => auth::GrantChoice::Workload(auth::Workload {
            source: Arc::new(Assertion {
                draft: draft
                    .assertion
                    .clone()
                    .ok_or("The source of the assertion is missing.")?,
                engine: engine.clone(),
            }),
        }),
        AuthorizationMode::Enterprise => {
            let draft = draft.enterprise.clone().unwrap_or_default();
            let id_token = secret(draft.id_token.as_ref());
            auth::GrantChoice::Enterprise(Box::new(auth::Enterprise {
                issuer: draft.issuer,
                token_endpoint: draft.token_endpoint.as_deref().map(address).transpose()?,
                client_id: draft
                    .client_id
                    .ok_or("The identity provider's client id is missing.")?,
                client_secret: secret(draft.client_secret.as_ref()),
                id_token: id_token.ok_or("The ID token of the identity provider is missing.")?,
            }))
        }
    })
}
