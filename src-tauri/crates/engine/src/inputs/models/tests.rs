//! Providers and the stream of an answer, through the commands, with the scripted provider.

use patchbay_contract::InputId;
use patchbay_test_server::models::{KEY, ModelProvider};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;

use crate::{
    Engine,
    engine::testing::{attended, call, only_secret, refusal},
    inputs::{Queued, Shown, sampling_question},
};

fn draft(scripted: &ModelProvider, api: &str) -> Value {
    json!({
        "providerId": null,
        "name": "Scripted",
        "api": api,
        "baseUrl": format!("{}/v1", scripted.origin()),
        "key": { "type": "set", "text": KEY },
        "defaultModel": "talk",
    })
}

#[tokio::test]
async fn providers_are_saved_tested_and_removed_and_their_keys_are_in_the_vault() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let file = folder.path().join("providers.json");
    for api in ["anthropic", "chatCompletions"] {
        let saved = call(&engine, "provider_save", draft(&scripted, api)).await;
        let id = &saved["providerId"];
        let item = call(&engine, "provider_list", json!({})).await["items"][0].clone();
        assert_eq!((&item["hasKey"], &item["models"]), (&json!(true), &Value::Null));
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("Scripted") && !text.contains(KEY), "{text}");

        let listed = call(&engine, "provider_models", json!({ "providerId": id })).await;
        assert_eq!(listed["models"][0]["id"], "talk", "{listed}");
        let test = |model: &str| json!({ "providerId": id, "model": model });
        assert_eq!(
            call(&engine, "provider_test", test("talk")).await["type"],
            "works"
        );
        let failed = call(&engine, "provider_test", test("429")).await;
        assert_eq!(failed["failure"]["retryAfterMs"], json!(86_400_000.0), "{failed}");

        // The key stays with the name, and goes with the origin.
        let mut change = draft(&scripted, api);
        change["providerId"] = id.clone();
        change["key"] = json!({ "type": "keep" });
        change["name"] = json!("Renamed");
        call(&engine, "provider_save", change.clone()).await;
        assert_eq!(
            call(&engine, "provider_list", json!({})).await["items"][0]["hasKey"],
            true
        );
        change["baseUrl"] = json!("http://127.0.0.1:9/v1");
        call(&engine, "provider_save", change).await;
        assert_eq!(
            call(&engine, "provider_list", json!({})).await["items"][0]["hasKey"],
            false
        );
        let failed = call(&engine, "provider_models", json!({ "providerId": id })).await;
        assert_eq!(failed["type"], "failed", "{failed}");

        call(&engine, "provider_remove", json!({ "providerId": id })).await;
        assert_eq!(
            call(&engine, "provider_list", json!({})).await["items"],
            json!([])
        );
        assert!(engine.state.vault.ids().await.unwrap().is_empty());
    }
    for (name, value) in [
        ("name", json!(" ")),
        ("baseUrl", json!("javascript:alert(1)")),
        ("key", json!({ "type": "set", "text": "two words" })),
    ] {
        let mut wrong = draft(&scripted, "anthropic");
        wrong[name] = value;
        assert!(
            !refusal(&engine, "provider_save", wrong).await.is_empty(),
            "{name}"
        );
    }
    engine.shutdown().await;
}

#[tokio::test]
async fn a_change_that_cannot_be_written_changes_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let saved = call(&engine, "provider_save", draft(&scripted, "anthropic")).await;
    let file = folder.path().join("providers.json");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let mut change = draft(&scripted, "anthropic");
    change["providerId"] = saved["providerId"].clone();
    change["baseUrl"] = json!("http://127.0.0.1:9/v1");
    for key in [
        json!({ "type": "set", "text": "sk-other-key" }),
        json!({ "type": "none" }),
    ] {
        change["key"] = key;
        let why = refusal(&engine, "provider_save", change.clone()).await;
        assert!(why.contains("Writing failed"), "{why}");
        assert_eq!(only_secret(&engine).await, KEY);
    }
    std::fs::remove_dir(&file).unwrap();
    change["key"] = json!({ "type": "set", "text": "sk-other-key" });
    call(&engine, "provider_save", change).await;
    assert_eq!(only_secret(&engine).await, "sk-other-key");
    engine.shutdown().await;
}

