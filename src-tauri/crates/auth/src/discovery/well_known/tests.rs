use patchbay_http::Url;

use super::{authorization_server, resource};

fn texts(urls: Vec<Url>) -> Vec<String> {
    urls.into_iter()
        .map(|url| {
            url.to_string()
                .replace("https://h", "")
                .replace("/.well-known/", "/WK/")
        })
        .collect()
}

#[test]
fn resource_metadata_is_below_the_path_or_at_the_root() {
    let check = |server: &str, expected: &[&str]| {
        assert_eq!(texts(resource(&server.parse().unwrap())), expected, "{server}");
    };
    check("https://h", &["/WK/oauth-protected-resource"]);
    check("https://h/", &["/WK/oauth-protected-resource"]);
    check(
        "https://h/mcp",
        &["/WK/oauth-protected-resource/mcp", "/WK/oauth-protected-resource"],
    );
    check(
        "https://h/a/b/",
        &["/WK/oauth-protected-resource/a/b", "/WK/oauth-protected-resource"],
    );
    check(
        "https://u:p@h/mcp?tenant=1#x",
        &[
            "/WK/oauth-protected-resource/mcp?tenant=1",
            "/WK/oauth-protected-resource",
        ],
    );
}

#[test]
fn every_form_of_an_issuer_is_tried_in_order() {
    let check = |issuer: &str, expected: &[&str]| {
        assert_eq!(
            texts(authorization_server(&issuer.parse().unwrap())),
            expected,
            "{issuer}"
        );
    };
    let root = ["/WK/oauth-authorization-server", "/WK/openid-configuration"];
    check("https://h", &root);
    check("https://h/", &root);
    let tenant = [
        "/WK/oauth-authorization-server/tenant1",
        "/WK/openid-configuration/tenant1",
        "/tenant1/WK/openid-configuration",
    ];
    check("https://h/tenant1", &tenant);
    check("https://h/tenant1/", &tenant);
}
