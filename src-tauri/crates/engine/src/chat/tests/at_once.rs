//! What happens to one conversation at the same time: writes that nobody waits for any more, its removal.

use std::{future::poll_fn, path::Path, pin::pin, sync::Arc, task::Poll, time::Duration};

use patchbay_contract::{ChatId, ChatPhase};
use tokio::{runtime::Runtime, sync::oneshot, time::timeout};

use super::{answer, user};
use crate::{
    chat::{
        conversation::Conversation,
        journal::{Journal, Kept, read},
    },
    connections::owned::OwnedTask,
    dispatch::nudges::Nudges,
};

const LONG: Duration = Duration::from_secs(20);

fn kept_in(path: &Path) -> Conversation {
    let journal = Journal::new(path.to_owned(), 0);
    let nudges = Arc::new(Nudges::new());
    Conversation::new(
        ChatId("c".to_owned()),
        Kept::default(),
        Some(journal),
        nudges,
        None,
    )
}

/// A runtime with one thread for files, which is busy until the sender is dropped.
fn with_a_busy_disk() -> (Runtime, std::sync::mpsc::Sender<()>) {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().max_blocking_threads(1).build().unwrap();
    let (busy, until) = std::sync::mpsc::channel::<()>();
    runtime.spawn_blocking(move || until.recv());
    (runtime, busy)
}

/// Begins the work, and drops it where it first waits.
async fn abandoned(work: impl Future) {
    let mut work = pin!(work);
    let is_waiting = poll_fn(|context| Poll::Ready(work.as_mut().poll(context).is_pending())).await;
    assert!(is_waiting, "it has ended already");
}

#[test]
fn a_conversation_deleted_during_a_write_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let (runtime, busy) = with_a_busy_disk();
    runtime.block_on(async {
        let conversation = kept_in(&path);
        abandoned(conversation.put(vec![user("1", "hi")])).await;
        let (removed, ()) = tokio::join!(timeout(LONG, conversation.remove()), async { drop(busy) });
        removed.unwrap().unwrap();
        // The only thread for files has done everything.
        tokio::task::spawn_blocking(|| {}).await.unwrap();
        assert!(!path.exists(), "{:?}", std::fs::read_to_string(&path));
        let refused = conversation.put(vec![user("2", "more")]).await.unwrap_err();
        assert!(refused.message.contains("was deleted"), "{}", refused.message);
    });
}

/// What nobody waits for any more is in the file and in memory, or in neither.
#[test]
fn a_write_that_is_abandoned_takes_effect_and_later_ones_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let (runtime, busy) = with_a_busy_disk();
    runtime.block_on(async {
        let conversation = kept_in(&path);
        abandoned(conversation.put(vec![answer("1", "hi", 0)])).await;
        let second = conversation.put(vec![answer("2", "more", 0)]);
        let (put, ()) = tokio::join!(timeout(LONG, second), async { drop(busy) });
        put.unwrap().unwrap();
        conversation
            .branch(Some("1".to_owned()), Vec::new())
            .await
            .unwrap();
        let kept = read(&path).unwrap();
        assert_eq!(
            (&kept.read_only, &kept.items),
            (&None, &vec![answer("1", "hi", 0)])
        );
        assert_eq!(kept.aside, [answer("2", "more", 0)]);
        assert_eq!(conversation.items(), kept.items);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("\"conversation\"").count(), 1, "{text}");
    });
}

#[tokio::test]
async fn a_turn_that_begins_during_a_removal_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let conversation = kept_in(&folder.path().join("c.jsonl"));
    let (sender, dropped) = oneshot::channel::<()>();
    let file = conversation.file().await;
    let meanwhile = async {
        // As a message does whose write ended just before.
        let turn = |_| {
            OwnedTask::spawn(async move {
                let _held = sender;
                std::future::pending::<()>().await;
            })
        };
        conversation.start(ChatPhase::Answering, turn).unwrap();
        drop(file);
    };
    let (removed, ()) = tokio::join!(conversation.remove(), meanwhile);
    removed.unwrap();
    let ended = timeout(LONG, dropped).await.expect("the turn goes on");
    assert!(ended.is_err());
    assert_eq!(conversation.lock().phase, ChatPhase::Idle);
}

/// A folder in the place of the file cannot be deleted as a file.
#[tokio::test]
async fn a_file_that_could_not_be_deleted_is_deleted_by_the_next_removal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let conversation = kept_in(&path);
    std::fs::create_dir(&path).unwrap();
    let refused = conversation.remove().await.unwrap_err();
    assert!(refused.message.contains("Deleting"), "{}", refused.message);
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, "lines").unwrap();
    conversation.remove().await.unwrap();
    assert!(!path.exists());
}
