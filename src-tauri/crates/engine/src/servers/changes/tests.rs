//! Comparing connections, on disk and through the commands.

use patchbay_contract::{ItemChange, ListKind, ServerFact, ServerId};

use super::{ChangeStore, ListRead, compare::Facts};

fn facts(version: &str) -> Facts {
    Facts {
        name: Some("notes".to_owned()),
        version: Some(version.to_owned()),
        capabilities: Some(r#"{"tools":{},"logging":{}}"#.to_owned()),
        ..Facts::default()
    }
}

fn tool(name: &str, description: &str) -> String {
    format!(r#"{{"name":"{name}","description":"{description}","inputSchema":{{"type":"object"}}}}"#)
}

struct Known {
    folder: tempfile::TempDir,
    store: ChangeStore,
    server: ServerId,
    revision: u32,
}

impl Known {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            store: ChangeStore::new(folder.path().to_owned(), true),
            folder,
            server: ServerId("s".to_owned()),
            revision: 0,
        }
    }

    /// As after a restart of Patchbay.
    fn reopened(self) -> Self {
        Self {
            store: ChangeStore::new(self.folder.path().to_owned(), true),
            ..self
        }
    }

    fn connect(&self, version: &str, now_ms: f64) {
        self.store
            .connected(&self.server, facts(version), now_ms)
            .unwrap();
    }

    fn list(&mut self, list: ListKind, rows: &[String], complete: bool) -> bool {
        self.revision += 1;
        let read = ListRead {
            list,
            identity: if list == ListKind::Resources {
                "uri"
            } else {
                "name"
            },
            rows: rows.to_vec(),
            complete,
            revision: self.revision,
        };
        self.store.listed(&self.server, read).unwrap()
    }

    fn tools(&mut self, rows: &[(&str, &str)]) -> bool {
        let rows: Vec<String> = rows.iter().map(|(name, text)| tool(name, text)).collect();
        self.list(ListKind::Tools, &rows, true)
    }

    /// What changed, in short, and since when.
    fn changes(&self) -> (Vec<String>, Option<f64>) {
        let changes = self.store.get(&self.server);
        let facts = changes.facts.iter().map(|fact| format!("{:?}", fact.fact));
        let items = changes.lists.values().flat_map(|list| &list.items);
        let items = items.map(|item| format!("{} {:?}", item.id, item.change));
        (facts.chain(items).collect(), changes.since_ms)
    }

    fn seen(&self, now_ms: f64) -> bool {
        let revision = self.store.get(&self.server).revision;
        self.store.seen(&self.server, revision, now_ms).unwrap()
    }
}

#[test]
fn the_first_connection_has_no_changes() {
    let mut known = Known::new();
    known.connect("1.0", 1.0);
    known.tools(&[("a", "1"), ("b", "1")]);
    assert_eq!(known.changes().0, [""; 0]);
    // What changes while it is connected counts.
    assert!(known.tools(&[("a", "2"), ("c", "1")]));
    assert_eq!(
        known.changes(),
        (
            vec![
                "a Changed".to_owned(),
                "c Added".to_owned(),
                "b Removed".to_owned()
            ],
            Some(1.0)
        )
    );
    assert!(
        known.tools(&[("b", "1"), ("a", "1")]),
        "as before: the order does not count"
    );
    assert_eq!(known.changes().0, [""; 0]);
    assert!(!known.tools(&[("b", "1"), ("a", "1")]));
}

#[test]
fn changes_are_kept_until_they_are_seen_and_name_their_date() {
    let mut known = Known::new();
    known.connect("1.2", 1.0);
    known.tools(&[("a", "1")]);
    let mut known = known.reopened();
    known.connect("1.2", 2.0);
    known.tools(&[("a", "1")]);
    let mut known = known.reopened();
    known.connect("1.3", 3.0);
    known.tools(&[("a", "2")]);
    let expected = vec!["Version".to_owned(), "a Changed".to_owned()];
    assert_eq!(known.changes(), (expected.clone(), Some(2.0)));
    let changed = &known.store.get(&known.server).facts[0];
    assert_eq!(changed.fact, ServerFact::Version);
    assert_eq!(
        (changed.before.as_deref(), changed.after.as_deref()),
        (Some("1.2"), Some("1.3"))
    );
    let mut known = known.reopened();
    known.connect("1.3", 4.0);
    known.tools(&[("a", "2")]);
    assert_eq!(known.changes(), (expected, Some(2.0)), "they were not seen");
    assert!(known.seen(5.0));
    assert_eq!(known.changes(), (Vec::new(), Some(5.0)));
    let mut known = known.reopened();
    known.connect("1.3", 6.0);
    known.tools(&[("a", "2")]);
    assert_eq!(known.changes(), (Vec::new(), Some(5.0)));
}

