use serde_json::json;

use super::{default_endpoints, read};

#[test]
fn the_issuer_must_equal_the_requested_one() {
    let check = |within: &str, asked: &str, derived: bool, good: bool| {
        let document = json!({"issuer": within, "token_endpoint": "https://as.example/token"});
        assert_eq!(
            read(document, asked, derived).is_ok(),
            good,
            "{within} for {asked}"
        );
    };
    check("https://as.example", "https://as.example", false, true);
    check("https://as.example/", "https://as.example/", false, true);
    check("https://as.example/", "https://as.example", false, false);
    check("https://as.example", "https://as.example/", false, false);
    check("https://AS.example", "https://as.example", false, false);
    check("https://as.example:443", "https://as.example", false, false);
    check("https://evil.example", "https://as.example", false, false);
    // The issuer of a 2025-03-26 server is derived from its origin, so a trailing slash is ignored.
    check("https://as.example/", "https://as.example", true, true);
    check("https://evil.example", "https://as.example", true, false);
}

#[test]
fn a_document_of_another_kind_is_rejected_with_a_reason() {
    let cause = |document| read(document, "https://as.example", false).err().unwrap().cause;
    assert!(cause(json!({})).contains("the document names the issuer ``"));
    assert!(cause(json!({"issuer": 1})).contains("is not authorization server metadata"));
    assert!(
        cause(json!({"issuer": "https://as.example", "token_endpoint": "/token"})).contains("relative URL")
    );
}

#[test]
fn default_endpoints_are_at_the_root() {
    let server = default_endpoints(&"https://h.example:8443/".parse().unwrap());
    assert_eq!(server.issuer, "https://h.example:8443");
    assert_eq!(
        server.authorization_endpoint.unwrap().as_str(),
        "https://h.example:8443/authorize"
    );
    assert_eq!(
        server.token_endpoint.unwrap().as_str(),
        "https://h.example:8443/token"
    );
    assert_eq!(
        server.registration_endpoint.unwrap().as_str(),
        "https://h.example:8443/register"
    );
}
