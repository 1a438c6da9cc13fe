//! Validates the authorization settings of a server.

use std::path::Path;

use patchbay_contract::{
    AssertionDraft, AssertionFrom, AuthorizationDraft, AuthorizationMode, EnterpriseDraft,
};
use url::Url;

use crate::command_words;

/// The settings without surrounding blanks and empty members, or what is wrong with them.
pub(super) fn checked(draft: Option<AuthorizationDraft>) -> Result<Option<AuthorizationDraft>, String> {
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
    if let Some(assertion) = &mut draft.assertion {
        assertion.value = assertion.value.trim().to_owned();
        if assertion.value.is_empty() {
            draft.assertion = None;
        }
    }
    if draft.redirect_port == Some(0) {
        return Err(
            "The port of the redirect URI is 1 to 65535; leave it empty for any free one.".to_owned(),
        );
    }
    let is_scope = |c: char| matches!(c, '\x21' | '\x23'..='\x5b' | '\x5d'..='\x7e');
    let scopes = draft.scopes.as_deref().map(str::split_whitespace);
    if let Some(scope) = scopes
        .into_iter()
        .flatten()
        .find(|scope| !scope.chars().all(is_scope))
    {
        return Err(format!("`{scope}` cannot be a scope (RFC 6749 section 3.3)."));
    }
    if let Some(url) = draft.metadata_url.as_deref() {
        let parsed = Url::parse(url).map_err(|why| format!("`{url}` is not an address: {why}."))?;
        if parsed.scheme() != "https" || parsed.path() == "/" {
            return Err(format!(
                "`{url}` cannot be a client id: a client metadata document has an https address with a path."
            ));
        }
    }
    needs(&draft)?;
    Ok(Some(draft).filter(|draft| *draft != AuthorizationDraft::default()))
}

/// What the mode requires.
fn needs(draft: &AuthorizationDraft) -> Result<(), String> {
    let wants = |missing: &str| Err(format!("This way of authorization needs {missing}."));
    let enterprise = draft.enterprise.clone().unwrap_or_default();
    match draft.mode {
        AuthorizationMode::Auto | AuthorizationMode::Off => Ok(()),
        AuthorizationMode::Workload => assertion(draft.assertion.as_ref()),
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

/// What is wrong with the source of an assertion.
fn assertion(draft: Option<&AssertionDraft>) -> Result<(), String> {
    let Some(AssertionDraft { from, value }) = draft else {
        return Err("This way of authorization needs the source of the assertion.".to_owned());
    };
    match from {
        AssertionFrom::Variable if value.contains(['=', '\0']) || value.contains(char::is_whitespace) => Err(
            format!("`{value}` cannot be the name of an environment variable."),
        ),
        AssertionFrom::Command if command_words(value).is_none() => Err(format!(
            "`{value}` is not a command: a quotation mark is not closed."
        )),
        AssertionFrom::File if !Path::new(value).is_absolute() => {
            Err(format!("`{value}` must be the whole path of a file."))
        }
        _ => Ok(()),
    }
}

fn tidy(member: &mut Option<String>) {
    *member = member
        .take()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
}

#[cfg(test)]
mod tests;