/// The list that differs was read on an earlier connection only.
#[test]
fn a_list_that_is_not_read_again_keeps_its_date() {
    let mut known = Known::new();
    let prompt = |text: &str| format!(r#"{{"name":"p","description":"{text}"}}"#);
    known.connect("1", 1.0);
    known.tools(&[("a", "1")]);
    known.list(ListKind::Prompts, &[prompt("1")], true);
    let mut known = known.reopened();
    known.connect("1", 2.0);
    known.list(ListKind::Prompts, &[prompt("2")], true);
    let mut known = known.reopened();
    known.connect("1", 3.0);
    known.tools(&[("a", "1")]);
    assert_eq!(known.changes().0, [""; 0]);
    let mut known = known.reopened();
    known.connect("1", 4.0);
    known.list(ListKind::Prompts, &[prompt("2")], true);
    assert_eq!(known.changes(), (vec!["p Changed".to_owned()], Some(1.0)));
}

#[test]
fn nothing_is_removed_in_a_list_that_was_not_read_to_its_end() {
    let mut known = Known::new();
    known.connect("1", 1.0);
    known.list(ListKind::Tools, &[tool("x", "1")], false);
    known.tools(&[("a", "1"), ("b", "1"), ("c", "1")]);
    assert_eq!(known.changes().0, [""; 0], "a part is nothing to compare with");
    known.list(ListKind::Tools, &[tool("a", "2")], false);
    assert_eq!(known.changes().0, ["a Changed"]);
    assert!(known.seen(2.0));
    known.tools(&[("a", "2"), ("b", "1")]);
    assert_eq!(known.changes().0, ["c Removed"], "b and c were kept as they were");
}

#[test]
fn more_changes_than_were_shown_are_not_marked_as_seen() {
    let mut known = Known::new();
    known.connect("1", 1.0);
    known.tools(&[("a", "1")]);
    known.tools(&[("a", "2")]);
    let shown = known.store.get(&known.server).revision;
    known.tools(&[("a", "3")]);
    assert!(!known.store.seen(&known.server, shown, 2.0).unwrap());
    assert_eq!(known.changes().0, ["a Changed"]);
}

#[test]
fn the_content_of_a_resource_is_not_its_definition() {
    let mut known = Known::new();
    let resource = |size: u32, at: &str, title: &str| {
        format!(
            r#"{{"uri":"file:///a","name":"a","title":"{title}","size":{size},"annotations":{{"lastModified":"{at}","priority":0.5}}}}"#
        )
    };
    known.connect("1", 1.0);
    known.list(ListKind::Resources, &[resource(1, "2026-01-01", "A")], true);
    known.list(ListKind::Resources, &[resource(2, "2026-01-02", "A")], true);
    assert_eq!(known.changes().0, [""; 0]);
    known.list(ListKind::Resources, &[resource(2, "2026-01-02", "B")], true);
    assert_eq!(known.changes().0, ["file:///a Changed"]);
}

#[test]
fn definitions_are_compared_with_those_before() {
    let mut known = Known::new();
    known.connect("1", 1.0);
    known.tools(&[("a", "one")]);
    known.tools(&[("a", "two"), ("b", "one")]);
    let (before, after) = known.store.definitions(&known.server, ListKind::Tools, "a");
    assert_eq!(before.unwrap().texts, [tool("a", "one")]);
    assert_eq!(after.unwrap().texts, [tool("a", "two")]);
    let (before, after) = known.store.definitions(&known.server, ListKind::Tools, "b");
    assert!(before.is_none() && after.is_some());
}

/// Of a list that is too large only what differs is known, not how.
#[test]
fn a_huge_list_is_compared_and_its_file_is_bounded() {
    let mut known = Known::new();
    let long = "x".repeat(2_000);
    let rows = |first: &str| -> Vec<String> {
        let each = |n: usize| tool(&format!("tool-{n}"), if n == 0 { first } else { &long });
        (0..10_000).map(each).collect()
    };
    known.connect("1", 1.0);
    known.list(ListKind::Tools, &rows("1"), true);
    known.list(ListKind::Tools, &rows("2"), true);
    assert_eq!(known.changes().0, ["tool-0 Changed"]);
    let (before, after) = known.store.definitions(&known.server, ListKind::Tools, "tool-0");
    assert!(before.unwrap().texts.is_empty() && after.unwrap().texts.is_empty());
    let bytes = std::fs::metadata(known.folder.path().join("s/tools.json"))
        .unwrap()
        .len();
    assert!(bytes < 2_000_000, "{bytes} bytes");
}

#[test]
fn damaged_files_count_as_none_and_a_removed_server_leaves_nothing() {
    let mut known = Known::new();
    known.connect("1", 1.0);
    known.tools(&[("a", "1")]);
    for file in ["server.json", "tools.json"] {
        std::fs::write(known.folder.path().join("s").join(file), "{").unwrap();
    }
    let mut known = known.reopened();
    known.connect("2", 2.0);
    known.tools(&[("a", "2")]);
    assert_eq!(known.changes().0, [""; 0]);
    known.store.forget(&known.server);
    assert_eq!(std::fs::read_dir(known.folder.path()).unwrap().count(), 0);
}

#[test]
fn ids_that_are_no_names_of_folders_stay_below_the_folder() {
    let mut known = Known::new();
    known.server = ServerId("../../x".to_owned());
    known.connect("1", 1.0);
    known.tools(&[("a", "1")]);
    assert_eq!(std::fs::read_dir(known.folder.path()).unwrap().count(), 1);
}

#[test]
fn kinds_of_changes_cross_the_contract_by_name() {
    assert_eq!(serde_json::to_string(&ItemChange::Added).unwrap(), r#""added""#);
}

#[cfg(unix)]
mod commands {
    use patchbay_contract::{ListKind, ServerId};
    use serde_json::json;

    use crate::{engine::testing, state::Engine};

    /// A legacy server whose second start has another version and another tool.
    const SERVER: &str = r#"
n=$(cat "$0" 2>/dev/null || echo 0); echo $((n + 1)) > "$0"
while read -r line; do
  case "$line" in
    *'"initialize"'*) id=1; r='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1.'$n'"}}';;
    *'"tools/list"'*) id=2; r='{"tools":[{"name":"t","description":"version '$n' token-secret","inputSchema":{"type":"object"}}]}';;
    *) continue;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$r"
