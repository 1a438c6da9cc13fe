use super::{Client, modern, play};

#[tokio::test(start_paused = true)]
async fn discover_and_removed_methods() {
    let discover = modern(1, "server/discover", "", "");
    let ping = modern(2, "ping", "", "");
    let level = modern(3, "logging/setLevel", "", r#","level":"info""#);
    let told = play(&[&discover, &ping, &level]).await;
    insta::assert_snapshot!(told.lines().filter(|line| line.starts_with('<')).collect::<Vec<_>>().join("\n"), @r#"
    < {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{}}},"instructions":"A demo server: everything a client has to cope with, and nothing that matters. Try `greet` first, `count_slowly` for progress, `every_content` for all types of content, `toggle_tool` for a list that changes.","ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"patchbay-demo","title":"Patchbay demo server","version":"0.0.0"}}}}
    < {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: ping"}}
    < {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: logging/setLevel"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_request_without_meta_is_rejected() {
    let other = modern(2, "tools/list", "", "").replace("2026-07-28", "2030-01-01");
    let legacy = modern(3, "tools/list", "", "").replace("2026-07-28", "2025-11-25");
    let level = modern(
        4,
        "tools/list",
        r#","io.modelcontextprotocol/logLevel":"loud""#,
        "",
    );
    insta::assert_snapshot!(play(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        &other, &legacy, &level,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"server/discover"}
    < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`_meta` has no `io.modelcontextprotocol/protocolVersion`"}}
    > {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
    < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`_meta` has no object `io.modelcontextprotocol/clientCapabilities`"}}
    > {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
    < {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2030-01-01"}}}
    > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}}
    < {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2025-11-25"}}}
    > {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}}}
    < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"\"loud\" is not a log level"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn logs_are_sent_only_for_requests_with_a_level() {
    let mut client = Client::start();
    let quiet = modern(1, "tools/call", "", r#","name":"log_levels""#);
    assert_eq!(client.ask(&quiet).await.len(), 1);
    let loud = modern(
        2,
        "tools/call",
        r#","io.modelcontextprotocol/logLevel":"error""#,
        r#","name":"log_levels""#,
    );
    assert_eq!(
        client.ask(&loud).await.len(),
        5,
        "error, critical, alert, emergency and the answer"
    );
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn streams_get_the_requested_notifications_until_cancelled() {
    let tools = modern(
        1,
        "subscriptions/listen",
        "",
        r#","notifications":{"toolsListChanged":true,"promptsListChanged":true}"#,
    );
    let counter = modern(
        2,
        "subscriptions/listen",
        "",
        r#","notifications":{"resourceSubscriptions":["demo://counter"]}"#,
    );
    let toggle = modern(3, "tools/call", "", r#","name":"toggle_tool""#);
    let touch = modern(4, "tools/call", "", r#","name":"touch_counter""#);
    let again = modern(5, "tools/call", "", r#","name":"toggle_tool""#);
    let bad = modern(6, "subscriptions/listen", "", "");
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let told = play(&[
        &format!("~{tools}"),
        &format!("~{counter}"),
        &toggle,
        &touch,
        cancel,
        &again,
        &bad,
    ])
    .await;
    let received: Vec<String> = told
        .lines()
        .filter(|line| line.starts_with('<'))
        .map(|line| {
            line.replace(r#""resultType":"complete","#, "")
                .split(r#","_meta":{"io.modelcontextprotocol/serverInfo""#)
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    insta::assert_snapshot!(received.join("\n"), @r#"
    < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}
    < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"resourceSubscriptions":["demo://counter"]}}}
    < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"`surprise` is here now."}],"isError":false
    < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"uri":"demo://counter"}}
    < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"demo://counter is at 1 now."}],"isError":false
    < {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"`surprise` is gone."}],"isError":false
    < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`notifications` is missing"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn lists_are_paged() {
    let mut client = Client::start();
    let first = client.ask(&modern(1, "tools/list", "", "")).await.remove(0);
    assert!(first.contains(r#""nextCursor":"from-20""#), "{first}");
    let second = client
        .ask(&modern(2, "tools/list", "", r#","cursor":"from-20""#))
        .await
        .remove(0);
    assert!(!second.contains("nextCursor"), "{second}");
    for cursor in [r#""from-999""#, r#""x""#, "20"] {
        let answer = client
            .ask(&modern(3, "tools/list", "", &format!(r#","cursor":{cursor}"#)))
            .await
            .remove(0);
        assert!(
            answer.contains(r#""code":-32602,"message":"Invalid cursor"#),
            "{answer}"
        );
    }
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn missing_resources_are_invalid_params() {
    let mut client = Client::start();
    let answer = client
        .ask(&modern(1, "resources/read", "", r#","uri":"demo://nowhere""#))
        .await
        .remove(0);
    assert!(answer.contains(r#""code":-32602"#), "{answer}");
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn large_results_have_about_the_requested_size() {
    let mut client = Client::start();
    for (id, kind, bytes) in [
        (1, "text", 3_000_000),
        (2, "json", 1_000_000),
        (3, "structured", 1_000_000),
        (4, "image", 1_000_000),
    ] {
        let arguments = format!(r#","name":"large_result","arguments":{{"bytes":{bytes},"kind":"{kind}"}}"#);
        let answer = client
            .ask(&modern(id, "tools/call", "", &arguments))
            .await
            .remove(0);
        assert!(
            (bytes..bytes * 3 / 2).contains(&answer.len()),
            "{kind}: {} bytes",
            answer.len()
        );
    }
    client.finish().await;
}
