//! Large volumes: large results, many messages, servers that flood, do not read, or do not end.

use patchbay_client::{ConnectOptions, EraChoice, Outcome, Request, State};
use patchbay_protocol::limits::Limits;
use patchbay_traffic::{Filter, Kind};

use tokio::task::JoinSet;

use super::session::{Session, call, options, over, program, run_test};
use crate::programs::ours;

fn call_with(tool: &str, n: usize) -> Request {
    Request::new(
        "tools/call",
        Some(format!(r#"{{"name":"{tool}","arguments":{{"n":{n}}}}}"#)),
    )
}

#[test]
fn a_line_of_fifty_megabytes_is_complete() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        let answer = session.request(call_with("big", 50)).await.response.unwrap();
        assert!(answer.frame.len() > 50_000_000);
        session.store.flush().await.unwrap();
        assert_eq!(
            session.store.body(answer.seq).await.unwrap().unwrap(),
            answer.frame
        );
        session.connection.close().await;
    });
}

#[test]
fn a_line_beyond_the_limit_ends_the_connection_with_its_cause() {
    run_test(async {
        let session = Session::new(ConnectOptions {
            limits: Limits::with([("frameBytes", 1 << 20)]).unwrap(),
            ..options(ours("patchbay-test-server"), &["legacy"], EraChoice::Legacy)
        });
        session.connection.settled().await;
        let Outcome::ConnectionLost(failure) = session.request(call_with("big", 3)).await.outcome else {
            panic!("the line was taken");
        };
        assert_eq!(
            failure.cause,
            "The server wrote more than 1 MiB without ending the line."
        );
        // The beginning of the line is in the log, as far as the limit.
        let rows = session.rows().await;
        let longest = rows.iter().map(|row| row.size).max().unwrap();
        assert!((1 << 20..2 << 20).contains(&longest), "{longest} bytes");
        session.connection.close().await;
    });
}

#[test]
fn ten_thousand_log_messages_are_all_recorded_and_noticed() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        assert_eq!(
            session.request(call_with("logs", 10_000)).await.outcome,
            Outcome::Result
        );
        let notices = session.connection.notices().borrow().clone();
        assert_eq!(notices.log_messages, 10_000);
        session.store.flush().await.unwrap();
        let logs = Filter::default().kinds(&[Kind::Notification]);
        assert_eq!(session.store.count(&logs).await.unwrap(), 10_001);
        session.connection.close().await;
    });
}

