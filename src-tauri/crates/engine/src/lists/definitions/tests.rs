//! Comparing a listing with what is remembered, and the files.

use std::pin::pin;

use futures_util::FutureExt as _;
use patchbay_contract::{DefinitionTrust, ServerId, ToolChange};

use super::{
    super::tools::Tools,
    compare::Remembered,
    gate,
    remember::observe,
    snapshot::Snapshot,
    store::{DefinitionStore, StoredDefinitions},
};
use crate::{
    connections::testing::SessionServer,
    engine::testing::{attended, call},
};

const ASK: DefinitionTrust = DefinitionTrust::Ask;
const TRUST: DefinitionTrust = DefinitionTrust::Accept;

fn tool(name: &str, description: &str) -> (String, String) {
    let text = format!(r#"{{"name":"{name}","description":"{description}"}}"#);
    (name.to_owned(), text)
}

fn listed(rows: &[(&str, &str)]) -> Snapshot {
    let rows = rows.iter().map(|(name, description)| tool(name, description));
    Snapshot::new(rows.collect(), true, 0)
}

fn differences(known: &Remembered, now: &Snapshot, trust: DefinitionTrust) -> Vec<String> {
    let found = known.differences(now, trust).into_iter();
    found
        .map(|item| format!("{} {:?} {}", item.name, item.change, item.refused))
        .collect()
}

#[test]
fn a_changed_tool_is_refused_and_others_are_shown() {
    let known = Remembered::first(&listed(&[("a", "1"), ("b", "1"), ("c", "1")]), 0.0);
    let now = listed(&[("d", "1"), ("b", "2"), ("a", "1")]);
    let expected = ["d Added false", "b Changed true", "c Removed false"];
    assert_eq!(differences(&known, &now, ASK), expected);
    // In a list that broke off, a missing tool may still exist.
    let partial = Snapshot::new(vec![tool("a", "1")], false, 0);
    assert_eq!(differences(&known, &partial, ASK), [""; 0]);
}

#[test]
fn a_name_that_is_listed_twice_is_compared_as_a_set() {
    let known = Remembered::first(&listed(&[("a", "1"), ("a", "2")]), 0.0);
    assert_eq!(
        differences(&known, &listed(&[("a", "2"), ("a", "1")]), ASK),
        [""; 0]
    );
    assert_eq!(
        differences(&known, &listed(&[("a", "2")]), ASK),
        ["a Changed true"]
    );
    assert_eq!(
        differences(&known, &listed(&[("a", "1"), ("a", "1")]), ASK),
        ["a Changed true"]
    );
}

#[test]
fn a_new_tool_is_remembered_at_first_sight_so_that_a_later_change_is_noticed() {
    let known = Remembered::first(&listed(&[]), 0.0);
    let known = known.observed(&listed(&[("a", "1")]), ASK).unwrap();
    assert_eq!(
        differences(&known, &listed(&[("a", "1")]), ASK),
        ["a Added false"]
    );
    assert!(known.observed(&listed(&[("a", "2")]), ASK).is_none());
    assert_eq!(
        differences(&known, &listed(&[("a", "2")]), ASK),
        ["a Changed true"]
    );
}

#[test]
fn changes_of_a_trusted_server_stay_shown_until_they_are_reviewed() {
    let known = Remembered::first(&listed(&[("a", "1")]), 0.0);
    let second = known.observed(&listed(&[("a", "2")]), TRUST).unwrap();
    let third = second.observed(&listed(&[("a", "3")]), TRUST).unwrap();
    let now = listed(&[("a", "3")]);
    assert_eq!(differences(&third, &now, ASK), ["a Changed false"]);
    // What the user knows is the first one.
    assert!(third.reviewed("a").texts[0].contains("\"1\""));
    let back = third.observed(&listed(&[("a", "1")]), TRUST).unwrap();
    assert_eq!(differences(&back, &listed(&[("a", "1")]), ASK), [""; 0]);
    let mut accepted = third;
    accepted.accept(&now, &["a".to_owned()], 1.0);
    assert_eq!(differences(&accepted, &now, ASK), [""; 0]);
}

#[test]
fn accepting_names_leaves_the_others() {
    let mut known = Remembered::first(&listed(&[("a", "1"), ("b", "1"), ("c", "1")]), 0.0);
    let now = listed(&[("a", "2"), ("b", "2")]);
    known.accept(&now, &["a".to_owned(), "c".to_owned()], 1.0);
    assert_eq!(differences(&known, &now, ASK), ["b Changed true"]);
    assert_eq!(known.accepted_at_ms, Some(1.0));
}

fn server() -> ServerId {
    ServerId("s-1".to_owned())
}

fn known(store: &DefinitionStore) -> Remembered {
    match store.get(&server()) {
        StoredDefinitions::Remembered(known) => (*known).clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_are_private_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = DefinitionStore::new(folder.path().join("definitions"), true);
    assert!(matches!(store.get(&server()), StoredDefinitions::Nothing));
    observe(&store, &server(), &listed(&[("a", "1")]), ASK).unwrap();
    observe(&store, &server(), &listed(&[("a", "2"), ("b", "1")]), TRUST).unwrap();
    let again = DefinitionStore::new(folder.path().join("definitions"), true);
    assert_eq!(known(&again), known(&store));
    assert_eq!(
        differences(&known(&again), &listed(&[("a", "2"), ("b", "1")]), ASK),
        ["a Changed false", "b Added false"]
    );
    #[cfg(unix)]
    for file in std::fs::read_dir(folder.path().join("definitions")).unwrap() {
        let found = file.unwrap().metadata().unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
    again.remove(&server());
    assert!(matches!(store.get(&server()), StoredDefinitions::Nothing));
    assert_eq!(
        std::fs::read_dir(folder.path().join("definitions"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn a_damaged_file_is_neither_trusted_nor_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s-1.json");
    let good = r#"{"version":1,"server":"s-1","firstAtMs":0,"acceptedAtMs":null,"tools":[]}"#;
    for (text, why) in [
        ("", "EOF"),
        ("{\"version\":1", "EOF"),
        (&good.replace("\"version\":1", "\"version\":2"), "version 2"),
        (&good.replace("s-1", "s-2"), "another server"),
    ] {
        std::fs::write(&path, text).unwrap();
        let store = DefinitionStore::new(folder.path().to_owned(), true);
        observe(&store, &server(), &listed(&[("a", "1")]), TRUST).unwrap();
        let StoredDefinitions::Damaged(message) = store.get(&server()) else {
            panic!("{text}: not damaged");
        };
        assert!(message.contains(why) && message.contains("s-1.json"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // The same file can be read later, e.g. because the disk failed only once.
    std::fs::write(&path, "x".repeat(good.len())).unwrap();
    let written = std::fs::metadata(&path).unwrap().modified().unwrap();
    let store = DefinitionStore::new(folder.path().to_owned(), true);
    assert!(matches!(store.get(&server()), StoredDefinitions::Damaged(_)));
    std::fs::write(&path, good).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(written).unwrap();
    assert!(known(&store).tools.is_empty());
}

#[test]
fn ids_are_not_paths() {
    let folder = tempfile::tempdir().unwrap();
    let store = DefinitionStore::new(folder.path().join("definitions"), true);
    for id in ["../outside", "/etc/x", "", "ä", &"x".repeat(300)] {
        let id = ServerId(id.to_owned());
        observe(&store, &id, &listed(&[("a", "1")]), ASK).unwrap();
        assert!(matches!(store.get(&id), StoredDefinitions::Remembered(_)), "{id}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Two programs, each with its own view of the files.
#[test]
fn concurrent_changes_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let open = || DefinitionStore::new(folder.path().to_owned(), true);
    let all: Vec<(String, String)> = (0..40).map(|at| tool(&format!("t{at}"), "1")).collect();
    observe(&open(), &server(), &Snapshot::new(all.clone(), true, 0), ASK).unwrap();
    let now: Vec<(String, String)> = all.iter().map(|(name, _)| tool(name, "2")).collect();
    let now = Snapshot::new(now, true, 0);
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (store, now) = (open(), &now);
            scope.spawn(move || {
                for at in (half..40).step_by(2) {
                    let changed = store.change(&server(), |kept| {
                        let StoredDefinitions::Remembered(known) = kept else {
                            return None;
                        };
                        let mut next = (**known).clone();
                        next.accept(now, &[format!("t{at}")], 1.0);
                        Some(next)
                    });
                    changed.unwrap();
                }
            });
        }
    });
    assert_eq!(differences(&known(&open()), &now, ASK), [""; 0]);
}

#[test]
fn five_thousand_tools_differ_in_one() {
    let rows = |changed: usize| -> Vec<(String, String)> {
        let text = |at: usize| if at == changed { "new" } else { "old" };
        (0..5_000).map(|at| tool(&format!("t{at}"), text(at))).collect()
    };
    let known = Remembered::first(&Snapshot::new(rows(5_000), true, 0), 0.0);
    let now = Snapshot::new(rows(4_321), true, 0);
    let found = known.differences(&now, ASK);
    assert_eq!((found.len(), found[0].change), (1, ToolChange::Changed));
    assert_eq!(found[0].name, "t4321");
}

/// Each session is with another instance, as after an update of the server.
fn updated(session: u32, method: &str) -> serde_json::Value {
    match method {
        "initialize" => serde_json::json!({"tools": {}}),
        "tools/list" => serde_json::json!({"tools": [{
            "name": "a", "description": format!("of session {session}"), "inputSchema": {"type": "object"},
        }]}),
        _ => serde_json::json!({"content": []}),
    }
}

#[tokio::test]
async fn a_tool_that_a_new_session_defines_differently_is_not_called() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = SessionServer::start(updated).await;
    let id = server.connect(&engine).await;
    let list = serde_json::json!({ "serverId": id, "refresh": false, "cursor": null });
    let listed = async || call(&engine, "tool_list", list.clone()).await;
    assert_eq!(listed().await["items"][0]["description"], "of session 1");
    // The user works with the rows.
    let first = serde_json::json!({ "serverId": id, "list": "tools", "index": 0 });
    call(&engine, "list_item_get", first).await;
    let (sink, mut nudges) = tokio::sync::mpsc::channel(64);
    let _watching = engine.open_stream("app_watch", "{}", sink).unwrap();
    server.lose_session(&engine, &id).await;
    assert_eq!(
        listed().await["stale"],
        "changed",
        "the rows are those of the first session"
    );
    let params = serde_json::json!({"serverId": id, "name": "a", "argumentsJson": "{}", "metaJson": null,
        "timeouts": null, "asTask": null});
    let (sink, mut events) = tokio::sync::mpsc::channel(16);
    let _calling = engine
        .open_stream("tool_call", &params.to_string(), sink)
        .unwrap();
    let mut said = String::new();
    while let Some(event) = events.recv().await {
        said += &event;
    }
    assert!(said.contains("definitionChanged"), "{said}");
    assert_eq!(server.seen("tools/call"), [""; 0]);
    // Every list may differ.
    let told = async { while !nudges.recv().await.unwrap().contains(r#""topic":"prompts""#) {} };
    let told = tokio::time::timeout(std::time::Duration::from_secs(20), told).await;
    told.expect("nobody was told of the lists");
    engine.shutdown().await;
}

/// Another caller was listing the tools when they changed, and the list that it got is older than the change.
#[tokio::test]
async fn definitions_are_requested_again_after_those_that_were_requested_before_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = SessionServer::start(updated).await;
    let id = server.connect(&engine).await;
    let list = serde_json::json!({ "serverId": id, "refresh": false, "cursor": null });
    call(&engine, "tool_list", list).await;
    let live = engine.state.live(&id).unwrap();
    let listing = live.lists.get::<Tools>();
    let known = live.lists.definitions().await;
    assert!(known.is_some(), "they are compared");
    let other = listing.turn.lock().await;
    server.lose_session(&engine, &id).await;
    let mut current = pin!(gate::current(&engine, &live, None));
    assert!(
        current.as_mut().now_or_never().is_none(),
        "it waits for the other caller"
    );
    let older = listing.current().unwrap().as_ref().clone();
    listing.put(older, || 0);
    drop(other);
    let found = current.await.unwrap();
    assert!(
        found.get("a").unwrap().texts[0].contains("of session 2"),
        "{found:?}"
    );
    assert_eq!(server.seen("tools/list"), ["tools/list 1", "tools/list 2"]);
    engine.shutdown().await;
}
