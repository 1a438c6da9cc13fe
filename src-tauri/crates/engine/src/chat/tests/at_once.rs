//! What happens to one conversation at the same time: writes that nobody waits for any more, its removal, changes of its
//! settings, two messages.

use std::{future::poll_fn, path::Path, pin::pin, sync::Arc, task::Poll, time::Duration};

use patchbay_contract::{ChatCallState, ChatId, ChatPhase, ChatSettings, ServerId};
use serde_json::{Value, json};
use tokio::{runtime::Runtime, sync::oneshot, time::timeout};

use super::{answer, call, turns::Harness, user};
use crate::{
    chat::{
        conversation::Conversation,
        item::Item,
        journal::{Journal, StoredConversation, read},
    },
    connections::owned::OwnedTask,
    dispatch::nudges::Nudges,
};

const LONG: Duration = Duration::from_secs(20);

pub(super) fn kept_in(path: &Path) -> Conversation {
    let journal = Journal::new(path.to_owned(), 0);
    let nudges = Arc::new(Nudges::new());
    Conversation::new(
        ChatId("c".to_owned()),
        StoredConversation::default(),
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

/// Without its file, settings are in memory only: but the file may be just about to be.
#[test]
fn settings_that_change_while_the_first_message_is_written_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let (runtime, busy) = with_a_busy_disk();
    runtime.block_on(async {
        let conversation = kept_in(&path);
        let put = conversation.put(vec![answer("1", "hi", 0)]);
        let changed = conversation.change_settings(|settings| settings.max_rounds = 7);
        let all = async { tokio::join!(put, changed, async { drop(busy) }) };
        let (put, changed, ()) = timeout(LONG, all).await.unwrap();
        put.unwrap();
        assert_eq!(changed.unwrap().max_rounds, 7);
        let kept = read(&path).unwrap();
        assert_eq!((kept.settings.max_rounds, kept.items.len()), (7, 1));
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

impl Harness {
    /// A conversation in which the user answers, with these items.
    async fn begun(&self, items: Vec<Item>) -> Arc<Conversation> {
        let made = self.engine.state.chats.create(ChatSettings::default()).unwrap();
        made.put(items).await.unwrap();
        made
    }

    async fn file_of(&self, conversation: &Conversation) -> std::path::PathBuf {
        let listed = self.call("chat_list", json!({ "search": null })).await;
        let folder = Path::new(listed["folder"].as_str().unwrap()).to_owned();
        folder.join(format!("{}.jsonl", conversation.id))
    }
}

#[tokio::test]
async fn two_rules_that_are_added_at_once_are_both_kept() {
    let harness = Harness::new().await;
    let made = || Item::Call(Box::new(call("1", "0", ChatCallState::Done)));
    let conversation = harness.begun(vec![made()]).await;
    let add = async |tool: &str| {
        let remember = json!({ "covers": { "type": "tool", "tool": tool }, "always": false });
        let decision = json!({ "type": "run", "editedJson": null, "remember": remember });
        let params = json!({ "chatId": conversation.id, "calls": ["1"], "decision": decision });
        harness.call("chat_decide", params).await;
    };
    let file = conversation.file().await;
    let both = async { tokio::join!(add("one"), add("two"), async { drop(file) }) };
    timeout(LONG, both).await.unwrap();
    assert_eq!(conversation.settings().rules.len(), 2);
    let kept = read(&harness.file_of(&conversation).await).unwrap();
    assert_eq!(kept.settings, conversation.settings());
    harness.engine.shutdown().await;
}

/// A server that lists its tools only once it is told to.
#[cfg(unix)]
const LISTS_WHEN_TOLD: &str = r#"
held=; told=
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) held="$held $id" ;;
    *'"tell"'*) told=1 ;;
  esac
  if [ -n "$told" ]; then
    for id in $held; do
      printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"new","inputSchema":{"type":"object"}}]}}\n' "$id"
    done
    held=
  fi
done
"#;

