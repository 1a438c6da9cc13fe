//! Several programs with one vault.

use std::pin::Pin;

use tokio::runtime::{Builder, Runtime};

use super::*;

/// Polls once; `None` if it is not done.
async fn polled<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> Option<T> {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(match future.as_mut().poll(context) {
            std::task::Poll::Ready(done) => Some(done),
            std::task::Poll::Pending => None,
        })
    })
    .await
}

#[tokio::test]
async fn concurrent_writes_of_two_programs_are_both_kept() {
    let harness = Harness::new();
    let programs = [harness.open(), harness.open()];
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..20 {
        let vault = programs[n % 2].clone();
        tasks.spawn(async move { put(&vault, &format!("secret {n:02}"), &format!("value {n:02}")).await });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap().unwrap();
    }
    let again = harness.open();
    for n in 0..20 {
        assert_eq!(
            got(&again, &format!("secret {n:02}")).await,
            Some(format!("value {n:02}"))
        );
    }
    assert_eq!(
        harness.keychain.keys.lock().unwrap().len(),
        1,
        "the loser removed its key"
    );
}

#[tokio::test]
async fn changes_of_another_program_are_visible() {
    let harness = Harness::new();
    let (one, two) = (harness.open(), harness.open());
    put(&one, "a", "first value").await.unwrap();
    assert_eq!(got(&two, "a").await.as_deref(), Some("first value"));
    put(&two, "a", "second value").await.unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("second value"));
    two.remove(vec![id("a")]).await.unwrap();
    assert_eq!(got(&one, "a").await, None);
    // A passphrase set by another program does not lock out a program that has the key.
    put(&one, "a", "third value").await.unwrap();
    two.choose(Choice::Passphrase(Secret::new("long enough")))
        .await
        .unwrap();
    assert_eq!(got(&one, "a").await.as_deref(), Some("third value"));
    assert_eq!(one.state(), State::Ready(KeyLocation::Passphrase));
}

#[tokio::test]
async fn a_vault_created_elsewhere_is_found_after_a_failure() {
    let harness = Harness::new();
    harness
        .keychain
        .fail(Some(KeychainError::Absent("no bus".to_owned())));
    let (one, two) = (harness.open(), harness.open());
    needed(put(&one, "a", TOKEN).await);
    two.choose(Choice::Passphrase(Secret::new("long enough")))
        .await
        .unwrap();
    assert_eq!(needed(put(&one, "a", TOKEN).await), State::Locked);
    one.unlock(Secret::new("long enough")).await.unwrap();
    put(&one, "a", TOKEN).await.unwrap();
    assert_eq!(got(&two, "a").await.as_deref(), Some(TOKEN));
}

/// Occupies a blocking thread until the sender is dropped. The receiver says when it is occupied.
fn occupy() -> (std::sync::mpsc::Sender<()>, tokio::sync::oneshot::Receiver<()>) {
    let (go, stopped) = std::sync::mpsc::channel();
    let (begun, occupied) = tokio::sync::oneshot::channel();
    drop(tokio::task::spawn_blocking(move || {
        let _ = begun.send(());
        let _ = stopped.recv();
    }));
    (go, occupied)
}

/// A caller that no longer waits does not stop a write. Nobody else may read the file until it has ended, or what they write
/// is lost.
#[test]
fn a_write_keeps_its_turn_when_its_caller_is_dropped() {
    let runtime = |paused| -> Runtime {
        let mut builder = Builder::new_current_thread();
        builder.enable_all().max_blocking_threads(1).start_paused(paused);
        builder.build().unwrap()
    };
    // One thread reads and writes the file for the first program, so that it can be kept busy before the write.
    let (first, second) = (runtime(false), runtime(true));
    let done = async || tokio::task::spawn_blocking(|| {}).await.unwrap();
    let harness = Harness::new();
    let (one, two) = (harness.open(), harness.open());
    first.block_on(put(&one, "a", "value a")).unwrap();
    let mut putting = Box::pin(put(&one, "b", "value b"));
    let go = first.block_on(async {
        let (mut go, occupied) = occupy();
        occupied.await.unwrap();
        // The file is read twice, before and after the turn is taken. Then the write waits for the thread.
        for _ in 0..2 {
            assert!(polled(&mut putting).await.is_none());
            let (next, occupied) = occupy();
            drop(go);
            occupied.await.unwrap();
            go = next;
        }
        assert!(polled(&mut putting).await.is_none());
        go
    });
    drop(putting);

    let mut other = Box::pin(put(&two, "c", "value c"));
    let early = second.block_on(async {
        // The clock of the test goes on when the other program has nothing to do but to wait.
        tokio::time::timeout(Duration::from_secs(1), &mut other).await
    });
    drop(go);
    first.block_on(done());
    early.unwrap_or_else(|_| second.block_on(other)).unwrap();
    let again = harness.open();
    for name in ["a", "b", "c"] {
        let value = first.block_on(got(&again, name));
        assert_eq!(value, Some(format!("value {name}")), "{name}");
    }
}

#[tokio::test]
async fn a_vault_has_settled_when_nothing_holds_a_lock() {
    let harness = Harness::new();
    let (vault, other) = (harness.open(), harness.open());
    vault.settled().await;
    let held = vault.exclusive("refresh").await.unwrap();
    let mut settled = Box::pin(vault.settled());
    assert!(polled(&mut settled).await.is_none());
    // Other secrets are written as usual, and a program that only waits has nothing to finish.
    put(&vault, "a", TOKEN).await.unwrap();
    let mut waiting = Box::pin(other.exclusive("refresh"));
    assert!(polled(&mut waiting).await.is_none());
    other.settled().await;
    assert!(polled(&mut settled).await.is_none());
    drop(held);
    let limit = Duration::from_secs(30);
    tokio::time::timeout(limit, settled).await.unwrap();
}
