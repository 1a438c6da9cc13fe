use super::*;

fn ids(violations: &[Violation]) -> Vec<String> {
    violations
        .iter()
        .map(|one| format!("{} {}", one.rule.id(), one.pointer.as_deref().unwrap_or("-")))
        .collect()
}

#[test]
fn initialize_results_are_read_leniently() {
    let result = InitializeResult::parse(
        r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"logging":{},"prompts":null,"resources":{"subscribe":false}},
            "serverInfo":{"name":"s","version":"1","title":"S"},"instructions":"Be nice"}"#,
    );
    assert_eq!(result.violations, []);
    assert_eq!(result.protocol_version, "2025-06-18");
    assert_eq!(result.instructions.as_deref(), Some("Be nice"));
    let info = result.server_info.expect("there");
    assert_eq!(
        (&*info.name, &*info.version, info.title.as_deref()),
        ("s", "1", Some("S"))
    );
    let has = |name: &str| result.capabilities.has(name);
    assert!(has("tools") && has("logging") && has("resources") && !has("prompts") && !has("completions"));
    assert!(result.capabilities.has_part("tools", "listChanged"));
    assert!(!result.capabilities.has_part("resources", "subscribe"));
    assert!(!result.capabilities.has_part("logging", "listChanged"));

    let check = |result: &str, expected: &[&str]| {
        assert_eq!(
            ids(&InitializeResult::parse(result).violations),
            expected,
            "of {result}"
        );
    };
    check(
        "{}",
        &[
            "handshake-member /protocolVersion",
            "handshake-member /capabilities",
            "handshake-member /serverInfo",
        ],
    );
    check("[]", &["member-type "]);
    check(
        r#"{"protocolVersion":1,"capabilities":[],"serverInfo":{"name":"s"},"instructions":{}}"#,
        &[
            "member-type /protocolVersion",
            "member-type /capabilities",
            "member-type /instructions",
            "member-missing /serverInfo/version",
        ],
    );
}

#[test]
fn discover_results_are_read_leniently() {
    let result = DiscoverResult::parse(
        r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":1000,"cacheScope":"public",
            "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
    );
    assert_eq!(result.violations, []);
    assert_eq!(result.supported_versions, ["2026-07-28"]);
    assert_eq!(result.cache.ttl_ms, Some(1000));
    assert_eq!(
        result.server_info.map(|info| info.name.into_owned()).as_deref(),
        Some("s")
    );

    let check = |result: &str, expected: &[&str]| {
        assert_eq!(
            ids(&DiscoverResult::parse(result).violations),
            expected,
            "of {result}"
        );
    };
    check(
        r#"{"supportedVersions":["2026-07-28",7],"capabilities":{},"ttlMs":0,"cacheScope":"public"}"#,
        &["handshake-member /supportedVersions/1", "result-type-missing -"],
    );
    check(
        r#"{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":{},"ttlMs":"0"}"#,
        &[
            "member-type /supportedVersions",
            "cache-hint-missing /cacheScope",
            "cache-hint-invalid /ttlMs",
        ],
    );
}

#[test]
fn the_params_of_initialize() {
    let capabilities = ClientCapabilities::none()
        .with("roots", "{}")
        .with("sampling", "{}")
        .with("roots", "{\"listChanged\":true}");
    assert!(capabilities.has("roots") && !capabilities.has("elicitation"));
    let params = initialize_params(
        "2025-11-25",
        &capabilities,
        &implementation_json("patchbay", "1.0", Some("Patch\"bay")),
    );
    insta::assert_snapshot!(params, @r#"{"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"roots":{"listChanged":true}},"clientInfo":{"name":"patchbay","version":"1.0","title":"Patch\"bay"}}"#);
    assert_eq!(ClientCapabilities::none().to_json(), "{}");
}

#[test]
fn a_client_declares_what_a_revision_has() {
    let all = ClientCapabilities::none()
        .with("roots", r#"{"listChanged":true}"#)
        .with("sampling", r#"{"tools":{}}"#)
        .with("elicitation", r#"{"form":{},"url":{}}"#)
        .with(
            "tasks",
            r#"{"list":{},"requests":{"sampling":{"createMessage":{}}}}"#,
        )
        .with("experimental", r#"{"x":{}}"#);
    let declared = |revision| all.in_revision(Some(revision)).to_json();
    assert_eq!(all.in_revision(None), all);
    assert_eq!(all.in_revision(Some(Revision::V2025_11_25)), all);
    assert_eq!(
        declared(Revision::V2026_07_28),
        r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"experimental":{"x":{}}}"#
    );
    assert_eq!(
        declared(Revision::V2025_06_18),
        r#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{},"experimental":{"x":{}}}"#
    );
    assert_eq!(
        declared(Revision::V2024_11_05),
        r#"{"roots":{"listChanged":true},"sampling":{},"experimental":{"x":{}}}"#
    );
    let only_urls = ClientCapabilities::none().with("elicitation", r#"{"url":{}}"#);
    assert_eq!(only_urls.in_revision(Some(Revision::V2025_06_18)).to_json(), "{}");
    assert!(all.has_part("tasks", &["requests", "sampling", "createMessage"]));
    assert!(!all.has_part("tasks", &["requests", "elicitation", "create"]));
    assert!(!all.has_part("tasks", &["cancel"]) && !all.has_part("none", &[]));
}

#[test]
fn official_discover_results_have_no_violations() {
    let Some(examples) = crate::spec_examples() else {
        return;
    };
    let results: Vec<_> = examples
        .iter()
        .filter(|(path, _)| path.starts_with("DiscoverResult/"))
        .collect();
    assert!(!results.is_empty());
    for (path, text) in results {
        assert_eq!(DiscoverResult::parse(text).violations, [], "{path}");
    }
}
