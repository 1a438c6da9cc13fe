use patchbay_client::CountedNotification;
use patchbay_contract::{SubscriptionEvent, SubscriptionFilter};
use patchbay_traffic::{Store, StoreOptions};

use super::{batching::Batch, refused, to_json};
use crate::dispatch::streams::Events;

fn filter() -> SubscriptionFilter {
    SubscriptionFilter {
        tools_list_changed: true,
        resources_list_changed: true,
        resource_uris: vec!["demo://\"a\"".to_owned(), "demo://b".to_owned()],
        task_ids: vec!["t".to_owned()],
        ..SubscriptionFilter::default()
    }
}

#[test]
fn only_selected_notifications_are_requested() {
    assert_eq!(to_json(&SubscriptionFilter::default()), "{}");
    assert_eq!(
        to_json(&filter()),
        r#"{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["demo://\"a\"","demo://b"],"taskIds":["t"]}"#
    );
}

#[test]
fn refused_notifications_are_listed() {
    assert_eq!(refused(&filter(), &filter()), [""; 0]);
    let granted = SubscriptionFilter {
        tools_list_changed: true,
        resource_uris: vec!["demo://b".to_owned()],
        ..SubscriptionFilter::default()
    };
    assert_eq!(
        refused(&filter(), &granted),
        [
            "changes of the list of resources",
            "the resource demo://\"a\"",
            "the task t"
        ]
    );
}

#[tokio::test]
async fn a_secret_in_what_a_notification_is_about_is_masked() {
    let (_store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    recorder.redact(vec![patchbay_secret::Secret::new("hush-hush-12345")]);
    let mut batch = Batch::new(recorder);
    batch.add(&CountedNotification {
        method: "notifications/resources/updated".into(),
        subject: Some("demo://hush-hush-12345".into()),
        count: 1,
        seq: 1,
    });
    let (sink, mut told) = tokio::sync::mpsc::channel(1);
    batch.send(&Events::new(sink)).await.unwrap();
    let Some(SubscriptionEvent::Notified { subject, .. }) = told.recv().await else {
        panic!("a notification");
    };
    let subject = subject.unwrap();
    assert!(
        subject.starts_with("demo://****") && !subject.contains("hush"),
        "{subject}"
    );
}

/// Shell scripts act as the servers.
#[cfg(unix)]
mod with_a_server {
    use patchbay_contract::*;
    use serde_json::{Value, json};
    use tokio::sync::mpsc;

    use crate::{
        Engine, EngineOptions, StreamHandle, connections::testing::SessionServer, dispatch::streams::Events,
    };

    struct Stream {
        events: mpsc::Receiver<String>,
        _handle: StreamHandle,
    }

    impl Stream {
        /// The next event, without variable parts; none at the end.
        async fn next(&mut self) -> Option<Value> {
            let mut message: Value = serde_json::from_str(&self.events.recv().await.unwrap()).unwrap();
            assert_eq!(message["error"], Value::Null);
            let mut event = message.get_mut("event")?.take();
            for name in ["seq", "exchangeId"] {
                event.as_object_mut().unwrap().remove(name);
            }
            Some(event)
        }
    }

    async fn open(script: &str, era: EraChoice, filter: Value) -> (tempfile::TempDir, Engine, Stream) {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let mut draft = engine.draft_of_command("sh -c :").unwrap();
        if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
            *args = vec!["-c".to_owned(), script.to_owned()];
        }
        draft.era = era;
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        let (sink, events) = mpsc::channel(16);
        let params = json!({"serverId": server, "filter": filter}).to_string();
        let stream = Stream {
            _handle: engine.open_stream("subscription_open", &params, sink).unwrap(),
            events,
        };
        (folder, engine, stream)
    }

    fn filter(tools: bool, uris: &[&str]) -> Value {
        json!({"toolsListChanged": tools, "promptsListChanged": false, "resourcesListChanged": false,
            "resourceUris": uris, "taskIds": []})
    }

    const LEGACY: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read line
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{}}'
read line
printf '%s\n' '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such thing"}}'
for n in 1 2 3; do printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://a"}}'; done
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
read line
"#;

    /// More different resources at once than any buffer used to hold.
    const BURST: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}'