#[tokio::test]
async fn a_damaged_file_is_a_clear_error_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("providers.json");
    std::fs::write(&file, "{\"providers\":7}").unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    assert!(
        refusal(&engine, "provider_list", json!({}))
            .await
            .contains("cannot be read")
    );
    assert!(
        refusal(&engine, "provider_save", draft(&scripted, "anthropic"))
            .await
            .contains("cannot be read")
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"providers\":7}");
    engine.shutdown().await;
}

/// The events of `sampling_generate`.
async fn generate(engine: &Engine, input: &InputId, provider: &Value, model: &str) -> Vec<Value> {
    let params = json!({
        "inputId": input,
        "providerId": provider,
        "model": model,
        "paramsJson": r#"{"messages":[{"role":"user","content":{"type":"text","text":"Edited"}}],"maxTokens":5}"#,
    });
    let (sink, mut events) = mpsc::channel(4);
    let _open = engine
        .open_stream("sampling_generate", &params.to_string(), sink)
        .unwrap();
    let mut all = Vec::new();
    while let Some(text) = events.recv().await {
        let event: Value = serde_json::from_str(&text).unwrap();
        if event["end"] == true {
            if event["error"].is_object() {
                all.push(event["error"].clone());
            }
            break;
        }
        all.push(event["event"].clone());
    }
    all
}