#[cfg(unix)]
#[tokio::test]
async fn a_tool_that_is_renamed_while_a_server_lists_others_keeps_its_name() {
    let harness = Harness::new().await;
    let server = crate::engine::testing::legacy_script(&harness.engine, LISTS_WHEN_TOLD).await;
    let other = ServerId("other".to_owned());
    let settings = |alias: &str| {
        let known = json!({ "serverId": other, "tool": "old", "alias": alias });
        json!({ "answers": { "type": "manual" }, "servers": [server], "aliases": [known] })
    };
    let made = harness
        .call("chat_create", json!({ "settings": settings("before") }))
        .await;
    let listed = harness.call("chat_tools", json!({ "chatId": made["chatId"] }));
    let renamed = async {
        let params = json!({ "chatId": made["chatId"], "settings": settings("after") });
        harness.call("chat_settings_set", params).await;
        let tell =
            json!({ "serverId": server, "text": r#"{"jsonrpc":"2.0","method":"tell"}"#, "repeats": null });
        harness.call("message_send", tell).await;
    };
    let (listed, ()) = timeout(LONG, async { tokio::join!(listed, renamed) })
        .await
        .unwrap();
    assert_eq!(listed["tools"][0]["alias"], "new", "{listed}");
    let id = ChatId(made["chatId"].as_str().unwrap().to_owned());
    let conversation = harness.engine.state.chats.get(&id).await.unwrap();
    let aliases = conversation.settings().aliases.into_iter();
    let aliases: Vec<String> = aliases.map(|known| known.alias).collect();
    assert_eq!(aliases, ["after", "new"]);
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn what_begins_at_once_with_a_message_is_refused_and_the_message_is_kept() {
    let harness = Harness::new().await;
    let mut lost = Vec::new();
    for (command, params) in [
        ("chat_send", json!({ "text": "second" })),
        ("chat_continue", json!({})),
        ("chat_edit", json!({ "item": "1", "text": "other" })),
        ("chat_regenerate", json!({ "item": "2" })),
        ("chat_branch", json!({ "item": "1" })),
    ] {
        let conversation = harness.begun(vec![user("1", "hi"), answer("2", "so", 0)]).await;
        let ask = async |command: &str, mut params: Value| {
            params["chatId"] = json!(conversation.id);
            harness.engine.call(command, &params.to_string()).await
        };
        let file = conversation.file().await;
        let first = ask("chat_send", json!({ "text": "first" }));
        let both = async { tokio::join!(first, ask(command, params), async { drop(file) }) };
        let (first, second, ()) = timeout(LONG, both).await.unwrap();
        first.unwrap();
        let is_refused = second.is_err_and(|error| error.message.contains("is running"));
        let is_kept = |items: &[Item]| items.iter().any(|item| item.searched().contains("first"));
        if !is_refused || !is_kept(&conversation.items()) {
            lost.push(command);
            continue;
        }
        let kept = read(&harness.file_of(&conversation).await).unwrap();
        assert!(is_kept(&kept.items), "{command}: {kept:?}");
    }
    assert_eq!(lost, [""; 0]);
    harness.engine.shutdown().await;
}

/// It would be written again, without its beginning.
#[tokio::test]
async fn a_conversation_that_is_deleted_while_it_is_read_does_not_come_back() {
    let harness = Harness::new().await;
    let id = harness.begun(vec![user("1", "hi")]).await.id.clone();
    harness.engine.shutdown().await;
    let again = Harness {
        engine: crate::engine::testing::attended(&harness.folder).await,
        ..harness
    };
    let chats = &again.engine.state.chats;
    let (elsewhere, busy) = with_a_busy_disk();
    let mut reading = pin!(chats.get(&id));
    let is_waiting = poll_fn(|context| {
        let _entered = elsewhere.enter();
        Poll::Ready(reading.as_mut().poll(context).is_pending())
    });
    assert!(is_waiting.await);
    drop(busy);
    // The only thread for files there has read it.
    elsewhere.spawn_blocking(|| {}).await.unwrap();
    timeout(LONG, chats.remove(&id)).await.unwrap().unwrap();
    let read = timeout(LONG, reading).await.unwrap();
    elsewhere.shutdown_background();
    assert!(read.is_err(), "{read:?}");
    let listed = again.call("chat_list", json!({ "search": null })).await;
    assert_eq!(listed["items"], json!([]));
    again.engine.shutdown().await;
}

/// It is still there, and can be continued.
#[tokio::test]
async fn a_conversation_that_cannot_be_deleted_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let conversation = kept_in(&path);
    conversation.put(vec![user("1", "hi")]).await.unwrap();
    let text = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    // A folder is not deleted in the place of a file.
    std::fs::create_dir(&path).unwrap();
    let error = conversation.remove().await.unwrap_err();
    assert!(error.message.contains("Deleting the conversation"), "{error:?}");
    assert_eq!(conversation.lock().read_only, None);
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, text).unwrap();
    conversation.put(vec![answer("2", "so", 0)]).await.unwrap();
    conversation.remove().await.unwrap();
    assert!(conversation.lock().read_only.is_some() && !path.exists());
}