read line
read line
n=0; while [ $n -lt 3000 ]; do n=$((n+1)); printf '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://%s"}}\n' $n; done
printf '%s\n' '{"jsonrpc":"2.0","id":2,"result":{}}'
read line
"#;

    #[tokio::test]
    async fn a_burst_is_counted_to_the_last_notification() {
        let (_folder, engine, mut stream) =
            open(BURST, EraChoice::Legacy, filter(false, &["demo://1"])).await;
        let mut count = 0;
        while count < 3000 {
            let event = stream.next().await.unwrap();
            if event["type"] == "notified" {
                count += event["count"].as_u64().unwrap();
            }
        }
        assert_eq!(count, 3000);
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn before_2026_resources_are_subscribed_to_one_by_one() {
        let (_folder, engine, mut stream) =
            open(LEGACY, EraChoice::Legacy, filter(true, &["demo://a", "demo://b"])).await;
        assert_eq!(stream.next().await.unwrap(), json!({"type": "opened"}));
        let acknowledged = stream.next().await.unwrap();
        assert_eq!(acknowledged["granted"], filter(false, &["demo://a"]));
        let refused = acknowledged["refused"].as_array().unwrap();
        assert!(
            refused[0].as_str().unwrap().starts_with("the resource demo://b:"),
            "{refused:?}"
        );
        assert_eq!(refused[1], "changes of the list of tools");
        let mut count = 0;
        while count < 3 {
            let notified = stream.next().await.unwrap();
            assert_eq!(notified["method"], "notifications/resources/updated");
            assert_eq!(notified["subject"], "demo://a");
            count += notified["count"].as_u64().unwrap();
        }
        assert_eq!(count, 3);
        // Closing the stream unsubscribes, which lets this server end.
        drop(stream);
        let id = ServerId(first_server(&engine).await);
        let ended = engine.state.live(&id).unwrap();
        let mut status = ended.status.clone();
        status
            .wait_for(|status| status.state == patchbay_client::State::Failed)
            .await
            .unwrap();
        engine.shutdown().await;
    }

    /// Reports a change of `demo://a` before the answer to a ping, as long as it is subscribed to.
    const ON_PING: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"id"'*)
      case $line in
        *resources/subscribe*) on=1 ;;
        *resources/unsubscribe*) on= ;;
        *ping*) [ -z "$on" ] || printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://a"}}' ;;
      esac
      printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
