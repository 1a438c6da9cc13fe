//! An authorization server: registration, and immediate consent. Tokens: [`super::tokens`].

use serde_json::json;

use super::{
    ledger::{Client, Code, unguessable},
    metadata, resource,
    servers::Servers,
    tokens,
    variants::Variant,
};
use crate::http::{
    form::{Form, written},
    reply::Reply,
    request::Request,
};

/// Markup that an attacker could try to inject into our page.
const MARKUP: &str =
    r#""><script>document.title='injected'</script><img src=x onerror="document.title='injected'">"#;

/// Serves the port of authorization server `which`; the third is the protected server itself.
pub(super) fn serve(servers: &Servers, which: usize, request: &Request, reply: &mut Reply) {
    let server = ["as", "as2", "mcp"][which.min(2)];
    let (path, query) = request.target();
    let endpoint = match servers.variant {
        Variant::OpenId => path.strip_prefix("/tenant").unwrap_or("/"),
        _ => path,
    };
    match (&*request.method, endpoint) {
        ("GET", "/authorize") => {
            let form = Form::read(query);
            let more = format!("scope={} resource={}", form.get("scope"), form.get("resource"));
            servers.saw(server, request, &more);
            authorize(servers, which, &form, reply);
        }
        ("POST", "/token") => {
            let form = Form::read(&request.body);
            let more = format!("{} resource={}", form.get("grant_type"), form.get("resource"));
            servers.saw(server, request, &more);
            tokens::token(servers, which, request, &form, reply);
        }
        ("POST", "/revoke") => {
            let form = Form::read(&request.body);
            let known = servers.ledger().revoke(form.get("token"));
            servers.saw(server, request, if known { "known" } else { "unknown" });
            reply.empty(200);
        }
        ("POST", "/register") if servers.variant != Variant::NoRegistration => {
            servers.saw(server, request, "");
            register(servers, request, reply);
        }
        _ => {
            servers.saw(server, request, &resource::token(servers, request));
            if request.method != "GET" || !metadata::serve(servers, which, path, reply) {
                reply.text(404, "text/html", "<!doctype html><title>404</title>");
            }
        }
    }
}

/// RFC 7591.
fn register(servers: &Servers, request: &Request, reply: &mut Reply) {
    match servers.variant {
        Variant::RegistrationRefused => {
            let error =
                json!({"error": "invalid_redirect_uri", "error_description": "No loopback here, please."});
            return reply.json(400, &error.to_string());
        }
        Variant::HtmlRegistration => return reply.text(200, "text/html", "<!doctype html><p>Sign up"),
        Variant::EmptyRegistration => return reply.json(201, r#"{"client_name":"nobody"}"#),
        _ => {}
    }
    let asked: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
    let uris = asked["redirect_uris"].as_array().cloned().unwrap_or_default();
    let method = match servers.variant {
        Variant::SecretBasic => "client_secret_basic",
        Variant::SecretPost => "client_secret_post",
        _ => "none",
    };
    let client = Client {
        id: format!("client-{}", servers.ledger().clients()),
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
    servers.ledger().add_client(client);
    reply.json(201, &answer.to_string());
}

/// What is wrong with an authorization request, for a strict server.
fn objection(servers: &Servers, form: &Form) -> Option<String> {
    let Some(client) = servers.ledger().client(form.get("client_id")) else {
        return Some(format!("unknown client {}", form.get("client_id")));
    };
    let uri = form.get("redirect_uri");
    let is_registered = client.redirect_uris.iter().any(|known| known == uri);
    // A client added by a test did not register any URI.
    let is_local = client.redirect_uris.is_empty() && uri.starts_with("http://localhost:");
    if !(is_registered || is_local) {
        return Some(format!("{uri} is not a redirect URI of {}", client.id));
    }
    let wanted = [
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
        (
            "resource",
            if servers.variant.is_old() {
                ""
            } else {
                &servers.resource()
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

fn authorize(servers: &Servers, which: usize, form: &Form, reply: &mut Reply) {
    if let Some(objection) = objection(servers, form) {
        return reply.text(400, "text/plain", &objection);
    }
    let issuer = servers.issuer(which);
    let iss = match servers.variant {
        Variant::WrongIss | Variant::WrongIssError | Variant::UnexpectedIss => &servers.others[1],
        Variant::MissingIss => "",
        _ => &issuer,
    };
    let state = match servers.variant {
        Variant::MixedState => "the-state-of-somebody-else",
        _ => form.get("state"),
    };
    let error = match servers.variant {
        Variant::Denied => ("access_denied", "The user said no."),
        Variant::WrongIssError => ("access_denied", "Call this number to regain access: 555-0100"),
        Variant::Injection => ("server_error", MARKUP),
        _ => ("", ""),
    };
    let code = if error.0.is_empty() && servers.variant != Variant::NoCode {
        servers.ledger().issue_code(Code {
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
