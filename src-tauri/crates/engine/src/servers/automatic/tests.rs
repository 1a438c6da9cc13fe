//! Servers that are lost and come back, with a clock that the test sets forward.
#![cfg(unix)]

use std::{path::Path, time::Duration};

use patchbay_contract::{AutomaticDraft, AutomaticItem, EraChoice, ServerDraft, ServerId, TransportDraft};
use serde_json::{Value, json};

use super::{ConnectionObserver, attempt_after, plan};
use crate::{
    Engine,
    engine::testing::{attended, call},
};

/// Says in the file `starts` that it was started. Ends at once if there is a file `broken`, and at a ping if there is a file
/// `fragile`.
const SERVER: &str = r#"cd "$0"
echo started >> starts
if [ -e broken ]; then exit 3; fi
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in *ping*)
    if [ -e fragile ]; then exit 3; fi
    printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
"#;

fn draft(engine: &Engine, folder: &Path, automatic: AutomaticDraft) -> ServerDraft {
    let mut draft = engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), SERVER.to_owned(), folder.display().to_string()];
    }
    draft.era = EraChoice::Legacy;
    draft.automatic = Some(automatic);
    draft
}

const RECONNECT: AutomaticDraft = AutomaticDraft {
    connect: false,
    reconnect: true,
};

/// Lets others run, for half a minute by the clock of the machine: the test sets tokio's.
struct Patience(std::time::Instant);

impl Patience {
    fn new() -> Self {
        Self(std::time::Instant::now())
    }

    async fn wait(&self, last: &Value) {
        assert!(self.0.elapsed() < Duration::from_secs(30), "last seen: {last}");
        tokio::task::yield_now().await;
    }
}

/// A server, connected.
struct Harness {
    folder: tempfile::TempDir,
    engine: Engine,
    server: ServerId,
}

impl Harness {
    async fn connected(automatic: AutomaticDraft) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = attended(&folder).await;
        let draft = draft(&engine, folder.path(), automatic);
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        Self {
            folder,
            engine,
            server,
        }
    }

    fn is(&self, file: &str) {
        std::fs::write(self.folder.path().join(file), "").unwrap();
    }

    fn is_not(&self, file: &str) {
        std::fs::remove_file(self.folder.path().join(file)).unwrap();
    }

    fn starts(&self) -> usize {
        let starts = std::fs::read_to_string(self.folder.path().join("starts"));
        starts.unwrap().lines().count()
    }

    /// The server ends by itself.
    async fn lose(&self) {
        self.is("fragile");
        let params = json!({ "serverId": self.server }).to_string();
        self.engine.call("connection_ping", &params).await.unwrap_err();
        self.is_not("fragile");
    }

    async fn of_server(&self, command: &str) {
        call(&self.engine, command, json!({ "serverId": self.server })).await;
    }

    /// The server in the list, when it is so.
    async fn until(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let patience = Patience::new();
        loop {
            let listed = call(&self.engine, "server_list", json!({})).await;
            let item = listed["items"][0].clone();
            if is_it(&item) {
                return item;
            }
            patience.wait(&item).await;
        }
    }

    async fn waits(&self, attempt: u32) {
        let item = self.until(|item| item["automatic"]["type"] == "waiting").await;
        assert_eq!(item["automatic"]["attempt"], attempt, "{item}");
        assert_eq!(item["automatic"]["of"], plan::MOST);
        assert_eq!(item["connection"]["state"], "failed");
    }

    async fn is_ready(&self) {
        let item = self.until(|item| item["connection"]["state"] == "ready").await;
        assert_eq!(item["automatic"], Value::Null, "{item}");
        // From when it counts as steady.
        let patience = Patience::new();
        while self.engine.state.automatic.item(&self.server).is_some() {
            patience.wait(&item).await;
        }
    }
}