"#;

    /// A page that was reloaded: its new stream opens before what the end of the earlier one causes was sent.
    #[tokio::test]
    async fn the_end_of_an_earlier_stream_does_not_unsubscribe_a_new_one() {
        let (_folder, engine, mut earlier) =
            open(ON_PING, EraChoice::Legacy, filter(false, &["demo://a"])).await;
        while earlier.next().await.unwrap()["type"] != "acknowledged" {}
        let server = ServerId(first_server(&engine).await);
        drop(earlier);
        let (sink, events) = mpsc::channel(16);
        let params = json!({"serverId": server, "filter": filter(false, &["demo://a"])}).to_string();
        let mut new = Stream {
            _handle: engine.open_stream("subscription_open", &params, sink).unwrap(),
            events,
        };
        while new.next().await.unwrap()["type"] != "acknowledged" {}
        let (_, connection) = engine.state.ready(&server).unwrap();
        let ping = patchbay_client::Request::new("ping", None);
        connection.request(ping).await.finished().await;
        let notified = tokio::time::timeout(std::time::Duration::from_secs(20), new.next()).await;
        let notified = notified.expect("the new stream was told nothing").unwrap();
        assert_eq!(notified["subject"], "demo://a");
        engine.shutdown().await;
    }

    fn subscribes(_: u32, method: &str) -> Value {
        match method {
            "initialize" => json!({"resources": {"subscribe": true, "listChanged": true}}),
            _ => json!({}),
        }
    }

    /// The end of a stream, as text.
    async fn end_of(events: &mut mpsc::Receiver<SubscriptionEvent>) -> String {
        let ended = async {
            loop {
                if let Some(SubscriptionEvent::Ended { reason, .. }) = events.recv().await {
                    return reason;
                }
            }
        };
        let ended = tokio::time::timeout(std::time::Duration::from_secs(20), ended).await;
        ended.expect("the stream goes on")
    }

    #[tokio::test]
    async fn a_resource_is_subscribed_to_again_after_the_session_was_lost() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let server = SessionServer::start(subscribes).await;
        let id = server.connect(&engine).await;
        let subscribe = async || {
            let (sink, mut events) = mpsc::channel(16);
            let params = SubscriptionOpenParams {
                server_id: id.clone(),
                filter: serde_json::from_value(filter(false, &["demo://a"])).unwrap(),
            };
            let stream = tokio::spawn(super::super::open(engine.clone(), params, Events::new(sink)));
            loop {
                if let Some(SubscriptionEvent::Acknowledged { granted, .. }) = events.recv().await {
                    assert_eq!(granted.resource_uris, ["demo://a"]);
                    return (stream, events);
                }
            }
        };
        let (_stream, mut events) = subscribe().await;
        server.lose_session(&engine, &id).await;
        let reason = end_of(&mut events).await;
        assert!(reason.contains("lost the session"), "{reason}");
        // Neither of them ends before the other begins.
        let (stream, _events) = subscribe().await;
        let (_other, _more) = subscribe().await;
        assert_eq!(
            server.seen("resources/"),
            ["resources/subscribe 1", "resources/subscribe 2"]
        );
        stream.abort();
        engine.shutdown().await;
        assert_eq!(server.seen("resources/unsubscribe 1"), [""; 0]);
    }

    /// The new session is ready before the stream looks.
    #[tokio::test]
    async fn a_stream_whose_front_is_slow_ends_with_the_session() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
        let server = SessionServer::start(subscribes).await;
        let id = server.connect(&engine).await;
        let (sink, mut events) = mpsc::channel(1);
        let params = SubscriptionOpenParams {
            server_id: id.clone(),
            filter: SubscriptionFilter {
                resources_list_changed: true,
                ..SubscriptionFilter::default()
            },
        };
        let _stream = tokio::spawn(super::super::open(engine.clone(), params, Events::new(sink)));
        while events.is_empty() {
            tokio::task::yield_now().await;
        }
        server.lose_session(&engine, &id).await;
        end_of(&mut events).await;
        engine.shutdown().await;
    }

    async fn first_server(engine: &Engine) -> String {
        let list: Value = serde_json::from_str(&engine.call("server_list", "{}").await.unwrap()).unwrap();
        list["items"][0]["id"].as_str().unwrap().to_owned()
    }

    const MODERN: &str = r#"
read line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}}'
read line

meta='"_meta":{"io.modelcontextprotocol/subscriptionId":2}'
printf '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{%s,"notifications":{"toolsListChanged":true}}}\n' "$meta"
printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{%s}}\n' "$meta"

printf '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete",%s}}\n' "$meta"
read line
"#;

    #[tokio::test]
    async fn a_modern_stream_reports_what_it_grants_and_its_end() {
        let (_folder, engine, mut stream) =
            open(MODERN, EraChoice::Modern, filter(true, &["demo://a"])).await;
        assert_eq!(stream.next().await.unwrap(), json!({"type": "opened"}));
        assert_eq!(
            stream.next().await.unwrap(),
            json!({"type": "acknowledged", "granted": filter(true, &[]), "refused": ["the resource demo://a"]})
        );
        assert_eq!(
            stream.next().await.unwrap(),
            json!({"type": "notified", "method": "notifications/tools/list_changed", "subject": null, "count": 1})
        );
        let ended = stream.next().await.unwrap();
        assert_eq!(
            (&ended["type"], &ended["end"]),
            (&json!("ended"), &json!("graceful"))
        );
        assert_eq!(stream.next().await, None);
        engine.shutdown().await;
    }

    #[tokio::test]
    async fn an_invalid_result_is_not_the_end_that_was_specified() {
        let script = MODERN.replace(
            r#""id":2,"result":{"resultType":"complete""#,
            r#""id":2,"result":{"resultType":"perhaps""#,
        );
        let (_folder, engine, mut stream) = open(&script, EraChoice::Modern, filter(true, &[])).await;
        let ended = loop {
            let event = stream.next().await.unwrap();
            if event["type"] == "ended" {
                break event;
            }
        };
        assert_eq!(ended["end"], "abrupt");
        assert!(
            ended["reason"].as_str().unwrap().contains("\"perhaps\""),
            "{ended}"
        );
        engine.shutdown().await;
    }
}
