//! The settings, through the commands.

use serde_json::{Value, json};

use crate::engine::testing::{attended, call, refusal};

#[tokio::test]
async fn settings_are_kept_per_server_shown_in_the_list_and_left_out_of_exports() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let draft = engine.draft_of_command("sh -c :").unwrap();
    let server = engine.add_server(draft.clone()).await.unwrap();
    let get = json!({ "serverId": server });
    let nothing = call(&engine, "simulator_get", get.clone()).await;
    assert_eq!(nothing["settings"]["isOn"], false);

    let decline = json!({ "answer": { "type": "decline" }, "delayMs": 2000 });
    let mut settings = json!({ "isOn": true, "sampling": null, "elicitation": decline, "roots": null });
    let set = |settings: &Value| json!({ "serverId": server, "settings": settings });
    call(&engine, "simulator_set", set(&settings)).await;
    assert_eq!(
        call(&engine, "simulator_get", get.clone()).await["settings"],
        settings
    );
    let list = call(&engine, "server_list", json!({})).await;
    assert_eq!(list["items"][0]["simulated"], json!(["elicitation"]));
    // Other settings are edited without it.
    call(
        &engine,
        "server_update",
        json!({ "serverId": server, "draft": draft }),
    )
    .await;
    let export = call(&engine, "server_export", get.clone()).await;
    assert!(!export["text"].as_str().unwrap().contains("simulator"));

    // A script that cannot be used is refused, but anything can be switched off.
    let script = json!({ "type": "script", "atEnd": "stop", "script": { "type": "text", "json": "[" } });
    settings["roots"] = json!({ "answer": script, "delayMs": 0 });
    let why = refusal(&engine, "simulator_set", set(&settings)).await;
    assert!(
        why.starts_with("Roots: The script is not valid: it is not JSON:"),
        "{why}"
    );
    settings["isOn"] = json!(false);
    call(&engine, "simulator_set", set(&settings)).await;
    assert_eq!(
        call(&engine, "server_list", json!({})).await["items"][0].get("simulated"),
        None
    );
    settings["isOn"] = json!(true);
    settings["roots"] = json!({ "answer": { "type": "decline" }, "delayMs": 86_400_001 });
    let why = refusal(&engine, "simulator_set", set(&settings)).await;
    assert_eq!(why, "Roots: An answer is held back for a day at most.");
    settings["roots"] = Value::Null;
    let unknown = json!({ "serverId": "nobody", "settings": settings });
    let why = refusal(&engine, "simulator_set", unknown).await;
    assert!(why.contains("no server"), "{why}");
    call(&engine, "simulator_set", set(&settings)).await;
    engine.shutdown().await;

    let engine = self::attended(&folder).await;
    assert_eq!(call(&engine, "simulator_get", get).await["settings"], settings);
    engine.shutdown().await;
}

#[tokio::test]
async fn a_script_is_checked_without_being_used() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let check = |script: Value| json!({ "script": script, "kind": "elicitation" });
    let text = |json: &str| json!({ "type": "text", "json": json });
    let valid = call(&engine, "simulator_check", check(text(r#"["decline","cancel"]"#))).await;
    assert_eq!(valid, json!({ "type": "valid", "answers": 2 }));
    let wrong = call(&engine, "simulator_check", check(text(r#"["no"]"#))).await;
    assert!(
        wrong["problem"]
            .as_str()
            .unwrap()
            .contains("answer 1: “no” is not one of"),
        "{wrong}"
    );
    for (path, why) in [
        ("script.json", "its path is not absolute"),
        ("/no/such/script.json", "was not read"),
        ("/", "it is not a file"),
    ] {
        let file = json!({ "type": "file", "path": path });
        let wrong = call(&engine, "simulator_check", check(file)).await;
        assert!(wrong["problem"].as_str().unwrap().contains(why), "{wrong}");
    }
    engine.shutdown().await;
}
