//! Changes that are reported when everything is about to be watched again, because others were missed.

use patchbay_contract::FileWatchState;

use super::*;

#[tokio::test]
async fn what_changes_during_a_restart_after_missed_changes_restarts_the_server_again() {
    let harness = Harness::new(watch(None)).await;
    // The task of the test takes the place of the one that is stopped here.
    harness.of_server("file_watch_stop").await;
    let pending = Arc::new(PendingChanges::default());
    let (_now, wanted) = mpsc::channel(1);
    let view = Arc::<super::super::state::View>::default();
    let task = Task {
        engine: Arc::downgrade(&harness.engine.state),
        server: harness.server.clone(),
        settings: watch(None),
        view: view.clone(),
        now: wanted,
        pending: pending.clone(),
        sources: Sources::default(),
        series: Series::default(),
        is_incomplete: false,
    };
    let until = async |what: &str, is_it: &dyn Fn(&FileWatchState, u32) -> bool| {
        let begun = Instant::now();
        loop {
            let (state, restarts) = {
                let shown = view.lock();
                (shown.state.clone(), shown.restarts)
            };
            if is_it(&state, restarts) {
                return;
            }
            let words = format!("not {what}: {state:?}, {restarts} restarts");
            assert!(begun.elapsed() < Duration::from_secs(60), "{words}");
            tokio::task::yield_now().await;
        }
    };
    let changing = async {
        until("watching", &|state, _| *state == FileWatchState::Watching {}).await;
        harness.write("linger", "");
        pending.add(None);
        until("restarting", &|state, _| *state == FileWatchState::Restarting {}).await;
        pending.add(Some(harness.path("src/a")));
        std::fs::remove_file(harness.path("linger")).unwrap();
        until("restarted again", &|_, restarts| restarts == 2).await;
    };
    tokio::select! {
        _ = task.run() => panic!("it ended"),
        () = changing => {}
    }
    harness.engine.shutdown().await;
}
