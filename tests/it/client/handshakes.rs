//! How connections begin in both eras, and how failures are reported.

use std::time::Duration;

use patchbay_client::{EraChoice, Request, State, Verdict};
use patchbay_protocol::Era;

use super::session::{Session, described, options, run_test};
use crate::programs::ours;

/// The result of connecting to the scripted server, in a few lines.
fn outcome(args: &[&str], era: EraChoice) -> String {
    run_test(async {
        let (session, status) = Session::scripted(args, era).await;
        session.connection.close().await;
        described(&status)
    })
}

macro_rules! handshakes {
    ($($name:ident: $args:expr, $era:ident, @$expected:literal;)+) => {
        $(#[test] fn $name() { insta::assert_snapshot!(outcome(&$args, EraChoice::$era), @$expected); })+
    };
}

handshakes! {
    legacy_of_today: ["legacy"], Legacy, @"Ready 2025-11-25 (set to legacy: initialize without a probe)";
    legacy_of_2025_06: ["legacy", "2025-06-18"], Legacy, @"Ready 2025-06-18 (set to legacy: initialize without a probe)";
    legacy_of_2025_03: ["legacy", "2025-03-26"], Legacy, @"Ready 2025-03-26 (set to legacy: initialize without a probe)";
    legacy_of_2024: ["legacy", "2024-11-05"], Legacy, @"Ready 2024-11-05 (set to legacy: initialize without a probe)";
    modern: ["modern"], Modern, @"Ready 2026-07-28 (server/discover was answered)";
    auto_finds_modern: ["dual"], Auto, @"Ready 2026-07-28 (server/discover was answered)";
    auto_falls_back_on_method_not_found: ["legacy"], Auto, @"Ready 2025-11-25 (it answered server/discover with error -32601: Method not found; initialize in the same process)";
    auto_falls_back_on_invalid_params: ["legacy-32602"], Auto, @"Ready 2025-11-25 (it answered server/discover with error -32602: Invalid request parameters; initialize in the same process)";
    auto_falls_back_on_an_exit: ["strict"], Auto, @"Ready 2025-11-25 (it ended on server/discover: The server exited with code 3; initialize in a fresh process)";
    auto_starts_a_server_again_that_the_probe_has_spoiled: ["spoiled"], Auto, @"Ready 2025-11-25 (The server answered initialize with error -32600: The first request was not initialize; initialize in a fresh process)";
    auto_falls_back_when_only_old_versions_are_offered: ["modern-other", "2025-11-25"], Auto, @"Ready 2025-11-25 (it answered server/discover with the versions 2025-11-25; initialize in the same process)";
    auto_with_a_modern_server_of_another_revision: ["unknown-modern"], Auto, @r#"
    Failed
    Discover: No common revision: the server answered server/discover with 2099-01-01; Patchbay speaks 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.
    Use a version of the server that speaks one of these revisions, or allow unknown revisions in its settings.
    "#;
    modern_refused_by_a_legacy_server: ["legacy"], Modern, @r#"
    Failed
    Discover: The server does not speak 2026-07-28: it answered server/discover with error -32601: Method not found.
    Set the era of this server to auto or legacy.
    "#;
    legacy_refused_by_a_modern_server: ["modern"], Legacy, @r#"
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered initialize with error -32022: Unsupported protocol version.
    Check the server's error. If the era is fixed, try Auto.
    {"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"?"}}
    "#;
    an_unknown_version: ["unknown-version"], Legacy, @r#"
    Failed (set to legacy: initialize without a probe)
    Initialize: No common revision: the server answered initialize with 1999-01-01; Patchbay speaks 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.
    Use a version of the server that speaks one of these revisions, or allow unknown revisions in its settings.
    "#;
    an_error_to_initialize: ["refuses"], Legacy, @r#"
    Failed (set to legacy: initialize without a probe)
    Initialize: The server answered initialize with error -32602: Invalid request parameters.
    Check the server's error. If the era is fixed, try Auto.
    {"code":-32602,"message":"Invalid request parameters","data":""}
    "#;
    an_exit_at_once: ["exit", "no API key"], Legacy, @r#"
    Failed (set to legacy: initialize without a probe)
    Initialize: The server exited with code 7.
    Check its stderr below.
    no API key
    "#;
    an_exit_at_once_in_auto: ["exit", "no API key"], Auto, @r#"
    Failed (it ended on server/discover: The server exited with code 7; initialize in a fresh process)
    Initialize: The server exited with code 7.
    Check its stderr below.
    no API key
    Tried before: 2026-07-28: it ended on server/discover: The server exited with code 7
    "#;
    text_before_json: ["stray"], Legacy, @"Ready 2025-11-25 (set to legacy: initialize without a probe)";
}

/// Connects to a scripted server of unknown era. Returns how often its program was started, and what is remembered of it.
async fn starts(script: &str) -> (usize, Option<Verdict>) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("starts");
    let server = ours("patchbay-test-server");
    let run = r#"echo started >> "$0"; exec "$@""#;
    let texts = [log.as_os_str(), server.as_os_str()].map(|path| path.to_str().unwrap());
    let mut options = options(
        "/bin/sh".into(),
        &["-c", run, texts[0], texts[1], script],
        EraChoice::Auto,
    );
    if script == "mute-discover" {
        // The probe gets half of it, and is not answered.
        options.timeouts.request = Duration::from_secs(10);
    }
    let session = Session::new(options);
    let status = session.connection.settled().await;
    assert_eq!(status.state, State::Ready, "{script}");
    session.connection.close().await;
    let count = std::fs::read_to_string(log).unwrap().lines().count();
    (
        count,
        status.era_verdict.as_ref().and_then(|verdict| verdict.remember),
    )
}

/// A start is what takes longest.
#[test]
fn a_server_is_started_once_unless_the_probe_ends_or_spoils_it() {
    run_test(async {
        for (script, era, expected) in [
            ("dual", Era::Modern, 1),
            ("legacy", Era::Legacy, 1),
            ("legacy-32602", Era::Legacy, 1),
            ("mute-discover", Era::Legacy, 1),
            ("strict", Era::Legacy, 2),
            ("spoiled", Era::Legacy, 2),
        ] {
            let (started, remembered) = starts(script).await;
            assert_eq!(started, expected, "{script}");
            assert_eq!(remembered.map(|verdict| verdict.era), Some(era), "{script}");
        }
    });
}

#[test]
fn a_probe_breaks_no_rule() {
    run_test(async {
        for script in ["legacy", "legacy-32602", "dual"] {
            let (session, _) = Session::scripted(&[script], EraChoice::Auto).await;
            session.request(Request::new("tools/list", None)).await;
            session.connection.close().await;
            let transcript = session.transcript().await;
            assert!(!transcript.contains('!'), "{script}: {transcript}");
        }
    });
}

#[test]
fn a_missing_program() {
    run_test(async {
        let session = Session::new(options("no-such-server".into(), &[], EraChoice::Auto));
        let status = session.connection.settled().await;
        let failure = status.failure.clone().unwrap();
        assert_eq!((status.state, failure.step), (State::Failed, "Start the program"));
        assert_eq!(
            failure.cause,
            "The program \"no-such-server\" was not found in PATH."
        );
        assert!(failure.detail.unwrap().starts_with("PATH used: "));
        session.connection.close().await;
    });
}

#[test]
fn the_probe_and_the_fresh_process_are_both_recorded() {
    run_test(async {
        let (session, _) = Session::scripted(&["strict"], EraChoice::Auto).await;
        session.connection.close().await;
        insta::assert_snapshot!(session.transcript().await, @r#"
    > 0 request server/discover #1 lost {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
    > 1 request initialize #2 ok =2 {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
    < 2 response initialize #2 ok =1 {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"scripted","version":"1.0"},"instructions":"Be kind."}}
    > 3 note notifications/initialized {"jsonrpc":"2.0","method":"notifications/initialized"}
    "#);
    });
}

#[test]
fn every_modern_request_identifies_the_client() {
    run_test(async {
        let (session, status) = Session::scripted(&["dual"], EraChoice::Modern).await;
        assert_eq!(
            status.handshake.as_ref().unwrap().supported_versions,
            ["2026-07-28"]
        );
        for tool in ["echo", "input", "odd-type", "no-type", "logs"] {
            let params = format!(r#"{{"name":"{tool}","arguments":{{"n":1}}}}"#);
            session.request(Request::new("tools/call", Some(params))).await;
        }
        session.connection.close().await;
        insta::assert_snapshot!(session.transcript().await, @r#"
        > 0 request server/discover #1 ok =1 {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
        < 1 response server/discover #1 ok =0 {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"instructions":"Be kind.","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1.0"}}}}
        > 2 request tools/call #2 ok =3 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"echo","arguments":{"n":1}}}
        < 3 response tools/call #2 ok =2 {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"n\":1}"}]}}
        > 4 request tools/call #3 ok =5 {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"input","arguments":{"n":1}}}
        < 5 response tools/call #3 ok =4 {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"s"}}
        > 6 request tools/call #4 ok =7 {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"input","arguments":{"n":1},"requestState":"s"}}
        < 7 response tools/call #4 ok =6 {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"asked again"}]}}
        > 8 request tools/call #5 ok =9 {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"odd-type","arguments":{"n":1}}}
        < 9 response tools/call #5 ok =8 !result-type-unknown {"jsonrpc":"2.0","id":5,"result":{"resultType":"perhaps","content":[]}}
        > 10 request tools/call #6 ok =11 {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"no-type","arguments":{"n":1}}}
        < 11 response tools/call #6 ok =10 !result-type-missing {"jsonrpc":"2.0","id":6,"result":{"content":[]}}
        > 12 request tools/call #7 ok =14 {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"logs","arguments":{"n":1}}}
        < 13 note notifications/message !log-uninvited {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"message 0"}}
        < 14 response tools/call #7 ok =12 {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"logged"}]}}
        "#);
    });
}

#[test]
fn a_batch_is_legal_in_the_revision_that_allows_it() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy", "2025-03-26"], EraChoice::Legacy).await;
        session.call("batch").await;
        session.connection.close().await;
        assert!(
            !session.transcript().await.contains('!'),
            "{}",
            session.transcript().await
        );
    });
}

#[test]
fn undeclared_requests_are_sent_with_a_note() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        session.request(Request::new("prompts/list", None)).await;
        session.connection.close().await;
        let transcript = session.transcript().await;
        assert!(
            transcript.contains("prompts/list #2 error =4 !undeclared-capability"),
            "{transcript}"
        );
    });
}
