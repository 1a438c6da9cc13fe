use std::collections::HashMap;

use super::ToolList;

fn listed(pages: &[&str]) -> (ToolList, Vec<Option<String>>) {
    let mut list = ToolList {
        pages: Vec::new(),
        tools: Vec::new(),
        violations: Vec::new(),
        changes: 0,
        freshness: None,
        revision: 0,
        headers_matter: true,
    };
    let mut names = HashMap::new();
    let next = (1..)
        .zip(pages)
        .map(|(seq, page)| list.add(seq, (*page).to_owned(), &mut names))
        .collect();
    (list, next)
}

#[test]
fn one_bad_tool_is_one_row_and_indices_go_on_over_pages() {
    let (list, next) = listed(&[
        r#"{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{},"y":{}}}}, 5],"nextCursor":"2"}"#,
        r#"{"tools":[{"name":"a","inputSchema":{"type":"object"},"big":9007199254740993}]}"#,
    ]);
    assert_eq!(next, [Some("2".to_owned()), None]);
    let rows: Vec<String> = list
        .tools
        .iter()
        .map(|tool| {
            let item = &tool.item;
            let rules: Vec<&str> = item
                .violations
                .iter()
                .map(|violation| violation.rule.as_str())
                .collect();
            format!(
                "{} {:?} args={} callable={} {rules:?} {}",
                item.index,
                item.name,
                item.argument_count,
                item.callable,
                list.definition(tool)
            )
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    0 "a" args=2 callable=true [] {"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{},"y":{}}}}
    1 "" args=0 callable=false ["tool-not-object"] 5
    2 "a" args=0 callable=true ["tool-name-duplicate"] {"name":"a","inputSchema":{"type":"object"},"big":9007199254740993}
    "#);
    assert_eq!(
        list.tools.iter().map(|tool| list.seq(tool)).collect::<Vec<_>>(),
        [1, 1, 2]
    );
}
