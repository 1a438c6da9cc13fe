use std::future::pending;
use std::sync::{Arc, Mutex};

use tokio::task::JoinHandle;

use super::{
    CHANNEL, COMMAND, Channel, InvokeBody, InvokeResponseBody, JavaScriptChannelId, STREAM, Streams, ended,
    final_save, params, parsed,
};

/// How the page calls the program.
const HOST: &str = include_str!("../../../ui/src/host/tauri.ts");

fn endless(streams: &Streams, stream_id: u32) -> JoinHandle<()> {
    let task = tokio::spawn(pending());
    Streams::list(&mut streams.lock(), stream_id, task.abort_handle());
    task
}

async fn was_ended(task: JoinHandle<()>) -> bool {
    task.await.is_err_and(|error| error.is_cancelled())
}

#[tokio::test]
async fn closing_ends_only_that_stream() {
    let streams = Streams::default();
    let (one, two) = (endless(&streams, 1), endless(&streams, 2));
    streams.close(1);
    assert!(was_ended(one).await);
    assert!(!two.is_finished());
    streams.close(1);
    streams.close_all();
    assert!(was_ended(two).await);
    assert!(streams.lock().is_empty());
}

#[tokio::test]
async fn a_stream_is_replaced_by_the_next_with_its_id() {
    let streams = Streams::default();
    let before = endless(&streams, 1);
    let before_id = before.id();
    let now = endless(&streams, 1);
    assert!(was_ended(before).await);
    streams.forget(1, Some(before_id));
    assert_eq!(streams.lock().len(), 1);
    streams.forget(1, Some(now.id()));
    assert!(streams.lock().is_empty());
}

#[test]
fn parameters_are_the_raw_body_unchanged() {
    let text = r#"{"a":9007199254740993,"b":1.10}"#;
    assert_eq!(params(&InvokeBody::Raw(text.into())).unwrap(), text);
    for (body, message) in [
        (InvokeBody::Raw(vec![0xff]), "are not UTF-8"),
        (InvokeBody::Json(serde_json::json!({})), "are not the raw body"),
    ] {
        let error = params(&body).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }
}

#[test]
fn headers_are_parsed() {
    assert_eq!(parsed::<u32>("7").unwrap(), 7, "{STREAM}");
    assert!(parsed::<u32>("seven").is_err());
    assert!(
        parsed::<JavaScriptChannelId>("__CHANNEL__:3").is_ok(),
        "{CHANNEL}"
    );
    assert!(parsed::<JavaScriptChannelId>("3").is_err());
}

#[tokio::test]
async fn a_pump_that_dies_tells_the_page_the_cause_as_the_end_of_its_stream() {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let channel = Channel::new({
        let sent = Arc::clone(&sent);
        move |message| {
            if let InvokeResponseBody::Json(text) = message {
                sent.lock().unwrap().push(text);
            }
            Ok(())
        }
    });
    ended("traffic_tail", &channel, async { panic!("the pump is killed") }).await;
    ended("app_watch", &channel, async { Ok(()) }).await;
    let sent = sent.lock().unwrap();
    assert_eq!(sent.len(), 1, "{sent:?}");
    let end: serde_json::Value = serde_json::from_str(&sent[0]).unwrap();
    assert_eq!(end["end"], true);
    assert_eq!(end["error"]["code"], "internal");
    let message = end["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("`traffic_tail`") && message.contains("the pump is killed"),
        "{message}"
    );
}

#[test]
fn the_page_and_the_final_save_call_with_the_headers_that_are_read() {
    for name in [COMMAND, STREAM, CHANNEL] {
        assert!(HOST.contains(&format!("'{name}': ")), "{name}");
    }
    assert!(HOST.contains("invoke<Calls[N]['response']>('call', encoded(params), { headers })"));
    assert!(HOST.contains("return new TextEncoder().encode(JSON.stringify(params));"));
    let script = final_save();
    let call = format!(
        "('call', new TextEncoder().encode('{{}}'), {{ headers: {{ '{COMMAND}': 'ui_state_get' }} }})"
    );
    assert!(script.contains(&call), "{script}");
}
