use super::*;

#[test]
fn a_hint_is_read_with_its_violations() {
    let rules = |result: &str| -> (CacheHint, Vec<&'static str>) {
        let (hint, violations) = cache_hint(result);
        (
            hint,
            violations.iter().map(|violation| violation.rule.id()).collect(),
        )
    };
    let fine = CacheHint {
        ttl_ms: Some(300_000),
        scope: Some(CacheScope::Public),
    };
    assert_eq!(rules(r#"{"ttlMs":300000,"cacheScope":"public"}"#), (fine, vec![]));
    assert_eq!(
        rules("{}"),
        (
            CacheHint::default(),
            vec!["cache-hint-missing", "cache-hint-missing"]
        )
    );
    let stale = CacheHint {
        ttl_ms: Some(0),
        scope: None,
    };
    for ttl in ["-1", "1.5", "\"60\"", "null"] {
        assert_eq!(
            rules(&format!(r#"{{"ttlMs":{ttl},"cacheScope":"shared"}}"#)),
            (stale, vec!["cache-hint-invalid", "cache-hint-invalid"]),
            "{ttl}"
        );
    }
}
