use std::{io::Write as _, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::engine::testing::{attended, call, refusal};

/// A bundle whose program is in it.
fn bundle(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut manifest = json!({
        "manifest_version": "0.3", "name": "hello", "version": "1.0.0", "description": "Says hello.", "author": { "name": "Ada" },
        "server": { "type": "binary", "entry_point": "run.sh", "mcp_config": {
            "command": "${__dirname}/run.sh", "args": ["${user_config.words}"], "env": { "PLAIN": "${user_config.secret}" } } },
        "tools": [{ "name": "greet", "description": "Greets" }],
        "homepage": "javascript:alert(1)", "documentation": "HTTPS://example.com/docs",
        "user_config": {
            "words": { "type": "string", "title": "Words", "description": "", "default": "hi" },
            "secret": { "type": "string", "title": "Secret", "description": "", "sensitive": true },
        },
    });
    change(&mut manifest);
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [
        ("manifest.json", manifest.to_string()),
        ("run.sh", "#!/bin/sh\n".to_owned()),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn written(folder: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("hello.mcpb");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The names in the folder of bundles.
fn unpacked(folder: &tempfile::TempDir) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.path().join("bundles")) else {
        return Vec::new();
    };
    entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}

#[tokio::test]
async fn a_bundle_is_reviewed_added_copied_and_removed_with_the_last_server() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = written(&folder, &bundle(|_| {}));
    let source = json!({ "source": { "type": "path", "path": path } });
    let review = call(&engine, "bundle_open", source).await;
    assert_eq!(review["title"], "hello");
    assert_eq!(review["command"], "${__dirname}/run.sh");
    assert_eq!(
        review["tools"],
        json!([{ "name": "greet", "description": "Greets" }])
    );
    // Only pages are links.
    assert_eq!(
        review["links"],
        json!([{ "label": "Documentation", "url": "HTTPS://example.com/docs" }])
    );
    assert_eq!(
        (&review["blockers"], &review["valuesJson"]),
        (&json!([]), &json!(r#"{"words":"hi"}"#))
    );
    assert!(unpacked(&folder).is_empty());

    let values = json!({ "words": "a b", "secret": "s3cret-value" }).to_string();
    let params =
        json!({ "bundleId": review["bundleId"], "name": "one", "valuesJson": values, "plainSecrets": true });
    let added = call(&engine, "bundle_add", params).await;
    let list = call(&engine, "server_list", json!({})).await;
    let item = &list["items"][0];
    let place = item["bundleFolder"].as_str().unwrap();
    assert!(place.contains("hello-1-0-0-"), "{place}");
    let transport = &item["draft"]["transport"];
    assert_eq!(
        transport["command"],
        format!("{place}{}run.sh", std::path::MAIN_SEPARATOR)
    );
    assert_eq!(transport["args"], json!(["a b"]));
    assert_eq!(
        transport["env"],
        json!([{ "name": "PLAIN", "value": "s3cret-value" }])
    );

    // It was added: the review is over.
    let again = json!({ "bundleId": review["bundleId"], "name": "two", "valuesJson": "{}" });
    assert!(
        refusal(&engine, "bundle_add", again)
            .await
            .contains("not open any more")
    );

    let copy = call(
        &engine,
        "server_duplicate",
        json!({ "serverId": added["serverId"], "name": "copy" }),
    )
    .await;
    call(&engine, "server_remove", json!({ "serverId": added["serverId"] })).await;
    assert_eq!(unpacked(&folder).len(), 1, "the copy needs it");
    call(&engine, "server_remove", json!({ "serverId": copy["serverId"] })).await;
    assert!(unpacked(&folder).is_empty());
    engine.shutdown().await;
}

#[tokio::test]
async fn a_secret_setting_needs_the_vault_whatever_its_variable_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = written(&folder, &bundle(|_| {}));
    let review = call(
        &engine,
        "bundle_open",
        json!({ "source": { "type": "path", "path": path } }),
    )
    .await;
    let values = json!({ "secret": "s3cret-value" }).to_string();
    let params = json!({ "bundleId": review["bundleId"], "name": "one", "valuesJson": values });
    call(&engine, "bundle_add", params).await;
    let list = call(&engine, "server_list", json!({})).await;
    let value = list["items"][0]["draft"]["transport"]["env"][0]["value"]
        .as_str()
        .unwrap();
    assert!(value.starts_with("${vault:"), "{value}");
    assert!(crate::engine::testing::files_with(folder.path(), "s3cret-value").is_empty());
    engine.shutdown().await;
}

#[tokio::test]
async fn a_failure_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = written(&folder, &bundle(|_| {}));
    let source = json!({ "source": { "type": "path", "path": path } });
    let first = call(&engine, "bundle_open", source.clone()).await;
    call(
        &engine,
        "bundle_add",
        json!({ "bundleId": first["bundleId"], "name": "hello", "valuesJson": "{}" }),
    )
    .await;
    let second = call(&engine, "bundle_open", source).await;
    // A free name is proposed.
    assert_eq!(second["name"], "hello 2");
    let taken = json!({ "bundleId": second["bundleId"], "name": "hello", "valuesJson": "{}" });
    refusal(&engine, "bundle_add", taken).await;
    assert_eq!(unpacked(&folder).len(), 1);
    let wrong = json!({ "bundleId": second["bundleId"], "name": "x", "valuesJson": r#"{"words":5}"# });
    assert!(
        refusal(&engine, "bundle_add", wrong)
            .await
            .contains("`Words` is not a text")
    );
    assert_eq!(unpacked(&folder).len(), 1);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_missing_runtime_and_another_system_are_said_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let bytes = bundle(|manifest| {
        manifest["server"]["mcp_config"]["command"] = json!("surely-not-installed");
        manifest["compatibility"] = json!({ "platforms": ["plan9"], "runtimes": { "node": ">=16" } });
    });
    let path = written(&folder, &bytes);
    let review = call(
        &engine,
        "bundle_open",
        json!({ "source": { "type": "path", "path": path } }),
    )
    .await;
    assert_eq!(
        review["runtimes"],
        json!([{ "name": "node", "versions": ">=16" }])
    );
    let blockers = review["blockers"].to_string();
    assert!(blockers.contains("The bundle is for plan9"), "{blockers}");
    assert!(
        blockers.contains("`surely-not-installed`, which was not found in PATH. Install it"),
        "{blockers}"
    );
    let params = json!({ "bundleId": review["bundleId"], "name": "x", "valuesJson": "{}" });
    assert!(refusal(&engine, "bundle_add", params).await.contains("plan9"));
    assert!(unpacked(&folder).is_empty());
    engine.shutdown().await;
}

#[tokio::test]
async fn a_page_sends_a_bundle_in_parts_and_closing_deletes_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let bytes = bundle(|_| {});
    let (front, rest) = bytes.split_at(99);
    let first = json!({ "bundleId": null, "data": STANDARD.encode(front) });
    let id = call(&engine, "bundle_upload", first).await["bundleId"].clone();
    let source = json!({ "source": { "type": "upload", "bundleId": id } });
    call(
        &engine,
        "bundle_upload",
        json!({ "bundleId": id, "data": STANDARD.encode(rest) }),
    )
    .await;
    let review = call(&engine, "bundle_open", source).await;
    assert_eq!((&review["bundleId"], &review["title"]), (&id, &json!("hello")));
    assert_eq!(unpacked(&folder).len(), 1, "the received file");
    call(&engine, "bundle_close", json!({ "bundleId": id })).await;
    assert!(unpacked(&folder).is_empty());

    // Half of it is not a bundle, and is not kept.
    let half = json!({ "bundleId": null, "data": STANDARD.encode(front) });
    let id = call(&engine, "bundle_upload", half).await["bundleId"].clone();
    let source = json!({ "source": { "type": "upload", "bundleId": id } });
    let refused = refusal(&engine, "bundle_open", source).await;
    assert!(refused.starts_with("Reading the bundle failed"), "{refused}");
    assert!(unpacked(&folder).is_empty());
    engine.shutdown().await;
}

#[tokio::test]
async fn the_files_of_a_bundle_go_with_its_server_even_if_its_settings_name_them_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let path = written(&folder, &bundle(|_| {}));
    let source = json!({ "source": { "type": "path", "path": path } });
    let review = call(&engine, "bundle_open", source).await;
    let params = json!({ "bundleId": review["bundleId"], "name": "one", "valuesJson": "{}" });
    let added = call(&engine, "bundle_add", params).await;
    let list = call(&engine, "server_list", json!({})).await;
    let mut draft = list["items"][0]["draft"].clone();
    draft["transport"] = json!({ "type": "stdio", "command": "other", "args": [], "env": [], "cwd": null });
    let id = &added["serverId"];
    call(
        &engine,
        "server_update",
        json!({ "serverId": id, "draft": draft }),
    )
    .await;
    assert_eq!(unpacked(&folder).len(), 1);
    call(&engine, "server_remove", json!({ "serverId": id })).await;
    assert!(unpacked(&folder).is_empty());
    engine.shutdown().await;
}