async fn set_forward(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[test]
fn pauses_grow_to_a_minute() {
    let all: Vec<u64> = (1..=plan::MOST)
        .map(|attempt| plan::pause(attempt).as_secs())
        .collect();
    assert_eq!(all, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    assert_eq!(plan::pause(u32::MAX), Duration::from_secs(60));
}

#[tokio::test]
async fn a_lost_server_is_connected_again_after_a_pause() {
    let harness = Harness::connected(RECONNECT).await;
    for _ in 0..2 {
        harness.lose().await;
        // Steady for a minute, so this is a new series.
        harness.waits(1).await;
        set_forward(plan::pause(1)).await;
        harness.is_ready().await;
        set_forward(plan::STEADY).await;
    }
    assert_eq!(harness.starts(), 3);
    harness.engine.shutdown().await;
}

/// An attempt without a pause runs while it is still being begun.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_attempt_finds_its_series_however_soon_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    // Each ends at once: there is no such server.
    let servers: Vec<_> = (0..5_000).map(|at| ServerId(format!("gone-{at}"))).collect();
    for server in &servers {
        attempt_after(&engine.state, server, 1, Duration::ZERO);
    }
    let patience = Patience::new();
    let shown = |server: &ServerId| engine.state.automatic.item(server);
    for server in &servers {
        while !matches!(shown(server), Some(AutomaticItem::Ended { .. })) {
            patience.wait(&json!(shown(server))).await;
        }
    }
    engine.shutdown().await;
}

#[tokio::test]
async fn attempts_end_after_ten_in_a_row_and_the_user_begins_again() {
    let harness = Harness::connected(RECONNECT).await;
    harness.is("broken");
    harness.lose().await;
    for attempt in 1..=plan::MOST {
        harness.waits(attempt).await;
        set_forward(plan::pause(attempt)).await;
        harness
            .until(|item| item["automatic"]["attempt"] != attempt || item["automatic"]["type"] == "ended")
            .await;
    }
    let item = harness.until(|item| item["automatic"]["type"] == "ended").await;
    let because = item["automatic"]["because"].as_str().unwrap();
    assert!(because.contains("10 times"), "{because}");
    assert_eq!(harness.starts(), 11);
    harness.is_not("broken");
    harness.of_server("connection_open").await;
    harness.is_ready().await;
    harness.lose().await;
    harness.waits(1).await;
    harness.engine.shutdown().await;
}

/// A connection that breaks soon after each attempt is a part of the same series.
#[tokio::test]
async fn a_server_that_is_lost_again_soon_is_the_same_series() {
    let harness = Harness::connected(RECONNECT).await;
    for attempt in 1..=3 {
        harness.lose().await;
        harness.waits(attempt).await;
        set_forward(plan::pause(attempt)).await;
        harness.is_ready().await;
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn the_user_takes_over_by_stopping_disconnecting_connecting_or_the_settings() {
    let harness = Harness::connected(RECONNECT).await;
    for command in ["automatic_stop", "connection_close"] {
        harness.lose().await;
        harness.waits(1).await;
        harness.of_server(command).await;
        let item = harness.until(|_| true).await;
        assert_eq!(item["automatic"], Value::Null, "{command}: {item}");
        let starts = harness.starts();
        set_forward(plan::pause(plan::MOST)).await;
        let item = harness.until(|_| true).await;
        assert_ne!(item["connection"]["state"], "ready", "{command}: {item}");
        assert_eq!(harness.starts(), starts);
        harness.of_server("connection_open").await;
        harness.is_ready().await;
    }
    // Connecting now does not wait for the pause.
    harness.lose().await;
    harness.waits(1).await;
    harness.of_server("connection_open").await;
    harness.is_ready().await;

    harness.lose().await;
    harness.waits(1).await;
    let mut draft = harness.until(|_| true).await["draft"].clone();
    draft["automatic"] = Value::Null;
    let params = json!({ "serverId": harness.server, "draft": draft, "chosenRoots": [] });
    call(&harness.engine, "server_update", params).await;
    let item = harness.until(|_| true).await;
    assert_eq!(item["automatic"], Value::Null, "{item}");
    // A connection that the user closes is not lost.
    harness.of_server("connection_open").await;
    harness.is_ready().await;
    harness.of_server("connection_close").await;
    let item = harness
        .until(|item| item["connection"]["state"] == "closed")
        .await;
    assert_eq!(item["automatic"], Value::Null, "{item}");
    harness.engine.shutdown().await;
}

/// The connection is lost at the moment at which the user disconnects.
#[tokio::test]
async fn a_loss_that_is_noticed_after_the_user_disconnected_connects_nothing() {
    let harness = Harness::connected(RECONNECT).await;
    harness.lose().await;
    harness.waits(1).await;
    let (state, server) = (&harness.engine.state, &harness.server);
    let lost = state.live(server).unwrap().status();
    harness.of_server("connection_close").await;
    ConnectionObserver::default().observe(state, server, &lost);
    assert_eq!(state.automatic.item(server), None);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn only_chosen_servers_are_connected_at_the_start_and_a_failure_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let at_start = AutomaticDraft {
        connect: true,
        reconnect: false,
    };
    let ends = folder.path().join("ends");
    std::fs::create_dir(&ends).unwrap();
    std::fs::write(ends.join("broken"), "").unwrap();
    let mut broken = draft(&engine, &ends, at_start.clone());
    broken.name = "broken".to_owned();
    let chosen = draft(&engine, folder.path(), at_start);
    let mut other = draft(&engine, folder.path(), RECONNECT);
    other.name = "other".to_owned();
    for draft in [chosen, other, broken] {
        engine.add_server(draft).await.unwrap();
    }
    engine.shutdown().await;

    let engine = attended(&folder).await;
    let listed = async || call(&engine, "server_list", json!({})).await["items"].clone();
    let states = |items: &Value| -> Vec<Value> {
        let items = items.as_array().unwrap().iter();
        items.map(|item| item["connection"]["state"].clone()).collect()
    };
    assert_eq!(
        states(&listed().await),
        ["idle", "idle", "idle"],
        "opening connects nothing"
    );
    engine.connect_at_start();
    let patience = Patience::new();
    let items = loop {
        let items = listed().await;
        if states(&items) == ["ready", "idle", "failed"] && items[2]["automatic"]["type"] == "ended" {
            break items;
        }
        patience.wait(&json!(items)).await;
    };
    let because = items[2]["automatic"]["because"].as_str().unwrap();
    assert!(because.contains("when Patchbay started"), "{because}");
    assert_eq!(items[0]["automatic"], Value::Null);
    engine.shutdown().await;
}
