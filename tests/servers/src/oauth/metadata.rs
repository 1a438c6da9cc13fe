//! Authorization server metadata (RFC 8414, OpenID Connect Discovery).

use serde_json::json;

use super::{servers::Servers, variants::Variant};
use crate::http::reply::Reply;

/// Serves metadata at a path; returns false for other paths.
pub(super) fn serve(servers: &Servers, which: usize, path: &str, reply: &mut Reply) -> bool {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    let is_here = match servers.variant {
        Variant::OldDefaults => false,
        Variant::OpenId => path == "/tenant/.well-known/openid-configuration",
        Variant::ServerMetadataLoop => path == OAUTH || path == OPENID,
        _ => path == OAUTH,
    };
    if !is_here {
        return false;
    }
    let metadata = metadata_of(servers, which).to_string();
    match servers.variant {
        Variant::HtmlServerMetadata => reply.text(200, "text/html", "<!doctype html><h1>Welcome</h1>"),
        Variant::CutServerMetadata => reply.json(200, &metadata[..metadata.len() / 2]),
        Variant::SlowServerMetadata => reply.endless_json(),
        Variant::ServerMetadataLoop => reply.whole(302, &format!("location: {path}\r\n"), b""),
        _ => reply.json(200, &metadata),
    }
    true
}

/// The metadata of an authorization server (RFC 8414).
pub(super) fn metadata_of(servers: &Servers, which: usize) -> serde_json::Value {
    let issuer = servers.issuer(which);
    let endpoints = match servers.variant {
        Variant::PublicIssuer => &servers.others[0],
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
    match servers.variant {
        Variant::WrongIssuer => metadata["issuer"] = json!(servers.others[1]),
        Variant::NoPkce => without(&mut metadata, "code_challenge_methods_supported"),
        Variant::PlainPkce => metadata["code_challenge_methods_supported"] = json!(["plain"]),
        Variant::JavascriptUrl => {
            metadata["authorization_endpoint"] = json!("javascript:alert(document.domain)")
        }
        Variant::FileUrl => metadata["authorization_endpoint"] = json!("file:///etc/passwd"),
        Variant::PlainAuthorization => {
            metadata["authorization_endpoint"] = json!("http://auth.example.com/authorize")
        }
        Variant::PlainRegistration => {
            metadata["registration_endpoint"] = json!("http://auth.example.com/register")
        }
        Variant::FileToken => metadata["token_endpoint"] = json!("file:///etc/passwd"),
        Variant::PlainHttp => metadata["token_endpoint"] = json!("http://auth.example.com/token"),
        Variant::NoRegistration => without(&mut metadata, "registration_endpoint"),
        Variant::UnexpectedIss => without(&mut metadata, "authorization_response_iss_parameter_supported"),
        Variant::SecretBasic => {
            metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_basic"])
        }
        Variant::SecretPost => {
            metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"])
        }
        _ => {}
    }
    metadata
}
