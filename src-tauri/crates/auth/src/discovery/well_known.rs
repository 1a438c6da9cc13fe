//! The well-known addresses of metadata, in the order of the specification.

use patchbay_http::Url;

const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const OAUTH: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";

/// The addresses of protected resource metadata if the challenge names none: with the server's path, then at the root (RFC
/// 9728 section 3.1).
pub(crate) fn resource(server: &Url) -> Vec<Url> {
    let path = server.path().trim_end_matches('/');
    let mut with_path = at(server, &format!("{RESOURCE}{path}"));
    with_path.set_query(server.query());
    let root = at(server, RESOURCE);
    if with_path == root {
        return vec![root];
    }
    vec![with_path, root]
}

/// The addresses of authorization server metadata: OAuth with the path inserted, OpenID with the path inserted, OpenID with
/// the path first (RFC 8414 sections 3.1 and 5).
pub(crate) fn authorization_server(issuer: &Url) -> Vec<Url> {
    let path = issuer.path().trim_end_matches('/');
    let mut all = vec![
        at(issuer, &format!("{OAUTH}{path}")),
        at(issuer, &format!("{OPENID}{path}")),
    ];
    if !path.is_empty() {
        all.push(at(issuer, &format!("{path}{OPENID}")));
    }
    all
}

/// The origin of a URL, written as an issuer: without a trailing slash.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

#[cfg(test)]
mod tests;
