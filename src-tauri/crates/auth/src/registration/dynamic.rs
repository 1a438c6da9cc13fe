//! Dynamic registration (RFC 7591) as a native application. No scopes are registered: a strict server would refuse others
//! later.

use std::time::{Duration, SystemTime};

use patchbay_http::{HeaderMap, HeaderValue, Url, header};
use patchbay_secret::Secret;
use serde::Deserialize;
use serde_json::{Value, json};

use super::auth_method_for;
use crate::discovery::server::Server;
use crate::grant::callback::shown;
use crate::run::net::{Net, Reply};
use crate::{AttemptVerdict, AuthMethod, ClientOrigin, Failure, RegisteredClient, Step, rules};

const NAME: &str = "Patchbay";

/// The registration response. Not `Debug`, because it may contain a secret.
#[derive(Deserialize)]
struct Response {
    client_id: String,
    client_secret: Option<String>,
    /// 0: it does not expire.
    client_secret_expires_at: Option<u64>,
    token_endpoint_auth_method: Option<String>,
}

/// Registers a client.
pub(super) async fn register(
    net: &Net,
    server: &Server,
    endpoint: &Url,
    redirect_uri: &str,
) -> Result<RegisteredClient, Failure> {
    let mut headers = HeaderMap::new();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json.clone());
    headers.insert(header::ACCEPT, json);
    let asked = method(server);
    let body = metadata(server, redirect_uri, asked).to_string();
    let reply = net
        .post("registration endpoint", endpoint, headers, body.into())
        .await?;
    let response = read(&reply).map_err(|failure| {
        net.attempt(&reply, AttemptVerdict::Refused, format!("{}.", failure.cause));
        failure.seen_in(reply.exchange)
    })?;
    net.attempt(&reply, AttemptVerdict::Ok, "Registered.");
    let registered = response
        .token_endpoint_auth_method
        .as_deref()
        .and_then(AuthMethod::parse);
    let expires = response.client_secret_expires_at.filter(|at| *at > 0);
    Ok(RegisteredClient {
        issuer: server.issuer.clone(),
        auth_method: auth_method_for(server, response.client_secret.is_some(), registered),
        id: response.client_id,
        secret: response.client_secret.map(Secret::new),
        secret_expires_at: expires.and_then(|at| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(at))),
        origin: ClientOrigin::Dynamic,
        redirect_uri: Some(redirect_uri.to_owned()),
    })
}

/// The preferred authentication method: a native application cannot keep a secret that all its copies share.
fn method(server: &Server) -> AuthMethod {
    let Some(supported) = &server.token_endpoint_auth_methods_supported else {
        return AuthMethod::None;
    };
    [AuthMethod::None, AuthMethod::Basic, AuthMethod::Post]
        .into_iter()
        .find(|method| supported.iter().any(|known| known == method.as_str()))
        .unwrap_or(AuthMethod::None)
}

/// The client metadata.
fn metadata(server: &Server, redirect_uri: &str, method: AuthMethod) -> Value {
    let mut grants = vec!["authorization_code"];
    if server.grants("refresh_token") {
        grants.push("refresh_token");
    }
    json!({
        "client_name": NAME,
        "application_type": "native",
        "redirect_uris": [redirect_uri],
        "grant_types": grants,
        "response_types": ["code"],
        "token_endpoint_auth_method": method.as_str(),
    })
}

fn read(reply: &Reply) -> Result<Response, Failure> {
    let failure = |cause: String, next: &str| Failure::new(Step::Registration, cause, next);
    let manual = "Register Patchbay by hand, and enter the client id in the settings.";
    if !matches!(reply.status, 200 | 201) {
        let said = reply.object().ok().and_then(|object| {
            let error = object.get("error")?.as_str()?.to_owned();
            let description = object.get("error_description").and_then(Value::as_str);
            Some((error, description.map(shown)))
        });
        let (code, cause) = match said {
            Some((error, None)) => (error.clone(), shown(&error)),
            Some((error, Some(description))) => (error.clone(), format!("{} ({description})", shown(&error))),
            None => (String::new(), format!("status {}", reply.status)),
        };
        let next = match code.as_str() {
            "invalid_redirect_uri" => {
                "The authorization server must allow http://localhost for native clients. Otherwise, choose a redirect port it accepts."
            }
            _ => manual,
        };
        return Err(failure(
            format!("the authorization server refused the registration: {cause}"),
            next,
        )
        .against(rules::REGISTRATION_ERROR));
    }
    let object = reply.object().map_err(|cause| {
        failure(cause, "The authorization server must respond as the rule says.")
            .against(rules::REGISTRATION_RESPONSE)
    })?;
    // The error of serde_json could contain a value.
    serde_json::from_value(object).map_err(|_| {
        failure(
            "the response is not a registered client: client_id is missing, or a field has the wrong type"
                .to_owned(),
            "The authorization server must respond as the rule says.",
        )
        .against(rules::REGISTRATION_RESPONSE)
    })
}
