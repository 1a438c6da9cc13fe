//! The protected server: challenges, metadata, and MCP with a valid token.

use serde_json::json;

use super::{authorization, servers::Servers, variants::Variant};
use crate::http::{behaviours, reply::Reply, request::Request};

/// The paths of its metadata (RFC 9728 §3.1).
const AT_PATH: &str = "/.well-known/oauth-protected-resource/mcp";
const AT_ROOT: &str = "/.well-known/oauth-protected-resource";

/// Serves the protected server's port.
pub(super) fn serve(servers: &Servers, request: &Request, reply: &mut Reply) {
    match request.target().0 {
        "/mcp" => mcp(servers, request, reply),
        path @ (AT_PATH | AT_ROOT) => {
            servers.saw("mcp", request, &token(servers, request));
            if path == AT_ROOT || servers.variant != Variant::RootMetadata {
                metadata(servers, reply);
            } else {
                reply.text(404, "text/plain", "Not found");
            }
        }
        _ if servers.variant.is_old() || servers.variant == Variant::PublicIssuer => {
            authorization::serve(servers, 2, request, reply)
        }
        _ => {
            servers.saw("mcp", request, &token(servers, request));
            reply.text(404, "text/plain", "Not found");
        }
    }
}

fn metadata(servers: &Servers, reply: &mut Reply) {
    if servers.variant.is_old() {
        return reply.text(404, "text/plain", "Not found");
    }
    if servers.variant == Variant::HtmlMetadata {
        return reply.text(200, "text/html", "<!doctype html><title>Not found</title>");
    }
    reply.json(200, &metadata_of(servers).to_string());
}

/// The metadata of the resource (RFC 9728).
pub(super) fn metadata_of(servers: &Servers) -> serde_json::Value {
    let resource = match servers.variant {
        Variant::WrongResource => format!("{}/mcp", servers.others[1]),
        _ => servers.resource(),
    };
    let servers = match servers.variant {
        Variant::NoServers => Vec::new(),
        Variant::TwoServers => vec![servers.issuer(0), servers.issuer(1)],
        Variant::Moves if *servers.has_moved() => vec![servers.issuer(1)],
        _ => vec![servers.issuer(0)],
    };
    json!({
        "resource": resource,
        "authorization_servers": servers,
        "scopes_supported": ["mcp:read", "mcp:write"],
        "bearer_methods_supported": ["header"],
    })
}

fn bearer(request: &Request) -> Option<&str> {
    request.header("authorization")?.strip_prefix("Bearer ")
}

/// `[token 1]`: the token of a request.
pub(super) fn token(servers: &Servers, request: &Request) -> String {
    let Some(authorization) = request.header("authorization") else {
        return String::new();
    };
    let number = bearer(request).and_then(|text| servers.ledger().number(text));
    match number {
        Some(number) => format!("[token {number}]"),
        None => format!("[{}]", authorization.split(' ').next().unwrap_or_default()),
    }
}

fn mcp(servers: &Servers, request: &Request, reply: &mut Reply) {
    let token = token(servers, request);
    let name = request.message.params["name"].as_str().unwrap_or_default();
    let words = format!("{} {name} {token}", request.message.method);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    servers.saw("mcp", request, &words);
    let bearer = bearer(request);
    match servers.variant {
        Variant::TokenOptional if name == "forbidden" => return reply.text(403, "text/plain", "Not you"),
        Variant::TokenOptional if bearer.is_none() && name != "write" => {
            return behaviours::fair(request, reply, &servers.harness);
        }
        Variant::TokenOptional if bearer.is_none() => {
            return challenge(servers, reply, 403, "insufficient_scope", "mcp:write");
        }
        Variant::ScopeWithoutToken if bearer.is_none() => {
            return challenge(servers, reply, 403, "insufficient_scope", "mcp:read");
        }
        _ => {}
    }
    let scope = bearer.and_then(|text| servers.ledger().scope(text).map(str::to_owned));
    let (Some(bearer), Some(scope), true) = (bearer, scope, servers.variant != Variant::AlwaysRefuses) else {
        let error = if bearer.is_some() { "invalid_token" } else { "" };
        return challenge(servers, reply, 401, error, "mcp:read");
    };
    let has = |wanted: &str| scope.split(' ').any(|scope| scope == wanted);
    match name {
        "write" if servers.variant == Variant::StepUpForEver => {
            let wanted = format!("mcp:{}", servers.ledger().number(bearer).unwrap_or_default());
            challenge(servers, reply, 403, "insufficient_scope", &wanted);
        }
        "write" if !has("mcp:write") => challenge(servers, reply, 403, "insufficient_scope", "mcp:write"),
        "lose-token" => {
            servers.ledger().lose_access(bearer);
            said(request, reply);
        }
        "lose-grant" => {
            servers.ledger().end_all();
            said(request, reply);
        }
        "move" => {
            *servers.has_moved() = true;
            servers.ledger().end_all();
            said(request, reply);
        }
        "write" => said(request, reply),
        _ => behaviours::fair(request, reply, &servers.harness),
    }
}

fn said(request: &Request, reply: &mut Reply) {
    reply.json(
        200,
        &behaviours::result(request, r#""content":[{"type":"text","text":"done"}]"#),
    );
}

/// RFC 6750 §3, with RFC 9728 §5.1.
fn challenge(servers: &Servers, reply: &mut Reply, status: u16, error: &str, scope: &str) {
    let mut members = vec![format!(r#"scope="{scope}""#)];
    if servers.variant != Variant::RootMetadata && !servers.variant.is_old() {
        members.insert(0, format!(r#"resource_metadata="{}{AT_PATH}""#, servers.resource));
    }
    if !error.is_empty() {
        members.push(format!(
            r#"error="{error}", error_description="The token is not \"good\" here""#
        ));
    }
    let bearer = format!("Bearer {}", members.join(", "));
    let challenge = match servers.variant {
        Variant::OddChallenge => r#"Bearer resource_metadata="http://unterminated, scope="#.to_owned(),
        Variant::ManyChallenges => {
            format!(r#"Negotiate, Basic realm="a, b", charset="UTF-8", {bearer}, Digest qop="auth""#)
        }
        Variant::PrivateMetadata => {
            r#"Bearer resource_metadata="http://169.254.169.254/latest/meta-data/iam""#.to_owned()
        }
        _ => bearer,
    };
    let headers = format!("www-authenticate: {challenge}\r\ncontent-type: text/plain\r\n");
    reply.whole(status, &headers, b"Not without a token");
}
