//! Pages as they are added, and shell scripts that act as servers whose lists end badly.

use std::collections::HashMap;

use bytes::Bytes;
use patchbay_client::Answer;
use patchbay_protocol::{Era, limits::Limits};

use super::{
    super::{Prompts, Resources, Tools, primitive::Context},
    List, Room,
};
use crate::calls::MaskedAnswer;

fn page(seq: u64, text: impl Into<Vec<u8>>) -> MaskedAnswer {
    let frame = Bytes::from(text.into());
    let answer = Answer {
        seq,
        message: 0..frame.len(),
        body: 0..frame.len(),
        frame: frame.clone(),
    };
    MaskedAnswer { frame, answer }
}

fn limits(bytes: usize) -> Room {
    let context = Context {
        seq: 0,
        era: Era::Modern,
        revision: Some(patchbay_protocol::Revision::V2026_07_28),
        over_http: true,
        as_tasks: true,
    };
    Room::new(context, Limits::default(), bytes)
}

fn listed(pages: &[&str]) -> (List<Tools>, Vec<Option<String>>) {
    let mut list = List::new(0);
    let mut names = HashMap::new();
    let next = (1..)
        .zip(pages)
        .map(|(seq, text)| list.add(page(seq, *text), &mut names, limits(usize::MAX)))
        .collect();
    (list, next)
}

