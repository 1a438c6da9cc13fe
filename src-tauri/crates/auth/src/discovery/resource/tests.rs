use patchbay_http::Url;
use serde_json::json;

use super::{canonical, is_for, read};

#[test]
fn a_resource_is_the_server_or_a_parent_of_its_address() {
    let check = |resource: &str, server: &str, expected: bool| {
        let server: Url = server.parse().unwrap();
        assert_eq!(is_for(resource, &server), expected, "{resource} for {server}");
    };
    let server = "https://h.example/a/mcp";
    for good in [
        server,
        "https://h.example/a/mcp/",
        "https://h.example/a",
        "https://h.example",
        "https://h.example/",
        "HTTPS://H.example:443/a/mcp",
    ] {
        check(good, server, true);
    }
    for bad in [
        "https://h.example/a/mc",
        "https://h.example/a/mcp/x",
        "https://h.example/b",
        "http://h.example/a/mcp",
        "https://h.example:8443/a/mcp",
        "https://evil.example/a/mcp",
        "https://h.example.evil.example/a/mcp",
        "https://h.example/a/mcp#x",
        "https://h.example/a/mcp?x=1",
        "/a/mcp",
        "",
    ] {
        check(bad, server, false);
    }
    check("https://h.example/mcp?t=1", "https://h.example/mcp?t=1", true);
    check("https://h.example/mcp?t=2", "https://h.example/mcp?t=1", false);
}

#[test]
fn the_canonical_uri_has_no_insignificant_slash() {
    let check = |server: &str, expected: &str| assert_eq!(canonical(&server.parse().unwrap()), expected);
    check("https://H.example:443/", "https://h.example");
    check("https://h.example/mcp?x=1#y", "https://h.example/mcp");
    check("https://u:p@h.example/mcp/", "https://h.example/mcp/");
}

#[test]
fn the_published_identifier_is_kept_verbatim() {
    let server: Url = "https://h.example/mcp".parse().unwrap();
    let document = json!({
        "resource": "https://h.example",
        "authorization_servers": ["https://as.example", "https://as.example/tenant/"],
        "scopes_supported": [],
    });
    let resource = read(document, &server).ok().unwrap();
    assert_eq!(resource.id, "https://h.example");
    assert_eq!(
        resource.servers,
        ["https://as.example", "https://as.example/tenant/"]
    );
    assert_eq!(resource.scopes, Some(Vec::new()));
    let cause = |document| read(document, &server).err().unwrap().cause;
    assert!(cause(json!({"resource": "https://h.example/mcp"})).contains("names no authorization server"));
    assert!(cause(json!({"authorization_servers": ["https://a"]})).contains("resource"));
    assert!(cause(json!({"resource": "https://evil.example/mcp"})).contains("evil"));
}

/// The user chooses one of them.
#[test]
fn a_resource_names_a_limited_number_of_authorization_servers() {
    let server: Url = "https://h.example/mcp".parse().unwrap();
    let document = |number: usize, path: &str| {
        let issuers: Vec<String> = (0..number)
            .map(|at| format!("https://as-{at}.example/{path}"))
            .collect();
        json!({"resource": server, "authorization_servers": issuers})
    };
    assert_eq!(read(document(64, ""), &server).ok().unwrap().servers.len(), 64);
    for too_much in [document(65, ""), document(2, &"x".repeat(40_000))] {
        let rejection = read(too_much, &server).err().unwrap();
        assert!(
            rejection.cause.contains("more than 64 or 65536 bytes"),
            "{}",
            rejection.cause
        );
    }
}
