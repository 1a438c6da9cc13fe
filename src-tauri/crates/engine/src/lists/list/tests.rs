//! Pages as they are added, and shell scripts that act as servers whose lists end badly.

use std::collections::HashMap;

use bytes::Bytes;
use patchbay_client::Answer;
use patchbay_protocol::{Era, limits::Limits};

use super::{
    super::{Prompts, Resources, Tools, primitive::Context},
    List, Room,
};
use crate::calls::Answered;

fn page(seq: u64, text: impl Into<Vec<u8>>) -> Answered {
    let frame = Bytes::from(text.into());
    let answer = Answer {
        seq,
        message: 0..frame.len(),
        body: 0..frame.len(),
        frame: frame.clone(),
    };
    Answered { frame, answer }
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
                "{} {:?} args={} callable={} {rules:?} {}",
                item.index,
                item.name,
                item.argument_count,
                item.callable,
                list.definition(row)
            )
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    0 "a" args=2 callable=true [] {"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{},"y":{}}}}
    1 "" args=0 callable=false ["tool-not-object"] 5
    2 "a" args=0 callable=true ["tool-name-duplicate"] {"name":"a","inputSchema":{"type":"object"},"big":9007199254740993}
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
    assert_eq!(
        definitions,
        ["{\"name\":\"\u{fffd}\u{fffd}\"}", r#"{"name":"b"}"#]
    );
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

/// Shell scripts act as the servers.
#[cfg(unix)]
mod with_a_server {
    use patchbay_contract::*;

    use crate::{Engine, EngineOptions};

    const INITIALIZE: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}'
read line
"#;

    async fn connected(script: &str) -> (tempfile::TempDir, Engine, ServerId) {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let server = engine.add_server(draft_of(&engine, script)).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        (folder, engine, server)
    }

    fn draft_of(engine: &Engine, script: &str) -> ServerDraft {
        let mut draft = engine.draft_of_command("sh -c :").unwrap();
        if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
            *args = vec!["-c".to_owned(), format!("{INITIALIZE}{script}")];
        }
        draft.era = EraChoice::Legacy;
        draft
    }

    async fn resources(engine: &Engine, server: &ServerId, refresh: bool) -> ResourceListResponse {
        let params = ListParams {
            server_id: server.clone(),
            refresh,
            cursor: None,
        };
        let params = serde_json::to_string(&params).unwrap();
        let answer = engine.call("resource_list", &params).await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    #[tokio::test]
    async fn a_lost_connection_keeps_the_received_pages() {
        let script = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"a:1","name":"one"}],"nextCursor":"2"}}'
read line
exit 1
"#;
        let (_folder, engine, server) = connected(script).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!((list.total, list.items[0].uri.as_str()), (1, "a:1"));
        assert_eq!(list.violations[0].rule, "list-page-failed", "{list:?}");
        assert!(list.violations[0].message.contains("after page 1"), "{list:?}");
        // The list outlives the connection.
        assert_eq!(resources(&engine, &server, false).await.total, 1);
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn an_oversized_page_ends_the_list_after_the_earlier_pages() {
        let script = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"a:1","name":"one"}],"nextCursor":"2"}}'
read line
printf '%s' '{"jsonrpc":"2.0","id":3,"result":{"nextCursor":"3","resources":[{"uri":"a:2","name":"'
head -c 33554432 /dev/zero | tr '\0' x
printf '%s\n' '"}]}}'
read line
"#;
        let (_folder, engine, server) = connected(script).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!((list.total, list.items[0].uri.as_str()), (1, "a:1"));
        assert_eq!(list.violations[0].rule, "list-too-large", "{:?}", list.violations);
        assert!(
            list.violations[0].message.starts_with("page 2 has 33554"),
            "{:?}",
            list.violations
        );
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn a_repeated_cursor_ends_the_list() {
        let script = r#"
for id in 2 3 4 5 6 7; do
read line
printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"resources":[{"uri":"a:'$id'","name":"n"}],"nextCursor":"c'$((id % 3))'"}}'
done
"#;
        let (_folder, engine, server) = connected(script).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!(list.total, 4, "c2, c0, c1, and c2 again: {list:?}");
        assert_eq!(list.violations[0].rule, "list-cursor-repeated", "{list:?}");
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn an_endless_list_is_limited_to_a_number_of_pages() {
        let script = r#"
n=2
while read line; do
printf '{"jsonrpc":"2.0","id":%d,"result":{"resources":[],"nextCursor":"%d"}}\n' $n $n
n=$((n+1))
done
"#;
        let (_folder, engine, server) = connected(script).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!(list.violations[0].rule, "list-endless", "{list:?}");
        assert!(list.violations[0].message.contains("1000 pages"), "{list:?}");
        engine.shutdown().await;
    }

    /// A list that changes while it is being fetched is fetched again before it is shown.
    #[tokio::test]
    async fn a_list_that_changes_while_being_fetched_is_fetched_again_a_limited_number_of_times() {
        let script = r#"
for id in 2 3 4 5 6 7 8 9; do
read line
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}'
printf '%s\n' '{"jsonrpc":"2.0","id":'$id',"result":{"resources":[{"uri":"a:'$id'","name":"n"}]}}'
done
"#;
        let (_folder, engine, server) = connected(script).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!(list.items[0].uri, "a:5", "the first, and three retries: {list:?}");
        assert_eq!(list.stale, Some(Staleness::Changed));
        // From here on only the user refreshes it.
        assert_eq!(resources(&engine, &server, false).await.items[0].uri, "a:5");
        assert_eq!(resources(&engine, &server, true).await.items[0].uri, "a:6");
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn a_list_that_changes_before_use_is_refreshed_silently() {
        let script = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"a:2","name":"n"}]}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}'
