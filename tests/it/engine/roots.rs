//! Roots of connected servers: what changes them, who is told, and what waits for the user.

use std::path::Path;

use super::*;

const LIST_CHANGED: &str = "notifications/roots/list_changed";

/// What the demo server gets when it asks for its roots.
async fn asked(harness: &Harness) -> String {
    let events = harness.call_tool("list_roots", "{}").rest().await;
    let text = &events.last().unwrap()["outcome"]["view"]["tool"]["content"][0]["text"]["inline"];
    text.as_str().unwrap().to_owned()
}

/// How often a server was told that its roots changed.
async fn told(harness: &Harness, server: &Value) -> usize {
    let rows = harness.all_rows().await;
    let told = |row: &&Value| row["method"] == LIST_CHANGED && row["serverId"] == *server;
    assert!(rows.iter().all(|row| row["violationCount"] == 0), "{rows:#?}");
    rows.iter().filter(told).count()
}

/// Waits until a server was told so often that its roots changed, and no oftener. The look at folders that is always under way
/// can see a change first, and tells the server a moment later.
async fn expect_told(harness: &Harness, server: &Value, times: usize) {
    let mut log = harness.open("traffic_tail", json!({"filter": ""}));
    while told(harness, server).await < times {
        log.next().await.unwrap();
    }
    // What was to be told before this request is in the log before its answer. In the modern era there is no ping, and nothing
    // to be told.
    let params = json!({ "serverId": server }).to_string();
    let pinged = harness.engine.call("connection_ping", &params).await;
    assert!(pinged.is_ok() || times == 0, "{pinged:?}");
    assert_eq!(told(harness, server).await, times, "{server}");
}

/// The folders of the server that it would get.
async fn paths(harness: &Harness) -> Vec<(String, String, String)> {
    let roots = harness.of_server("roots_get").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let folders = roots["folders"].as_array().unwrap();
    let of = |folder: &Value| {
        (
            text(&folder["path"]),
            text(&folder["consent"]),
            text(&folder["state"]),
        )
    };
    folders.iter().map(of).collect()
}

fn folder(home: &Path, name: &str) -> String {
    let folder = home.join(name);
    std::fs::create_dir(&folder).unwrap();
    folder.display().to_string()
}

fn rule(paths: &[&str], sets: &[&Value]) -> Value {
    json!({"type": "folders", "paths": paths, "sets": sets})
}

