use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::engine::testing::{attended, call, refusal};

fn document() -> Value {
    json!({
        "name": "io.github.ada/weather", "title": "Weather", "description": "Says how it is.", "version": "1.0.0",
        "packages": [{ "registryType": "npm", "runtimeHint": "surely-not-installed", "identifier": "weather", "version": "1.0.0" }],
        "remotes": [{ "type": "streamable-http", "url": "https://{place}.example.com/mcp",
            "variables": { "place": { "isRequired": true } },
            "headers": [{ "name": "X-Code", "isSecret": true, "isRequired": true }] }],
    })
}

/// Answers one request with this, and returns its address.
async fn serving(status: &'static str, body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).await;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all((head + &body).as_bytes()).await;
    });
    format!("http://{address}/server.json")
}

#[tokio::test]
async fn a_text_is_read_and_one_of_its_ways_added() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let text = document().to_string();
    let parsed = call(&engine, "server_parse", json!({ "text": text })).await;
    assert_eq!(
        (&parsed["registry"]["type"], &parsed["drafts"]),
        (&json!("text"), &json!([]))
    );
    let read = call(&engine, "registry_read", json!({ "source": parsed["registry"] })).await;
    let server = &read["servers"][0];
    assert_eq!(
        (&server["title"], &server["proposedName"]),
        (&json!("Weather"), &json!("Weather"))
    );
    let [package, remote] = server["options"].as_array().unwrap().as_slice() else {
        panic!("two options");
    };
    let blocker = package["blocker"].as_str().unwrap();
    assert!(
        blocker.contains("`surely-not-installed`, which was not found in PATH. Install it"),
        "{blocker}"
    );
    assert_eq!(remote["url"], "https://{place}.example.com/mcp");
    assert_eq!(remote["blocker"], Value::Null);

    let add = |option: u32, values: Value| json!({ "text": read["text"], "server": 0, "option": option, "name": "weather", "valuesJson": values.to_string() });
    assert!(
        refusal(&engine, "registry_add", add(0, json!({})))
            .await
            .contains("not found in PATH")
    );
    assert_eq!(
        refusal(&engine, "registry_add", add(1, json!({}))).await,
        "`place` is required."
    );
    assert!(
        refusal(&engine, "registry_add", add(7, json!({})))
            .await
            .contains("no such server")
    );
    call(
        &engine,
        "registry_add",
        add(1, json!({ "place": "eu", "X-Code": "s3cret-code" })),
    )
    .await;
    let list = call(&engine, "server_list", json!({})).await;
    let transport = &list["items"][0]["draft"]["transport"];
    assert_eq!(transport["url"], "https://eu.example.com/mcp");
    assert!(
        transport["headers"][0]["value"]
            .as_str()
            .unwrap()
            .starts_with("${vault:"),
        "{transport}"
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn an_address_is_requested_once_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let url = serving("200 OK", json!({ "server": document() }).to_string()).await;
    let parsed = call(&engine, "server_parse", json!({ "text": url })).await;
    assert_eq!(parsed["registry"], json!({ "type": "url", "url": url }));
    let read = call(&engine, "registry_read", json!({ "source": parsed["registry"] })).await;
    assert_eq!(read["servers"][0]["name"], "io.github.ada/weather");
    engine.state.recorder.flush().await.unwrap();
    let rows = json!({ "filter": "", "offset": 0, "limit": 10 });
    let rows = call(&engine, "traffic_rows", rows).await.to_string();
    assert!(rows.contains("/server.json"), "{rows}");
    engine.shutdown().await;
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let from = |url: &str| json!({ "source": { "type": "url", "url": url } });
    let missing = serving("404 Not Found", String::new()).await;
    let refused = refusal(&engine, "registry_read", from(&missing)).await;
    assert!(
        refused.contains("127.0.0.1 answered with 404. Correct the URL"),
        "{refused}"
    );
    let text = serving("200 OK", "<html>".to_owned()).await;
    let refused = refusal(&engine, "registry_read", from(&text)).await;
    assert!(refused.contains("It is not valid JSON"), "{refused}");
    let large = serving("200 OK", " ".repeat(5 << 20)).await;
    let refused = refusal(&engine, "registry_read", from(&large)).await;
    assert!(refused.starts_with("Reading server.json failed"), "{refused}");
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap();
    for (url, why) in [
        (
            &*format!("http://{closed}/server.json"),
            "refused. Nothing listens",
        ),
        ("file:///etc/passwd", "only http:// and https://"),
        ("x", "is not a URL"),
    ] {
        let refused = refusal(&engine, "registry_read", from(url)).await;
        assert!(refused.contains(why), "{refused}");
    }
    engine.shutdown().await;
}

#[tokio::test]
async fn what_no_program_can_run_has_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let packages: Vec<Value> = ["mcpb", "unknown"]
        .map(|registry| {
            json!({ "registryType": registry, "identifier": "weather", "environmentVariables": [{ "name": "CODE" }] })
        })
        .into();
    let text =
        json!({ "name": "io.github.ada/weather", "version": "1.0.0", "packages": packages }).to_string();
    let read = call(
        &engine,
        "registry_read",
        json!({ "source": { "type": "text", "text": text } }),
    )
    .await;
    let options = read["servers"][0]["options"].as_array().unwrap();
    assert_eq!(options.len(), 2);
    for option in options {
        assert_eq!(
            (&option["command"], &option["args"]),
            (&Value::Null, &json!([])),
            "{option}"
        );
        assert_eq!(option["members"][0]["name"], "CODE");
        assert!(option["blocker"].is_string());
    }
}
