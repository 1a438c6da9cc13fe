//! The token endpoint.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde_json::{Value, json};

use super::{
    Stage, enterprise,
    form::{Form, decoded},
    ledger::{self, Client, GrantId, unguessable},
    parts::Part,
};
use crate::http::{reply::Reply, request::Request};

/// How long an access token is good, in seconds.
const LIFE: u64 = 3600;
/// By how much a clock can be wrong, in seconds.
const SKEW: u64 = 24 * 3600;

/// An error of RFC 6749 §5.2: its status, code and description.
pub(super) struct Refused(pub(super) u16, pub(super) &'static str, pub(super) String);

pub(super) fn invalid_grant(why: impl Into<String>) -> Refused {
    Refused(400, "invalid_grant", why.into())
}

/// Answers a request for a token.
pub(super) fn token(stage: &Stage, which: usize, request: &Request, form: &Form, reply: &mut Reply) {
    for name in ["code_verifier", "client_assertion"] {
        if !form.get(name).is_empty() {
            stage.ledger().keep(name, form.get(name));
        }
    }
    if let Some(basic) = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "))
    {
        stage.ledger().keep("basic", basic);
    }
    let is_refresh = form.get("grant_type") == "refresh_token";
    match stage.part {
        Part::HeldRefresh if is_refresh => stage.hold(),
        Part::HtmlToken => return reply.text(200, "text/html", "<!doctype html><h1>Session expired</h1>"),
        Part::HtmlRefresh if is_refresh => {
            return reply.text(502, "text/html", "<!doctype html><h1>Bad gateway</h1>");
        }
        Part::EmptyToken => return reply.json(200, r#"{"token_type":"Bearer"}"#),
        Part::SlowToken => return reply.endless_json(),
        Part::RedirectToken if which == 0 => {
            return reply.whole(307, &format!("location: {}/token\r\n", stage.others[1]), b"");
        }
        _ => {}
    }
    let answer = match form.get("grant_type") {
        enterprise::EXCHANGE => client(stage, request, form).and_then(|_| enterprise::vouched(stage, form)),
        _ => granted(stage, request, form).map(|grant| tokens(stage, which, grant)),
    };
    let (status, body) = match answer {
        Ok(answer) => (200, answer),
        Err(Refused(status, error, description)) => {
            (status, json!({"error": error, "error_description": description}))
        }
    };
    let mut headers = "content-type: application/json\r\ncache-control: no-store\r\n".to_owned();
    if stage.part == Part::ClockSkew {
        headers.push_str("date: Sat, 01 Jan 2000 00:00:00 GMT\r\n");
    }
    reply.whole(status, &headers, body.to_string().as_bytes());
}

/// Who asks, and whether they have proved it.
fn client(stage: &Stage, request: &Request, form: &Form) -> Result<Client, Refused> {
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
    if stage.part == Part::ClientRefused {
        return Err(invalid("this client was deleted"));
    }
    let client = stage
        .ledger()
        .client(&id)
        .ok_or_else(|| invalid("unknown client"))?;
    let way_is_wrong = match stage.part {
        Part::SecretBasic => basic.is_none(),
        Part::SecretPost => basic.is_some(),
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

fn granted(stage: &Stage, request: &Request, form: &Form) -> Result<GrantId, Refused> {
    let client = client(stage, request, form)?;
    let resource = form.get("resource");
    if !stage.part.is_old() && resource != stage.resource() {
        return Err(Refused(
            400,
            "invalid_target",
            format!("`{resource}` is not protected here"),
        ));
    }
    match form.get("grant_type") {
        "authorization_code" => {
            let spent = stage.ledger().spend_code(form.get("code"));
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
            if stage.part == Part::UsedCode {
                return Err(invalid_grant("this code was used before"));
            }
            Ok(grant)
        }
        "refresh_token" if stage.part == Part::RefreshRefused => Err(invalid_grant("the session was ended")),
        "refresh_token" => {
            let spent = stage
                .ledger()
                .spend_refresh(form.get("refresh_token"), &client.id);
            spent.map_err(invalid_grant)
        }
        "client_credentials" if client.secret.is_some() => {
            Ok(stage.ledger().grant(&client.id, form.get("scope"), resource))
        }
        enterprise::ASSERTION => enterprise::granted(stage, &client, form),
        other => Err(Refused(
            400,
            "unsupported_grant_type",
            format!("`{other}` from {}", client.id),
        )),
    }
}

fn tokens(stage: &Stage, which: usize, grant: GrantId) -> Value {
    let (scope, resource) = stage.ledger().terms(grant);
    let access = match stage.part {
        Part::Opaque => unguessable("opaque"),
        _ => jwt(stage, which, &scope, &resource),
    };
    stage.ledger().issue_access(grant, access.clone());
    let mut answer = json!({
        "access_token": access,
        "token_type": if stage.part == Part::OddTokenType { "mac" } else { "Bearer" },
        "expires_in": if stage.part == Part::OddExpiry { json!("soon") } else { json!(LIFE) },
        "scope": scope,
    });
    if stage.part != Part::NoRefreshToken {
        answer["refresh_token"] = json!(stage.ledger().issue_refresh(grant));
    }
    answer
}

/// An access token in the form of RFC 9068; its signature is one that nobody could make again.
fn jwt(stage: &Stage, which: usize, scope: &str, resource: &str) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let now = if stage.part == Part::ClockSkew {
        now - SKEW
    } else {
        now
    };
    let header = json!({"alg": "HS256", "typ": "at+jwt"});
    let claims = json!({
        "iss": stage.issuer(which), "sub": "ada", "aud": resource, "scope": scope, "iat": now, "exp": now + LIFE,
    });
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!(
        "{}.{}.{}",
        part(header),
        part(claims),
        URL_SAFE_NO_PAD.encode(ledger::random())
    )
}
