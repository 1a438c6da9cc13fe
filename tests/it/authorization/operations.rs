//! Operations over HTTP with authorization: everything that a connect or a call causes is recorded under one operation.

use serde_json::Value;

use super::ProtectedServer;
use crate::client::run_test;

/// The rows of an operation, sorted: messages by their method, HTTP exchanges by method, path and status.
fn rows_of(rows: &[Value], operation: &Value) -> String {
    let rows = rows.iter().filter(|row| row["operation"] == *operation);
    let mut words: Vec<String> = rows
        .map(|row| {
            let kind = row["kind"].as_str().unwrap();
            let summary = row["summary"].as_str().unwrap_or_default();
            match (kind, summary.split_once("://")) {
                ("http", Some((method, rest))) => {
                    let (_, path) = rest.split_once('/').unwrap();
                    format!("http {} /{path}", method.split(' ').next().unwrap())
                }
                ("lifecycle", Some((words, _))) => format!("lifecycle {words}"),
                ("lifecycle", None) => format!("lifecycle {summary}"),
                _ => format!("{kind} {}", row["method"].as_str().unwrap()),
            }
        })
        .collect();
    words.sort();
    words.join("\n")
}

#[test]
fn a_connect_and_a_call_include_their_exchanges_and_their_authorization() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        let ((), pages) = protected.consenting(protected.works("write")).await;
        assert_eq!(pages.len(), 1, "{pages:?}");
        let rows = protected.harness.all_rows().await;
        let operation = |method: &str| {
            let row = rows.iter().find(|row| row["method"] == method);
            &row.unwrap_or_else(|| panic!("no {method}: {rows:#?}"))["operation"]
        };
        let connecting = rows_of(&rows, operation("initialize"));
        insta::assert_snapshot!(connecting, @r"
        http GET /.well-known/oauth-authorization-server → 200 application/json
        http GET /.well-known/oauth-protected-resource/mcp → 200 application/json
        http POST /mcp → 200 application/json
        http POST /mcp → 202
        http POST /mcp → 401 text/plain
        http POST /register → 201 application/json
        http POST /token → 200 application/json
        lifecycle Connecting to http
        lifecycle Ready: 2025-11-25, scripted
        notification notifications/initialized
        request initialize
        response initialize
        ");
        insta::assert_snapshot!(rows_of(&rows, operation("tools/call")), @r"
        http POST /mcp → 200 application/json
        http POST /mcp → 403 text/plain
        http POST /token → 200 application/json
        request tools/call
        response tools/call
        ");
        // The stream for unrequested messages belongs to no user action.
        insta::assert_snapshot!(rows_of(&rows, &Value::Null), @"http GET /mcp → 405");
        protected.harness.engine.shutdown().await;
    });
}

#[test]
fn what_the_user_starts_for_an_authorization_is_an_operation() {
    run_test(async {
        let protected = ProtectedServer::ready("fair").await;
        let before = protected.harness.all_rows().await.len();
        protected.harness.of_server("authorization_refresh").await;
        protected.harness.of_server("authorization_forget").await;
        let rows = protected.harness.all_rows().await.split_off(before);
        let operation = |path: &str| {
            let has_path = |row: &&Value| row["summary"].as_str().unwrap_or_default().contains(path);
            &rows.iter().find(has_path).expect(path)["operation"]
        };
        let (refresh, forget) = (operation("/token"), operation("/revoke"));
        assert!(refresh.is_string() && forget.is_string() && refresh != forget);
        insta::assert_snapshot!(rows_of(&rows, refresh), @"http POST /token → 200 application/json");
        // Both tokens are revoked.
        insta::assert_snapshot!(rows_of(&rows, forget), @r"
        http POST /revoke → 200
        http POST /revoke → 200
        ");
        assert_eq!(rows.len(), 3, "{rows:#?}");
        protected.harness.engine.shutdown().await;
    });
}
