//! The engine's commands, as the UI gives them, with a real server behind them.
#![cfg(unix)]

use patchbay_contract::{EraChoice, ServerId};
use patchbay_engine::{Engine, EngineOptions, EnvironmentChoice, StoreChoice, StreamHandle};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{
    client::play,
    programs::{ours, quoted, scripted},
};

/// An engine and one server it is connected with.
struct Desk {
    engine: Engine,
    server: ServerId,
    _folder: tempfile::TempDir,
}

/// A stream of the engine.
struct Stream {
    events: mpsc::Receiver<String>,
    _handle: StreamHandle,
}

impl Stream {
    /// The next event; none at the end.
    async fn next(&mut self) -> Option<Value> {
        let message: Value = serde_json::from_str(&self.events.recv().await.unwrap()).unwrap();
        assert_eq!(message["error"], Value::Null);
        message.get("event").cloned()
    }

    /// All events that are left.
    async fn rest(mut self) -> Vec<Value> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}

impl Desk {
    async fn new(command_line: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EngineOptions {
            data_dir: Some(folder.path().to_owned()),
            store: StoreChoice::Temporary,
            environment: EnvironmentChoice::Inherited,
            demo_program: None,
            front: "a test",
            inputs: patchbay_engine::InputPolicy::default(),
        })
        .await
        .unwrap();
        let mut draft = engine.draft_of_command(command_line).unwrap();
        draft.era = EraChoice::Legacy;
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        Self {
            engine,
            server,
            _folder: folder,
        }
    }

    async fn call(&self, name: &str, params: Value) -> Value {
        serde_json::from_str(&self.engine.call(name, &params.to_string()).await.unwrap()).unwrap()
    }

    async fn list_tools(&self) -> Value {
        let params = json!({"serverId": self.server, "refresh": false, "cursor": null});
        self.call("tool_list", params).await
    }

    fn call_tool(&self, name: &str, arguments: &str) -> Stream {
        let params = json!({
            "serverId": self.server, "name": name, "argumentsJson": arguments, "metaJson": null, "timeouts": null,
        });
        let (sink, events) = mpsc::channel(1);
        let handle = self.engine.open_stream("tool_call", &params.to_string(), sink);
        Stream {
            events,
            _handle: handle.unwrap(),
        }
    }

    /// The rows of these methods, once the server has said all it had to say.
    async fn rows(&self, methods: &[&str]) -> Vec<Value> {
        let ping = self.engine.request_raw(&self.server, "ping", None, None);
        ping.await.unwrap();
        // A recording holds all that was recorded before; so do the rows then.
        let recording = tempfile::tempfile().unwrap();
        self.engine.export_recording(recording).await.unwrap();
        let filter = json!({"serverId": null, "kinds": [], "text": null});
        let params = json!({"filter": filter, "offset": 0, "limit": 500});
        let answer = self.call("traffic_rows", params).await;
        let rows = answer["rows"].as_array().unwrap().iter();
        let wanted = rows.filter(|row| methods.iter().any(|method| row["method"] == *method));
        wanted.cloned().collect()
    }

    async fn record(&self, row: &Value) -> Value {
        self.call("traffic_record", json!({"seq": row["seq"]})).await
    }
}

#[test]
fn a_list_that_goes_round_ends_with_a_word() {
    play(async {
        let desk = Desk::new(&scripted("cursor-loop")).await;
        let list = desk.list_tools().await;
        assert_eq!(list["total"], 2, "{list}");
        assert_eq!(list["violations"][0]["rule"], "list-cursor-repeated", "{list}");
        let asked = desk.rows(&["tools/list"]).await;
        assert_eq!(asked.len(), 4, "two requests and their answers: {asked:#?}");
        desk.engine.shutdown().await;
    });
}

#[test]
fn a_cancelled_call_tells_the_server_and_its_late_answer_is_linked() {
    play(async {
        let desk = Desk::new(&scripted("legacy")).await;
        let mut call = desk.call_tool("late", "{}");
        let started = call.next().await.unwrap();
        assert_eq!(started["type"], "started");
        desk.call("exchange_cancel", json!({"exchangeId": started["exchangeId"]}))
            .await;
        let end = call.rest().await;
        assert_eq!(end.len(), 1, "{end:?}");
        assert_eq!(end[0]["outcome"]["type"], "cancelled", "{end:?}");
        // Again does nothing: it has ended already.
        desk.call("exchange_cancel", json!({"exchangeId": started["exchangeId"]}))
            .await;
        let rows = desk.rows(&["tools/call", "notifications/cancelled"]).await;
        let [call, told, answer] = rows.as_slice() else {
            panic!("{rows:#?}");
        };
        assert_eq!(call["seq"], started["seq"]);
        assert_eq!(
            (&call["status"], &answer["status"]),
            (&json!("cancelled"), &json!("ok"))
        );
        assert_eq!(
            (&call["pairSeq"], &answer["pairSeq"]),
            (&answer["seq"], &call["seq"])
        );
        let told = desk.record(told).await;
        assert_eq!(told["related"][0]["seq"], started["seq"], "{told}");
        let text = told["raw"]["inline"].as_str().unwrap();
        assert!(text.contains(r#""reason":"Cancelled by the user""#), "{text}");
        desk.engine.shutdown().await;
    });
}

/// A burst of progress is a few events: the newest each time, never more than one per 50 ms.
#[test]
fn a_burst_of_progress_is_told_at_a_pace() {
    play(async {
        let desk = Desk::new(&scripted("legacy")).await;
        let begun = std::time::Instant::now();
        let events = desk.call_tool("progress", r#"{"n":5000}"#).rest().await;
        let most = begun.elapsed().as_millis() / 50 + 2;
        let told: Vec<_> = events
            .iter()
            .filter(|event| event["type"] == "progress")
            .collect();
        assert!(
            !told.is_empty() && told.len() as u128 <= most,
            "{} events",
            told.len()
        );
        let steps: Vec<_> = told.iter().map(|event| event["progress"].as_f64()).collect();
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!(events.last().unwrap()["outcome"]["type"], "result");
        desk.engine.shutdown().await;
    });
}

/// What only the tool's output schema can tell is a problem of the record, too.
#[test]
fn a_broken_promise_is_seen_in_the_log() {
    play(async {
        let desk = Desk::new(&format!("{} demo-server", quoted(&ours("patchbay")))).await;
        desk.list_tools().await;
        for (arguments, rule) in [
            ("{}", "structured-content-mismatch"),
            (r#"{"how":"missing"}"#, "structured-content-missing"),
        ] {
            let events = desk.call_tool("wrong_structure", arguments).rest().await;
            assert_eq!(events.last().unwrap()["outcome"]["type"], "result");
            let rows = desk.rows(&["tools/call"]).await;
            let answer = rows.last().unwrap();
            assert_eq!(answer["violationCount"], 1, "{answer}");
            let record = desk.record(answer).await;
            assert_eq!(record["violations"][0]["rule"], rule, "{record}");
        }
        desk.engine.shutdown().await;
    });
}