/// As many are queued as are collected before they are processed.
#[test]
fn sixty_four_concurrent_calls_get_their_own_responses() {
    run_test(async {
        let session = Session::new(options(ours("patchbay-rmcp-server"), &[], EraChoice::Legacy));
        session.connection.settled().await;
        let mut callers = JoinSet::new();
        for caller in 0..64 {
            let connection = session.connection.clone();
            callers.spawn(async move {
                for n in 0..10 {
                    let text = format!("{n} of {caller}.");
                    let params = format!(r#"{{"name":"echo","arguments":{{"text":"{text}"}}}}"#);
                    let call = Request::new("tools/call", Some(params));
                    let answer = connection.request(call).await.finished().await.response.unwrap();
                    let answer = String::from_utf8_lossy(&answer.frame).into_owned();
                    assert!(answer.contains(&format!("\"{text}\"")), "{text}: {answer}");
                }
            });
        }
        callers.join_all().await;
        let hangs = async || {
            let params = r#"{"name":"hang","arguments":{}}"#.to_owned();
            let call = Request::new("tools/call", Some(params));
            session.connection.request(call).await
        };
        let mut waiting = Vec::new();
        for _ in 0..16 {
            waiting.push(hangs().await);
        }
        for call in waiting {
            session.connection.cancel(call.id, None).await;
            assert_eq!(call.finished().await.outcome, Outcome::Cancelled);
        }
        session.connection.close().await;
    });
}

#[test]
fn a_flood_on_stderr_blocks_nothing() {
    run_test(async {
        let (session, _) = Session::scripted(&["legacy"], EraChoice::Legacy).await;
        assert_eq!(
            session.request(call_with("stderr", 20_000)).await.outcome,
            Outcome::Result
        );
        session.connection.close().await;
        let status = session.connection.status().borrow().clone();
        assert_eq!(
            status.stderr_tail.lines().last().map(String::as_str),
            Some("stderr line 19999")
        );
    });
}

#[test]
fn one_malformed_tool_is_one_row() {
    run_test(async {
        let (session, _) = Session::scripted(&["fifty"], EraChoice::Legacy).await;
        let answer = session
            .request(Request::new("tools/list", None))
            .await
            .response
            .unwrap();
        session.connection.close().await;
        session.store.flush().await.unwrap();
        let record = session.store.record(answer.seq).await.unwrap().unwrap();
        let found: Vec<_> = record
            .violations
            .iter()
            .map(|v| (v.rule.as_str(), v.pointer.as_deref()))
            .collect();
        let expected = [
            ("tool-not-object", Some("/result/tools/10")),
            ("tool-name-missing", Some("/result/tools/20/name")),
            ("tool-input-schema-missing", Some("/result/tools/30/inputSchema")),
        ];
        assert_eq!(found, expected);
    });
}

#[test]
fn a_server_that_does_not_read_blocks_neither_timeouts_nor_the_end() {
    run_test(async {
        let (session, _) = Session::scripted(&["deaf"], EraChoice::Legacy).await;
        let text = "x".repeat(1 << 20);
        let params = format!(r#"{{"name":"echo","arguments":{{"text":"{text}"}}}}"#);
        let timeouts = super::session::impatient("echo").timeouts;
        let request = Request {
            timeouts,
            ..Request::new("tools/call", Some(params))
        };
        let mut outcomes = Vec::new();
        for _ in 0..20 {
            outcomes.push(session.request(request.clone()).await.outcome);
        }
        assert!(
            matches!(outcomes.first(), Some(Outcome::TimedOut { .. })),
            "{outcomes:?}"
        );
        assert!(
            matches!(outcomes.last(), Some(Outcome::NotSent(why)) if why.contains("does not read")),
            "{outcomes:?}"
        );
        session.connection.close().await;
        assert_eq!(session.connection.status().borrow().state, State::Closed);
    });
}

#[test]
fn a_stubborn_server_is_killed() {
    run_test(async {
        let (session, _) = Session::scripted(&["stubborn"], EraChoice::Legacy).await;
        let hanging = session.connection.request(call("never")).await;
        session.connection.close().await;
        assert!(matches!(
            hanging.finished().await.outcome,
            Outcome::ConnectionLost(_)
        ));
        let status = session.connection.status().borrow().clone();
        assert_eq!(status.state, State::Closed);
        assert_eq!(
            status.process.clone().unwrap().exit.unwrap().to_string(),
            "signal 9 (SIGKILL)"
        );
    });
}

#[test]
fn a_server_that_closes_stdout_and_keeps_running() {
    run_test(async {
        // Its end is not waited for longer than usual.
        let server = program(ours("patchbay-test-server"), &["closes-stdout"]);
        let session = Session::new(over(server, EraChoice::Legacy));
        let mut status = session.connection.status();
        let status = status
            .wait_for(|status| status.state == State::Failed)
            .await
            .unwrap()
            .clone();
        let failure = status.failure.clone().unwrap();
        assert_eq!(
            failure.cause,
            "The server closed its stdout, but its process did not end."
        );
        session.connection.close().await;
    });
}

#[test]
fn pages_are_followed_by_their_cursors() {
    run_test(async {
        let (session, _) = Session::scripted(&["pages"], EraChoice::Legacy).await;
        let mut cursor = None;
        let mut names = String::new();
        loop {
            let params =
                cursor.map(|cursor: serde_json::Value| serde_json::json!({ "cursor": cursor }).to_string());
            let answer = session
                .request(Request::new("tools/list", params))
                .await
                .response
                .unwrap();
            let page: serde_json::Value = serde_json::from_str(&answer.body_text()).unwrap();
            for tool in page["tools"].as_array().unwrap() {
                names.push_str(tool["name"].as_str().unwrap());
                names.push(' ');
            }
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        assert_eq!(names, "tool-0 tool-1 tool-2 tool-3 tool-4 tool-5 ");
        session.connection.close().await;
    });
}
