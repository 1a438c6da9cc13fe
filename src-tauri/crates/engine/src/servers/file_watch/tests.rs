//! Servers that are restarted when files change: real files, real processes.
#![cfg(unix)]

mod missed;
mod stopping;

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use patchbay_contract::{BuildDraft, EraChoice, FileWatchDraft, ServerId, TransportDraft};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    time::{sleep_until, timeout},
};

use super::{
    plan::{LATE, LONGEST_AFTER_BUILD, Series, Sources},
    task::Task,
    watcher::PendingChanges,
};
use crate::{
    Engine,
    engine::testing::{attended, call, refusal},
};

/// Notes each start in `starts`, runs `on-start` if there is one, answers no ping while there is a file `hold`, and does not end
/// while there is a file `linger`.
const SERVER: &str = r#"echo started >> starts
if [ -e on-start ]; then . ./on-start; fi
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in *ping*)
    echo asked > pinged
    while [ -e hold ]; do sleep 0.05; done
    printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
while [ -e linger ]; do sleep 0.05; done
"#;

/// A connected server in a folder with the watched folder `src`.
struct Harness {
    folder: tempfile::TempDir,
    engine: Engine,
    server: ServerId,
}

impl Harness {
    async fn new(watch: FileWatchDraft) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/a"), "").unwrap();
        let engine = attended(&folder).await;
        let mut draft = engine.draft_of_command("sh -c :").unwrap();
        if let TransportDraft::Stdio { args, cwd, env, .. } = &mut draft.transport {
            *args = vec!["-c".to_owned(), SERVER.to_owned()];
            *cwd = Some(folder.path().display().to_string());
            env.push(patchbay_contract::EnvVar {
                name: "API_TOKEN".to_owned(),
                value: "hush-hush-12345".to_owned(),
            });
        }
        draft.era = EraChoice::Legacy;
        draft.file_watch = Some(watch);
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        let harness = Self {
            folder,
            engine,
            server,
        };
        harness.until("watching").await;
        harness
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file beside the watched folder and moves it to its place, so that the change is reported once.
    fn write(&self, name: &str, text: &str) {
        let written = self.path("written");
        std::fs::write(&written, text).unwrap();
        std::fs::rename(written, self.path(name)).unwrap();
    }

    fn lines(&self, name: &str) -> usize {
        std::fs::read_to_string(self.path(name)).map_or(0, |text| text.lines().count())
    }

    async fn of_server(&self, command: &str) -> Value {
        call(&self.engine, command, json!({ "serverId": self.server })).await
    }

    async fn item(&self) -> Value {
        call(&self.engine, "server_list", json!({})).await["items"][0].clone()
    }

    /// The server in the list, when that is so.
    async fn when(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        let mut nudges = self.engine.state.nudges.revision();
        loop {
            nudges.borrow_and_update();
            let item = self.item().await;
            if is_it(&item) {
                return item;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "not {what}: {}",
                item["fileWatch"]
            );
            // What a program writes is looked for too, and has no nudge.
            let _ = timeout(Duration::from_millis(20), nudges.changed()).await;
        }
    }

    /// When watching is in this state.
    async fn until(&self, state: &str) -> Value {
        let item = self
            .when(state, |item| item["fileWatch"]["state"]["type"] == state)
            .await;
        item["fileWatch"].clone()
    }

    /// When it was restarted so often, and is ready.
    async fn restarted(&self, times: u32) -> Value {
        let item = self
            .when("restarted", |item| {
                let watch = &item["fileWatch"];
                watch["restarts"] == times
                    && watch["state"]["type"] == "watching"
                    && item["connection"]["state"] == "ready"
            })
            .await;
        assert_eq!(self.lines("starts"), times as usize + 1);
        item["fileWatch"].clone()
    }
}

fn watch(build: Option<&str>) -> FileWatchDraft {
    FileWatchDraft {
        on: true,
        paths: vec!["src".to_owned()],
        quiet_ms: 100,
        build: build.map(|script| BuildDraft {
            command: "sh".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            ..BuildDraft::default()
        }),
        ..FileWatchDraft::default()
    }
}

