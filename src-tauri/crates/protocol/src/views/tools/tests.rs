use super::*;

/// A tool in short: name, whether it has a schema, its violations and their location.
fn described(tool: &ToolView<'_>) -> String {
    let schema = if tool.input_schema.is_some() {
        "schema"
    } else {
        "no schema"
    };
    let broken: Vec<String> = tool
        .violations
        .iter()
        .map(|violation| {
            format!(
                "{} {}",
                violation.rule.id(),
                violation.pointer.as_deref().unwrap_or("-")
            )
        })
        .collect();
    format!("{:?}, {schema}: {}", &*tool.name, broken.join("; "))
}

#[test]
fn one_malformed_tool_is_one_malformed_row() {
    let page = ToolsPage::parse(
        r#"{"tools":[
            {"name":"good","inputSchema":{"type":"object","properties":{"a":{},"b":{}}}},
            {"name":"no-schema"},
            "nonsense",
            {"name":7,"inputSchema":[]},
            {"inputSchema":{"properties":{}}},
            {"name":"good","inputSchema":{"type":"string"}},
            {"name":"with space","inputSchema":{"type":"object"},"title":1,"description":null,"annotations":{"readOnlyHint":"yes"},
             "outputSchema":true,"execution":{"taskSupport":"maybe"},"name":"with space"}
        ],"nextCursor":5}"#,
    );
    let rows: Vec<String> = page.tools.iter().map(described).collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    "good", schema: 
    "no-schema", no schema: tool-input-schema-missing /inputSchema
    "", no schema: tool-not-object -
    "", no schema: member-type /name; tool-name-missing /name; tool-input-schema-type /inputSchema
    "", schema: tool-name-missing /name; tool-input-schema-type /inputSchema
    "good", schema: tool-input-schema-type /inputSchema; tool-name-duplicate /name
    "with space", schema: duplicate-member /name; tool-name-characters /name; member-type /title; member-type /description; tool-output-schema-type /outputSchema; member-type /annotations/readOnlyHint; member-type /execution/taskSupport
    "#);
    assert_eq!(page.next_cursor, None);
    assert_eq!(
        page.violations.iter().map(|one| one.rule).collect::<Vec<_>>(),
        [Rule::CursorType]
    );
}

#[test]
fn a_valid_tool_is_read_completely() {
    let raw = r#"{"name":"a.b","description":"does","annotations":{"title":"A B","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},
        "inputSchema": {"type":"object","maximum":9007199254740993},"outputSchema":{"type":"object"},"execution":{"taskSupport":"optional"},"icons":[{"src":"x"}]}"#;
    let tool = ToolView::parse(raw);
    assert_eq!(tool.violations, []);
    assert_eq!(
        tool.title.as_deref(),
        Some("A B"),
        "annotations.title replaces title"
    );
    assert_eq!(tool.description.as_deref(), Some("does"));
    assert_eq!(
        tool.input_schema,
        Some(r#"{"type":"object","maximum":9007199254740993}"#)
    );
    assert_eq!(tool.output_schema, Some(r#"{"type":"object"}"#));
    assert_eq!(tool.task_support.as_deref(), Some("optional"));
    assert_eq!(tool.icons, Some(r#"[{"src":"x"}]"#));
    let annotations = ToolAnnotations {
        read_only: Some(true),
        destructive: Some(false),
        idempotent: Some(true),
        open_world: Some(false),
    };
    assert_eq!(tool.annotations, annotations);
}

#[test]
fn an_empty_name_is_a_name() {
    let tool = ToolView::parse(r#"{"name":"","inputSchema":{"type":"object"}}"#);
    assert_eq!(described(&tool), "\"\", schema: tool-name-characters /name");
}

#[test]
fn malformed_pages() {
    let check = |result: &str, expected: &[Rule]| {
        let page = ToolsPage::parse(result);
        assert!(page.tools.is_empty());
        assert_eq!(
            page.violations.iter().map(|one| one.rule).collect::<Vec<_>>(),
            expected,
            "of {result}"
        );
    };
    check("{}", &[Rule::ListMissing]);
    check(r#"{"tools":{}}"#, &[Rule::ListMissing]);
    check("[]", &[Rule::MemberType, Rule::ListMissing]);
    check(r#"{"tools":[]}"#, &[]);
    let page = ToolsPage::parse(r#"{"tools":[],"nextCursor":"a\"b"}"#);
    assert_eq!(page.next_cursor.as_deref(), Some("a\"b"));
}

#[test]
fn official_tools_have_no_violations() {
    let Some(examples) = crate::spec_examples() else {
        return;
    };
    let mut seen = 0;
    for (path, text) in examples {
        if path.starts_with("Tool/") {
            seen += 1;
            let tool = ToolView::parse(&text);
            // One example shows draft-07 on purpose.
            let broken: Vec<_> = tool
                .violations
                .iter()
                .filter(|one| one.rule != Rule::SchemaDialect)
                .collect();
            assert!(broken.is_empty(), "{path}: {broken:?}");
        } else if path.starts_with("ListToolsResult/") {
            let page = ToolsPage::parse(&text);
            assert_eq!(page.violations, [], "{path}");
            assert!(page.tools.iter().all(|tool| tool.violations.is_empty()), "{path}");
        }
    }
    assert!(seen > 3, "only {seen} tools among the examples");
}

#[test]
fn an_old_dialect_is_one_violation_of_the_page() {
    let old = r#"{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"},"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}"#;
    let current = r#"{"name":"b","inputSchema":{"type":"object"}}"#;
    let wrong = r#"{"name":"c","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":7}}"#;
    let page = |tools: &[&str]| format!(r#"{{"tools":[{}]}}"#, tools.join(","));
    let text = page(&[current, old, wrong]);
    let found = ToolsPage::parse(&text);
    let [violation] = &found.violations[..] else {
        panic!("{:?}", found.violations);
    };
    assert_eq!(violation.rule, Rule::SchemaDialect);
    assert_eq!(violation.pointer.as_deref(), Some("/tools"));
    assert_eq!(
        violation.message,
        "2 tools: the dialect is http://json-schema.org/draft-07/schema#; some hosts know only JSON Schema 2020-12"
    );
    let rules: Vec<Vec<Rule>> = found
        .tools
        .iter()
        .map(|tool| tool.violations.iter().map(|one| one.rule).collect())
        .collect();
    assert_eq!(rules, [vec![], vec![], vec![Rule::SchemaKeywordType]]);
    assert_eq!(ToolsPage::parse(&page(&[current])).violations, []);
}
