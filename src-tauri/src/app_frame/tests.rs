use super::*;

#[test]
fn a_document_has_its_own_policy() {
    let document = AppDocument {
        html: "<p>Hi".into(),
        policy: "default-src 'none'; sandbox allow-scripts".to_owned(),
    };
    let response = response(Some(document));
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.body(), b"<p>Hi");
    let policy = &response.headers()[header::CONTENT_SECURITY_POLICY];
    assert_eq!(policy, "default-src 'none'; sandbox allow-scripts");
}

#[test]
fn an_unknown_or_broken_document_allows_nothing() {
    let missing = response(None);
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        missing.headers()[header::CONTENT_SECURITY_POLICY],
        "default-src 'none'"
    );
    let broken = response(Some(AppDocument {
        html: "x".into(),
        policy: "a\nb".to_owned(),
    }));
    assert_eq!(
        broken.headers()[header::CONTENT_SECURITY_POLICY],
        "sandbox; default-src 'none'"
    );
}