#[test]
fn one_malformed_tool_is_one_row_and_indices_continue_over_pages() {
    let (list, next) = listed(&[
        r#"{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{},"y":{}}}}, 5],"nextCursor":"2"}"#,
        r#"{"tools":[{"name":"a","inputSchema":{"type":"object"},"big":9007199254740993}]}"#,
    ]);
    assert_eq!(next, [Some("2".to_owned()), None]);
    let rows: Vec<String> = list
        .rows
        .iter()
        .map(|row| {
            let item = &row.item;
            let rules: Vec<&str> = item
                .violations
                .iter()
                .map(|violation| violation.rule.as_str())
                .collect();
            format!(
                "{} {:?} callable={} {rules:?} {}",
                item.index,
                item.name,
                item.callable,
                list.definition(row)
            )
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    0 "a" callable=true [] {"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{},"y":{}}}}
    1 "" callable=false ["tool-not-object"] 5
    2 "a" callable=true ["tool-name-duplicate"] {"name":"a","inputSchema":{"type":"object"},"big":9007199254740993}
    "#);
    assert_eq!(
        list.rows.iter().map(|row| list.seq(row)).collect::<Vec<_>>(),
        [1, 1, 2]
    );
}

#[test]
fn definitions_are_found_in_a_page_that_is_not_utf_8() {
    let mut list: List<Tools> = List::new(0);
    let bytes = b"{\"tools\":[{\"name\":\"\xff\xfe\"},{\"name\":\"b\"}]}".to_vec();
    list.add(page(1, bytes), &mut HashMap::new(), limits(usize::MAX));
    let definitions: Vec<_> = list.rows.iter().map(|row| list.definition(row)).collect();
    assert_eq!(definitions, [r#"{"name":"??"}"#, r#"{"name":"b"}"#]);
}

#[test]
fn an_old_dialect_is_one_violation_of_the_list_over_its_pages() {
    let old = |name: &str| {
        format!(
            r#"{{"name":"{name}","inputSchema":{{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}}}"#
        )
    };
    let first = format!(r#"{{"tools":[{},{}],"nextCursor":"2"}}"#, old("a"), old("b"));
    let second = format!(
        r#"{{"tools":[{},{{"name":"d","inputSchema":{{"type":"object"}}}}]}}"#,
        old("c")
    );
    let (list, _) = listed(&[&first, &second]);
    assert!(
        list.rows.iter().all(|row| row.item.violations.is_empty()),
        "{list:?}"
    );
    let [violation] = &list.violations[..] else {
        panic!("{list:?}");
    };
    assert_eq!(violation.rule, "schema-dialect");
    assert!(
        violation
            .message
            .starts_with("3 tools: the dialect is http://json-schema.org/draft-07/"),
        "{violation:?}"
    );
}

#[test]
fn resources_and_prompts_use_the_same_list() {
    let mut resources: List<Resources> = List::new(0);
    let mut known = HashMap::new();
    let text = r#"{"resources":[{"uri":"a:b","name":"one","size":3},{"uri":"a:b","name":"two"},{}],"nextCursor":"n","ttlMs":5,"cacheScope":"public"}"#;
    let next = resources.add(page(1, text), &mut known, limits(usize::MAX));
    assert_eq!(next.as_deref(), Some("n"));
    let rules = |at: usize| {
        let violations = &resources.rows[at].item.violations;
        violations
            .iter()
            .map(|found| {
                format!(
                    "{} {:?}",
                    found.rule,
                    found.pointer.as_deref().unwrap_or_default()
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(resources.rows[0].item.size, Some(3.0));
    assert_eq!(rules(1), [r#"list-item-duplicate "/uri""#]);
    assert_eq!(
        rules(2),
        [r#"member-missing "/uri""#, r#"member-missing "/name""#]
    );
    assert_eq!(resources.freshness.as_ref().unwrap().ttl_ms, 5.0);
    let mut prompts: List<Prompts> = List::new(0);
    let text = r#"{"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}]}"#;
    prompts.add(page(2, text), &mut HashMap::new(), limits(usize::MAX));
    assert!(prompts.rows[0].item.arguments[0].required);
    assert_eq!(
        prompts.body(&prompts.rows[0]).inline.as_deref(),
        Some(r#"{"name":"p","arguments":[{"name":"a","required":true}]}"#)
    );
}

#[test]
fn pages_and_lists_are_limited_in_size() {
    // Two bytes each on the wire, several hundred in memory: the memory counts.
    let many = format!(
        "{{\"tools\":[{}],\"nextCursor\":\"n\"}}",
        vec!["{}"; 10_000].join(",")
    );
    let mut list: List<Tools> = List::new(0);
    let next = list.add(page(1, many.as_str()), &mut HashMap::new(), limits(1024 * 1024));
    assert_eq!(next, None, "no further page is requested");
    assert!(list.bytes <= 1024 * 1024 + 4096, "{}", list.bytes);
    assert!(!list.rows.is_empty() && list.rows.len() < 10_000);
    assert_eq!(list.violations.last().unwrap().rule, "list-too-large");
    // A page that exceeds the limit alone is not parsed.
    let next = list.add(page(2, many.as_str()), &mut HashMap::new(), limits(1024 * 1024));
    assert_eq!((next, list.pages.len()), (None, 1));
}

#[cfg(unix)]
mod with_a_server;

/// Each lowered limit ends the list where it says, with a violation.
#[test]
fn lowered_limits_of_a_list_hold() {
    let listed = |name: &str, value: u32, count: usize| {
        let changed = Limits::with([(name, value)]).unwrap();
        let room = Room::new(limits(usize::MAX).context, changed, usize::MAX);
        let mut list: List<Tools> = List::new(0);
        let tools: Vec<String> = (0..count)
            .map(|number| format!(r#"{{"name":"t{number}","inputSchema":{{"type":"object"}}}}"#))
            .collect();
        let text = format!(r#"{{"tools":[{}]}}"#, tools.join(","));
        list.add(page(1, text), &mut HashMap::new(), room);
        let rules: Vec<String> = list.violations.iter().map(|found| found.rule.clone()).collect();
        (list.rows.len(), rules)
    };
    assert_eq!(listed("listRows", 10, 10), (10, Vec::new()));
    assert_eq!(
        listed("listRows", 10, 11),
        (10, vec!["list-too-large".to_owned()])
    );
    assert_eq!(listed("pageBytes", 16 << 10, 100), (100, Vec::new()));
    assert_eq!(
        listed("pageBytes", 16 << 10, 1000),
        (0, vec!["list-too-large".to_owned()])
    );
    let (rows, rules) = listed("listBytes", 64 << 10, 500);
    assert!(0 < rows && rows < 500, "{rows} rows");
    assert_eq!(rules, ["list-too-large"]);
}

#[test]
fn lists_share_the_limit_of_their_connection() {
    let lists = crate::lists::Lists::default();
    let changed = Limits::with([("listsBytes", 64 << 10)]).unwrap();
    assert_eq!(lists.room_for(0, &changed), 64 << 10);
    let mut list: List<Tools> = List::new(0);
    list.bytes = 60 << 10;
    lists.get::<Tools>().put(list, || 1);
    assert_eq!(lists.room_for(0, &changed), 4 << 10);
    assert_eq!(lists.room_for(60 << 10, &changed), 64 << 10);
}

/// The rules about names of tools came with 2025-11-25.
#[test]
fn rules_of_later_revisions_are_not_held_against_a_server() {
    let named = |revision| {
        let mut list: List<Tools> = List::new(0);
        let limits = Room::new(
            Context {
                revision: Some(revision),
                ..limits(usize::MAX).context
            },
            Limits::default(),
            usize::MAX,
        );
        let text = r#"{"tools":[{"name":"an odd name","inputSchema":{"type":"object"}}]}"#;
        list.add(page(1, text), &mut HashMap::new(), limits);
        list.rows[0].item.violations.len()
    };
    assert_eq!(named(patchbay_protocol::Revision::V2025_06_18), 0);
    assert_eq!(named(patchbay_protocol::Revision::V2025_11_25), 1);
}
