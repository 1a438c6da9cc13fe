use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// Two programs with one vault: each has separate in-process locks, and only the file is shared.
#[tokio::test]
async fn one_holder_at_a_time_within_and_across_programs() {
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
async fn different_names_do_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("vault.json");
    let turns = Turns::default();
    let _one = turns.take(Some(&vault), "one").await.unwrap();
    let _two = turns.take(Some(&vault), "two").await.unwrap();
    let _memory = turns.take(None, "three").await.unwrap();
}

/// A program that hangs while it holds a lock.
#[tokio::test(start_paused = true)]
async fn waiting_for_another_program_ends() {
    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("vault.json");
    let (one, other) = (Turns::default(), Turns::default());
    let _held = one.take(Some(&vault), "refresh").await.unwrap();
    let Err(VaultError::File { step, cause, .. }) = other.take(Some(&vault), "refresh").await else {
        panic!("it is held")
    };
    assert_eq!(step, "Locking");
    assert!(cause.contains("another program has held it for 180 s"), "{cause}");
}

#[cfg(unix)]
#[tokio::test]
async fn lock_files_are_private_to_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let vault = folder.path().join("data").join("vault.json");
    let _held = Turns::default().take(Some(&vault), "refresh").await.unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(vault.parent().unwrap()), 0o700);
    assert_eq!(mode(&vault.with_file_name("locks")), 0o700);
    assert_eq!(mode(&lock_file(&vault, "refresh")), 0o600);
}
