//! The token endpoint.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde_json::{Value, json};

use super::{
    enterprise,
    ledger::{self, Client, GrantId, unguessable},
    servers::Servers,
    variants::Variant,
};
use crate::http::{
    form::{Form, decoded},
    reply::Reply,
    request::Request,
};

/// The lifetime of an access token, in seconds.
const LIFE: u64 = 3600;
/// The clock skew of a wrong clock, in seconds.
const SKEW: u64 = 24 * 3600;

/// An error of RFC 6749 §5.2: its status, code and description.
pub(super) struct Refused(pub(super) u16, pub(super) &'static str, pub(super) String);

pub(super) fn invalid_grant(why: impl Into<String>) -> Refused {
    Refused(400, "invalid_grant", why.into())
}

/// Serves a token request.
pub(super) fn token(servers: &Servers, which: usize, request: &Request, form: &Form, reply: &mut Reply) {
    for name in ["code_verifier", "client_assertion"] {
        if !form.get(name).is_empty() {
            servers.ledger().keep(name, form.get(name));
        }
    }
    if let Some(basic) = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "))
    {
        servers.ledger().keep("basic", basic);
    }
    let is_refresh = form.get("grant_type") == "refresh_token";
    match servers.variant {
        Variant::HeldRefresh if is_refresh => servers.hold(),
        Variant::HtmlToken => return reply.text(200, "text/html", "<!doctype html><h1>Session expired</h1>"),
        Variant::HtmlRefresh if is_refresh => {
            return reply.text(502, "text/html", "<!doctype html><h1>Bad gateway</h1>");
        }
        Variant::EmptyToken => return reply.json(200, r#"{"token_type":"Bearer"}"#),
        Variant::SlowToken => return reply.endless_json(),
        Variant::RedirectToken if which == 0 => {
            return reply.whole(307, &format!("location: {}/token\r\n", servers.others[1]), b"");
        }
        _ => {}
    }
    let answer = match form.get("grant_type") {
        enterprise::EXCHANGE => {
            client(servers, request, form).and_then(|_| enterprise::vouched(servers, form))
        }
        _ => granted(servers, request, form).map(|grant| tokens(servers, which, grant)),
    };
    let (status, body) = match answer {
        Ok(answer) => (200, answer),
        Err(Refused(status, error, description)) => {
            (status, json!({"error": error, "error_description": description}))
        }
    };
    let mut headers = "content-type: application/json\r\ncache-control: no-store\r\n".to_owned();
    if servers.variant == Variant::ClockSkew {
        headers.push_str("date: Sat, 01 Jan 2000 00:00:00 GMT\r\n");
    }
    reply.whole(status, &headers, body.to_string().as_bytes());
}

/// The authenticated client of a request.
fn client(servers: &Servers, request: &Request, form: &Form) -> Result<Client, Refused> {
    let basic = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "));
    let basic = basic.and_then(|text| STANDARD.decode(text).ok());
    let basic = basic.and_then(|bytes| String::from_utf8(bytes).ok());
    let basic = basic.as_deref().and_then(|text| text.split_once(':'));
    let (id, secret) = match basic {
        Some((id, secret)) => (decoded(id), decoded(secret)),
        None => (
            form.get("client_id").to_owned(),
            form.get("client_secret").to_owned(),
        ),
    };
    let invalid = |why: &str| Refused(401, "invalid_client", why.to_owned());
    if servers.variant == Variant::ClientRefused {
        return Err(invalid("this client was deleted"));
    }
    let client = servers
        .ledger()
        .client(&id)
        .ok_or_else(|| invalid("unknown client"))?;
    let way_is_wrong = match servers.variant {
        Variant::SecretBasic => basic.is_none(),
        Variant::SecretPost => basic.is_some(),
        _ => false,
    };
    if way_is_wrong {
        return Err(invalid("the secret must come the other way"));
    }
    match &client.secret {
        Some(known) if *known != secret => Err(invalid("wrong secret")),
        _ => Ok(client),
    }
}

fn granted(servers: &Servers, request: &Request, form: &Form) -> Result<GrantId, Refused> {
    let client = client(servers, request, form)?;
    let resource = form.get("resource");
    if !servers.variant.is_old() && resource != servers.resource() {
        return Err(Refused(
            400,
            "invalid_target",
            format!("`{resource}` is not protected here"),
        ));
    }
    match form.get("grant_type") {
        "authorization_code" => {
            let spent = servers.ledger().spend_code(form.get("code"));
            let (grant, code) = spent.map_err(invalid_grant)?;
            let same = [
                (&*code.client, &*client.id, "client"),
                (&*code.redirect_uri, form.get("redirect_uri"), "redirect_uri"),
                (
                    &*code.challenge,
                    &*ledger::challenge(form.get("code_verifier")),
                    "code_verifier",
                ),
                (&*code.resource, resource, "resource"),
            ];
            if let Some((.., what)) = same.iter().find(|(issued, came, _)| issued != came) {
                return Err(invalid_grant(format!("this code was issued for another {what}")));
            }
            if servers.variant == Variant::UsedCode {
                return Err(invalid_grant("this code was used before"));
            }
            Ok(grant)
        }
        "refresh_token" if servers.variant == Variant::RefreshRefused => {
            Err(invalid_grant("the session was ended"))
        }
        "refresh_token" => {
            let spent = servers
                .ledger()
                .spend_refresh(form.get("refresh_token"), &client.id);
            spent.map_err(invalid_grant)
        }
        "client_credentials" if client.secret.is_some() => {
            Ok(servers.ledger().grant(&client.id, form.get("scope"), resource))
        }
        enterprise::ASSERTION => enterprise::granted(servers, &client, form),
        other => Err(Refused(
            400,
            "unsupported_grant_type",
            format!("`{other}` from {}", client.id),
        )),
    }
}

fn tokens(servers: &Servers, which: usize, grant: GrantId) -> Value {
    let (scope, resource) = servers.ledger().terms(grant);
    let access = match servers.variant {
        Variant::Opaque => unguessable("opaque"),
        _ => jwt(servers, which, &scope, &resource),
    };
    servers.ledger().issue_access(grant, access.clone());
    let mut answer = json!({
        "access_token": access,
        "token_type": if servers.variant == Variant::OddTokenType { "mac" } else { "Bearer" },
        "expires_in": if servers.variant == Variant::OddExpiry { json!("soon") } else { json!(LIFE) },
    });
    if !scope.is_empty() {
        answer["scope"] = json!(scope);
    }
    if servers.variant != Variant::NoRefreshToken {
        answer["refresh_token"] = json!(servers.ledger().issue_refresh(grant));
    }
    answer
}

/// An access token in the form of RFC 9068, with a random signature.
fn jwt(servers: &Servers, which: usize, scope: &str, resource: &str) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let now = if servers.variant == Variant::ClockSkew {
        now - SKEW
    } else {
        now
    };
    let header = json!({"alg": "HS256", "typ": "at+jwt"});
    let claims = json!({
        "iss": servers.issuer(which), "sub": "ada", "aud": resource, "scope": scope, "iat": now, "exp": now + LIFE,
    });
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!(
        "{}.{}.{}",
        part(header),
        part(claims),
        URL_SAFE_NO_PAD.encode(ledger::random())
    )
}
