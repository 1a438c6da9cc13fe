use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// Two programs with one vault: each has turns of its own, and only the file between them.
#[tokio::test]
async fn one_at_a_time_here_and_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("vault.json");
    let programs = [Arc::new(Turns::default()), Arc::new(Turns::default())];
    let inside = Arc::new(AtomicU32::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..12 {
        let (turns, vault, inside) = (programs[n % 2].clone(), vault.clone(), inside.clone());
        tasks.spawn(async move {
            let turn = turns.take(Some(&vault), "refresh").await.unwrap();
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "another is inside");
            tokio::task::yield_now().await;
            inside.fetch_sub(1, Ordering::SeqCst);
            drop(turn);
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

#[tokio::test]
async fn other_names_do_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("vault.json");
    let turns = Turns::default();
    let _one = turns.take(Some(&vault), "one").await.unwrap();
    let _two = turns.take(Some(&vault), "two").await.unwrap();
    let _memory = turns.take(None, "three").await.unwrap();
}
