//! From what the user set to what `patchbay-auth` wants.

use patchbay_auth as auth;
use patchbay_contract::*;
use patchbay_protocol::Revision;
use patchbay_secret::Secret;
use url::Url;

/// The settings of a server; its secrets are values, not references. The error says in a sentence what is missing.
pub(super) fn of(draft: &AuthorizationDraft, era: EraChoice) -> Result<auth::Settings, String> {
    Ok(auth::Settings {
        grant: grant(draft)?,
        client: client(draft),
        metadata_document: draft.metadata_url.as_deref().map(address).transpose()?,
        scopes: draft
            .scopes
            .as_deref()
            .map(words)
            .filter(|scopes| !scopes.is_empty()),
        redirect_port: draft.redirect_port,
        // With `auto` the revision is not known before the server lets us in.
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
            auth_method: draft.client_auth.map(|method| match method {
                ClientAuth::None => auth::AuthMethod::None,
                ClientAuth::Basic => auth::AuthMethod::Basic,
                ClientAuth::Post => auth::AuthMethod::Post,
                ClientAuth::PrivateKeyJwt => auth::AuthMethod::PrivateKeyJwt,
            }),
            issuer: None,
        },
    }
}

fn grant(draft: &AuthorizationDraft) -> Result<auth::GrantChoice, String> {
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

/// What is wrong with what the user set, and the same without blanks around and empty members.
pub(crate) fn checked(draft: Option<AuthorizationDraft>) -> Result<Option<AuthorizationDraft>, String> {
    let Some(mut draft) = draft else {
        return Ok(None);
    };
    for member in [
        &mut draft.client_id,
        &mut draft.client_secret,
        &mut draft.private_key,
        &mut draft.scopes,
        &mut draft.metadata_url,
    ] {
        tidy(member);
    }
    if let Some(enterprise) = &mut draft.enterprise {
        for member in [
            &mut enterprise.issuer,
            &mut enterprise.token_endpoint,
            &mut enterprise.client_id,
            &mut enterprise.client_secret,
            &mut enterprise.id_token,
        ] {
            tidy(member);
        }
        if *enterprise == EnterpriseDraft::default() {
            draft.enterprise = None;
        }
    }
    if draft.redirect_port == Some(0) {
        return Err(
            "The port of the redirect URI is 1 to 65535; leave it empty for any free one.".to_owned(),
        );
    }
    let is_scope = |c: char| matches!(c, '\x21' | '\x23'..='\x5b' | '\x5d'..='\x7e');
    let scopes = draft.scopes.as_deref().map(words);
    if let Some(scope) = scopes.iter().flatten().find(|scope| !scope.chars().all(is_scope)) {
        return Err(format!("`{scope}` cannot be a scope (RFC 6749 section 3.3)."));
    }
    if let Some(url) = draft.metadata_url.as_deref() {
        let parsed = address(url)?;
        if parsed.scheme() != "https" || parsed.path() == "/" {
            return Err(format!(
                "`{url}` cannot be a client id: a client metadata document has an https address with a path."
            ));
        }
    }
    needs(&draft)?;
    Ok(Some(draft).filter(|draft| *draft != AuthorizationDraft::default()))
}

/// What the mode cannot do without.
fn needs(draft: &AuthorizationDraft) -> Result<(), String> {
    let wants = |missing: &str| Err(format!("This way of authorization needs {missing}."));
    let enterprise = draft.enterprise.clone().unwrap_or_default();
    match draft.mode {
        AuthorizationMode::Auto | AuthorizationMode::Off => Ok(()),
        _ if draft.client_id.is_none() => wants("a client id"),
        AuthorizationMode::ClientCredentials
            if draft.client_secret.is_none() && draft.private_key.is_none() =>
        {
            wants("a client secret or a private key")
        }
        AuthorizationMode::Enterprise if enterprise.client_id.is_none() => {
            wants("the client id at the identity provider")
        }
        AuthorizationMode::Enterprise if enterprise.id_token.is_none() => {
            wants("an ID token of the identity provider")
        }
        AuthorizationMode::Enterprise
            if enterprise.issuer.is_none() && enterprise.token_endpoint.is_none() =>
        {
            wants("the identity provider's issuer or token endpoint")
        }
        AuthorizationMode::ClientCredentials | AuthorizationMode::Enterprise => Ok(()),
    }
}

fn tidy(member: &mut Option<String>) {
    *member = member
        .take()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
}
