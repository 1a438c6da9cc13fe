//! The protected server: challenges, metadata, and MCP for anyone who has a token.

use serde_json::json;

use super::{Stage, authorization, parts::Part};
use crate::http::{behaviours, reply::Reply, request::Request};

/// Where its metadata are (RFC 9728 §3.1).
const AT_PATH: &str = "/.well-known/oauth-protected-resource/mcp";
const AT_ROOT: &str = "/.well-known/oauth-protected-resource";

/// Answers at the protected server's port.
pub(super) fn serve(stage: &Stage, request: &Request, reply: &mut Reply) {
    match request.target().0 {
        "/mcp" => mcp(stage, request, reply),
        path @ (AT_PATH | AT_ROOT) => {
            stage.saw("mcp", request, &token(stage, request));
            if path == AT_ROOT || stage.part != Part::RootMetadata {
                metadata(stage, reply);
            } else {
                reply.text(404, "text/plain", "Not found");
            }
        }
        _ if stage.part.is_old() || stage.part == Part::PublicIssuer => {
            authorization::serve(stage, 2, request, reply)
        }
        _ => {
            stage.saw("mcp", request, &token(stage, request));
            reply.text(404, "text/plain", "Not found");
        }
    }
}

fn metadata(stage: &Stage, reply: &mut Reply) {
    if stage.part.is_old() {
        return reply.text(404, "text/plain", "Not found");
    }
    if stage.part == Part::HtmlMetadata {
        return reply.text(200, "text/html", "<!doctype html><title>Not found</title>");
    }
    let resource = match stage.part {
        Part::WrongResource => format!("{}/mcp", stage.others[1]),
        _ => stage.resource(),
    };
    let servers = match stage.part {
        Part::NoServers => Vec::new(),
        Part::TwoServers => vec![stage.issuer(0), stage.issuer(1)],
        Part::Moves if *stage.has_moved() => vec![stage.issuer(1)],
        _ => vec![stage.issuer(0)],
    };
    let metadata = json!({
        "resource": resource,
        "authorization_servers": servers,
        "scopes_supported": ["mcp:read", "mcp:write"],
        "bearer_methods_supported": ["header"],
    });
    reply.json(200, &metadata.to_string());
}

fn bearer(request: &Request) -> Option<&str> {
    request.header("authorization")?.strip_prefix("Bearer ")
}

/// `[token 1]`: which token a request carries.
pub(super) fn token(stage: &Stage, request: &Request) -> String {
    let Some(authorization) = request.header("authorization") else {
        return String::new();
    };
    let number = bearer(request).and_then(|text| stage.ledger().number(text));
    match number {
        Some(number) => format!("[token {number}]"),
        None => format!("[{}]", authorization.split(' ').next().unwrap_or_default()),
    }
}

fn mcp(stage: &Stage, request: &Request, reply: &mut Reply) {
    let token = token(stage, request);
    let name = request.message.params["name"].as_str().unwrap_or_default();
    let words = format!("{} {name} {token}", request.message.method);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    stage.saw("mcp", request, &words);
    let bearer = bearer(request);
    match stage.part {
        Part::OpenDoor if name == "forbidden" => return reply.text(403, "text/plain", "Not you"),
        Part::OpenDoor if bearer.is_none() && name != "write" => {
            return behaviours::fair(request, reply, &stage.harness);
        }
        Part::OpenDoor if bearer.is_none() => {
            return challenge(stage, reply, 403, "insufficient_scope", "mcp:write");
        }
        Part::ScopeAtTheDoor if bearer.is_none() => {
            return challenge(stage, reply, 403, "insufficient_scope", "mcp:read");
        }
        _ => {}
    }
    let scope = bearer.and_then(|text| stage.ledger().scope(text).map(str::to_owned));
    let (Some(bearer), Some(scope), true) = (bearer, scope, stage.part != Part::AlwaysRefuses) else {
        let error = if bearer.is_some() { "invalid_token" } else { "" };
        return challenge(stage, reply, 401, error, "mcp:read");
    };
    let has = |wanted: &str| scope.split(' ').any(|scope| scope == wanted);
    match name {
        "write" if stage.part == Part::StepUpForEver => {
            let wanted = format!("mcp:{}", stage.ledger().number(bearer).unwrap_or_default());
            challenge(stage, reply, 403, "insufficient_scope", &wanted);
        }
        "write" if !has("mcp:write") => challenge(stage, reply, 403, "insufficient_scope", "mcp:write"),
        "lose-token" => {
            stage.ledger().lose_access(bearer);
            said(request, reply);
        }
        "lose-grant" => {
            stage.ledger().end_all();
            said(request, reply);
        }
        "move" => {
            *stage.has_moved() = true;
            stage.ledger().end_all();
            said(request, reply);
        }
        "write" => said(request, reply),
        _ => behaviours::fair(request, reply, &stage.harness),
    }
}

fn said(request: &Request, reply: &mut Reply) {
    reply.json(
        200,
        &behaviours::result(request, r#""content":[{"type":"text","text":"done"}]"#),
    );
}

/// RFC 6750 §3, with RFC 9728 §5.1.
fn challenge(stage: &Stage, reply: &mut Reply, status: u16, error: &str, scope: &str) {
    let mut members = vec![format!(r#"scope="{scope}""#)];
    if stage.part != Part::RootMetadata && !stage.part.is_old() {
        members.insert(0, format!(r#"resource_metadata="{}{AT_PATH}""#, stage.resource));
    }
    if !error.is_empty() {
        members.push(format!(
            r#"error="{error}", error_description="The token is not \"good\" here""#
        ));
    }
    let bearer = format!("Bearer {}", members.join(", "));
    let challenge = match stage.part {
        Part::OddChallenge => r#"Bearer resource_metadata="http://unterminated, scope="#.to_owned(),
        Part::ManyChallenges => {
            format!(r#"Negotiate, Basic realm="a, b", charset="UTF-8", {bearer}, Digest qop="auth""#)
        }
        Part::PrivateMetadata => {
            r#"Bearer resource_metadata="http://169.254.169.254/latest/meta-data/iam""#.to_owned()
        }
        _ => bearer,
    };
    let headers = format!("www-authenticate: {challenge}\r\ncontent-type: text/plain\r\n");
    reply.whole(status, &headers, b"Not without a token");
}
