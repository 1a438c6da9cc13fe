//! Settings that change while roots are settled.

use patchbay_contract::{RootConsent, RootFolder, RootSetRemoveParams, RootsRule, ServerDraft, ServerId};
use serde_json::json;

use super::root_set_remove;
use crate::{
    Engine,
    engine::testing::{attended, call, refusal},
};

/// Adds a server with this rule.
async fn add(engine: &Engine, rule: RootsRule) -> ServerId {
    let mut draft: ServerDraft = engine.draft_of_command("surely-not-installed").unwrap();
    draft.roots = Some(rule);
    engine.add_server(draft).await.unwrap()
}

#[tokio::test]
async fn a_set_that_is_removed_leaves_what_is_changed_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let folders = vec![RootFolder {
        path: folder.path().display().to_string(),
        name: None,
    }];
    let set = engine.state.roots.save(None, "Work", folders).await.unwrap();
    let rule = RootsRule::Folders {
        paths: Vec::new(),
        names: Default::default(),
        sets: vec![set.clone()],
    };
    let server = add(&engine, rule).await;
    let params = RootSetRemoveParams {
        root_set_id: set,
        despite_use: true,
    };
    let mut removing = Box::pin(root_set_remove(&engine, params));
    // It waits until the file of the sets is written.
    tokio::select! {
        biased;
        removed = &mut removing => panic!("nothing was written: {removed:?}"),
        () = std::future::ready(()) => {}
    }
    let servers = &engine.state.servers;
    servers.set_disabled(std::slice::from_ref(&server), true).unwrap();
    removing.await.unwrap();
    let now = servers.get(&server).unwrap().draft;
    assert!(now.disabled, "it was enabled again");
    assert!(matches!(now.roots, Some(RootsRule::Folders { sets, .. }) if sets.is_empty()));
    engine.shutdown().await;
}

#[tokio::test]
async fn roots_are_settled_by_the_rule_of_now() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let server = add(&engine, RootsRule::None {}).await;
    let path = folder.path().display().to_string();
    let mut draft = engine.state.servers.get(&server).unwrap().draft;
    draft.roots = Some(RootsRule::Folders {
        paths: vec![path.clone()],
        names: Default::default(),
        sets: Vec::new(),
    });
    let params = json!({ "serverId": server, "draft": draft, "chosenRoots": [path] });
    call(&engine, "server_update", params).await;
    // An earlier change of the settings, which waited for the folders until now.
    engine
        .roots_changed(&server, Some(RootsRule::None {}), &[])
        .await
        .unwrap();
    let consent = engine.state.roots.consent(&server, [&*path]);
    assert_eq!(consent, [RootConsent::Allowed]);
    engine.shutdown().await;
}

/// Lets every write of a file fail.
fn block(folder: &tempfile::TempDir, name: &str) {
    let path = folder.path().join(name);
    if path.exists() {
        std::fs::remove_file(&path).unwrap();
    }
    std::fs::create_dir(path).unwrap();
}

#[tokio::test]
async fn a_server_whose_roots_cannot_be_stored_is_not_added_or_copied() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = folder.path().display().to_string();
    let mut draft = engine.draft_of_command("API_TOKEN=hush-hush-12345 surely-not-installed");
    let draft = draft.as_mut().unwrap();
    draft.roots = Some(RootsRule::Folders {
        paths: vec![path.clone()],
        names: Default::default(),
        sets: Vec::new(),
    });
    let params = json!({ "draft": draft, "chosenRoots": [path] });
    let kept = call(&engine, "server_add", params).await["serverId"].clone();
    block(&folder, "roots.json");
    draft.name = "Another".to_owned();
    let params = json!({ "draft": draft, "chosenRoots": [path] });
    refusal(&engine, "server_add", params).await;
    let params = json!({ "serverId": kept, "name": "Copy" });
    refusal(&engine, "server_duplicate", params).await;
    assert_eq!(engine.state.servers.all().len(), 1);
    assert_eq!(engine.state.vault.ids().await.unwrap().len(), 1);
    // Removing it succeeds, whatever is left of its roots.
    call(&engine, "server_remove", json!({ "serverId": kept })).await;
    assert_eq!(engine.state.servers.all(), []);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_set_is_removed_although_its_servers_cannot_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let set = engine.state.roots.save(None, "Work", Vec::new()).await.unwrap();
    let rule = RootsRule::Folders {
        paths: Vec::new(),
        names: Default::default(),
        sets: vec![set.clone()],
    };
    add(&engine, rule).await;
    block(&folder, "servers.json");
    let params = RootSetRemoveParams {
        root_set_id: set,
        despite_use: true,
    };
    root_set_remove(&engine, params).await.unwrap();
    assert_eq!(engine.state.roots.sets().unwrap().len(), 0);
    engine.shutdown().await;
}

/// A front asks again for each notification.
#[tokio::test]
async fn asking_for_the_roots_of_a_server_that_is_not_connected_notifies_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = folder.path().display().to_string();
    let rule = RootsRule::Folders {
        paths: vec![path.clone()],
        names: Default::default(),
        sets: Vec::new(),
    };
    let server = add(&engine, rule).await;
    let before = *engine.state.nudges.revision().borrow();
    let roots = call(&engine, "roots_get", json!({ "serverId": server })).await;
    let root = &roots["folders"][0];
    assert_eq!((&root["path"], &root["state"]), (&json!(path), &json!("ready")));
    assert_eq!(*engine.state.nudges.revision().borrow(), before);
    engine.shutdown().await;
}
