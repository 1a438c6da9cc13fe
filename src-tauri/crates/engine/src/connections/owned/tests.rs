//! A task that dies takes its connection with it: each kind is killed once, in a connection that uses it.

use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{FINISH_TIMEOUT, TaskKind, TaskSet};

thread_local! {
    /// Tasks of the engine run on the thread of the test.
    static DOOMED: Cell<Option<TaskKind>> = const { Cell::new(None) };
}

#[tokio::test(start_paused = true)]
async fn a_task_of_the_engine_that_dies_begins_again() {
    let begun = Cell::new(0);
    let work = || {
        begun.set(begun.get() + 1);
        let number = begun.get();
        async move { assert!(number > 2, "the watch is killed") }
    };
    super::kept_up("the watch", work).await;
    assert_eq!(begun.get(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_set_waits_for_its_tasks_and_stops_those_that_do_not_end() {
    let tasks = TaskSet::default();
    let (ended, endless) = (Arc::new(()), Arc::new(()));
    let (in_ended, in_endless) = (ended.clone(), endless.clone());
    let ran_to_its_end = Arc::new(AtomicBool::new(false));
    let ran = ran_to_its_end.clone();
    tasks.spawn(async move {
        let _in_ended = in_ended;
        tokio::time::sleep(FINISH_TIMEOUT / 2).await;
        ran.store(true, Ordering::Relaxed);
    });
    tasks.spawn(async move {
        let _in_endless = in_endless;
        std::future::pending::<()>().await;
    });
    tasks.finish().await;
    assert!(ran_to_its_end.load(Ordering::Relaxed));
    assert_eq!((Arc::strong_count(&ended), Arc::strong_count(&endless)), (1, 1));
}

/// Where a task may die.
pub(super) fn strike(kind: TaskKind) {
    assert_ne!(DOOMED.get(), Some(kind), "the task is killed");
}

/// Shell scripts act as the servers.
#[cfg(unix)]
mod with_a_server {
    use std::time::Duration;

    use patchbay_contract::*;
    use patchbay_traffic::{Filter, Kind};
    use serde_json::json;
    use tokio::sync::mpsc;

    use super::{DOOMED, TaskKind};
    use crate::{engine::testing, state::Engine};

    const LEGACY: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
"#;

    const MODERN: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}}\n' "$id" ;;
    *'"subscriptions/listen"'*) printf '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":{"toolsListChanged":true}}}\n' "$id" ;;
  esac
done
"#;

    /// What makes a connection start the task.
    #[derive(Debug, Clone, Copy)]
    enum Use {
        /// Nothing but to connect.
        Connect,
        /// A subscription that is opened and closed.
        Subscribe,
        /// A request that begins after everything was cancelled.
        Interrupt,
    }

    async fn connecting(engine: &Engine, script: &str, era: EraChoice) -> ServerId {
        let mut draft = engine.draft_of_command("sh -c :").unwrap();
        if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
            *args = vec!["-c".to_owned(), script.to_owned()];
        }
        draft.era = era;
        let server = engine.add_server(draft).await.unwrap();
        engine.open_connection(&server).await.unwrap();
        server
    }

    async fn subscribe(engine: &Engine, server: &ServerId) {
        let filter = json!({"toolsListChanged": true, "promptsListChanged": false, "resourcesListChanged": false,
            "resourceUris": ["demo://a"], "taskIds": []});
        let params = json!({"serverId": server, "filter": filter}).to_string();
        let (sink, mut events) = mpsc::channel(16);
        let stream = engine.open_stream("subscription_open", &params, sink).unwrap();
        while let Some(event) = events.recv().await {
            if event.contains("acknowledged") {
                break;
            }
        }
        drop(stream);
    }

    /// Kills this kind, and returns what is said about it: in the window, on the command line, and in the log.
    async fn killed(kind: TaskKind, script: &str, era: EraChoice, how: Use) -> [String; 3] {
        DOOMED.set(Some(kind));
        let folder = tempfile::tempdir().unwrap();
        let engine = testing::attended(&folder).await;
        let server = connecting(&engine, script, era).await;
        let live = engine.state.live(&server).unwrap();
        let connection = live.connection.clone().unwrap();
        if !matches!(how, Use::Connect) {
            assert_eq!(connection.settled().await.state, patchbay_client::State::Ready);
        }
        match how {
            Use::Connect => {}
            Use::Subscribe => subscribe(&engine, &server).await,
            Use::Interrupt => {
                engine.state.exchanges.cancel_all().await;
                drop(engine.state.exchanges.enter(1, connection));
            }
        }
        let mut status = live.status.clone();
        let failed =
            |status: &std::sync::Arc<patchbay_client::Status>| status.state == patchbay_client::State::Failed;
        // What is waited for is not kept: it would lock the status.
        let over = tokio::time::timeout(Duration::from_secs(20), status.wait_for(failed))
            .await
            .is_ok();
        assert!(over, "{kind:?}: the connection goes on");
        let shown = engine.state.connection_item(&server);
        assert_eq!(shown.state, ConnectionState::Failed, "{kind:?}");
        let in_window = shown.failure.map(|failure| failure.cause).unwrap_or_default();
        let in_terminal = live.status().why_not_ready();
        engine.state.store.flush().await.unwrap();
        let notes = Filter::default().kinds(&[Kind::Lifecycle]);
        let rows = engine.state.store.rows(&notes, 0, 100).await.unwrap();
        let summaries = rows.into_iter().filter_map(|row| row.summary);
        let in_log: Vec<String> = summaries.filter(|text| text.starts_with("Failed")).collect();
        // What ended may begin again.
        DOOMED.set(None);
        if matches!(how, Use::Connect) {
            assert!(engine.connect(&server).await.unwrap().is_ok(), "{kind:?}");
        }
        engine.shutdown().await;
        [in_window, in_terminal, in_log.join("\n")]
    }

    #[tokio::test]
    async fn each_kind_of_task_that_dies_fails_its_connection_with_its_cause() {
        use EraChoice::{Legacy, Modern};
        let table = [
            (TaskKind::WatchStatus, LEGACY, Legacy, Use::Connect),
            (TaskKind::AnswerQuestions, MODERN, Modern, Use::Connect),
            (TaskKind::FirstListing, MODERN, Modern, Use::Connect),
            (TaskKind::RememberEra, LEGACY, Legacy, Use::Connect),
            (TaskKind::CompareDefinitions, LEGACY, Legacy, Use::Connect),
            (TaskKind::Unsubscribe, LEGACY, Legacy, Use::Subscribe),
            (TaskKind::EndSubscription, MODERN, Modern, Use::Subscribe),
            (TaskKind::CancelExchange, LEGACY, Legacy, Use::Interrupt),
        ];
        for kind in TaskKind::ALL {
            let row = table.iter().find(|(named, ..)| named == kind);
            let (kind, script, era, how) = *row.unwrap_or_else(|| panic!("{kind:?} is not killed"));
            for said in killed(kind, script, era, how).await {
                assert!(
                    said.contains(&format!("{} stopped", kind.words()))
                        && said.contains("the task is killed"),
                    "{kind:?}: {said}"
                );
            }
        }
    }
}