/// A connected server works with the roots as they are now, and a server of the legacy era is told that they changed. What the
/// user chose for it by hand needs no other consent.
#[test]
fn roots_change_while_a_server_is_connected() {
    run_test(async {
        for era in [EraChoice::Legacy, EraChoice::Modern] {
            let harness = connected_in(era).await;
            let spaced = folder(harness.folder(), "a b");
            let roots = rule(&[&spaced], &[]);
            let change = |draft: &mut Value| draft["roots"] = roots.clone();
            harness.change_choosing(&[&spaced], change).await;
            // The same roots again are not a change.
            harness.change_choosing(&[&spaced], change).await;
            let uri = format!("file://{}", spaced.replace(' ', "%20"));
            let expected = format!(r#"Your roots: {{"roots":[{{"uri":"{uri}","name":"a b"}}]}}"#);
            assert_eq!(asked(&harness).await, expected, "{era:?}");
            let expected = usize::from(era == EraChoice::Legacy);
            expect_told(&harness, &json!(harness.server), expected).await;
            harness.engine.shutdown().await;
        }
    });
}

/// Pasted settings are not the user's choice: the server is answered at once, without the folders, and gets them after the user
/// allowed them.
#[test]
fn folders_that_were_not_chosen_wait_for_consent_and_the_server_does_not() {
    run_test(async {
        for era in [EraChoice::Legacy, EraChoice::Modern] {
            let harness = connected_in(era).await;
            let [one, two] = ["one", "two"].map(|name| folder(harness.folder(), name));
            let roots = rule(&[&one, &two], &[]);
            harness.change(|draft| draft["roots"] = roots).await;
            assert_eq!(asked(&harness).await, r#"Your roots: {"roots":[]}"#);
            let server = &harness.call("server_list", json!({})).await["items"][0];
            assert_eq!(server["withheldRoots"], 2, "{server}");
            let inputs = harness.call("input_list", json!({})).await;
            assert_eq!(inputs["items"], json!([]), "no dialog was opened");
            let rule = "these roots (server settings), without 2 not allowed yet";
            assert_eq!(inputs["answered"][0]["rule"], rule, "{inputs}");
            expect_told(&harness, &json!(harness.server), 0).await;

            let decide = |paths: Value, allowed: bool| json!({"serverId": harness.server, "paths": paths, "isAllowed": allowed});
            harness.call("roots_decide", decide(json!([one]), true)).await;
            harness.call("roots_decide", decide(json!([two]), false)).await;
            assert!(asked(&harness).await.contains("/one\",\"name\":\"one\"}]"));
            let server = &harness.call("server_list", json!({})).await["items"][0];
            assert_eq!(
                server.get("withheldRoots"),
                None,
                "the user is asked once: {server}"
            );
            let expected = usize::from(era == EraChoice::Legacy);
            expect_told(&harness, &json!(harness.server), expected).await;
            let unknown = harness
                .engine
                .call("roots_decide", &decide(json!(["/"]), true).to_string())
                .await;
            assert!(unknown.unwrap_err().message.contains("not a root of this server"));

            // A folder that was removed and comes back is a new question.
            let only = json!({"type": "folders", "paths": [two]});
            harness.change(|draft| draft["roots"] = only).await;
            harness
                .change(|draft| draft["roots"] = json!({"type": "folders", "paths": [one, two]}))
                .await;
            let consent = paths(&harness).await.into_iter().map(|(_, consent, _)| consent);
            assert_eq!(consent.collect::<Vec<_>>(), ["open", "declined"]);
            harness.engine.shutdown().await;
        }
    });
}

/// A shared set changes the roots of every server that uses it, and of no other.
#[test]
fn a_shared_set_is_edited_for_all_servers_that_use_it() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let [own, shared, later] = ["own", "shared", "later"].map(|name| folder(harness.folder(), name));
        let folders = |paths: &[&str]| paths.iter().map(|path| json!({"path": path})).collect::<Vec<_>>();
        let set = json!({"name": "Projects", "folders": folders(&[&shared])});
        let set = harness.call("root_set_save", set).await["rootSetId"].clone();
        let mut others = Vec::new();
        for name in ["second", "without"] {
            let copy = json!({"serverId": harness.server, "name": name});
            let copy = harness.call("server_duplicate", copy).await["serverId"].clone();
            let id = patchbay_contract::ServerId(copy.as_str().unwrap().to_owned());
            harness.engine.connect(&id).await.unwrap().unwrap();
            others.push(copy);
        }
        let first = json!(harness.server);
        let draft = |server: &Value, items: &Value| {
            let item = items
                .as_array()
                .unwrap()
                .iter()
                .find(|item| item["id"] == *server);
            item.unwrap()["draft"].clone()
        };
        for (server, roots) in [(&first, rule(&[&own], &[&set])), (&others[0], rule(&[], &[&set]))] {
            let mut draft = draft(server, &harness.call("server_list", json!({})).await["items"]);
            draft["roots"] = roots;
            let params = json!({"serverId": server, "draft": draft, "chosenRoots": [own, shared]});
            harness.call("server_update", params).await;
        }
        // The own folder was chosen for this server. The folders of a set never are.
        assert!(asked(&harness).await.ends_with("/own\",\"name\":\"own\"}]}"));
        for server in [&first, &others[0]] {
            let allow = json!({"serverId": server, "paths": [shared], "isAllowed": true});
            harness.call("roots_decide", allow).await;
        }
        let expect = async |counts: [usize; 3]| {
            for (server, count) in [&first, &others[0], &others[1]].into_iter().zip(counts) {
                expect_told(&harness, server, count).await;
            }
        };
        expect([2, 1, 0]).await;

        // A new folder in the set waits for consent; without a change for a server it is not told.
        let save =
            |name: &str, paths: &[&str]| json!({"rootSetId": set, "name": name, "folders": folders(paths)});
        harness
            .call("root_set_save", save("Work", &[&shared, &later]))
            .await;
        expect([2, 1, 0]).await;
        let server = &harness.call("server_list", json!({})).await["items"][0];
        assert_eq!(server["withheldRoots"], 1, "{server}");
        // A folder that leaves the set leaves both servers.
        harness.call("root_set_save", save("Work", &[&later])).await;
        expect([3, 2, 0]).await;
        let sets = harness.call("root_set_list", json!({})).await;
        assert_eq!(sets["items"][0]["name"], "Work");
        assert_eq!(sets["items"][0]["usedBy"], json!([first, others[0]]));

        // A set that is used says by whom, and leaves their settings when it goes nevertheless.
        let remove = |despite: bool| json!({"rootSetId": set, "despiteUse": despite}).to_string();
        let refused = harness
            .engine
            .call("root_set_remove", &remove(false))
            .await
            .unwrap_err();
        assert!(refused.message.contains("second"), "{refused:?}");
        assert!(!refused.message.contains("without"), "{refused:?}");
        harness
            .engine
            .call("root_set_remove", &remove(true))
            .await
            .unwrap();
        let items = harness.call("server_list", json!({})).await["items"].clone();
        assert_eq!(
            draft(&others[0], &items)["roots"],
            json!({"type": "folders", "paths": []})
        );
        assert_eq!(
            paths(&harness).await,
            [(own, "allowed".to_owned(), "ready".to_owned())]
        );
        harness.engine.shutdown().await;
    });
}

