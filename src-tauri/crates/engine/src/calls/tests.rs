use patchbay_contract::AsTask;
use tokio::time::Instant;

use super::{Throttled, meta_members, request, tool_params};
use crate::streams::Events;

#[test]
fn arguments_are_sent_as_they_stand_on_one_line() {
    let params = tool_params(
        "a \"b\"",
        " {\"big\":9007199254740993,\n \"f\":1.10,\r\n \"f\":2} ",
        None,
    )
    .unwrap();
    assert_eq!(
        params,
        r#"{"name":"a \"b\"","arguments":{"big":9007199254740993,  "f":1.10,   "f":2}}"#
    );
}

#[test]
fn what_is_no_object_is_refused_with_its_place() {
    for (arguments, words) in [
        ("{\"a\":\n  tru}", "line 2, column"),
        ("[1]", "must be a JSON object, not an array"),
        ("", "not valid JSON"),
    ] {
        let error = tool_params("t", arguments, None).unwrap_err();
        assert!(error.message.contains(words), "{}", error.message);
    }
    assert!(request(String::new(), None, None).is_err());
    assert_eq!(request("ping".to_owned(), None, None).unwrap().params, None);
}

#[test]
fn a_task_is_asked_for_with_whole_milliseconds() {
    let params = |ttl_ms| tool_params("t", "{}", Some(AsTask { ttl_ms }));
    assert_eq!(params(None).unwrap(), r#"{"name":"t","arguments":{},"task":{}}"#);
    assert_eq!(
        params(Some(60_000.0)).unwrap(),
        r#"{"name":"t","arguments":{},"task":{"ttl":60000}}"#
    );
    assert!(params(Some(0.5)).is_err());
    assert!(params(Some(-1.0)).is_err());
}

#[test]
fn meta_members_keep_their_text() {
    let members = meta_members(r#"{"traceparent":"00-a","n":1.10}"#).unwrap();
    assert_eq!(
        members,
        [
            ("traceparent".to_owned(), "\"00-a\"".to_owned()),
            ("n".to_owned(), "1.10".to_owned())
        ]
    );
}

/// The newest wins, at most every 50 ms, and the first at once.
#[tokio::test(start_paused = true)]
async fn progress_is_throttled() {
    let (sink, mut told) = tokio::sync::mpsc::channel(8);
    let events = Events::new(sink);
    let mut throttled = Throttled::default();
    let begun = Instant::now();
    let mut seen = Vec::new();
    for burst in [1_u32..=3, 4..=4, 5..=9] {
        for step in burst {
            throttled.put(patchbay_client::Progress {
                progress: step.into(),
                total: None,
                message: None,
                count: step.into(),
            });
        }
        throttled.due().await;
        throttled.send(&events).await.unwrap();
        let patchbay_contract::ExchangeEvent::Progress { count, .. } = told.recv().await.unwrap() else {
            panic!("progress");
        };
        seen.push((count, begun.elapsed().as_millis()));
    }
    assert_eq!(seen, [(3, 0), (4, 50), (9, 100)]);
    throttled.send(&events).await.unwrap();
    assert!(told.try_recv().is_err(), "nothing is told twice");
}
