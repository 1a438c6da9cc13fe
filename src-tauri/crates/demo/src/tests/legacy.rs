use super::{Client, INITIALIZE, INITIALIZED, legacy, play};

#[tokio::test(start_paused = true)]
async fn the_handshake_answers_every_legacy_revision_and_offers_its_latest_otherwise() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Client::start();
        let lines = client.ask(&INITIALIZE.replace("2025-11-25", asked)).await;
        assert!(
            lines[0].contains(&format!(r#""protocolVersion":"{answered}""#)),
            "asked {asked}: {}",
            lines[0]
        );
        assert!(
            lines[0].contains("completions") != (answered == "2024-11-05"),
            "{}",
            lines[0]
        );
        client.finish().await;
    }
}

#[tokio::test(start_paused = true)]
async fn only_ping_is_served_before_the_handshake() {
    insta::assert_snapshot!(play(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"1","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}"#,
        "Hello?",
        "",
        "7",
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"ping"}
    < {"jsonrpc":"2.0","id":1,"result":{}}
    > {"jsonrpc":"2.0","id":"1","method":"tools/list"}
    < {"jsonrpc":"2.0","id":"1","error":{"code":-32600,"message":"Send `initialize` first, or a 2026-07-28 request with its `_meta`"}}
    > {"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}
    < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`protocolVersion` is missing"}}
    > Hello?
    > 
    > 7
    > {"jsonrpc":"2.0","id":9,"result":{}}
    < {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: a value is missing at line 1, column 1"}}
    < {"jsonrpc":"2.0","error":{"code":-32600,"message":"a number instead of a JSON-RPC message"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn numbers_and_order_are_preserved() {
    insta::assert_snapshot!(legacy(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_json","arguments":{"z":1.10,"a":9007199254740993,"a":1e5}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":9007199254740993,"b":1}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":0.5,"b":1}}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{"a":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"convert","arguments":{"value":20,"from":"celsius","to":"fahrenheit"}}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"protocol_error","arguments":{"code":-32000}}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"surprise"}}"#,
        r#"{"jsonrpc":"2.0","id":8,"method":"no/such"}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_json","arguments":{"z":1.10,"a":9007199254740993,"a":1e5}}}
    < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"z\":1.10,\"a\":9007199254740993,\"a\":1e5}"}],"isError":false}}
    > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":9007199254740993,"b":1}}}
    < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"9007199254740994"}],"isError":false}}
    > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":0.5,"b":1}}}
    < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"1.5"}],"isError":false}}
    > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{"a":"1"}}}
    < {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"`a` must be a number, not \"1\""}],"isError":true}}
    > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"convert","arguments":{"value":20,"from":"celsius","to":"fahrenheit"}}}
    < {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"value\":68,\"unit\":\"fahrenheit\"}"}],"structuredContent":{"value":68,"unit":"fahrenheit"},"isError":false}}
    > {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"protocol_error","arguments":{"code":-32000}}}
    < {"jsonrpc":"2.0","id":6,"error":{"code":-32000,"message":"Internal error","data":{"hint":"This is what you asked for"}}}
    > {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"surprise"}}
    < {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown tool: surprise"}}
    > {"jsonrpc":"2.0","id":8,"method":"no/such"}
    < {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn progress_is_reported_while_the_session_continues() {
    insta::assert_snapshot!(legacy(&[
        r#"~{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"count_slowly","arguments":{"steps":2}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sleep","arguments":{"seconds":5}}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"count_slowly","arguments":{"steps":2}}}
    > {"jsonrpc":"2.0","id":2,"method":"ping"}
    < {"jsonrpc":"2.0","id":2,"result":{}}
    > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sleep","arguments":{"seconds":5}}}
    < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":2,"message":"Step 1 of 2"}}
    < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":2,"total":2,"message":"Step 2 of 2"}}
    < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Counted to 2."}],"isError":false}}
    < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Slept for 5 s."}],"isError":false}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_is_never_answered() {
    insta::assert_snapshot!(legacy(&[
        r#"~{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1","reason":"another id"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sleep","arguments":{"seconds":100}}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep"}}
    > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1","reason":"another id"}}
    > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}
    > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sleep","arguments":{"seconds":100}}}
    < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Slept for 100 s."}],"isError":false}}
    ! request 1 was cancelled: enough
    "#);
}

#[tokio::test(start_paused = true)]
async fn logs_follow_the_level() {
    insta::assert_snapshot!(legacy(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"alert"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"log_levels","arguments":{"message":"m"}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"alert"}}
    < {"jsonrpc":"2.0","id":1,"result":{}}
    > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"log_levels","arguments":{"message":"m"}}}
    < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"alert","logger":"demo.levels","data":"m (alert)"}}
    < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","logger":"demo.levels","data":"m (emergency)"}}
    < {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Logged once at each level."}],"isError":false}}
    > {"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}
    < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"\"loud\" is not a log level"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_logs_is_complete() {
    let mut client = Client::start();
    client.ask(INITIALIZE).await;
    client.send(INITIALIZED).await;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_burst","arguments":{"count":10000}}}"#;
    let lines = client.ask(call).await;
    assert_eq!(lines.len(), 10_001);
    assert!(lines[9_999].contains(r#""number":10000,"#));
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn changes_are_sent_to_subscribers_only() {
    insta::assert_snapshot!(legacy(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch_counter"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"demo://counter"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"touch_counter"}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"demo://counter"}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{"uri":"demo://nowhere"}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"toggle_tool"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"surprise"}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch_counter"}}
    < {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"demo://counter is at 1 now."}],"isError":false}}
    > {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"demo://counter"}}
    < {"jsonrpc":"2.0","id":2,"result":{}}
    > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"touch_counter"}}
    < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://counter"}}
    < {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"demo://counter is at 2 now."}],"isError":false}}
    > {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"demo://counter"}}
    < {"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"demo://counter","mimeType":"text/plain","text":"2"}]}}
    > {"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{"uri":"demo://nowhere"}}
    < {"jsonrpc":"2.0","id":5,"error":{"code":-32002,"message":"Resource not found: demo://nowhere","data":{"uri":"demo://nowhere"}}}
    > {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"toggle_tool"}}
    < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    < {"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"`surprise` is here now."}],"isError":false}}
    > {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"surprise"}}
    < {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"Surprise! `toggle_tool` takes me away again."}],"isError":false}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn prompts_and_completion() {
    insta::assert_snapshot!(legacy(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","arguments":{"code":"1+1","language":"rust"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"nope"}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"framework","value":"T"},"context":{"arguments":{"language":"rust"}}}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"demo://city/{country}/{name}"},"argument":{"name":"name","value":"b"},"context":{"arguments":{"country":"Germany"}}}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"completion/complete","params":{"ref":{"type":"ref/other"},"argument":{"name":"x","value":""}}}"#,
    ]).await, @r#"
    > {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","arguments":{"code":"1+1","language":"rust"}}}
    < {"jsonrpc":"2.0","id":1,"result":{"description":"A code review","messages":[{"role":"user","content":{"type":"text","text":"Please review this code.\n\n```rust\n1+1\n```"}}]}}
    > {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"review"}}
    < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Missing argument: code"}}
    > {"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"nope"}}
    < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown prompt: nope"}}
    > {"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"framework","value":"T"},"context":{"arguments":{"language":"rust"}}}}
    < {"jsonrpc":"2.0","id":4,"result":{"completion":{"values":["tauri"],"total":1,"hasMore":false}}}
    > {"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"demo://city/{country}/{name}"},"argument":{"name":"name","value":"b"},"context":{"arguments":{"country":"Germany"}}}}
    < {"jsonrpc":"2.0","id":5,"result":{"completion":{"values":["Berlin","Bremen"],"total":2,"hasMore":false}}}
    > {"jsonrpc":"2.0","id":6,"method":"completion/complete","params":{"ref":{"type":"ref/other"},"argument":{"name":"x","value":""}}}
    < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`ref.type` must be ref/prompt or ref/resource"}}
    "#);
}

#[tokio::test(start_paused = true)]
async fn batches_are_answered_with_batches_in_one_revision_only() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"sleep","arguments":{"seconds":1}}}]"#;
    let mut client = Client::start();
    client.ask(&INITIALIZE.replace("2025-11-25", "2025-03-26")).await;
    client.send(batch).await;
    insta::assert_snapshot!(client.next().await.unwrap_or_default(), @r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"Slept for 1 s."}],"isError":false}}]"#);
    client.send("[1]").await;
    insta::assert_snapshot!(client.next().await.unwrap_or_default(), @r#"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"a number instead of a JSON-RPC message"}}]"#);
    client
        .send(r#"[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3},"x"]"#)
        .await;
    insta::assert_snapshot!(client.next().await.unwrap_or_default(), @r#"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"an object with neither `method` nor `result` nor `error`"}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"a string instead of a JSON-RPC message"}},{"jsonrpc":"2.0","id":2,"result":{}}]"#);
    client
        .send(r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#)
        .await;
    let (rest, _) = client.finish().await;
    assert!(rest.is_empty(), "{rest:?}");

    let told = legacy(&[&format!("~{batch}")]).await;
    assert!(told.contains("Batches belong to revision 2025-03-26"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn stderr_is_written_and_hanging_up_ends_the_server() {
    let mut client = Client::start();
    client.ask(INITIALIZE).await;
    client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_stderr","arguments":{"text":"x","lines":2}}}"#).await;
    client
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hang_up"}}"#)
        .await;
    assert_eq!(client.next().await, None, "the stream ends without an answer");
    let (rest, stderr) = client.finish().await;
    assert!(rest.is_empty());
    assert_eq!(stderr, "x (1 of 2)\nx (2 of 2)\nhanging up, as asked\n");
}