#[test]
fn a_wrong_set_is_refused_with_the_reason() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let save = async |params: Value| harness.engine.call("root_set_save", &params.to_string()).await;
        let name = |name: &str| json!({"name": name, "folders": []});
        save(name("Taken")).await.unwrap();
        let many: Vec<Value> = (0..1_001).map(|n| json!({"path": format!("/{n}")})).collect();
        for (params, why) in [
            (name(" "), "needs a name"),
            (name("Taken"), "another set named “Taken”"),
            (name(&"x".repeat(101)), "at most 100 characters"),
            (
                json!({"name": "a", "folders": [{"path": "src"}]}),
                "“src” must be absolute",
            ),
            (
                json!({"name": "a", "folders": [{"path": "/a/../b"}]}),
                "without “..”",
            ),
            (json!({"name": "a", "folders": many}), "at most 1000 folders"),
            (
                json!({"rootSetId": "gone", "name": "a", "folders": []}),
                "was removed",
            ),
        ] {
            let refused = save(params.clone()).await.unwrap_err();
            assert!(refused.message.contains(why), "{refused:?}");
        }
        // The roots of a server are checked in the same way.
        let draft = harness.call("server_list", json!({})).await["items"][0]["draft"].clone();
        let many: Vec<String> = (0..1_001).map(|n| format!("/{n}")).collect();
        for (paths, why) in [
            (json!(["src"]), "must be absolute"),
            (json!(many), "at most 1000 own roots"),
        ] {
            let mut draft = draft.clone();
            draft["roots"] = json!({"type": "folders", "paths": paths});
            let params = json!({"serverId": harness.server, "draft": draft}).to_string();
            let refused = harness.engine.call("server_update", &params).await.unwrap_err();
            assert!(refused.message.contains(why), "{refused:?}");
        }
        let twice =
            json!({"name": "a", "folders": [{"path": "/a"}, {"path": " "}, {"path": "/a/", "name": "b"}]});
        save(twice).await.unwrap();
        let sets = harness.call("root_set_list", json!({})).await;
        assert_eq!(sets["items"][0]["folders"], json!([{"path": "/a"}]), "{sets}");
        harness.engine.shutdown().await;
    });
}

/// Nobody asks and nobody edits: a folder that is removed from the disk, or comes back, is noticed.
#[test]
fn a_folder_that_is_removed_while_a_server_is_connected_is_noticed() {
    run_test(async {
        let harness = connected_in(EraChoice::Legacy).await;
        let watched = folder(harness.folder(), "watched");
        let roots = rule(&[&watched], &[]);
        harness
            .change_choosing(&[&watched], |draft| draft["roots"] = roots)
            .await;
        let server = json!(harness.server);
        std::fs::remove_dir(&watched).unwrap();
        expect_told(&harness, &server, 2).await;
        let state = |state: &str| [(watched.clone(), "allowed".to_owned(), state.to_owned())];
        assert_eq!(paths(&harness).await, state("missing"));
        assert_eq!(asked(&harness).await, r#"Your roots: {"roots":[]}"#);
        std::fs::create_dir(&watched).unwrap();
        expect_told(&harness, &server, 3).await;
        assert_eq!(paths(&harness).await, state("ready"));
        harness.engine.shutdown().await;
    });
}

/// What was decided holds after a restart; a file that cannot be read decides nothing and is not overwritten.
#[test]
fn decisions_survive_a_restart_and_a_damaged_file_allows_nothing() {
    run_test(async {
        let demo = format!("{} demo-server", quoted(&ours("patchbay")));
        let draft = |engine: &patchbay_engine::Engine| engine.draft_of_command(&demo).unwrap();
        let harness = Harness::beside(StoreChoice::Persistent, draft, |_| {}).await;
        let [one, two] = ["one", "two"].map(|name| folder(harness.folder(), name));
        let roots = rule(&[&one, &two], &[]);
        harness
            .change_choosing(&[&one], |draft| draft["roots"] = roots)
            .await;
        harness.engine.shutdown().await;
        let again = harness
            .another(StoreChoice::Persistent, SecretsChoice::Vault)
            .await;
        let consent = async |harness: &Harness| -> Vec<String> {
            paths(harness)
                .await
                .into_iter()
                .map(|(_, consent, _)| consent)
                .collect()
        };
        assert_eq!(consent(&again).await, ["allowed", "open"]);
        again.engine.shutdown().await;
        let file = harness.folder().join("roots.json");
        std::fs::write(&file, "{").unwrap();
        let damaged = harness
            .another(StoreChoice::Persistent, SecretsChoice::Vault)
            .await;
        assert_eq!(consent(&damaged).await, ["open", "open"]);
        let refused = damaged.engine.call("root_set_list", "{}").await.unwrap_err();
        assert!(refused.message.contains("roots.json"), "{refused:?}");
        // Nothing is half done: a server whose roots cannot be allowed is not added.
        let list = damaged.call("server_list", json!({})).await;
        let mut draft = list["items"][0]["draft"].clone();
        draft["name"] = json!("another");
        let add = json!({"draft": draft, "chosenRoots": [one]}).to_string();
        assert!(damaged.engine.call("server_add", &add).await.is_err());
        let list = damaged.call("server_list", json!({})).await;
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
        damaged.engine.shutdown().await;
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
    });
}
