//! Shell scripts act as the servers.

use std::path::PathBuf;

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
    let (_folder, engine, server) = connected_page_by_page(&PAGES.replace("failed=no", "failed=yes")).await;
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

/// Has two pages. What is asked after the first, or first of all if `STUCK` is 1, is left without an answer once, which it tells
/// the reader of the pipe `ASKED`.
#[cfg(unix)]
const STUCK: &str = r#"
stuck=no
while read line; do
id=${line#*\"id\":}; id=${id%%,*}
page=1
case $line in
*notifications/cancelled*) continue;;
*cursor*) page=2;;
esac
next=',"nextCursor":"2"'
[ $page = 2 ] && next=
if [ $page = STUCK ] && [ $stuck = no ]; then
stuck=yes
: > ASKED
else
printf '{"jsonrpc":"2.0","id":%s,"result":{"resources":[{"uri":"a:%s","name":"n"}]%s}}\n' $id $page "$next"
fi
done
"#;

/// A connection with a server that leaves the request for page `stuck` without an answer, and the pipe that says when.
#[cfg(unix)]
async fn connected_to_stuck(
    stuck: &str,
    paging: ListPaging,
) -> (tempfile::TempDir, Engine, ServerId, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("asked");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let script = STUCK
        .replace("STUCK", stuck)
        .replace("ASKED", pipe.to_str().unwrap());
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let mut draft = draft_of(&engine, &script);
    draft.list_paging = Some(paging);
    let server = engine.add_server(draft).await.unwrap();
    engine.connect(&server).await.unwrap().unwrap();
    (folder, engine, server, pipe)
}

/// Cancels the list when the server was asked.
#[cfg(unix)]
async fn cancel_when_asked(engine: &Engine, server: &ServerId, pipe: PathBuf) {
    let asked = tokio::task::spawn_blocking(move || std::fs::read(pipe));
    asked.await.unwrap().unwrap();
    let cancel = serde_json::json!({"serverId": server, "list": "resources"}).to_string();
    engine.call("list_cancel", &cancel).await.unwrap();
}

/// Lists all pages with such a server, and cancels.
#[cfg(unix)]
async fn cancelled_at(stuck: &str) -> (tempfile::TempDir, Engine, ServerId, Result<String, CommandError>) {
    let (folder, engine, server, pipe) = connected_to_stuck(stuck, ListPaging::All).await;
    let params = serde_json::json!({"serverId": server, "refresh": false, "cursor": null}).to_string();
    let listed = engine.call("resource_list", &params);
    let (listed, ()) = tokio::join!(listed, cancel_when_asked(&engine, &server, pipe));
    (folder, engine, server, listed)
}

#[tokio::test]
#[cfg(unix)]
async fn a_cancelled_list_keeps_its_pages_and_can_be_continued() {
    let (_folder, engine, server, listed) = cancelled_at("2").await;
    let list: ResourceListResponse = serde_json::from_str(&listed.unwrap()).unwrap();
    assert_eq!((list.total, list.pages, list.has_more), (1, 1, true), "{list:?}");
    assert_eq!(list.violations, [], "the user has ended it");
    let added = more(&engine, &server, true).await.unwrap();
    assert_eq!((added.total, added.has_more), (2, false));
    engine.shutdown().await;
}

#[tokio::test]
#[cfg(unix)]
async fn a_list_that_is_cancelled_before_its_first_page_can_be_refreshed() {
    let (_folder, engine, server, listed) = cancelled_at("1").await;
    let error = listed.unwrap_err();
    assert_eq!(error.code, ErrorCode::Cancelled, "{error:?}");
    // What is cancelled is one request, not the next.
    assert_eq!(resources(&engine, &server, true).await.total, 2);
    engine.shutdown().await;
}

#[tokio::test]
#[cfg(unix)]
async fn a_cancelled_request_for_the_next_page_leaves_the_list_as_it_is() {
    let (_folder, engine, server, pipe) = connected_to_stuck("2", ListPaging::PageByPage).await;
    assert_eq!(resources(&engine, &server, false).await.total, 1);
    let (added, ()) = tokio::join!(
        more(&engine, &server, false),
        cancel_when_asked(&engine, &server, pipe)
    );
    let added = added.unwrap();
    assert_eq!((added.total, added.has_more), (1, true));
    assert_eq!(more(&engine, &server, false).await.unwrap().total, 2);
    engine.shutdown().await;
}