#[tokio::test]
async fn a_pending_request_is_sent_to_a_model_as_edited_and_stays_pending() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let saved = call(&engine, "provider_save", draft(&scripted, "anthropic")).await;
    let provider = &saved["providerId"];
    let (question, operation) = sampling_question(&engine, r#"{"messages":[]}"#);
    let queued = engine
        .state
        .inputs
        .put(&question, Shown::of(&question.input.params));
    let Queued {
        id: input, answered, ..
    } = queued.unwrap();

    let events = generate(&engine, &input, provider, "talk").await;
    let text: String = events.iter().filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(text, "Hello, wörld");
    let last = events.last().unwrap();
    assert_eq!(
        (&last["type"], &last["outputTokens"]),
        (&json!("finished"), &json!(7))
    );
    assert!(last["resultJson"].as_str().unwrap().contains("Hello, wörld"));
    assert!(scripted.seen().last().unwrap().contains("Edited"));

    let events = generate(&engine, &input, provider, "cut").await;
    assert_eq!(events[0], json!({ "type": "text", "text": "Hel" }));
    assert_eq!(events[1]["type"], "failed", "{events:?}");
    assert_eq!(
        engine.state.inputs.list(&[]).items.len(),
        1,
        "only the user answers"
    );
    // The exchanges belong to the operation of the question.
    engine.state.recorder.flush().await.unwrap();
    let filter = format!("kind:http op:{}", operation.0);
    let rows = call(
        &engine,
        "traffic_rows",
        json!({ "filter": filter, "offset": 0, "limit": 10 }),
    )
    .await;
    assert_eq!(rows["rows"].as_array().unwrap().len(), 2, "{rows}");

    drop(answered);
    engine
        .state
        .inputs
        .withdraw(&input, "The server withdrew it.", None);
    let seen = scripted.seen().len();
    let events = generate(&engine, &input, provider, "talk").await;
    assert!(
        events[0]["message"]
            .as_str()
            .unwrap()
            .contains("The server withdrew it."),
        "{events:?}"
    );
    assert_eq!(
        scripted.seen().len(),
        seen,
        "nothing is sent for a request that is gone"
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn an_answer_of_a_megabyte_nothing_and_garbage_leave_the_request_to_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let (question, _) = sampling_question(&engine, "{}");
    let queued = engine.state.inputs.put(&question, Shown::of("{}")).unwrap();
    for api in ["anthropic", "chatCompletions"] {
        let saved = call(&engine, "provider_save", draft(&scripted, api)).await;
        let provider = &saved["providerId"];
        for model in ["megabyte", "megabyte-whole"] {
            let events = generate(&engine, &queued.id, provider, model).await;
            let last = events.last().unwrap();
            assert_eq!(last["type"], "finished", "{api} {model}");
            assert!(
                last["resultJson"].as_str().unwrap().len() > 1 << 20,
                "{api} {model}"
            );
        }
        for (model, words) in [
            ("empty", "answered nothing"),
            ("empty-whole", "answered nothing"),
            ("garbage", "not UTF-8 text"),
            ("garbage-whole", "not JSON"),
        ] {
            let events = generate(&engine, &queued.id, provider, model).await;
            let [failed] = &events[..] else {
                panic!("{api} {model}: {events:?}");
            };
            let failure = &failed["failure"];
            assert!(
                failure["cause"].as_str().unwrap().contains(words),
                "{api} {model}: {failure}"
            );
            assert_ne!(failure["next"], "", "{api} {model}");
        }
    }
    assert_eq!(engine.state.inputs.list(&[]).items.len(), 1);
    engine.shutdown().await;
}

#[tokio::test]
async fn closing_the_stream_stops_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let saved = call(&engine, "provider_save", draft(&scripted, "chatCompletions")).await;
    let (question, _) = sampling_question(&engine, "{}");
    let queued = engine.state.inputs.put(&question, Shown::of("{}")).unwrap();
    let input = &queued.id;
    let params = json!({ "inputId": input, "providerId": saved["providerId"], "model": "slow",
        "paramsJson": r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5}"# });
    let (sink, mut events) = mpsc::channel(4);
    let open = engine
        .open_stream("sampling_generate", &params.to_string(), sink)
        .unwrap();
    assert!(events.recv().await.unwrap().contains("Hel"));
    drop(open);
    // The aborted task drops its sender, and the exchange with it.
    assert_eq!(events.recv().await, None);
    engine.state.recorder.flush().await.unwrap();
    let rows = call(
        &engine,
        "traffic_rows",
        json!({ "filter": "kind:http", "offset": 0, "limit": 10 }),
    )
    .await;
    assert_eq!(rows["rows"][0]["status"], "cancelled", "{rows}");
    engine.shutdown().await;
}

/// The user corrects the address while the wrong one is slow to answer.
#[tokio::test]
async fn the_models_of_an_address_that_was_changed_meanwhile_are_not_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut change = draft(&scripted, "chatCompletions");
    let slow = format!("http://{}/v1", listener.local_addr().unwrap());
    let mut wrong = change.clone();
    wrong["baseUrl"] = json!(slow);
    let id = call(&engine, "provider_save", wrong).await["providerId"].clone();
    let answering = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        change["providerId"] = id.clone();
        call(&engine, "provider_save", change).await;
        let body = r#"{"data":[{"id":"of-the-wrong-address"}]}"#;
        let length = body.len();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
        let response = format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(response.as_bytes()).await.unwrap();
        // Until the client has read it.
        let _ = stream.read_to_end(&mut Vec::new()).await;
    };
    let listing = call(&engine, "provider_models", json!({ "providerId": id }));
    let (listed, ()) = tokio::join!(listing, answering);
    assert_eq!(listed["models"][0]["id"], "of-the-wrong-address", "{listed}");
    let item = call(&engine, "provider_list", json!({})).await["items"][0].clone();
    assert_eq!(item["models"], Value::Null, "{item}");
    engine.shutdown().await;
}

#[tokio::test]
async fn the_choice_of_a_model_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let scripted = ModelProvider::start().unwrap();
    let engine = attended(&folder).await;
    let choose = |hint: &str| json!({ "paramsJson": json!({ "modelPreferences": { "hints": [{ "name": hint }] } }).to_string() });
    assert_eq!(
        call(&engine, "sampling_choose", choose("tools")).await["choice"],
        Value::Null
    );
    let saved = call(&engine, "provider_save", draft(&scripted, "anthropic")).await;
    let choice = call(&engine, "sampling_choose", choose("tools")).await["choice"].clone();
    assert_eq!(choice["model"], "talk");
    assert_eq!(
        choice["reason"],
        "No model matches the hint; it is the default model of Scripted."
    );
    call(
        &engine,
        "provider_models",
        json!({ "providerId": saved["providerId"] }),
    )
    .await;
    let choice = call(&engine, "sampling_choose", choose("tools")).await["choice"].clone();
    assert_eq!(
        (&choice["model"], &choice["reason"]),
        (&json!("tools"), &json!("It matches the hint “tools”."))
    );
    engine.shutdown().await;
}
