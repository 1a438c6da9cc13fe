//! What an authorization server says of itself (RFC 8414, OpenID Connect Discovery).

use serde_json::json;

use super::{Stage, parts::Part};
use crate::http::reply::Reply;

/// Answers a request for metadata at a path; false if the path is none of theirs.
pub(super) fn serve(stage: &Stage, which: usize, path: &str, reply: &mut Reply) -> bool {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    let is_here = match stage.part {
        Part::OldDefaults => false,
        Part::OpenId => path == "/tenant/.well-known/openid-configuration",
        Part::ServerMetadataLoop => path == OAUTH || path == OPENID,
        _ => path == OAUTH,
    };
    if !is_here {
        return false;
    }
    let metadata = metadata(stage, which);
    match stage.part {
        Part::HtmlServerMetadata => reply.text(200, "text/html", "<!doctype html><h1>Welcome</h1>"),
        Part::CutServerMetadata => reply.json(200, &metadata[..metadata.len() / 2]),
        Part::SlowServerMetadata => reply.endless_json(),
        Part::ServerMetadataLoop => reply.whole(302, &format!("location: {path}\r\n"), b""),
        _ => reply.json(200, &metadata),
    }
    true
}

fn metadata(stage: &Stage, which: usize) -> String {
    let issuer = stage.issuer(which);
    let endpoints = match stage.part {
        Part::PublicIssuer => &stage.others[0],
        _ => &issuer,
    };
    let at = |path: &str| json!(format!("{endpoints}{path}"));
    let mut metadata = json!({
        "issuer": issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "registration_endpoint": at("/register"),
        "revocation_endpoint": at("/revoke"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "scopes_supported": ["mcp:read", "mcp:write", "offline_access"],
        "authorization_response_iss_parameter_supported": true,
    });
    let without = |metadata: &mut serde_json::Value, name: &str| {
        metadata.as_object_mut().map(|members| members.remove(name));
    };
    match stage.part {
        Part::WrongIssuer => metadata["issuer"] = json!(stage.others[1]),
        Part::NoPkce => without(&mut metadata, "code_challenge_methods_supported"),
        Part::PlainPkce => metadata["code_challenge_methods_supported"] = json!(["plain"]),
        Part::JavascriptUrl => {
            metadata["authorization_endpoint"] = json!("javascript:alert(document.domain)")
        }
        Part::FileUrl => metadata["authorization_endpoint"] = json!("file:///etc/passwd"),
        Part::PlainAuthorization => {
            metadata["authorization_endpoint"] = json!("http://auth.example.com/authorize")
        }
        Part::PlainRegistration => {
            metadata["registration_endpoint"] = json!("http://auth.example.com/register")
        }
        Part::FileToken => metadata["token_endpoint"] = json!("file:///etc/passwd"),
        Part::PlainHttp => metadata["token_endpoint"] = json!("http://auth.example.com/token"),
        Part::NoRegistration => without(&mut metadata, "registration_endpoint"),
        Part::UnexpectedIss => without(&mut metadata, "authorization_response_iss_parameter_supported"),
        Part::SecretBasic => {
            metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_basic"])
        }
        Part::SecretPost => metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]),
        _ => {}
    }
    metadata.to_string()
}
