//! Messages in HTTP headers.

use super::{
    dialect_fallback::{DISCOVERED, Web},
    *,
};

const ANNOTATED: &str = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[
    {"name":"good","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"}}}},
    {"name":"bad","inputSchema":{"type":"object","properties":{"r":{"type":"number","x-mcp-header":"Region"}}}}]}"#;

#[tokio::test(start_paused = true)]
async fn messages_stand_in_headers_and_invalid_tools_are_not_called() {
    let (web, mut wire) = Web::modern().await;
    let list = web.bench.call("tools/list", "{}").await;
    let (id, _, headers) = wire.heard().await;
    assert_eq!(
        headers,
        ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"]
    );
    wire.answers(id, &ANNOTATED.replace('\n', ""));
    finished(list).await;
    let call = web
        .bench
        .call("tools/call", r#"{"name":"good","arguments":{"r":" eu"}}"#)
        .await;
    let (id, _, headers) = wire.heard().await;
    assert_eq!(
        headers[1..],
        [
            "Mcp-Method: tools/call",
            "Mcp-Name: good",
            "Mcp-Param-Region: =?base64?IGV1?="
        ]
    );
    wire.answers(id, r#"{"resultType":"complete","content":[]}"#);
    assert_eq!(finished(call).await.outcome, Outcome::Result);
    let refused = finished(web.bench.call("tools/call", r#"{"name":"bad"}"#).await).await;
    assert!(
        matches!(&refused.outcome, Outcome::NotSent(why) if why.contains("bad is excluded") && why.contains("\"number\"")),
        "{:?}",
        refused.outcome
    );
    assert_eq!(web.bench.broken_rules().await, ["tool-header-invalid"]);
}

const MISMATCH: &str = r#"{"code":-32020,"message":"Mcp-Param-Region is missing"}"#;

#[tokio::test(start_paused = true)]
async fn refused_headers_are_looked_up_and_sent_once_more() {
    let (web, mut wire) = Web::modern().await;
    let call = web
        .bench
        .call("tools/call", r#"{"name":"good","arguments":{"r":"eu"}}"#)
        .await;
    let (id, _, headers) = wire.heard().await;
    assert_eq!(headers.len(), 3);
    wire.refuses(id, 400, MISMATCH);
    // The list comes on two pages; the tool is on the second.
    let (id, text, _) = wire.heard().await;
    assert!(text.contains("tools/list"), "{text}");
    wire.answers(
        id,
        r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[],"nextCursor":"n"}"#,
    );
    let (id, text, _) = wire.heard().await;
    assert!(text.contains(r#""cursor":"n""#), "{text}");
    wire.answers(id, &ANNOTATED.replace('\n', ""));
    let (id, _, headers) = wire.heard().await;
    assert_eq!(headers[3], "Mcp-Param-Region: eu");
    // Once only.
    wire.refuses(id, 400, MISMATCH);
    let ended = finished(call).await;
    assert_eq!((ended.outcome, ended.legs), (Outcome::Error, 2));
    assert!(ended.advice.is_some());
}

#[tokio::test(start_paused = true)]
async fn refused_headers_that_would_be_the_same_again_are_not_sent_again() {
    let (web, mut wire) = Web::modern().await;
    let call = web.bench.call("tools/call", r#"{"name":"good"}"#).await;
    let (id, _, _) = wire.heard().await;
    wire.refuses(id, 400, MISMATCH);
    let (id, _, _) = wire.heard().await;
    wire.answers(id, &ANNOTATED.replace('\n', ""));
    let ended = finished(call).await;
    assert_eq!((ended.outcome, ended.legs), (Outcome::Error, 1));
    assert!(ended.response.unwrap().body_text().contains("-32020"));
}

/// Whatever becomes of the listing, the call was refused, and did not run.
#[tokio::test(start_paused = true)]
async fn a_list_that_cannot_be_read_again_gives_the_refusal_back() {
    for is_answered in [true, false] {
        let (web, mut wire) = Web::modern().await;
        let call = web.bench.call("tools/call", r#"{"name":"good"}"#).await;
        let (id, _, _) = wire.heard().await;
        wire.refuses(id, 400, MISMATCH);
        let (id, text, _) = wire.heard().await;
        assert!(text.contains("tools/list"), "{text}");
        if is_answered {
            wire.refuses(id, 400, r#"{"code":-32603,"message":"no list"}"#);
        }
        let ended = finished(call).await;
        assert_eq!((ended.outcome, ended.legs), (Outcome::Error, 1));
        assert!(ended.response.unwrap().body_text().contains("-32020"));
        let advice = ended.advice.unwrap();
        assert!(advice.contains("could not be read again"), "{advice}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_integer_beyond_what_a_header_may_have_is_not_sent() {
    let (web, mut wire) = Web::modern().await;
    let list = web.bench.call("tools/list", "{}").await;
    let (id, ..) = wire.heard().await;
    let counted = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"count","inputSchema":
        {"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}]}"#;
    wire.answers(id, &counted.replace('\n', ""));
    finished(list).await;
    let call = async |n: &str| {
        let params = format!(r#"{{"name":"count","arguments":{{"n":{n}}}}}"#);
        web.bench.call("tools/call", &params).await
    };
    for n in ["9007199254740992", "-9007199254740993", "1e300"] {
        let refused = finished(call(n).await).await;
        assert!(
            matches!(&refused.outcome, Outcome::NotSent(why) if why.contains(n) && why.contains("Mcp-Param-N")),
            "{:?}",
            refused.outcome
        );
    }
    let sent = call("9007199254740991").await;
    let (id, _, headers) = wire.heard().await;
    assert_eq!(headers[3], "Mcp-Param-N: 9007199254740991");
    wire.answers(id, r#"{"resultType":"complete","content":[]}"#);
    assert_eq!(finished(sent).await.outcome, Outcome::Result);
}

/// Pages of new names, of which only the last belongs to the call.
#[tokio::test(start_paused = true)]
async fn a_call_gets_its_headers_however_much_else_the_list_has() {
    let mut web = Web::new(|options| options.limits.list_bytes = 4_000);
    let mut wire = web.link().await;
    let (id, ..) = wire.heard().await;
    wire.answers(id, DISCOVERED);
    assert_eq!(web.settled().await.state, State::Ready);
    let call = web
        .bench
        .call("tools/call", r#"{"name":"good","arguments":{"r":"eu"}}"#)
        .await;
    let (id, ..) = wire.heard().await;
    wire.refuses(id, 400, MISMATCH);
    for page in 0..10 {
        let names: Vec<String> = (0..10)
            .map(|tool| {
                format!(
                    r#"{{"name":"{page}-{tool}-{}","inputSchema":{{}}}}"#,
                    "n".repeat(300)
                )
            })
            .collect();
        let (id, ..) = wire.heard().await;
        let tools = names.join(",");
        wire.answers(
            id,
            &format!(r#"{{"resultType":"complete","tools":[{tools}],"nextCursor":"n"}}"#),
        );
    }
    let (id, ..) = wire.heard().await;
    wire.answers(id, &ANNOTATED.replace('\n', ""));
    let (id, _, headers) = wire.heard().await;
    assert_eq!(headers[3], "Mcp-Param-Region: eu");
    wire.answers(id, r#"{"resultType":"complete","content":[]}"#);
    assert_eq!(finished(call).await.outcome, Outcome::Result);
}