#[tokio::test]
async fn a_server_is_restarted_when_a_file_changes_and_the_log_says_why() {
    let harness = Harness::new(watch(None)).await;
    harness.write("src/a", "1");
    let shown = harness.restarted(1).await;
    assert_eq!(shown["changed"], json!(["src/a"]));
    harness.write("src/b", "1");
    harness.restarted(2).await;
    let details = harness.of_server("file_watch_get").await;
    let src = harness.path("src").display().to_string();
    assert_eq!(
        (&details["paths"], &details["build"]),
        (&json!([src]), &Value::Null)
    );
    // What is beside the watched folder does not count, nor does what is never watched.
    harness.write("other", "1");
    harness.write("src/a~", "1");
    harness.write("src/c", "1");
    let shown = harness.restarted(3).await;
    assert_eq!(shown["changed"], json!(["src/c"]));
    harness.engine.shutdown().await;
    let found =
        crate::engine::testing::files_with(harness.folder.path(), "Patchbay restarted the server: src/c");
    assert!(!found.is_empty());
}

#[tokio::test]
async fn a_failed_build_leaves_the_server_running_and_can_be_run_again() {
    let build = r#"echo "in $PWD with $API_TOKEN" && cat fine"#;
    let harness = Harness::new(watch(Some(build))).await;
    harness.write("src/a", "1");
    harness.until("buildFailed").await;
    assert_eq!(harness.lines("starts"), 1, "it runs on");
    assert_eq!(harness.item().await["connection"]["state"], "ready");
    let build = harness.of_server("file_watch_get").await["build"].clone();
    assert_eq!(build["end"]["succeeded"], false);
    assert_eq!(build["end"]["words"], "exit code 1");
    let output = build["output"].as_str().unwrap();
    let folder = harness.folder.path().canonicalize().unwrap();
    assert!(output.contains(&format!("in {}", folder.display())), "{output}");
    assert!(!output.contains("hush-hush"), "secrets are masked: {output}");
    assert!(output.contains("No such file"), "{output}");

    harness.write("fine", "fine now");
    harness.of_server("file_watch_restart").await;
    harness.restarted(1).await;
    let build = harness.of_server("file_watch_get").await["build"].clone();
    assert_eq!(build["end"]["succeeded"], true, "{build}");
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn what_a_build_writes_causes_no_build() {
    let harness = Harness::new(watch(Some("echo >> builds; echo >> src/out; echo > src/out2"))).await;
    for times in 1..=3 {
        harness.write("src/a", "1");
        harness.restarted(times).await;
        // One more would have begun before the next change.
        assert_eq!(harness.lines("builds"), times as usize);
        let build = harness.of_server("file_watch_get").await["build"].clone();
        assert_eq!(build["setAside"], 2, "{build}");
        assert_eq!(build["setAsidePaths"], json!(["src/out", "src/out2"]));
    }
    harness.engine.shutdown().await;
}

/// How long it rests after a build whose changes are reported so many milliseconds after its end, and which of them were
/// reported by then.
async fn rest_after_build(quiet_ms: u32, reports: &[u64]) -> (Duration, BTreeSet<PathBuf>) {
    let pending = Arc::new(PendingChanges::default());
    let (_now, wanted) = mpsc::channel(1);
    let task = Task {
        engine: Weak::default(),
        server: ServerId("one".to_owned()),
        settings: FileWatchDraft {
            quiet_ms,
            ..watch(None)
        },
        view: Arc::default(),
        now: wanted,
        pending: pending.clone(),
        sources: Sources::default(),
        series: Series::default(),
        is_incomplete: false,
    };
    let ended = tokio::time::Instant::now();
    let reporting = async {
        for after_ms in reports {
            sleep_until(ended + Duration::from_millis(*after_ms)).await;
            pending.add(Some(PathBuf::from(after_ms.to_string())));
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = task.rest_after_build() => (ended.elapsed(), pending.take().paths),
        () = reporting => unreachable!("it does not end"),
    }
}

fn paths(names: &[&str]) -> BTreeSet<PathBuf> {
    names.iter().map(PathBuf::from).collect()
}

/// The system reports changes on its own time.
#[tokio::test(start_paused = true)]
async fn what_is_reported_just_after_the_end_of_a_build_was_written_by_it() {
    let (rested, reported) = rest_after_build(100, &[]).await;
    assert!(is_about(rested, LATE), "{rested:?}");
    assert_eq!(reported, paths(&[]));
    // The last one comes when there was nothing for the 100 ms of the settings.
    let (rested, reported) = rest_after_build(100, &[150, 240, 345]).await;
    assert!(is_about(rested, Duration::from_millis(340)), "{rested:?}");
    assert_eq!(reported, paths(&["150", "240"]));
}

/// However long a pause the settings ask for.
#[tokio::test(start_paused = true)]
async fn a_build_is_rested_from_for_a_few_seconds_at_most() {
    let (rested, reported) = rest_after_build(60_000, &[10, 4_000, 5_100]).await;
    assert!(is_about(rested, LONGEST_AFTER_BUILD), "{rested:?}");
    assert_eq!(reported, paths(&["10", "4000"]));
}

/// The timer counts whole milliseconds.
fn is_about(time: Duration, wanted: Duration) -> bool {
    time >= wanted && time <= wanted + Duration::from_millis(2)
}

#[tokio::test]
async fn an_edit_during_a_build_is_built_too_and_once() {
    // It also writes what is edited, as a formatter does.
    let build = "echo >> builds; echo >> src/a; while [ ! -e go ]; do sleep 0.05; done";
    let harness = Harness::new(watch(Some(build))).await;
    harness.write("src/a", "1");
    harness.until("building").await;
    harness.write("src/a", "2");
    harness.write("go", "");
    harness.restarted(1).await;
    assert_eq!(harness.lines("builds"), 2);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn disconnecting_and_stopping_end_watching_and_a_build_that_runs() {
    let build = r#"echo $$ > pid; exec sleep 1000"#;
    for command in ["connection_close", "file_watch_stop"] {
        let harness = Harness::new(watch(Some(build))).await;
        harness.write("src/a", "1");
        harness.until("building").await;
        harness.when("started", |_| harness.lines("pid") == 1).await;
        harness.of_server(command).await;
        let pid = std::fs::read_to_string(harness.path("pid")).unwrap();
        let begun = Instant::now();
        while is_running(&pid) {
            assert!(begun.elapsed() < Duration::from_secs(30), "the build still runs");
            tokio::task::yield_now().await;
        }
        let item = harness.item().await;
        if command == "connection_close" {
            assert_eq!(item["fileWatch"], Value::Null);
            let params = json!({ "serverId": harness.server });
            let why = refusal(&harness.engine, "file_watch_restart", params).await;
            assert!(why.contains("not watched"), "{why}");
        } else {
            assert_eq!(item["fileWatch"]["state"]["type"], "stopped");
            assert_eq!(item["connection"]["state"], "ready");
            harness.of_server("file_watch_start").await;
            harness.until("watching").await;
        }
        assert_eq!(harness.lines("starts"), 1);
        // The next connect begins it again.
        harness.of_server("connection_restart").await;
        harness.until("watching").await;
        harness.engine.shutdown().await;
    }
}

/// Whether a process runs: not one that only waits to be reaped.
fn is_running(pid: &str) -> bool {
    let status = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", pid.trim()])
        .output()
        .unwrap();
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    !status.trim().is_empty() && !status.starts_with('Z')
}

#[tokio::test]
async fn a_folder_that_disappears_is_watched_again_when_it_is_back() {
    let harness = Harness::new(watch(None)).await;
    std::fs::rename(harness.path("src"), harness.path("gone")).unwrap();
    let shown = harness.until("missing").await;
    assert_eq!(shown["state"]["path"], harness.path("src").display().to_string());
    assert_eq!(harness.item().await["connection"]["state"], "ready");
    std::fs::rename(harness.path("gone"), harness.path("src")).unwrap();
    harness.restarted(1).await;
    harness.write("src/a", "1");
    harness.restarted(2).await;
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_server_that_writes_into_its_folder_is_not_restarted_for_ever() {
    let harness = Harness::new(watch(None)).await;
    harness.write("on-start", "echo > src/state");
    harness.write("src/a", "1");
    let shown = harness.until("looping").await;
    assert_eq!(shown["state"]["path"], "src/state");
    assert_eq!(shown["restarts"], 5);
    assert_eq!(harness.lines("starts"), 6);
    harness.write("on-start", "");
    harness.of_server("file_watch_restart").await;
    harness.restarted(6).await;
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn thousands_of_changes_are_one_restart() {
    let settings = FileWatchDraft {
        quiet_ms: 2_000,
        ..watch(None)
    };
    let harness = Harness::new(settings).await;
    for number in 0..5_000 {
        harness.write(&format!("src/{}", number % 500), "1");
    }
    let shown = harness.restarted(1).await;
    assert_eq!(shown["changedCount"], 500);
    assert_eq!(shown["changed"].as_array().unwrap().len(), 3);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn files_that_do_not_rest_are_said_and_the_user_need_not_wait() {
    let settings = FileWatchDraft {
        quiet_ms: 60_000,
        ..watch(None)
    };
    let harness = Harness::new(settings).await;
    harness.write("src/a", "1");
    harness.until("settling").await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(11)).await;
    tokio::time::resume();
    let shown = harness.until("busy").await;
    assert_eq!(
        (&shown["changed"], &shown["restarts"]),
        (&json!(["src/a"]), &json!(0))
    );
    harness.of_server("file_watch_restart").await;
    harness.restarted(1).await;
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_restart_waits_for_pending_calls_unless_the_user_does_not() {
    let harness = Harness::new(watch(None)).await;
    for (times, wait) in [(1, true), (2, false)] {
        harness.write("hold", "");
        let params = json!({ "serverId": harness.server }).to_string();
        let ping = async {
            let answer = harness.engine.call("connection_ping", &params).await;
            assert_eq!(answer.is_ok(), wait, "{answer:?}");
        };
        let change = async {
            harness.when("asked", |_| harness.path("pinged").exists()).await;
            // It is known a moment later that the call is pending.
            let is_known = |item: &Value| item["connection"]["pendingCount"] == 1;
            harness.when("pending", is_known).await;
            harness.write("src/a", "1");
            let shown = harness.until("waitingForCalls").await;
            assert_eq!(shown["state"]["pending"], 1);
            match wait {
                true => std::fs::remove_file(harness.path("hold")).unwrap(),
                false => drop(harness.of_server("file_watch_restart").await),
            }
        };
        tokio::join!(ping, change);
        harness.restarted(times).await;
        std::fs::remove_file(harness.path("pinged")).unwrap();
    }
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn the_settings_take_effect_at_once() {
    let harness = Harness::new(watch(None)).await;
    let update = async |file_watch: Value| {
        let mut draft = harness.item().await["draft"].clone();
        draft["fileWatch"] = file_watch;
        let params = json!({ "serverId": harness.server, "draft": draft, "chosenRoots": [] });
        call(&harness.engine, "server_update", params).await;
    };
    let mut off = serde_json::to_value(watch(None)).unwrap();
    off["on"] = json!(false);
    update(off).await;
    assert_eq!(harness.item().await["fileWatch"], Value::Null);
    assert_eq!(
        harness.item().await["draft"]["fileWatch"]["paths"],
        json!(["src"]),
        "kept"
    );
    update(json!({ "on": true, "paths": ["src/a", "no/such"] })).await;
    let shown = harness.until("missing").await;
    assert_eq!(
        shown["state"]["path"],
        harness.path("no/such").display().to_string()
    );
    update(json!({ "on": true, "paths": ["src"], "ignored": ["a[z-a]"] })).await;
    let shown = harness.until("failed").await;
    assert!(shown["state"]["cause"].as_str().unwrap().contains("a[z-a]"));
    harness.of_server("connection_close").await;
    call(
        &harness.engine,
        "server_remove",
        json!({ "serverId": harness.server }),
    )
    .await;
    harness.engine.shutdown().await;
}