printf '%s\n' '{"jsonrpc":"2.0","id":3,"result":{}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","id":4,"result":{"resources":[{"uri":"a:4","name":"n"}]}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}'
printf '%s\n' '{"jsonrpc":"2.0","id":5,"result":{}}'
read line
"#;
        let (_folder, engine, server) = connected(script).await;
        let ping = serde_json::json!({"serverId": server}).to_string();
        assert_eq!(resources(&engine, &server, false).await.items[0].uri, "a:2");
        engine.call("connection_ping", &ping).await.unwrap();
        let list = resources(&engine, &server, false).await;
        assert_eq!((list.items[0].uri.as_str(), list.stale), ("a:4", None));
        // Once a row was opened, rows do not change without the user.
        let params = ListItemGetParams {
            server_id: server.clone(),
            list: ListKind::Resources,
            index: 0,
        };
        let params = serde_json::to_string(&params).unwrap();
        let item: ListItemGetResponse =
            serde_json::from_str(&engine.call("list_item_get", &params).await.unwrap()).unwrap();
        assert_eq!(
            item.definition.inline.as_deref(),
            Some(r#"{"uri":"a:4","name":"n"}"#)
        );
        engine.call("connection_ping", &ping).await.unwrap();
        let list = resources(&engine, &server, false).await;
        assert_eq!(
            (list.items[0].uri.as_str(), list.stale),
            ("a:4", Some(Staleness::Changed))
        );
        engine.shutdown().await;
    }

    async fn more(engine: &Engine, server: &ServerId, all: bool) -> Result<ListMoreResponse, CommandError> {
        let params = ListMoreParams {
            server_id: server.clone(),
            list: ListKind::Resources,
            all,
        };
        let answer = engine
            .call("list_more", &serde_json::to_string(&params).unwrap())
            .await?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    async fn connected_page_by_page(script: &str) -> (tempfile::TempDir, Engine, ServerId) {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let mut draft = draft_of(&engine, script);
        draft.list_paging = Some(ListPaging::PageByPage);
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        (folder, engine, server)
    }

    /// Answers with the cursor it was asked for as the URI, page 4 being the last; page 3 fails at first.
    const PAGES: &str = r#"
failed=no
while read line; do
id=${line#*\"id\":}; id=${id%%,*}
page=1
case $line in *cursor*) page=${line#*\"cursor\":\"}; page=${page%%\"*};; esac
next=",\"nextCursor\":\"$((page+1))\""
[ $page = 4 ] && next=
if [ $page = 3 ] && [ $failed = no ]; then
failed=yes
printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not now"}}\n' $id
else
printf '{"jsonrpc":"2.0","id":%s,"result":{"resources":[{"uri":"a:%s","name":"n"}]%s}}\n' $id $page "$next"
fi
done
"#;

    #[tokio::test]
    async fn a_list_is_fetched_page_by_page() {
        let (_folder, engine, server) = connected_page_by_page(PAGES).await;
        let list = resources(&engine, &server, false).await;
        assert_eq!((list.total, list.pages, list.has_more), (1, 1, true), "{list:?}");
        assert_eq!(list.violations, [], "a page that was not requested is no fault");
        let added = more(&engine, &server, false).await.unwrap();
        assert_eq!((added.total, added.has_more), (2, true));
        // A page that fails leaves the list as it is, and can be requested again.
        let error = more(&engine, &server, true).await.unwrap_err();
        assert!(error.message.contains("not now"), "{error:?}");
        assert_eq!(resources(&engine, &server, false).await.total, 2);
        let added = more(&engine, &server, true).await.unwrap();
        assert_eq!((added.total, added.has_more), (4, false));
        let list = resources(&engine, &server, false).await;
        let uris: Vec<&str> = list.items.iter().map(|item| item.uri.as_str()).collect();
        assert_eq!(uris, ["a:1", "a:2", "a:3", "a:4"]);
        assert_eq!(list.items[3].index, 3);
        let item = serde_json::json!({"serverId": server, "list": "resources", "index": 3}).to_string();
        let item = engine.call("list_item_get", &item).await.unwrap();
        assert!(item.contains("a:4"), "{item}");
        // Without a further page, nothing happens.
        assert_eq!(more(&engine, &server, false).await.unwrap().total, 4);
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn a_refresh_requests_the_pages_that_were_shown() {
        let (_folder, engine, server) = connected_page_by_page(PAGES).await;
        resources(&engine, &server, false).await;
        more(&engine, &server, false).await.unwrap();
        let list = resources(&engine, &server, true).await;
        assert_eq!((list.total, list.pages, list.has_more), (2, 2, true), "{list:?}");
        // What a program asks for is always whole.
        more(&engine, &server, true).await.unwrap_err();
        let pages = engine.list_pages(&server, ListKind::Resources).await.unwrap();
        assert_eq!(pages.pages.len(), 4);
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn two_requests_for_the_next_page_are_two_pages() {
        let (_folder, engine, server) =
            connected_page_by_page(&PAGES.replace("failed=no", "failed=yes")).await;
        resources(&engine, &server, false).await;
        let (one, two) = tokio::join!(more(&engine, &server, false), more(&engine, &server, false));
        let mut totals = [one.unwrap().total, two.unwrap().total];
        totals.sort_unstable();
        assert_eq!(totals, [2, 3]);
        let error = more(&engine, &ServerId("unknown".to_owned()), false)
            .await
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::NotFound);
        engine.shutdown().await;
    }
}

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