done"#;

    /// Waits until the tools are compared, on a connection whose version differs or not.
    async fn compared(engine: &Engine, server: &ServerId, differs: bool) {
        let mut nudged = engine.state.nudges.revision();
        loop {
            let changes = engine.state.changes.get(server);
            if changes.lists.contains_key(&ListKind::Tools) && changes.facts.is_empty() != differs {
                return;
            }
            nudged.changed().await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_second_connection_shows_what_changed_until_it_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let engine = testing::attended(&folder).await;
        let count = folder.path().join("starts");
        let script = SERVER.replace("\"$0\"", &format!("'{}'", count.display()));
        let server = testing::legacy_script(&engine, &script).await;
        let id = json!({ "serverId": server.0, "cursor": null });
        let list = json!({ "serverId": server.0, "cursor": null, "refresh": false });
        testing::call(&engine, "tool_list", list.clone()).await;
        compared(&engine, &server, false).await;
        let first = testing::call(&engine, "server_changes_get", id.clone()).await;
        assert_eq!((&first["facts"], &first["items"]), (&json!([]), &json!([])));
        let closed = json!({ "serverId": server.0 });
        testing::call(&engine, "connection_close", closed).await;
        engine.connect(&server).await.unwrap().unwrap();
        testing::call(&engine, "tool_list", list).await;
        compared(&engine, &server, true).await;
        let changed = testing::call(&engine, "server_changes_get", id.clone()).await;
        assert_eq!(
            changed["facts"],
            json!([{ "fact": "version", "before": "1.0", "after": "1.1" }])
        );
        assert_eq!(
            changed["items"],
            json!([{ "list": "tools", "id": "t", "change": "changed" }])
        );
        let one = json!({ "serverId": server.0, "list": "tools", "id": "t" });
        let diff = testing::call(&engine, "server_change_diff", one).await;
        assert_eq!(diff["changes"][0]["pointer"], "/description");
        assert!(engine.state.definitions.is_unreviewed(&server, "t"));
        let wrong = json!({ "serverId": server.0, "token": "0" });
        let told = testing::refusal(&engine, "server_changes_seen", wrong).await;
        assert!(told.starts_with("More has changed"), "{told}");
        let seen = json!({ "serverId": server.0, "token": changed["token"] });
        testing::call(&engine, "server_changes_seen", seen).await;
        let after = testing::call(&engine, "server_changes_get", id).await;
        assert_eq!((&after["facts"], &after["items"]), (&json!([]), &json!([])));
        engine.shutdown().await;
    }
}

/// A folder in the place of a file cannot be read, as a disk that fails.
#[test]
fn what_cannot_be_read_now_is_not_replaced_by_what_the_server_is_now() {
    let mut known = Known::new();
    known.connect("1", 1.0);
    known.list(ListKind::Tools, &[tool("a", "1")], true);
    let file = |name: &str| known.folder.path().join("s").join(name);
    for name in ["server.json", "tools.json"] {
        std::fs::rename(file(name), file("aside")).unwrap();
        std::fs::create_dir(file(name)).unwrap();
        let store = ChangeStore::new(known.folder.path().to_owned(), true);
        let connected = store.connected(&known.server, facts("2"), 2.0);
        let read = ListRead {
            list: ListKind::Tools,
            identity: "name",
            rows: vec![tool("a", "2")],
            complete: true,
            revision: 1,
        };
        let failed = connected
            .and_then(|_| store.listed(&known.server, read))
            .unwrap_err();
        assert!(failed.contains(name), "{failed}");
        std::fs::remove_dir(file(name)).unwrap();
        std::fs::rename(file("aside"), file(name)).unwrap();
    }
    let mut known = known.reopened();
    known.connect("3", 3.0);
    known.list(ListKind::Tools, &[tool("a", "3")], true);
    let changes = known.store.get(&known.server);
    assert_eq!(changes.facts.len(), 1, "{changes:?}");
    assert_eq!(changes.lists[&ListKind::Tools].items.len(), 1, "{changes:?}");
}
