//! An authorization server: registration, and consent that is given at once. Tokens: [`super::tokens`].

use serde_json::json;

use super::{
    Stage,
    form::{Form, written},
    ledger::{Client, Code, unguessable},
    metadata,
    parts::Part,
    resource, tokens,
};
use crate::http::{reply::Reply, request::Request};

/// What an attacker would like to see in a page of ours.
const MARKUP: &str =
    r#""><script>document.title='injected'</script><img src=x onerror="document.title='injected'">"#;

/// Answers at the port of authorization server `which`; the third is the protected server itself.
pub(super) fn serve(stage: &Stage, which: usize, request: &Request, reply: &mut Reply) {
    let server = ["as", "as2", "mcp"][which.min(2)];
    let (path, query) = request.target();
    let endpoint = match stage.part {
        Part::OpenId => path.strip_prefix("/tenant").unwrap_or("/"),
        _ => path,
    };
    match (&*request.method, endpoint) {
        ("GET", "/authorize") => {
            let form = Form::read(query);
            let more = format!("scope={} resource={}", form.get("scope"), form.get("resource"));
            stage.saw(server, request, &more);
            authorize(stage, which, &form, reply);
        }
        ("POST", "/token") => {
            let form = Form::read(&request.body);
            let more = format!("{} resource={}", form.get("grant_type"), form.get("resource"));
            stage.saw(server, request, &more);
            tokens::token(stage, which, request, &form, reply);
        }
        ("POST", "/revoke") => {
            let form = Form::read(&request.body);
            let known = stage.ledger().revoke(form.get("token"));
            stage.saw(server, request, if known { "known" } else { "unknown" });
            reply.empty(200);
        }
        ("POST", "/register") if stage.part != Part::NoRegistration => {
            stage.saw(server, request, "");
            register(stage, request, reply);
        }
        _ => {
            stage.saw(server, request, &resource::token(stage, request));
            if request.method != "GET" || !metadata::serve(stage, which, path, reply) {
                reply.text(404, "text/html", "<!doctype html><title>404</title>");
            }
        }
    }
}

/// RFC 7591.
fn register(stage: &Stage, request: &Request, reply: &mut Reply) {
    match stage.part {
        Part::RegistrationRefused => {
            let error =
                json!({"error": "invalid_redirect_uri", "error_description": "No loopback here, please."});
            return reply.json(400, &error.to_string());
        }
        Part::HtmlRegistration => return reply.text(200, "text/html", "<!doctype html><p>Sign up"),
        Part::EmptyRegistration => return reply.json(201, r#"{"client_name":"nobody"}"#),
        _ => {}
    }
    let asked: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
    let uris = asked["redirect_uris"].as_array().cloned().unwrap_or_default();
    let method = match stage.part {
        Part::SecretBasic => "client_secret_basic",
        Part::SecretPost => "client_secret_post",
        _ => "none",
    };
    let client = Client {
        id: format!("client-{}", stage.ledger().clients()),
        secret: (method != "none").then(|| unguessable("client-secret")),
        redirect_uris: uris
            .iter()
            .filter_map(|uri| uri.as_str().map(str::to_owned))
            .collect(),
    };
    let mut answer = json!({
        "client_id": client.id,
        "redirect_uris": uris,
        "token_endpoint_auth_method": method,
        "grant_types": ["authorization_code", "refresh_token"],
    });
    if let Some(secret) = &client.secret {
        answer["client_secret"] = json!(secret);
        answer["client_secret_expires_at"] = json!(0);
    }
    stage.ledger().add_client(client);
    reply.json(201, &answer.to_string());
}

/// What is wrong with a request for a code, as a strict server sees it.
fn objection(stage: &Stage, form: &Form) -> Option<String> {
    let Some(client) = stage.ledger().client(form.get("client_id")) else {
        return Some(format!("unknown client {}", form.get("client_id")));
    };
    let uri = form.get("redirect_uri");
    let is_registered = client.redirect_uris.iter().any(|known| known == uri);
    if !is_registered && (client.id != "known-client" || !uri.starts_with("http://localhost:")) {
        return Some(format!("{uri} is no redirect URI of {}", client.id));
    }
    let wanted = [
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
        (
            "resource",
            if stage.part.is_old() {
                ""
            } else {
                &stage.resource()
            },
        ),
    ];
    for (name, value) in wanted {
        if !value.is_empty() && form.get(name) != value {
            return Some(format!("{name} is `{}`, not `{value}`", form.get(name)));
        }
    }
    let empty = ["code_challenge", "state"]
        .into_iter()
        .find(|name| form.get(name).is_empty());
    empty.map(|name| format!("{name} is missing"))
}

fn authorize(stage: &Stage, which: usize, form: &Form, reply: &mut Reply) {
    if let Some(objection) = objection(stage, form) {
        return reply.text(400, "text/plain", &objection);
    }
    let issuer = stage.issuer(which);
    let iss = match stage.part {
        Part::WrongIss | Part::WrongIssError | Part::UnexpectedIss => &stage.others[1],
        Part::MissingIss => "",
        _ => &issuer,
    };
    let state = match stage.part {
        Part::MixedState => "the-state-of-somebody-else",
        _ => form.get("state"),
    };
    let error = match stage.part {
        Part::Denied => ("access_denied", "The user said no."),
        Part::WrongIssError => ("access_denied", "Call this number to regain access: 555-0100"),
        Part::Injection => ("server_error", MARKUP),
        _ => ("", ""),
    };
    let code = if error.0.is_empty() && stage.part != Part::NoCode {
        stage.ledger().issue_code(Code {
            client: form.get("client_id").to_owned(),
            redirect_uri: form.get("redirect_uri").to_owned(),
            challenge: form.get("code_challenge").to_owned(),
            scope: form.get("scope").to_owned(),
            resource: form.get("resource").to_owned(),
        })
    } else {
        String::new()
    };
    let pairs = [
        ("code", &*code),
        ("error", error.0),
        ("error_description", error.1),
        ("state", state),
        ("iss", iss),
    ];
    let pairs: Vec<_> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let location = format!("{}?{}", form.get("redirect_uri"), written(&pairs));
    reply.whole(302, &format!("location: {location}\r\n"), b"");
}
