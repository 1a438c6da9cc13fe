//! Checks whether an authorization server is usable, based on its metadata.

use patchbay_protocol::Revision;

use super::Server;
use crate::run::guard::secure;
use crate::{Failure, GrantChoice, Settings, Step, rules};

const STEP: Step = Step::ServerMetadata;

/// Checks that the endpoints of the grant exist and are secure, and that PKCE is supported. Other endpoints, such as
/// registration, are checked where they are used.
pub(super) fn check(server: &Server, settings: &Settings) -> Result<(), Failure> {
    if matches!(settings.grant, GrantChoice::AuthorizationCode) {
        let endpoint = server.authorization_endpoint(STEP)?;
        secure(STEP, "authorization endpoint", endpoint)?;
        pkce(server, settings.revision)?;
    }
    secure(STEP, "token endpoint", server.token_endpoint(STEP)?)
}

/// Requires support for PKCE with S256: without it, a stolen code could be exchanged.
fn pkce(server: &Server, revision: Option<Revision>) -> Result<(), Failure> {
    let cause = match &server.code_challenge_methods_supported {
        Some(methods) if methods.iter().any(|method| method == "S256") => return Ok(()),
        // It publishes no metadata, or its revision did not require this field. PKCE is sent anyway.
        None if server.assumed => return Ok(()),
        None if revision.is_some_and(|revision| revision <= Revision::V2025_06_18) => return Ok(()),
        None => "does not say that it supports PKCE (code_challenge_methods_supported is missing)".to_owned(),
        Some(methods) => format!("does not support PKCE with S256, only: {}", methods.join(" ")),
    };
    Err(Failure::new(
        STEP,
        format!("the authorization server {} {cause}", server.issuer),
        "It must support S256 and list it in code_challenge_methods_supported.",
    )
    .against(rules::MCP_PKCE))
}
